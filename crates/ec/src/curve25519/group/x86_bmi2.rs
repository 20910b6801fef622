//! The same compiled with `mulx` and the shifts of BMI2.

crate::curve25519::group::words::words!(x86_bmi2, crate::curve25519::field::Fe, 5; #[target_feature(enable = "bmi2")]);
