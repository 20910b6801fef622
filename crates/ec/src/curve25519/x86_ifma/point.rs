//! Points of edwards25519 with their coordinates in the lanes.
//!
//! A point is X, Z, Y, T in lanes 0 to 3; the right side of a sum is Y + X, 2Z, 2dT, Y - X. The
//! formulas are those of the scalar points: after Hisil, Wong, Carter and Dawson, section 4, a sum
//! or a doubling leads to E, F, G, H in lanes 0 to 3, and these to
//!
//! | lane | 0 | 1 | 2 | 3 |
//! |---|---|---|---|---|
//! | | X = E F | Z = F G | Y = G H | T = H E |

use super::super::edwards::{Extended, Niels};
use super::super::field::Fe;
use super::formulas;
use super::four::*;
use super::vector::*;

pub(in crate::curve25519) use super::formulas::{
    add_to, cache, double, double_times, neutral, neutral_right,
};

/// `p + q`, or `p - q` where `sign` is all ones.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add(p: Columns, q: Four, sign: u64) -> Columns {
    formulas::add(p, q, set1(sign as i64))
}

/// A point of the scalar form.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn from_extended(p: &Extended) -> Columns {
    join([p.x, p.z, p.y, p.t])
}

/// The scalar form of a point.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn extended(p: Columns) -> Extended {
    let [x, z, y, t] = split(carry(p));
    Extended { x, y, z, t }
}

/// A point of a table as the right side of a sum.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn from_niels(q: &Niels) -> Four {
    join([q.y_plus_x, Fe::small(2), q.xy2d, q.y_minus_x])
}
