//! Eight field elements side by side.
//!
//! Five registers hold eight elements; register k holds limb k, radix 2^52, of each. `vpmadd52`
//! reads the low 52 bits of its factors and gives either half of the product, so that with this
//! radix both halves fall into place, and 2^260 = 608 folds what lies above. Elements come in two
//! forms:
//!
//! * A [`Sum`] is what products and sums leave: the limbs are columns of up to 2^59 that nobody has
//!   carried.
//! * A [`Factor`] is what products take. Of its limbs only the low 52 bits count: what is
//!   above in limbs 0 to 3 has been added to the next limb and was left where it was. The value is
//!   below 2^255 + 2^220.
//!
//! Columns of one product are below 11 * 2^52: c4 takes five low halves, four high ones and two of
//! the fold. A difference needs a multiple of p that no column of the subtrahend exceeds; it comes
//! in for nothing where the products of the minuend start from it, not from zero: see [`P24`].

use super::super::field::{CHAIN, Fe, Words};
use crate::limbs::{split, words};
use adamant_base::simd::arch::*;
use adamant_base::simd::load512;

/// A word in each lane.
pub(super) type Vector = __m512i;
/// Some of the lanes.
pub(super) type Mask = __mmask8;
/// The limbs of an element.
pub(super) type Limbs = [u64; 5];

/// The limbs of a constant.
pub(super) const fn limbs(x: &Fe) -> Limbs {
    let words: Words = words(&x.to_bytes());
    split(&words, 52)
}

/// What products take.
#[derive(Clone, Copy)]
pub(super) struct Factor(pub(super) [__m512i; 5]);

/// What products and sums leave.
#[derive(Clone, Copy)]
pub(super) struct Sum(pub(super) [__m512i; 5]);

/// The low 52 bits.
pub(super) const MASK: u64 = (1 << 52) - 1;
/// 2^260 modulo p.
const FOLD: u64 = 608;
const _: () = assert!(FOLD == 19 << 5);

/// What the columns of a product start from.
pub(super) type Start = [u64; 5];

/// Zero.
pub(super) const NONE: Start = [0; 5];
/// A multiple of p of which two products can be subtracted.
pub(super) const P24: Start = multiple(24);
/// A multiple of p of which four products, or two and a [`P24`], can be subtracted.
pub(super) const P48: Start = multiple(48);

/// `factor * 32 p` with all columns alike: 32 p = 2^260 - 608.
pub(super) const fn multiple(factor: u64) -> Start {
    let column = factor * MASK;
    [factor * (MASK + 1 - FOLD), column, column, column, column]
}

impl Factor {
    /// The same small number in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn constant(limbs: &Limbs) -> Factor {
        Factor(limbs.map(|limb| _mm512_set1_epi64(limb as i64)))
    }

    /// One.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn one() -> Factor {
        Factor::constant(&[1, 0, 0, 0, 0])
    }

    /// Zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zero() -> Factor {
        Factor::constant(&[0; 5])
    }

    /// The number in all lanes as columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn sum(&self) -> Sum {
        let mask = _mm512_set1_epi64(MASK as i64);
        Sum(self.0.map(|limb| _mm512_and_si512(limb, mask)))
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, lanes: Mask, other: &Factor) -> Factor {
        Factor(core::array::from_fn(|k| {
            _mm512_mask_blend_epi64(lanes, self.0[k], other.0[k])
        }))
    }

    /// `self * other + start`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn mul(&self, other: &Factor, start: Start) -> Sum {
        let (a, b) = (&self.0, &other.0);
        let mut c = [_mm512_setzero_si512(); 10];
        for k in 0..5 {
            c[k] = _mm512_set1_epi64(start[k] as i64);
        }
        for i in 0..5 {
            for j in 0..5 {
                c[i + j] = _mm512_madd52lo_epu64(c[i + j], a[i], b[j]);
            }
            for j in 0..5 {
                c[i + j + 1] = _mm512_madd52hi_epu64(c[i + j + 1], a[i], b[j]);
            }
        }
        fold(c)
    }

    /// `self^2 + start`: products of two different limbs once, doubled, and the squares of the
    /// limbs.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn square(&self, start: Start) -> Sum {
        let a = &self.0;
        let mut c = [_mm512_setzero_si512(); 10];
        c[0] = _mm512_set1_epi64(start[0] as i64);
        for k in 1..5 {
            c[k] = _mm512_set1_epi64((start[k] / 2) as i64);
        }
        for i in 0..4 {
            for j in i + 1..5 {
                c[i + j] = _mm512_madd52lo_epu64(c[i + j], a[i], a[j]);
                c[i + j + 1] = _mm512_madd52hi_epu64(c[i + j + 1], a[i], a[j]);
            }
        }
        for c in &mut c[1..9] {
            *c = _mm512_add_epi64(*c, *c);
        }
        for i in 0..5 {
            c[2 * i] = _mm512_madd52lo_epu64(c[2 * i], a[i], a[i]);
            c[2 * i + 1] = _mm512_madd52hi_epu64(c[2 * i + 1], a[i], a[i]);
        }
        fold(c)
    }

    /// `self * other`, as a factor.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn times(&self, other: &Factor) -> Factor {
        self.mul(other, NONE).carry()
    }

    /// `self^2`, as a factor.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squared(&self) -> Factor {
        self.square(NONE).carry()
    }

    /// The lanes in which this is 0 modulo p.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn is_zero(&self) -> Mask {
        // Below 2^255 + 2^220, a multiple of p is 0 or p.
        const P: [u64; 5] = [MASK - 18, MASK, MASK, MASK, MASK >> 5];
        let x = self.sum().0;
        let any = |x: [__m512i; 5]| {
            let low = _mm512_or_si512(_mm512_or_si512(x[0], x[1]), _mm512_or_si512(x[2], x[3]));
            _mm512_or_si512(low, x[4])
        };
        let p = Factor::constant(&P).0;
        let not_p = any(core::array::from_fn(|k| _mm512_xor_si512(x[k], p[k])));
        let not_0 = any(x);
        _mm512_testn_epi64_mask(not_0, not_0) | _mm512_testn_epi64_mask(not_p, not_p)
    }
}

/// Brings ten columns to five. The upper five are carried first, for the multiplier reads 52 bits
/// of them; the last one is below 2^42.5, as the product is below 2^510.5, and 608 times it below
/// 2^52.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn fold(mut c: [__m512i; 10]) -> Sum {
    let factor = _mm512_set1_epi64(FOLD as i64);
    for k in 5..9 {
        c[k + 1] = _mm512_add_epi64(c[k + 1], _mm512_srli_epi64::<52>(c[k]));
    }
    for k in 0..5 {
        c[k] = _mm512_madd52lo_epu64(c[k], c[k + 5], factor);
    }
    for k in 0..4 {
        c[k + 1] = _mm512_madd52hi_epu64(c[k + 1], c[k + 5], factor);
    }
    Sum([c[0], c[1], c[2], c[3], c[4]])
}

impl Sum {
    /// The same small number in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn constant(columns: &[u64; 5]) -> Sum {
        Sum(columns.map(|column| _mm512_set1_epi64(column as i64)))
    }

    /// One.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn one() -> Sum {
        Sum::constant(&[1, 0, 0, 0, 0])
    }

    /// `self + other`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn plus(&self, other: &Sum) -> Sum {
        Sum(core::array::from_fn(|k| {
            _mm512_add_epi64(self.0[k], other.0[k])
        }))
    }

    /// `self - other`, where no column of `other` is above that of `self`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn minus(&self, other: &Sum) -> Sum {
        Sum(core::array::from_fn(|k| {
            _mm512_sub_epi64(self.0[k], other.0[k])
        }))
    }

    /// `self + factor * other`, for a factor below 2^20.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn plus_small(&self, factor: u32, other: &Factor) -> Sum {
        let factor = _mm512_set1_epi64(i64::from(factor));
        let (mut c, x) = (self.0, &other.0);
        let above = _mm512_madd52hi_epu64(_mm512_setzero_si512(), x[4], factor);
        for k in 0..5 {
            c[k] = _mm512_madd52lo_epu64(c[k], x[k], factor);
        }
        for k in 0..4 {
            c[k + 1] = _mm512_madd52hi_epu64(c[k + 1], x[k], factor);
        }
        c[0] = _mm512_madd52lo_epu64(c[0], above, _mm512_set1_epi64(FOLD as i64));
        Sum(c)
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, lanes: Mask, other: &Sum) -> Sum {
        Sum(Factor(self.0).blend(lanes, &Factor(other.0)).0)
    }

    /// Carries: what is above bit 255 first, times 19, and then limb after limb.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn carry(&self) -> Factor {
        let mut c = self.0;
        let above = _mm512_srli_epi64::<47>(c[4]);
        c[4] = _mm512_and_si512(c[4], _mm512_set1_epi64((1 << 47) - 1));
        c[0] = _mm512_madd52lo_epu64(c[0], above, _mm512_set1_epi64(19));
        for k in 0..4 {
            c[k + 1] = _mm512_add_epi64(c[k + 1], _mm512_srli_epi64::<52>(c[k]));
        }
        Factor(c)
    }
}

/// The power (p - 5) / 8 = 2^252 - 3, from which square roots are made, of each, none of which may
/// be zero; all at once, for one chain of squarings alone waits for its own results.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn pow_p58<const N: usize>(x: &[Factor; N]) -> [Factor; N] {
    const STEPS: usize = CHAIN.len() - 1;
    let mut powers = [*x; 1 + STEPS];
    for (i, (squarings, factor)) in CHAIN[..STEPS].iter().enumerate() {
        let mut x = powers[i];
        for _ in 0..*squarings {
            for x in &mut x {
                *x = x.squared();
            }
        }
        powers[i + 1] = core::array::from_fn(|j| x[j].times(&powers[*factor][j]));
    }
    powers[STEPS]
}

/// The lanes of a mask in which a bit of a word is set.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn bit(words: Vector, i: usize) -> Mask {
    _mm512_test_epi64_mask(words, _mm512_set1_epi64((1u64 << i) as i64))
}

/// No lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn nowhere() -> Mask {
    0
}

/// The lanes in which these masks differ.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn differ(a: Mask, b: Mask) -> Mask {
    a ^ b
}

/// Loads eight words, one a lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn lanes(words: [u64; 8]) -> __m512i {
    load512(&words)
}
