//! The operations on ARM64: a field of four words, whose products are in assembly.

pub(super) mod base;
pub(super) mod field;

super::kernel::row!(field::Fe, super::edwards::Completed::NEUTRAL; #[target_feature(enable = "neon")]);
