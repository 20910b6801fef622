//! Eight field elements side by side.
//!
//! An [`Eight`] is ten registers; register j holds limb j, of eight elements.

use super::super::field::{CHAIN, Fe};
use super::limbs::{self, bits, multiple_of_p};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};

/// Eight elements.
pub(super) type Eight = [__m512i; 10];
/// The columns of a product of five limbs by five.
type Columns = [__m512i; 10];

/// The same element eight times.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn splat(x: Fe) -> Eight {
    limbs::from_fe(x).map(|limb| _mm512_set1_epi64(limb as i64))
}

/// Elements side by side.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn join(elements: &[Fe; 8]) -> Eight {
    let elements = elements.map(limbs::from_fe);
    core::array::from_fn(|j| load512(&elements.map(|x| x[j])))
}

/// The elements, one by one.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn split(x: &Eight) -> [Fe; 8] {
    let mut all = [[0u64; 8]; 10];
    for (limb, x) in all.iter_mut().zip(x) {
        store512(limb, *x);
    }
    core::array::from_fn(|lane| limbs::to_fe(&all.map(|limb| limb[lane])))
}

/// `a + b`, limb by limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add(a: &Eight, b: &Eight) -> Eight {
    core::array::from_fn(|j| _mm512_add_epi64(a[j], b[j]))
}

/// `a - b + N p`, limb by limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn minus<const N: u64>(a: &Eight, b: &Eight) -> Eight {
    let p = const { multiple_of_p(N) };
    core::array::from_fn(|j| {
        _mm512_sub_epi64(_mm512_add_epi64(a[j], _mm512_set1_epi64(p[j] as i64)), b[j])
    })
}

/// `a - b`, for a tight `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sub(a: &Eight, b: &Eight) -> Eight {
    minus::<2>(a, b)
}

/// `a - b`, for the sum of two tight elements as `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sub_sum(a: &Eight, b: &Eight) -> Eight {
    minus::<4>(a, b)
}

/// `b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn blend(a: &Eight, b: &Eight, lanes: __mmask8) -> Eight {
    core::array::from_fn(|j| _mm512_mask_blend_epi64(lanes, a[j], b[j]))
}

/// `-x` in the lanes of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn negate_if(x: &Eight, lanes: __mmask8) -> Eight {
    let p = const { multiple_of_p(2) };
    core::array::from_fn(|j| {
        _mm512_mask_sub_epi64(x[j], lanes, _mm512_set1_epi64(p[j] as i64), x[j])
    })
}

/// Brings columns below 2^63 to tight limbs, all carries at once.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn carry(x: Eight) -> Eight {
    let mask = |j: usize| _mm512_set1_epi64((1 << bits(j)) - 1);
    let high = |j: usize| match bits(j) {
        44 => _mm512_srli_epi64::<44>(x[j]),
        _ => _mm512_srli_epi64::<45>(x[j]),
    };
    let low = |j: usize| _mm512_and_si512(x[j], mask(j));
    let top = high(9);
    let mut out = x;
    out[0] = _mm512_add_epi64(low(0), top);
    for j in 1..10 {
        out[j] = _mm512_add_epi64(low(j), high(j - 1));
    }
    out[5] = _mm512_add_epi64(out[5], top);
    out
}

/// Adds the columns of `a * b` to those of `low`, by the lower halves of products, and of `high`,
/// by the upper ones, which belong one column higher.
macro_rules! product {
    ($low:ident, $high:ident, $a:expr, $b:expr) => {{
        let (a, b): (&[__m512i; 5], &[__m512i; 5]) = ($a, $b);
        for i in 0..5 {
            for j in 0..5 {
                $low[i + j] = _mm512_madd52lo_epu64($low[i + j], a[i], b[j]);
                $high[i + j + 1] = _mm512_madd52hi_epu64($high[i + j + 1], a[i], b[j]);
            }
        }
    }};
}

/// The same of `a^2`.
macro_rules! square {
    ($low:ident, $high:ident, $a:expr) => {{
        let a: &[__m512i; 5] = $a;
        let twice = a.map(|a| _mm512_add_epi64(a, a));
        for i in 0..5 {
            $low[2 * i] = _mm512_madd52lo_epu64($low[2 * i], a[i], a[i]);
            $high[2 * i + 1] = _mm512_madd52hi_epu64($high[2 * i + 1], a[i], a[i]);
            for j in i + 1..5 {
                $low[i + j] = _mm512_madd52lo_epu64($low[i + j], twice[i], a[j]);
                $high[i + j + 1] = _mm512_madd52hi_epu64($high[i + j + 1], twice[i], a[j]);
            }
        }
    }};
}

/// Columns that are zero but for a multiple of p, which keeps them positive, whatever halves of
/// products are subtracted; the part of it that is subtracted again from the upper half is added
/// there if `both`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn start(both: bool) -> Columns {
    let p = const { multiple_of_p(1 << 14) };
    let mut columns = [_mm512_setzero_si512(); 10];
    for j in 0..5 {
        let limb = if both { p[j] + p[j + 5] } else { p[j] };
        columns[j] = _mm512_set1_epi64(limb as i64);
    }
    columns
}

/// One half of the sum below: `low` holds the product of the low halves, `sum` that and the product
/// of the high halves, from its fifth column on only the latter.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn fold(low: &Columns, sum: &Columns, both: &Columns) -> Eight {
    let plus = |x, y| _mm512_add_epi64(x, y);
    let twice = |x| _mm512_add_epi64(x, x);
    let mut out = *low;
    for k in 0..5 {
        let cross = _mm512_sub_epi64(both[k + 5], low[k + 5]);
        out[k] = plus(sum[k], twice(cross));
        let upper = twice(plus(sum[k + 5], both[k + 5]));
        out[k + 5] = plus(_mm512_sub_epi64(both[k], low[k]), upper);
    }
    out
}

/// The product of `a = a0 + a1 g` and `b`, by `$step` for the products of five limbs.
///
/// With g^2 = g + 1: ab = L + M g with L = a0 b0 + a1 b1 and M = (a0 + a1)(b0 + b1) - a0 b0; what
/// passes g in either is folded by the same rule, and counts twice.
///
/// Halves of products do not keep order: columns may be as low as -2^57 before the multiple of p
/// of 2^58 and more, and are below 2^61 with it.
macro_rules! karatsuba {
    ($step:ident, $($factor:expr),+) => {{
        let half = |x: &Eight, at: usize| -> [__m512i; 5] {
            core::array::from_fn(|j| x[at + j])
        };
        let both = |x: &Eight| -> [__m512i; 5] {
            core::array::from_fn(|j| _mm512_add_epi64(x[j], x[j + 5]))
        };
        let zero = [_mm512_setzero_si512(); 10];
        let (mut low, mut low_upper) = (start(false), zero);
        $step!(low, low_upper, $(&half($factor, 0)),+);
        let (mut sum, mut sum_upper) = (zero, zero);
        sum[..5].copy_from_slice(&low[..5]);
        sum_upper[..5].copy_from_slice(&low_upper[..5]);
        $step!(sum, sum_upper, $(&half($factor, 5)),+);
        let (mut all, mut all_upper) = (start(true), zero);
        $step!(all, all_upper, $(&both($factor)),+);
        let lower = fold(&low, &sum, &all);
        let upper = fold(&low_upper, &sum_upper, &all_upper);
        // 2^52 = 2^7 2^45
        carry(core::array::from_fn(|j| {
            _mm512_add_epi64(lower[j], _mm512_slli_epi64::<7>(upper[j]))
        }))
    }};
}

/// `a * b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(a: &Eight, b: &Eight) -> Eight {
    karatsuba!(product, a, b)
}

/// `a^2`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn square(a: &Eight) -> Eight {
    karatsuba!(square, a)
}

/// `addend + a * factor`, for a factor below 2^17.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul_small_add(addend: &Eight, a: &Eight, factor: u64) -> Eight {
    let factor = _mm512_set1_epi64(factor as i64);
    let zero = _mm512_setzero_si512();
    let mut out: Eight = core::array::from_fn(|j| _mm512_madd52lo_epu64(addend[j], a[j], factor));
    // 2^52 is 2^7 times the next limb, or 2^8 after a short one.
    let high = |j: usize| {
        let high = _mm512_madd52hi_epu64(zero, a[j], factor);
        match bits(j) {
            44 => _mm512_slli_epi64::<8>(high),
            _ => _mm512_slli_epi64::<7>(high),
        }
    };
    let top = high(9);
    out[0] = _mm512_add_epi64(out[0], top);
    out[5] = _mm512_add_epi64(out[5], top);
    for j in 1..10 {
        out[j] = _mm512_add_epi64(out[j], high(j - 1));
    }
    carry(out)
}

/// The power (p - 3) / 4, by the scalar field's chain.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn pow_p34(x: &Eight) -> Eight {
    const STEPS: usize = CHAIN.len() - 1;
    let mut powers = [*x; 1 + STEPS];
    for (i, (squarings, factor)) in CHAIN[..STEPS].iter().enumerate() {
        let mut x = powers[i];
        for _ in 0..*squarings {
            x = square(&x);
        }
        powers[i + 1] = mul(&x, &powers[*factor]);
    }
    powers[STEPS]
}
