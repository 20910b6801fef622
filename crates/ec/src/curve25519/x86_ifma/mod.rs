//! The operations on AVX-512 IFMA: one at a time, four field elements side by side.
//!
//! The formulas of the curves are arranged so that the four lanes have a multiplication to do at
//! the same time. Inversions and square roots, which are chains of squarings, stay scalar.
//!
//! Digits, scalars and results are wiped as in the scalar implementation; intermediate points
//! live in registers, whose copies on the stack are not.

pub(super) mod four;
mod ladder;
pub(super) mod point;
#[cfg(test)]
mod tests;

use super::edwards::Affine;
use super::kernel;

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    point::mul_base(scalar).to_affine()
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::montgomery_u(&point::mul_base(scalar))
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    ladder::ladder(scalar, u)
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    kernel::decompress_vartime(bytes)
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn verify_vartime(a: &Affine, k: &[u64; 4], s: &[u64; 4], r: &Affine) -> bool {
    kernel::differ_by_small_order(&point::double_base_vartime(a, k, s), r)
}
