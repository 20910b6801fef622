//! Products of two long numbers of one length, across the lanes of registers.
//!
//! The method of the school, two digits of b at a time: what lies lowest in the sum is done, and
//! the sum moves down by a digit, twice. A column takes at most 160 halves of products, each below
//! 2^52; the carries are settled at the end.

use super::super::digits;
use super::single::{Wide, normalize};
use adamant_base::Secret;
use adamant_base::simd::{load512, store512};
use core::arch::x86_64::*;

/// `out = a b` for numbers that this has a kernel for, of 32 to 64 limbs and of one length; whether
/// it has.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        32 => product::<5, 10>(out, a, b),
        33..=48 => product::<8, 16>(out, a, b),
        49..=64 => product::<10, 20>(out, a, b),
        _ => return false,
    }
    true
}

/// For numbers of at most V registers each, and W = 2 V.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn product<const V: usize, const W: usize>(out: &mut [u64], a: &[u64], b: &[u64]) {
    const { assert!(W == 2 * V) };
    let count = (64 * b.len()).div_ceil(digits::BITS).next_multiple_of(2);
    assert!(a.len() == b.len() && out.len() == 2 * a.len() && count <= 8 * V);
    let a = Secret::new(Wide::<V>::from_limbs(a));
    let b = Secret::new(Wide::<V>::from_limbs(b));
    let mut columns = Secret::new(Wide::<W>::ZERO);
    let low = columns.0.as_flattened_mut();
    let zero = _mm512_setzero_si512();
    let lowest = |x: __m512i| _mm_cvtsi128_si64(_mm512_castsi512_si128(x)) as u64;
    let mut acc = [zero; V];
    for i in (0..count).step_by(2) {
        let b0 = _mm512_set1_epi64(b.0.as_flattened()[i] as i64);
        let b1 = _mm512_set1_epi64(b.0.as_flattened()[i + 1] as i64);
        let mut middle = [zero; V];
        for j in 0..V {
            let a = load512(&a.0[j]);
            acc[j] = _mm512_madd52lo_epu64(acc[j], a, b0);
            middle[j] = _mm512_madd52hi_epu64(middle[j], a, b0);
            middle[j] = _mm512_madd52lo_epu64(middle[j], a, b1);
        }
        low[i] = lowest(acc[0]);
        for j in 0..V {
            let above = if j + 1 < V { acc[j + 1] } else { zero };
            acc[j] = _mm512_alignr_epi64::<1>(above, acc[j]);
            acc[j] = _mm512_add_epi64(acc[j], middle[j]);
        }
        low[i + 1] = lowest(acc[0]);
        for j in 0..V {
            let above = if j + 1 < V { acc[j + 1] } else { zero };
            acc[j] = _mm512_alignr_epi64::<1>(above, acc[j]);
            acc[j] = _mm512_madd52hi_epu64(acc[j], load512(&a.0[j]), b1);
        }
    }
    let (high, _) = low[count..].as_chunks_mut::<8>();
    for (to, from) in high.iter_mut().zip(acc) {
        store512(to, from);
    }
    let columns = core::array::from_fn(|j| load512(&columns.0[j]));
    let product = Secret::new(normalize::<W>(columns));
    digits::to_limbs(product.0.as_flattened(), out);
}
