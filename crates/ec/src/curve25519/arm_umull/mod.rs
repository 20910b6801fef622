//! The operations on ARM64 where products of 64-bit words take several cycles and those of vectors of
//! 32-bit words one: field elements in [pairs](pair), as the formulas have two multiplications to do at
//! the same time.
//!
//! All else, where that is no faster or the numbers are public, is that of [`arm_mul`](super::arm_mul).
//!
//! Digits, scalars and results are wiped as in the scalar implementation; intermediate points live in
//! registers, whose copies on the stack are not.

#[macro_use]
mod text;

mod base;
mod ladder;
mod pair;
#[cfg(test)]
mod tests;

use super::arm_mul;
use super::edwards::Affine;
use super::field::Fe;
use super::fields::Field;
use super::kernel;
pub(super) use arm_mul::{
    decompress_batch_vartime, decompress_vartime, sum_is_small_vartime, verify_batch_vartime,
    verify_vartime,
};
pub(super) use ladder::ladder;

/// `1 / x`, and 0 for 0.
#[target_feature(enable = "neon")]
fn invert(x: Fe) -> Fe {
    arm_mul::invert(&Field::from_outside(x.tighten())).to_outside()
}

#[target_feature(enable = "neon")]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    let product = base::mul_base(scalar);
    product.scale(invert(product.z))
}

#[target_feature(enable = "neon")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::montgomery_u(&base::mul_base(scalar), |x| invert(x))
}

kernel::batches_of_x25519!(#[target_feature(enable = "neon")]);

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon")]
pub(super) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    for (scalar, out) in scalars.iter().zip(out) {
        *out = mul_base(scalar);
    }
}
