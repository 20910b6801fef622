//! The same compiled with `mulx` and the shifts of BMI2.

crate::curve25519::group::words::words!(#[target_feature(enable = "bmi2")]);
