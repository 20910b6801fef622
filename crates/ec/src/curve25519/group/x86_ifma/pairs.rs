//! Two points at a time.

use super::{others, read};
use crate::curve25519::group::fixed::{FixedBase, Form};
use crate::curve25519::group::{EdwardsPoint, TableSize};
use crate::curve25519::rows::WINDOW;
use crate::curve25519::scalar::Scalar;
use crate::curve25519::x86_ifma::pair::{self, Pair, both};
use crate::curve25519::x86_ifma::point;
use alloc::vec::Vec;

/// That of the table of the base point: larger ones, which no longer are in the nearest cache, take
/// longer to read than they save.
const FORM: Form = Form {
    width: WINDOW,
    shared: 2,
};

#[inline]
pub(in super::super) fn form_of_table(_: TableSize) -> Form {
    FORM
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

/// The multiple of the point of a table; one of another form, made for others, is left to them.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in super::super) fn mul_fixed(scalar: &Scalar, base: &FixedBase) -> EdwardsPoint {
    if base.form != FORM {
        return others::mul_fixed(scalar, base);
    }
    let (digits, start) = base.recode(scalar);
    let start = both(read(&start), point::neutral());
    EdwardsPoint(*pair::multiple(&base.rows, start, &digits[..]))
}
