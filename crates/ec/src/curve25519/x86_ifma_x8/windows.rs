//! Sums of multiples: a lane for each window of the scalars.
//!
//! A point's multiples are the lanes of registers too, from which digits pick them: nothing depends
//! on the scalars.

use super::LANES;
use super::convert::transpose;
use super::entry::Cached;
use super::field::{Factor, Mask, Vector};
use super::point::{Niels, Point};
use crate::curve25519::field::Fe;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::scalar::{Scalar, radix16};
use adamant_base::Secret;
use adamant_base::simd::arch::*;
use alloc::{vec, vec::Vec};

/// Digits of a scalar.
const DIGITS: usize = 64;

/// Y+X, Y-X, 2dT, 2Z of 1, 2, 3, … 8 times a point, one a lane.
#[derive(Clone, Copy)]
struct Row([Factor; 4]);

/// Fills rows with multiples of the points.
#[cfg_attr(feature = "lab", inline(never))] // For sums to begin with the stack that this has left.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn fill(rows: &mut [Row; LANES], points: &[EdwardsPoint; LANES]) {
    let mut multiple = Point::from_extended(&points.map(|point| point.0));
    let first = multiple.cache();
    // A row for each multiple, a lane for each point; and then the other way round.
    for (i, row) in rows.iter_mut().enumerate() {
        if i > 0 {
            multiple.add(&first, 0);
        }
        *row = multiple.cache().into();
    }
    for part in 0..4 {
        for k in 0..5 {
            let limbs = transpose(rows.each_ref().map(|row| row.0[part].0[k]));
            for (row, limb) in rows.iter_mut().zip(limbs) {
                row.0[part].0[k] = limb;
            }
        }
    }
}

impl From<Cached> for Row {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn from(cached: Cached) -> Row {
        let Niels {
            y_plus_x,
            y_minus_x,
            xy2d,
        } = cached.niels;
        Row([y_plus_x, y_minus_x, xy2d, cached.z2])
    }
}

impl Row {
    /// In each lane the multiple of the magnitude of a digit, and where digits are negative.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn pick(&self, digits: Vector) -> (Cached, Mask) {
        let magnitudes = _mm512_abs_epi64(digits);
        let some = _mm512_test_epi64_mask(magnitudes, magnitudes);
        let indices = _mm512_sub_epi64(magnitudes, _mm512_set1_epi64(1));
        // Zero picks the neutral point.
        let part = |part: usize, neutral: i64| {
            Factor(core::array::from_fn(|k| {
                let neutral = _mm512_set1_epi64(if k == 0 { neutral } else { 0 });
                _mm512_mask_permutexvar_epi64(neutral, some, indices, self.0[part].0[k])
            }))
        };
        let niels = Niels {
            y_plus_x: part(0, 1),
            y_minus_x: part(1, 1),
            xy2d: part(2, 0),
        };
        let z2 = part(3, 2);
        let negative = _mm512_cmplt_epi64_mask(digits, _mm512_setzero_si512());
        (Cached { niels, z2 }, negative)
    }
}

/// For each digit in radix 16 the sum of the points, each as many times as the digit of its scalar
/// says: as right sides of sums, Y+X, 2Z, 2dT, Y-X, the least digit first.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn windows(scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<[Fe; 4]> {
    let none = Row([Factor::zero(); 4]);
    let mut rows = vec![none; points.len().next_multiple_of(LANES)];
    for (rows, points) in rows.as_chunks_mut().0.iter_mut().zip(points.chunks(LANES)) {
        let mut group = [EdwardsPoint::NEUTRAL; LANES];
        group[..points.len()].copy_from_slice(points);
        fill(rows, &group);
    }
    let digits: Vec<_> = scalars
        .iter()
        .map(|scalar| Secret::new(radix16(&scalar.to_bytes())))
        .collect();
    let mut sums = Vec::with_capacity(DIGITS);
    for group in 0..DIGITS / LANES {
        let mut sum = Point::neutral();
        for (i, (row, digits)) in rows.iter().zip(&digits).enumerate() {
            let digits = digits.as_chunks::<LANES>().0[group].map(|digit| digit as u8);
            let digits = _mm_set_epi64x(0, u64::from_le_bytes(digits).cast_signed());
            let (entry, negative) = row.pick(_mm512_cvtepi8_epi64(digits));
            if i == 0 {
                sum = entry.point(negative);
            } else {
                sum.add(&entry, negative);
            }
        }
        sums.extend(sum.cache().elements());
    }
    sums
}
