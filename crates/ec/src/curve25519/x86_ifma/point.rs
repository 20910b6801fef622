//! Points of edwards25519 with their coordinates in the lanes.
//!
//! A point is X, Y, Z, T in lanes 0 to 3; the right side of a sum is Y - X, Y + X, 2Z, 2dT. The
//! formulas are those of the scalar points: after Hisil, Wong, Carter and Dawson, section 4, a
//! sum or a doubling is two multiplications of four lanes, as E, F, G, H lead to
//!
//! | lane | 0 | 1 | 2 | 3 |
//! |---|---|---|---|---|
//! | | X = E F | Y = G H | Z = F G | T = E H |

use super::super::edwards::{Affine, D2, Extended, Niels};
use super::super::field::Fe;
use super::super::kernel::select;
use super::super::scalar::{naf_vartime, radix16};
use super::super::table::{COMB, ODD};
use super::four::*;
use adamant_base::Secret;
use core::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn zero() -> Four {
    [_mm256_setzero_si256(); 5]
}

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn neutral() -> Four {
    join([Fe::ZERO, Fe::ONE, Fe::ONE, Fe::ZERO])
}

/// The scalar form of a point.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn extended(p: Four) -> Extended {
    let [x, y, z, t] = split(p);
    Extended { x, y, z, t }
}

/// Y - X, Y + X, Z, T
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn turned(p: Four) -> Four {
    add_or_subtract(
        permute!(p, [1, 1, 2, 3]),
        insert!(zero(), 0b0011, p, [0, 0, 0, 0]),
        _mm256_set_epi64x(0, 0, 0, -1),
    )
}

/// `p` as the right side of a sum.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn cache(p: Four) -> Four {
    let factors = join([Fe::ONE, Fe::ONE, Fe::small(2), D2]);
    multiply!(zero(), turned(p), factors)
}

/// A point of a table as the right side of a sum.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn from_niels(q: &Niels) -> Four {
    join([q.y_minus_x, q.y_plus_x, Fe::small(2), q.xy2d])
}

/// `p + q`, or `p - q` where `sign` is all ones: then the first two coordinates of `q` change
/// places, and what the last one is added to and subtracted from.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add(p: Four, q: Four, sign: u64) -> Four {
    let sign = _mm256_set1_epi64x(sign as i64);
    let exchange = _mm256_and_si256(sign, _mm256_set_epi64x(0, 0, 1, 1));
    let from = _mm256_xor_si256(exchange, _mm256_set_epi64x(3, 2, 1, 0));
    let q = q.map(|q| _mm256_permutexvar_epi64(from, q));
    // A, B, D, C
    let products = multiply!(zero(), turned(p), q);
    // E = B - A, H = B + A, F = D - C, G = D + C
    let minus = _mm256_set_epi64x(0, -1, 0, -1);
    let high = _mm256_set_epi64x(-1, -1, 0, 0);
    let ehfg = add_or_subtract(
        permute!(products, [1, 1, 2, 2]),
        permute!(products, [0, 0, 3, 3]),
        _mm256_xor_si256(minus, _mm256_and_si256(sign, high)),
    );
    multiply!(
        zero(),
        permute!(ehfg, [0, 3, 2, 0]),
        permute!(ehfg, [2, 1, 3, 1])
    )
}

/// `2^n p`: a loop inside, as arguments and results pass through memory.
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn double_times(mut p: Four, n: u32) -> Four {
    for _ in 0..n {
        // XX, YY, ZZ, XY
        let products = multiply!(zero(), permute!(p, [0, 1, 2, 0]), permute!(p, [0, 1, 2, 1]));
        // E = 2 XY, H = XX + YY, G = YY - XX, F = 2 ZZ + XX - YY
        let twice = insert!(zero(), 0b1001, products, [3, 0, 0, 2]);
        let ehgf = add_or_subtract_two(
            core::array::from_fn(|j| _mm256_add_epi64(twice[j], twice[j])),
            insert!(zero(), 0b1110, products, [0, 0, 0, 0]),
            _mm256_set_epi64x(0, -1, 0, 0),
            insert!(zero(), 0b1110, products, [0, 1, 1, 1]),
            _mm256_set_epi64x(-1, 0, 0, 0),
        );
        p = multiply!(
            zero(),
            permute!(ehgf, [0, 1, 2, 0]),
            permute!(ehgf, [3, 2, 3, 1])
        );
    }
    p
}

/// `scalar * B` for a scalar below 2^255, by the table of the scalar implementation.
#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Secret<Extended> {
    let digits = Secret::new(radix16(scalar));
    let (pairs, _) = digits.as_chunks::<2>();
    let (rows, _) = COMB.as_chunks::<8>();
    let mut sum = neutral();
    for odd in [true, false] {
        if !odd {
            sum = double_times(sum, 4);
        }
        for ([low, high], row) in pairs.iter().zip(rows) {
            let (entry, sign) = select(row, if odd { *high } else { *low });
            sum = add(sum, from_niels(&entry), sign);
        }
    }
    Secret::new(extended(sum))
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
