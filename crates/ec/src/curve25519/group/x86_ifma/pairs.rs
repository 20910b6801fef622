//! Two points at a time.

use super::{read, write};
use crate::curve25519::edwards::Niels;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::kernel;
use crate::curve25519::x86_ifma::pair::{Pair, add_to, both, neutral, spread, total};
use crate::curve25519::x86_ifma::point;
use alloc::vec::Vec;

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

/// The multiple of the point of a table (see `FixedBase`): the rows of even and of odd digits have
/// sums of their own.
#[cfg_attr(not(feature = "lab"), inline)]
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
