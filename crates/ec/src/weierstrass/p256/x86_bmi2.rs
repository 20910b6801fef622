//! The operations compiled with `mulx`, which multiplies into any two registers and leaves the flags
//! alone.

super::kernel::implementation!(#[target_feature(enable = "bmi2")]);
