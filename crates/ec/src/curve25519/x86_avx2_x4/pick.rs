//! Multiples of the base point, picked from registers.

use super::super::rows::{ENTRIES, Row, WINDOW};
use super::convert::halve;
use super::field::{Factor, Mask, Vector};
use super::point::Niels;
use adamant_base::simd::load256;
use core::arch::x86_64::*;

pub(super) use super::super::rows::RADIX_51 as ROWS;

/// Digit i of the words of scalars (see [`odd_digits`](super::super::rows::odd_digits)): the indices
/// of their absolute values among the odd numbers, and which are negative.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn digit(words: &[Vector; 4], i: usize) -> (Vector, Mask) {
    let (word, shift) = (i * WINDOW / 64, (i * WINDOW % 64) as i64);
    let count = |n: i64| _mm_cvtsi64_si128(n);
    let mut window = _mm256_srl_epi64(words[word], count(shift));
    if shift > 64 - WINDOW as i64 && word < 3 {
        let next = _mm256_sll_epi64(words[word + 1], count(64 - shift));
        window = _mm256_or_si256(window, next);
    }
    let top = _mm256_and_si256(window, _mm256_set1_epi64x(ENTRIES as i64));
    let negative = _mm256_cmpeq_epi64(top, _mm256_setzero_si256());
    let index = _mm256_xor_si256(window, negative);
    let all = _mm256_set1_epi64x(ENTRIES as i64 - 1);
    (_mm256_and_si256(index, all), negative)
}

/// Of each lane, the entry at its index: every one of the four that a register holds, and of these
/// the one of its quarter.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pick(row: &Row, index: Vector) -> Niels {
    let quarter = _mm256_srli_epi64::<2>(index);
    let quarters: [Vector; 4] =
        core::array::from_fn(|i| _mm256_cmpeq_epi64(quarter, _mm256_set1_epi64x(i as i64)));
    // The halves of a word are at twice its index, and one further.
    let within = _mm256_and_si256(index, _mm256_set1_epi64x(3));
    let first = _mm256_or_si256(
        _mm256_slli_epi64::<1>(within),
        _mm256_slli_epi64::<33>(within),
    );
    let halves = _mm256_or_si256(first, _mm256_set1_epi64x(1 << 32));
    let limb = |k: usize| {
        let (four, _) = row.0[k].as_chunks::<4>();
        let found: [Vector; 4] = core::array::from_fn(|i| {
            let entries = _mm256_permutevar8x32_epi32(load256(&four[i]), halves);
            _mm256_and_si256(entries, quarters[i])
        });
        _mm256_or_si256(
            _mm256_or_si256(found[0], found[1]),
            _mm256_or_si256(found[2], found[3]),
        )
    };
    let element = |first: usize| Factor(halve(core::array::from_fn(|k| limb(first + k))));
    Niels {
        y_plus_x: element(0),
        y_minus_x: element(5),
        xy2d: element(10),
    }
}
