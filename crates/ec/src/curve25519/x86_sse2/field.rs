//! Two field elements side by side.
//!
//! Ten registers hold two elements in limbs of 26 and 25 bits; forms and bounds are those of
//! [four](super::super::x86_avx2_x4).

use super::super::field::{CHAIN, Fe};
use adamant_base::simd::{from_fn, load128, map, store128};
use core::arch::x86::{_mm_set_epi64x, _mm_shuffle_epi32, _mm_xor_si128};

crate::curve25519::lanes::field!(#[target_feature(enable = "sse2")]);

/// The word in the upper lane, zero in the lower.
#[inline]
#[target_feature(enable = "sse2")]
fn above(word: i64) -> Vector {
    _mm_set_epi64x(word, 0)
}

/// The lanes change places.
#[inline]
#[target_feature(enable = "sse2")]
fn swapped(x: Vector) -> Vector {
    _mm_shuffle_epi32::<0b01_00_11_10>(x)
}

/// `x`, with [`P24`] less x in the upper lane.
#[inline]
#[target_feature(enable = "sse2")]
fn upper_negated(x: &[Vector; 10]) -> [Vector; 10] {
    // And 1, as -x is the complement and 1.
    from_fn(|k| add64(_mm_xor_si128(x[k], above(-1)), above(P24[k] as i64 + 1)))
}

/// Limbs of 51 bits as two.
#[inline(always)]
fn halve(x: &Fe) -> [u64; 10] {
    from_fn(|k| match k % 2 {
        0 => x.limbs()[k / 2] & ((1 << 26) - 1),
        _ => x.limbs()[k / 2] >> 26,
    })
}

impl Factor {
    /// Two elements, which must be tight.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn join(x: &Fe, y: &Fe) -> Factor {
        let (x, y) = (halve(x), halve(y));
        Factor(from_fn(|k| load128(&[x[k], y[k]])))
    }

    /// The elements, one by one, tight.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn split(&self) -> [Fe; 2] {
        let lanes = map(self.0, |limb| {
            let mut lanes = [0u64; 2];
            store128(&mut lanes, limb);
            lanes
        });
        from_fn(|i| {
            let limbs = from_fn(|k| lanes[2 * k][i] + (lanes[2 * k + 1][i] << 26));
            Fe::from_limbs(limbs).tighten()
        })
    }

    /// `other` where the mask is all ones, `self` where it is zero.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn choose(&self, mask: Vector, other: &Factor) -> Factor {
        let (a, b) = (&self.0, &other.0);
        Factor(from_fn(|k| {
            _mm_xor_si128(a[k], and(mask, _mm_xor_si128(a[k], b[k])))
        }))
    }

    /// `y, x` of `x, y`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn swapped(&self) -> Factor {
        Factor(map(self.0, |x| swapped(x)))
    }

    /// `self * other`, of copies.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn by(self, other: Factor) -> Factor {
        self.times(&other)
    }

    crate::chain::power!(
        CHAIN,
        squared by
        #[inline(never)]
        #[target_feature(enable = "sse2")]
    );

    /// The inverses, and 0 for 0: the power p - 2 = 2^255 - 21.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn invert(self) -> Factor {
        self.power(CHAIN.len())
    }
}

impl Sum {
    /// `x + y, x - y` of `x, y`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn sum_and_difference(&self) -> Sum {
        let turned = upper_negated(&self.0);
        Sum(from_fn(|k| add64(turned[k], swapped(self.0[k]))))
    }

    /// `x, x - y` of `x, y`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn first_and_difference(&self) -> Sum {
        let turned = upper_negated(&self.0);
        Sum(from_fn(|k| {
            add64(turned[k], and(swapped(self.0[k]), above(-1)))
        }))
    }

    /// `y, y + factor * z` of `x, y` and `_, z`, for a factor below 2^20.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn second_and_more(&self, factor: u32, other: &Factor) -> Sum {
        let factor = above(i64::from(factor));
        Sum(from_fn(|k| {
            let second = _mm_shuffle_epi32::<0b11_10_11_10>(self.0[k]);
            add64(second, mul32(other.0[k], factor))
        }))
    }
}
