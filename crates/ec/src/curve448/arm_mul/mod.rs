//! The operations on ARM64, with products and squares in assembly.

mod columns;
pub(super) mod field;
mod pairs;

super::kernel::row!(field::Fe);
