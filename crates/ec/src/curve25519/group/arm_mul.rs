//! The group over ARM64's field.

crate::curve25519::group::words::words!(arm_mul, crate::curve25519::arm_mul::field::Fe, 5; #[target_feature(enable = "neon")]);
