//! Implementations by name, of products and modular exponentiation.
//!
//! Their results are right only for operands in range, and a base or an exponent is secret only
//! to functions without `_vartime` in the name.

pub use crate::power::{Task, backend::Backend};
