//! The operations compiled with `mulx`, which multiplies from and to any register and leaves the
//! flags alone, and with the shifts of BMI2.

use super::edwards::Affine;
use super::kernel;

#[target_feature(enable = "bmi2")]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    kernel::mul_base(scalar)
}

#[target_feature(enable = "bmi2")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::mul_base_u(scalar)
}

#[target_feature(enable = "bmi2")]
pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    kernel::ladder(scalar, u)
}

#[target_feature(enable = "bmi2")]
pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    kernel::decompress_vartime(bytes)
}

#[target_feature(enable = "bmi2")]
pub(super) fn verify_vartime(a: &Affine, k: &[u64; 4], s: &[u64; 4], r: &Affine) -> bool {
    kernel::verify_vartime(a, k, s, r)
}
