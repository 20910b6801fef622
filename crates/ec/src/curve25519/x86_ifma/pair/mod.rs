//! Two points side by side, four lanes each: one operation on both takes about as long as on one,
//! whose steps wait for each other.
//!
//! The text of one point, over registers of twice the width. The multiple of the base point is two
//! sums at a time: over the digits of even and of odd index, which share their rows.

mod vector;

#[allow(dead_code)]
mod formulas {
    use super::vector::*;
    use crate::curve25519::x86_ifma::formulas::sum;
    use crate::curve25519::x86_ifma::four::{P512, four, insert, lanes, multiply, permute, square};

    four!();
    crate::curve25519::x86_ifma::formulas::formulas!();

    /// Adds `q` to `p`.
    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(in crate::curve25519) fn add_right(p: &mut Columns, q: &Four) {
        sum!(p, *q);
    }
}

use super::super::edwards::Extended;
use super::super::rows::{DIGITS, RADIX_51, Row, WINDOW, odd_digits};
use super::super::scalar::odd_digit;
use super::four::{Four, P512};
use super::point;
use adamant_base::Secret;
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load512, map};

use formulas::add_right;
pub(in crate::curve25519) use formulas::{Four as Pair, add_to, cache, double_times, neutral};
pub(in crate::curve25519) use vector::spread;

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

/// The lanes of this mask, of each point whose word is all ones.
#[inline]
fn where_ones(words: [u64; 2], lanes: __mmask8) -> __mmask8 {
    words[0] as __mmask8 & lanes | (words[1] as __mmask8 & lanes) << 4
}

/// The entries of a row at two indices as right sides of sums, or of differences where `minus` is all
/// ones: picked from registers, whatever the indices and the signs.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn pick(row: &Row, indices: [u64; 2], minus: [u64; 2]) -> Pair {
    let indices = spread(indices);
    let limb = |k: usize| {
        let [low, high] = row.0[k].as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        _mm512_permutex2var_epi64(load512(low), indices, load512(high))
    };
    // The outer coordinates of an opposite point change places, and the third one is taken from 2p.
    let second = (0b1000 * vector::EVERY) ^ where_ones(minus, 0b1001);
    let third = where_ones(minus, 0b0100);
    from_fn(|j| {
        let two = _mm512_set1_epi64(if j == 0 { 2 } else { 0 });
        let sums = _mm512_mask_blend_epi64(second, limb(j), limb(5 + j));
        let entry = _mm512_mask_blend_epi64(
            0b0100 * vector::EVERY,
            _mm512_mask_blend_epi64(0b0010 * vector::EVERY, sums, two),
            limb(10 + j),
        );
        _mm512_mask_sub_epi64(entry, third, _mm512_set1_epi64(P512[j] / 256), entry)
    })
}

/// `scalar * B` for a scalar below 2^255.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Secret<Extended> {
    multiple(&RADIX_51, neutral(), &odd_digits(scalar)[..])
}

/// The sum of the multiples for these digits, of the rows of a point; and of the points `start`, but
/// the second 32 times.
///
/// It is the sum over the digits of odd index, times 32, plus the sum over the others. Not inlined, nor
/// are its halves: none needs the other's place on the stack.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn multiple(
    rows: &[Row],
    start: Pair,
    digits: &[u64],
) -> Secret<Extended> {
    total_of_rows(rows, &sum_of_rows(rows, start, digits), digits)
}

/// The sums over the digits of even and of odd index, but the last one.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn sum_of_rows(rows: &[Row], start: Pair, digits: &[u64]) -> Pair {
    let mut sum = start;
    for (row, i) in rows.iter().zip((0..DIGITS - 1).step_by(2)) {
        let (a, minus_a) = odd_digit(digits, WINDOW, i);
        let (b, minus_b) = odd_digit(digits, WINDOW, i + 1);
        add_right(&mut sum, &pick(row, [a, b], [minus_a, minus_b]));
    }
    sum
}

/// What these sums and the last digit, of whose row there is no other, lead to.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn total_of_rows(rows: &[Row], sum: &Pair, digits: &[u64]) -> Secret<Extended> {
    let [even, odd] = halves(*sum);
    let (index, minus) = odd_digit(digits, WINDOW, DIGITS - 1);
    let [last, _] = halves(pick(&rows[DIGITS / 2], [index; 2], [minus; 2]));
    let even = point::add(even, last, 0);
    let odd = point::double_times(odd, WINDOW as u32);
    let sum = point::add(odd, point::cache(even), 0);
    Secret::new(point::extended(sum))
}
