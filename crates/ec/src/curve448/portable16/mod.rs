//! The operations for small CPUs, whose multiplication gives 32 bits: the formulas over a field that
//! multiplies only numbers of 16 bits.

pub(super) mod field;

super::kernel::row!(field::Fe);
