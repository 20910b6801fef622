//! The operations in plain Rust, for CPUs with a 64-bit multiplication.

use super::edwards::Affine;
use super::kernel::{self, Check, Equation};
use super::memory::Table;

pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    kernel::mul_base(scalar)
}

pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::mul_base_u(scalar)
}

pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    kernel::ladder(scalar, u)
}

pub(super) fn ladder_batch(scalars: &[[u8; 32]], us: &[[u8; 32]], out: &mut [[u8; 32]]) {
    kernel::ladder_batch(scalars, us, out);
}

pub(super) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    kernel::mul_base_batch(scalars, out);
}

pub(super) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
    kernel::mul_base_u_batch(scalars, out);
}

pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    kernel::decompress_vartime(bytes)
}

pub(super) fn decompress_batch_vartime(bytes: &[[u8; 32]], out: &mut [Option<Affine>]) {
    kernel::decompress_batch_vartime(bytes, out);
}

pub(super) fn verify_vartime(equation: Equation, item: &Check) -> bool {
    kernel::verify_vartime(equation, item)
}

pub(super) fn verify_batch_vartime(equation: Equation, items: &[Check], out: &mut [bool]) {
    kernel::verify_batch_vartime(equation, items, out);
}

pub(super) fn sum_is_small_vartime(base: &[u64; 4], terms: &[Check], tables: &mut [Table]) -> bool {
    kernel::combination_is_small_vartime(base, terms, tables)
}
