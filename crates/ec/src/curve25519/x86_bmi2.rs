//! The operations compiled with `mulx`, which multiplies from and to any register and leaves the
//! flags alone, and with the shifts of BMI2.

super::kernel::row!(super::field::Fe, super::edwards::Completed::NEUTRAL; #[target_feature(enable = "bmi2")]);
