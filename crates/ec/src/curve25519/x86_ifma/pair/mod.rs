//! Two points side by side, four lanes each: one operation on both takes about as long as on one,
//! whose steps wait for each other.
//!
//! The text of one point, over registers of twice the width. The multiple of the base point is two
//! sums at a time: over the digits of even and of odd index, which share their rows.

mod vector;

#[allow(dead_code)]
mod formulas {
    use super::vector::*;
    use crate::curve25519::x86_ifma::four::{P512, four, insert, lanes, multiply, permute, square};

    four!();
    crate::curve25519::x86_ifma::formulas::formulas!();
}

use super::super::edwards::Extended;
use super::super::rows::{DIGITS, ENTRIES, RADIX_51, Row, WINDOW, odd_digits};
use super::four::Four;
use super::point;
use adamant_base::Secret;
use adamant_base::ct::barrier;
use adamant_base::simd::{from_fn, load512, map};
use core::arch::x86_64::*;

pub(in crate::curve25519) use formulas::{Four as Pair, add, add_to, cache, double_times, neutral};
pub(in crate::curve25519) use vector::{Vector, spread};

/// Two points as one.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn both(a: Four, b: Four) -> Pair {
    from_fn(|j| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a[j]), b[j]))
}

/// The two points.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn halves(p: Pair) -> [Four; 2] {
    [
        map(p, |limb| _mm512_castsi512_si256(limb)),
        map(p, |limb| _mm512_extracti64x4_epi64::<1>(limb)),
    ]
}

/// The sum of both points.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn total(p: Pair) -> Four {
    let [a, b] = halves(p);
    point::add(a, point::cache(b), 0)
}

/// The entries of a row at two indices as right sides of sums: picked from registers, whatever the
/// indices.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn pick(row: &Row, indices: Vector) -> Pair {
    let limb = |k: usize| {
        let [low, high] = row.0[k].as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        _mm512_permutex2var_epi64(load512(low), indices, load512(high))
    };
    from_fn(|j| {
        let two = _mm512_set1_epi64(if j == 0 { 2 } else { 0 });
        let sums = _mm512_mask_blend_epi64(0b1000 * vector::EVERY, limb(j), limb(5 + j));
        _mm512_mask_blend_epi64(
            0b0100 * vector::EVERY,
            _mm512_mask_blend_epi64(0b0010 * vector::EVERY, sums, two),
            limb(10 + j),
        )
    })
}

/// The index and the sign of digit i.
#[inline]
fn digit(digits: &[u64; 4], i: usize) -> (u64, u64) {
    let (word, shift) = (i * WINDOW / 64, i * WINDOW % 64);
    let mut digit = digits[word] >> shift;
    if shift > 64 - WINDOW && word < 3 {
        digit |= digits[word + 1] << (64 - shift);
    }
    // 2 b - 31 is negative where the top bit of b is not set.
    let sign = barrier((digit >> (WINDOW - 1) & 1).wrapping_sub(1));
    ((digit ^ sign) & (ENTRIES as u64 - 1), sign)
}

/// `scalar * B` for a scalar below 2^255.
///
/// The sum over the digits of odd index, times 32, plus the sum over the others. Not inlined, nor
/// are its halves: none needs the other's place on the stack.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Secret<Extended> {
    let digits = odd_digits(scalar);
    total_of_rows(&sum_of_rows(&digits), &digits)
}

/// The sums over the digits of even and of odd index, but the last one.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn sum_of_rows(digits: &[u64; 4]) -> Pair {
    let mut sum = neutral();
    for (row, i) in RADIX_51.iter().zip((0..DIGITS - 1).step_by(2)) {
        let ((a, minus_a), (b, minus_b)) = (digit(digits, i), digit(digits, i + 1));
        sum = add(sum, pick(row, spread([a, b])), spread([minus_a, minus_b]));
    }
    sum
}

/// What these sums and the last digit, of whose row there is no other, lead to.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn total_of_rows(sum: &Pair, digits: &[u64; 4]) -> Secret<Extended> {
    let [even, odd] = halves(*sum);
    let (index, sign) = digit(digits, DIGITS - 1);
    let [last, _] = halves(pick(&RADIX_51[DIGITS / 2], spread([index, index])));
    let even = point::add(even, last, sign);
    let odd = point::double_times(odd, WINDOW as u32);
    let sum = point::add(odd, point::cache(even), 0);
    Secret::new(point::extended(sum))
}
