//! The operations compiled with `mulx`, which multiplies into any two registers and leaves the flags
//! alone.

super::kernel::implementation!(Fe::mul_inline, Fe::square_inline, #[target_feature(enable = "bmi2")]);
