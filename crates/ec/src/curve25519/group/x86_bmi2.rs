//! The same compiled with `mulx` and the shifts of BMI2.

super::words::words!(#[target_feature(enable = "bmi2")]);
