//! Points of edwards25519 with their coordinates in the lanes.
//!
//! A point is X, Y, Z, T in lanes 0 to 3; the right side of a sum is Y - X, Y + X, 2Z, 2dT. The
//! formulas are those of the scalar points: after Hisil, Wong, Carter and Dawson, section 4, a
//! sum or a doubling is two multiplications of four lanes, as E, F, G, H lead to
//!
//! | lane | 0 | 1 | 2 | 3 |
//! |---|---|---|---|---|
//! | | X = E F | Y = G H | Z = F G | T = E H |

use super::super::edwards::{Extended, Niels};
use super::super::field::Fe;
use super::formulas;
use super::four::*;
use super::vector::*;

pub(in crate::curve25519) use super::formulas::{cache, double_times, neutral};

/// `p + q`, or `p - q` where `sign` is all ones.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add(p: Four, q: Four, sign: u64) -> Four {
    formulas::add(p, q, set1(sign as i64))
}

/// The scalar form of a point.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn extended(p: Four) -> Extended {
    let [x, y, z, t] = split(p);
    Extended { x, y, z, t }
}

/// A point of a table as the right side of a sum.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn from_niels(q: &Niels) -> Four {
    join([q.y_minus_x, q.y_plus_x, Fe::small(2), q.xy2d])
}
