//! Four field elements side by side.
//!
//! Ten registers hold four elements; register k holds limb k, radix 2^25.5, of each: those of even
//! index have 26 bits, the others 25. `vpmuludq` multiplies the low 32 bits of the lanes. Elements
//! come in two forms:
//!
//! * A [`Sum`] is what products and sums leave: the limbs are columns of up to 2^63 that nobody has
//!   carried.
//! * A [`Factor`] is what products take: limbs of even index are below 2^26 + 2^14, the others below
//!   2^25 + 2^17.
//!
//! Columns of one product are below 2^59 where the index is even, 2^58.3 elsewhere: column 0 takes a
//! product of limbs of even index once and four 19 times, and five of odd index, doubled, 19 times.
//! A difference needs a multiple of p that no column of the subtrahend exceeds; it comes in for
//! nothing where the products of the minuend start from it, not from zero: see [`P24`].

use core::arch::x86_64::*;

crate::curve25519::lanes::field!(#[target_feature(enable = "avx2")]);

/// Some of the lanes: those with all bits set.
pub(super) type Mask = Vector;

/// A multiple of p of which four products, or two and a [`P24`], can be subtracted.
pub(super) const P48: Start = multiple(3 << 34);

// What differences rely on.
const _: () = {
    assert!(P48[0] > 2 * MOST[0] + P24[0] && P48[1] > 2 * MOST[1] + P24[1]);
    assert!(P48[0] + P24[0] + 3 * MOST[0] < 1 << 63);
};

#[inline]
#[target_feature(enable = "avx2")]
fn constants(limbs: &Limbs) -> [__m256i; 10] {
    limbs.map(|limb| _mm256_set1_epi64x(limb as i64))
}

/// `b` in the lanes of the mask, else `a`.
#[inline]
#[target_feature(enable = "avx2")]
fn blend(a: &[__m256i; 10], lanes: Mask, b: &[__m256i; 10]) -> [__m256i; 10] {
    core::array::from_fn(|k| _mm256_blendv_epi8(a[k], b[k], lanes))
}

impl Factor {
    /// Zero.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn zero() -> Factor {
        Factor([_mm256_setzero_si256(); 10])
    }

    /// One.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn one() -> Factor {
        Factor(Sum::one().0)
    }

    /// The number in all lanes as columns.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum(&self) -> Sum {
        Sum(self.0)
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn blend(&self, lanes: Mask, other: &Factor) -> Factor {
        Factor(blend(&self.0, lanes, &other.0))
    }
}

impl Sum {
    /// The same number in all lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn constant(columns: &Limbs) -> Sum {
        Sum(constants(columns))
    }

    /// One.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn one() -> Sum {
        Sum::constant(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// `self + other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn plus(&self, other: &Sum) -> Sum {
        Sum(core::array::from_fn(|k| {
            _mm256_add_epi64(self.0[k], other.0[k])
        }))
    }

    /// `self - other`, where no column of `other` is above that of `self`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn minus(&self, other: &Sum) -> Sum {
        Sum(core::array::from_fn(|k| {
            _mm256_sub_epi64(self.0[k], other.0[k])
        }))
    }

    /// `self + factor * other`, for a factor below 2^20.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn plus_small(&self, factor: u32, other: &Factor) -> Sum {
        let factor = _mm256_set1_epi64x(i64::from(factor));
        Sum(core::array::from_fn(|k| {
            _mm256_add_epi64(self.0[k], _mm256_mul_epu32(other.0[k], factor))
        }))
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn blend(&self, lanes: Mask, other: &Sum) -> Sum {
        Sum(blend(&self.0, lanes, &other.0))
    }
}

/// The lanes of a mask in which a bit of a word is set.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bit(words: Vector, i: usize) -> Mask {
    let bit = _mm256_set1_epi64x((1u64 << i) as i64);
    _mm256_cmpeq_epi64(_mm256_and_si256(words, bit), bit)
}

/// No lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn nowhere() -> Mask {
    _mm256_setzero_si256()
}

/// The lanes in which these masks differ.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn differ(a: Mask, b: Mask) -> Mask {
    _mm256_xor_si256(a, b)
}
