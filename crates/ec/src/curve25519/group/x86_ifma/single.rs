//! The multiple of one point.

use super::{read, write};
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::scalar::{magnitude, radix16};
use crate::curve25519::x86_ifma::four::Four;
use crate::curve25519::x86_ifma::point::{
    add_to, cache, double, double_times, neutral, neutral_right,
};
use crate::curve25519::x86_ifma::vector::{lanes_of, set1, zero};
use adamant_base::Secret;
use adamant_base::ct::barrier;
use adamant_base::simd::arch::*;

/// `P`, `2 P`, ..., `8 P`.
#[cfg_attr(feature = "lab", inline(never))] // For what it keeps on the stack is not needed any more where the sum begins.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn multiples(p: Four, row: &mut [Four; 8]) {
    let step = cache(p);
    row[0] = step;
    let mut multiple = double_times(p, 1);
    for entry in &mut row[1..7] {
        *entry = cache(multiple);
        add_to(&mut multiple, &step, zero());
    }
    row[7] = cache(multiple);
}

/// The entry of this magnitude, and the sign: every entry is read.
///
/// The magnitude is in a register as if its lanes were different, so that no compiler makes one
/// condition of them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn select(row: &[Four; 8], digit: i8) -> (Four, __m256i) {
    let (magnitude, sign) = magnitude(digit);
    let [a, b] = [barrier(magnitude) as i64, barrier(magnitude) as i64];
    let magnitudes = lanes_of([a, b, a, b]);
    let mut found = neutral_right();
    for (j, entry) in row.iter().enumerate() {
        let here = _mm256_cmpeq_epi64_mask(magnitudes, set1(j as i64 + 1));
        for (found, limb) in found.iter_mut().zip(entry) {
            *found = _mm256_mask_mov_epi64(*found, here, *limb);
        }
    }
    (found, set1(sign as i64))
}

/// A digit after the other: two sums at a time would take longer, as registers of twice the width
/// go through fewer units, or in halves.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in super::super) fn mul(scalar: &[u8; 32], point: &EdwardsPoint) -> EdwardsPoint {
    let digits = Secret::new(radix16(scalar));
    let mut row = [neutral(); 8];
    multiples(read(point), &mut row);
    let mut sum = neutral();
    for (i, digit) in digits.iter().rev().enumerate() {
        if i > 0 {
            double(&mut sum, 4);
        }
        let (entry, sign) = select(&row, *digit);
        add_to(&mut sum, &entry, sign);
    }
    write(sum)
}
