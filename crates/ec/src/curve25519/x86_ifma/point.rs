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
use super::super::rows::{DIGITS, ENTRIES, RADIX_51, Row, WINDOW, odd_digits};
use super::super::scalar::naf_vartime;
use super::super::table::ODD;
use super::four::*;
use adamant_base::Secret;
use adamant_base::ct::barrier;
use adamant_base::simd::load512;
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

/// Entry `index` of a row as the right side of a sum: picked from registers, whatever the index.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn pick(row: &Row, index: u64) -> Four {
    let index = _mm512_set1_epi64(index as i64);
    let limb = |k: usize| {
        let [low, high] = row.0[k].as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        let everywhere = _mm512_permutex2var_epi64(load512(low), index, load512(high));
        _mm512_castsi512_si256(everywhere)
    };
    core::array::from_fn(|j| {
        let two = _mm256_set1_epi64x(if j == 0 { 2 } else { 0 });
        let sums = _mm256_mask_blend_epi64(0b0010, limb(5 + j), limb(j));
        _mm256_mask_blend_epi64(
            0b1000,
            _mm256_mask_blend_epi64(0b0100, sums, two),
            limb(10 + j),
        )
    })
}

/// `scalar * B` for a scalar below 2^255.
///
/// The sum over the digits of odd index, times 32, plus the sum over the others.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Secret<Extended> {
    let digits = odd_digits(scalar);
    let mut sum = neutral();
    for odd in [1, 0] {
        if odd == 0 {
            sum = double_times(sum, WINDOW as u32);
        }
        for (row, i) in RADIX_51.iter().zip((odd..DIGITS).step_by(2)) {
            let (word, shift) = (i * WINDOW / 64, i * WINDOW % 64);
            let mut digit = digits[word] >> shift;
            if shift > 64 - WINDOW && word < 3 {
                digit |= digits[word + 1] << (64 - shift);
            }
            // 2 b - 31 is negative where the top bit of b is not set.
            let sign = barrier((digit >> (WINDOW - 1) & 1).wrapping_sub(1));
            let index = (digit ^ sign) & (ENTRIES as u64 - 1);
            sum = add(sum, pick(row, index), sign);
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
