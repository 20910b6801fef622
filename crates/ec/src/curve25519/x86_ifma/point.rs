//! Points of edwards25519 with their coordinates in the lanes.
//!
//! A point is X, Y, Z, T in lanes 0 to 3; the right side of a sum is Y - X, Y + X, 2Z, 2dT. The
//! formulas are those of the scalar points: after Hisil, Wong, Carter and Dawson, section 4, a
//! sum or a doubling is two multiplications of four lanes, as E, F, G, H lead to
//!
//! | lane | 0 | 1 | 2 | 3 |
//! |---|---|---|---|---|
//! | | X = E F | Y = G H | Z = F G | T = E H |

use super::super::edwards::{Affine, Extended, Niels};
use super::super::field::Fe;
use super::super::scalar::naf_vartime;
use super::super::table::ODD;
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

/// `[s]B - [k]A` for scalars below 2^255. Variable time: for verification.
#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn double_base_vartime(a: &Affine, k: &[u64; 4], s: &[u64; 4]) -> Extended {
    let Extended { x, y, z, t } = a.extend();
    let first = join([x, y, z, t]);
    let step = double_times(first, 1);
    let mut odd = [cache(first); 8];
    for i in 1..8 {
        odd[i] = cache(add(step, odd[i - 1], 0));
    }
    let (k, s) = (naf_vartime(k, 5), naf_vartime(s, 8));
    let mut sum = neutral();
    let mut doublings = 0;
    for i in (0..256).rev() {
        doublings += 1;
        if k[i] == 0 && s[i] == 0 {
            continue;
        }
        sum = double_times(sum, doublings);
        doublings = 0;
        if k[i] != 0 {
            let sign = if k[i] > 0 { u64::MAX } else { 0 };
            sum = add(sum, odd[k[i].unsigned_abs() as usize / 2], sign);
        }
        if s[i] != 0 {
            let sign = if s[i] < 0 { u64::MAX } else { 0 };
            let entry = &ODD[s[i].unsigned_abs() as usize / 2];
            sum = add(sum, from_niels(entry), sign);
        }
    }
    extended(double_times(sum, doublings))
}
