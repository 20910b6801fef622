//! Sums of few multiples: a lane for each window of the scalars. Everything is public: time varies.

use super::LANES;
use super::entry::{Cached, Three};
use super::point::Point;
use crate::curve25519::field::Fe;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::scalar::{Scalar, radix16};
use alloc::{vec, vec::Vec};

/// 1, 2, 3, … 8 times a point.
type Row = [Three; 8];

/// Fills rows with multiples of the points.
#[inline(never)] // For sums to begin with the stack that this has left.
#[target_feature(enable = "avx512f,avx512ifma")]
fn fill(rows: &mut [Row; LANES], points: &[EdwardsPoint; LANES]) {
    let mut multiple = Point::from_extended(&points.map(|point| point.0));
    let first = multiple.cache();
    for i in 0..8 {
        if i > 0 {
            multiple.add(&first, 0);
        }
        multiple
            .cache()
            .store(rows.each_mut().map(|row| &mut row[i].0));
    }
}

/// For each digit in radix 16 the sum of the points, each as many times as the digit of its scalar
/// says: as right sides of sums, Y+X, 2Z, 2dT, Y-X, the least digit first.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn windows_vartime(
    scalars: &[Scalar],
    points: &[EdwardsPoint],
) -> Vec<[Fe; 4]> {
    let mut rows = vec![[Three::ZERO; 8]; points.len().next_multiple_of(LANES)];
    for (rows, points) in rows.as_chunks_mut().0.iter_mut().zip(points.chunks(LANES)) {
        let mut group = [EdwardsPoint::NEUTRAL; LANES];
        group[..points.len()].copy_from_slice(points);
        fill(rows, &group);
    }
    let digits: Vec<_> = scalars
        .iter()
        .map(|scalar| radix16(&scalar.to_bytes()))
        .collect();
    let mut neutral = [Three::ZERO; LANES];
    Point::neutral()
        .cache()
        .store(neutral.each_mut().map(|to| &mut to.0));
    let mut sums = Vec::with_capacity(64);
    for first in (0..64).step_by(LANES) {
        let mut terms = rows.iter().zip(&digits).map(|(row, digits)| {
            let mut negative = 0;
            let entries = core::array::from_fn(|lane| {
                let digit = digits[first + lane];
                negative |= u8::from(digit < 0) << lane;
                let multiple = usize::from(digit.unsigned_abs()).checked_sub(1);
                &multiple.map_or(&neutral[lane], |i| &row[i]).0
            });
            (entries, negative)
        });
        let Some((first, negative)) = terms.next() else {
            break;
        };
        let mut sum = Cached::load(first).point(negative);
        for (entries, negative) in terms {
            sum.add(&Cached::load(entries), negative);
        }
        sums.extend(sum.cache().elements());
    }
    sums
}
