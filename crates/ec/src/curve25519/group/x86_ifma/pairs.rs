//! Multiples and sums of multiples, two points at a time.

use super::{read, write};
use crate::curve25519::edwards::Niels;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::kernel;
use crate::curve25519::scalar::{Scalar, magnitude, radix16};
use crate::curve25519::x86_ifma::pair::{
    Pair, Vector, add_to, both, cache, double, double_times, neutral, neutral_right, spread, total,
};
use crate::curve25519::x86_ifma::point;
use adamant_base::Secret;
use adamant_base::ct::barrier;
use alloc::vec;
use alloc::vec::Vec;
use core::arch::x86_64::*;

/// `P`, `2 P`, ..., `8 P` of both points.
#[inline(never)] // For what it keeps on the stack is not needed any more where sums begin.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn multiples(p: Pair, row: &mut [Pair; 8]) {
    let step = cache(p);
    row[0] = step;
    let mut multiple = double_times(p, 1);
    for entry in &mut row[1..7] {
        *entry = cache(multiple);
        add_to(&mut multiple, &step, zero());
    }
    row[7] = cache(multiple);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn zero() -> Vector {
    _mm512_setzero_si512()
}

/// The entries of these magnitudes, and the signs: every entry is read.
///
/// The magnitudes are in registers as if their lanes were different, so that no compiler makes one
/// condition of them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn select(row: &[Pair; 8], digits: [i8; 2]) -> (Pair, Vector) {
    let [(a, minus_a), (b, minus_b)] = digits.map(magnitude);
    let magnitudes = spread([barrier(a), barrier(b)]);
    let mut found = neutral_right();
    for (j, entry) in row.iter().enumerate() {
        let here = _mm512_cmpeq_epi64_mask(magnitudes, _mm512_set1_epi64(j as i64 + 1));
        for (found, limb) in found.iter_mut().zip(entry) {
            *found = _mm512_mask_mov_epi64(*found, here, *limb);
        }
    }
    (found, spread([minus_a, minus_b]))
}

/// The lower half of the digits times the point, and the upper half times 2^128 as much.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in super::super) fn mul(scalar: &[u8; 32], point: &EdwardsPoint) -> EdwardsPoint {
    let digits = Secret::new(radix16(scalar));
    let (low, high) = digits.split_at(32);
    let point = read(point);
    let mut row = [neutral(); 8];
    multiples(both(point, point::double_times(point, 128)), &mut row);
    let mut sum = neutral();
    for (i, (low, high)) in low.iter().zip(high).rev().enumerate() {
        if i > 0 {
            double(&mut sum, 4);
        }
        let (entry, signs) = select(&row, [*low, *high]);
        add_to(&mut sum, &entry, signs);
    }
    write(total(sum))
}

/// Points two by two; where the last is alone, the neutral point beside it.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn pairs(points: &[EdwardsPoint]) -> Vec<Pair> {
    let pairs = points.chunks(2);
    pairs
        .map(|pair| {
            let second = pair.get(1).unwrap_or(&EdwardsPoint::NEUTRAL);
            both(read(&pair[0]), read(second))
        })
        .collect()
}

/// Straus: the doublings are shared.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in super::super) fn multiscalar_mul(
    scalars: &[Scalar],
    points: &[EdwardsPoint],
) -> EdwardsPoint {
    let digits: Vec<_> = scalars
        .iter()
        .map(|scalar| Secret::new(radix16(&scalar.to_bytes())))
        .collect();
    let pairs = pairs(points);
    let mut rows = vec![neutral(); 8 * pairs.len()];
    let (rows, _) = rows.as_chunks_mut::<8>();
    for (row, pair) in rows.iter_mut().zip(pairs) {
        multiples(pair, row);
    }
    let mut sum = neutral();
    for i in (0..64).rev() {
        double(&mut sum, 4);
        for (row, digits) in rows.iter().zip(digits.chunks(2)) {
            let second = digits.get(1).map_or(0, |digits| digits[i]);
            let (entry, signs) = select(row, [digits[0][i], second]);
            add_to(&mut sum, &entry, signs);
        }
    }
    write(total(sum))
}

/// The multiple of the point of a table (see `FixedBase`): the rows of even and of odd digits have
/// sums of their own.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in super::super) fn mul_fixed(digits: &[i8], table: &[Niels]) -> EdwardsPoint {
    let length = table.len() / digits.len();
    let mut sum = neutral();
    for (digits, rows) in digits.chunks(2).zip(table.chunks(2 * length)) {
        let scan = |k: usize| match digits.get(k) {
            Some(digit) => kernel::select(&rows[k * length..][..length], *digit),
            None => (Niels::NEUTRAL, 0),
        };
        let ((a, minus_a), (b, minus_b)) = (scan(0), scan(1));
        let entry = both(point::from_niels(&a), point::from_niels(&b));
        add_to(&mut sum, &entry, spread([minus_a, minus_b]));
    }
    write(total(sum))
}
