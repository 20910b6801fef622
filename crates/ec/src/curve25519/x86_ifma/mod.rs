//! The operations on AVX-512 IFMA: four field elements side by side; batches are those of
//! [`x86_ifma_x8`](super::x86_ifma_x8), with eight.
//!
//! The formulas of the curves are arranged so that the four lanes have a multiplication to do at
//! the same time. Inversions and square roots, which are chains of squarings, stay scalar.
//!
//! Digits, scalars and results are wiped as in the scalar implementation; intermediate points
//! live in registers, whose copies on the stack are not.

mod formulas;
pub(super) mod four;
mod ladder;
pub(super) mod lanes;
pub(super) mod pair;
pub(super) mod point;
#[cfg(test)]
mod tests;
pub(super) mod vector;
mod verify;

use super::edwards::{Affine, Extended};
use super::kernel::{self, Check};
use super::memory::Table;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2 as others;
pub(super) use super::x86_ifma_x8::{
    decompress_batch_vartime, ladder_batch, mul_base_batch, mul_base_u_batch, verify_batch_vartime,
};
#[cfg(target_arch = "x86")]
use super::x86_sse2 as others;
pub(super) use others::decompress_vartime;
use others::invert;
pub(super) use verify::{odd_multiples, verify_vartime};

#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    to_affine(&pair::mul_base(scalar))
}

/// Not inlined: multiplication and inversion take the same stack, one after the other.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn to_affine(point: &Extended) -> Affine {
    point.scale(invert(&point.z))
}

#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::montgomery_u(&pair::mul_base(scalar), |x| invert(&x))
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    ladder::ladder(scalar, u)
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn sum_is_small_vartime(base: &[u64; 4], terms: &[Check], tables: &mut [Table]) -> bool {
    let mut bytes = [0; 32];
    for (to, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(base) {
        *to = word.to_le_bytes();
    }
    let long = terms.iter().map(|term| (term.k, term.a));
    let short = terms.iter().map(|term| (term.s, term.r));
    let sum = super::x86_ifma_x8::sum_vartime(long, short, tables);
    let difference = pair::mul_base(&bytes).add_or_sub_vartime(&sum.cache(), true);
    difference.projective().has_small_order().declassify()
}
