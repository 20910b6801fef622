//! The operations in plain Rust, for CPUs with a 64-bit multiplication.

use super::edwards::Affine;
use super::kernel;

pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    kernel::mul_base(scalar)
}

pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::mul_base_u(scalar)
}

pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    kernel::ladder(scalar, u)
}

pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    kernel::decompress_vartime(bytes)
}

pub(super) fn verify_vartime(a: &Affine, k: &[u64; 4], s: &[u64; 4], r: &Affine) -> bool {
    kernel::verify_vartime(a, k, s, r)
}
