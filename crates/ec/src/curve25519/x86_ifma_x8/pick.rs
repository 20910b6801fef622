//! Multiples of the base point, picked from registers.

use super::super::rows::{ENTRIES, Row, WINDOW};
use super::field::{Factor, Mask, Vector};
use super::point::Niels;
use adamant_base::simd::arch::*;
use adamant_base::simd::load512;

pub(super) use super::super::rows::RADIX_52 as ROWS;

/// Digit i of the words of scalars (see [`odd_digits`](super::super::rows::odd_digits)): the indices
/// of their absolute values among the odd numbers, and which are negative.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn digit(words: &[Vector; 4], i: usize) -> (Vector, Mask) {
    let (word, shift) = (i * WINDOW / 64, (i * WINDOW % 64) as i64);
    let count = |n: i64| _mm_set_epi64x(0, n);
    let mut window = _mm512_srl_epi64(words[word], count(shift));
    if shift > 64 - WINDOW as i64 && word < 3 {
        let next = _mm512_sll_epi64(words[word + 1], count(64 - shift));
        window = _mm512_or_si512(window, next);
    }
    let negative = _mm512_testn_epi64_mask(window, _mm512_set1_epi64(ENTRIES as i64));
    let all = _mm512_set1_epi64(ENTRIES as i64 - 1);
    let index = _mm512_mask_xor_epi64(window, negative, window, all);
    (_mm512_and_si512(index, all), negative)
}
/// Of each lane, the entry at its index.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn pick(row: &Row, index: Vector) -> Niels {
    let limb = |k: usize| {
        let [low, high] = row.0[k].as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        _mm512_permutex2var_epi64(load512(low), index, load512(high))
    };
    Niels {
        y_plus_x: Factor([limb(0), limb(1), limb(2), limb(3), limb(4)]),
        y_minus_x: Factor([limb(5), limb(6), limb(7), limb(8), limb(9)]),
        xy2d: Factor([limb(10), limb(11), limb(12), limb(13), limb(14)]),
    }
}
