//! The operations on 32-bit words, for CPUs without a 64-bit multiplication: the formulas over
//! another field.

pub(super) mod field;

super::kernel::row!(field::Fe);
