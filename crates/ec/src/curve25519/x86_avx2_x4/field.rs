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

/// A word in each lane.
pub(super) type Vector = __m256i;
/// Some of the lanes: those with all bits set.
pub(super) type Mask = __m256i;
/// The limbs of an element.
pub(super) type Limbs = [u64; 10];

/// What products take.
#[derive(Clone, Copy)]
pub(super) struct Factor(pub(super) [__m256i; 10]);

/// What products and sums leave.
#[derive(Clone, Copy)]
pub(super) struct Sum(pub(super) [__m256i; 10]);

/// What the columns of a product start from.
pub(super) type Start = Limbs;

/// Zero.
pub(super) const NONE: Start = [0; 10];
/// A multiple of p of which two products can be subtracted.
pub(super) const P24: Start = multiple(3 << 33);
/// A multiple of p of which four products, or two and a [`P24`], can be subtracted.
pub(super) const P48: Start = multiple(3 << 34);

/// The bits of limb `i`.
pub(super) const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

/// `factor * p`, each column a multiple of it.
const fn multiple(factor: u64) -> Start {
    let mut columns = [0; 10];
    let mut i = 0;
    while i < 10 {
        columns[i] = factor * ((1 << bits(i)) - if i == 0 { 19 } else { 1 });
        i += 1;
    }
    columns
}

/// The most that columns of one product are, those of even and of odd index, and what differences
/// rely on.
const _: () = {
    let (even, odd) = ((1 << 26) + (1 << 14), (1 << 25) + (1 << 17));
    let most_even: u64 = even * even + 19 * (4 * even * even + 10 * odd * odd);
    let most_odd: u64 = 2 * even * odd + 19 * 8 * even * odd;
    assert!(P24[0] > 2 * most_even && P24[1] > 2 * most_odd);
    assert!(P48[0] > 2 * most_even + P24[0] && P48[1] > 2 * most_odd + P24[1]);
    assert!(P48[0] + P24[0] + 3 * most_even < 1 << 63);
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

/// The columns of a product, each from the limbs of all indices.
macro_rules! columns {
    ($column:ident) => {
        Sum([
            $column!(0: 0 1 2 3 4 5 6 7 8 9),
            $column!(1: 0 1 2 3 4 5 6 7 8 9),
            $column!(2: 0 1 2 3 4 5 6 7 8 9),
            $column!(3: 0 1 2 3 4 5 6 7 8 9),
            $column!(4: 0 1 2 3 4 5 6 7 8 9),
            $column!(5: 0 1 2 3 4 5 6 7 8 9),
            $column!(6: 0 1 2 3 4 5 6 7 8 9),
            $column!(7: 0 1 2 3 4 5 6 7 8 9),
            $column!(8: 0 1 2 3 4 5 6 7 8 9),
            $column!(9: 0 1 2 3 4 5 6 7 8 9),
        ])
    };
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

    /// `self * other + start`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn mul(&self, other: &Factor, start: Start) -> Sum {
        let (a, b) = (&self.0, &other.0);
        // Limbs of odd index count half a bit more than 2^25.5: products of two of them count twice.
        let twice: [__m256i; 10] = core::array::from_fn(|i| _mm256_add_epi64(a[i], a[i]));
        let nineteen = _mm256_set1_epi64x(19);
        let folded: [__m256i; 10] = core::array::from_fn(|j| _mm256_mul_epu32(b[j], nineteen));
        // Macros: loops of this size stay loops.
        macro_rules! column {
            ($k:literal: $($i:literal)*) => {{
                let mut sum = _mm256_set1_epi64x(start[$k] as i64);
                $(
                    let j = ($k + 10 - $i) % 10;
                    let left = if $i % 2 == 1 && j % 2 == 1 { twice[$i] } else { a[$i] };
                    let right = if $i > $k { folded[j] } else { b[j] };
                    sum = _mm256_add_epi64(sum, _mm256_mul_epu32(left, right));
                )*
                sum
            }};
        }
        columns!(column)
    }

    /// `self^2 + start`: products of two different limbs once, doubled, and the squares of the
    /// limbs.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn square(&self, start: Start) -> Sum {
        let a = &self.0;
        let twice: [__m256i; 10] = core::array::from_fn(|i| _mm256_add_epi64(a[i], a[i]));
        let nineteen = _mm256_set1_epi64x(19);
        let folded: [__m256i; 10] = core::array::from_fn(|j| _mm256_mul_epu32(a[j], nineteen));
        let folded_twice: [__m256i; 10] =
            core::array::from_fn(|j| _mm256_add_epi64(folded[j], folded[j]));
        macro_rules! column {
            ($k:literal: $($i:literal)*) => {{
                let mut sum = _mm256_set1_epi64x(start[$k] as i64);
                $(
                    let (i, j): (usize, usize) = ($i, ($k + 10 - $i) % 10);
                    if i <= j {
                        let left = if i < j { twice[i] } else { a[i] };
                        let right = match (i > $k, i % 2 == 1 && j % 2 == 1) {
                            (false, false) => a[j],
                            (false, true) => twice[j],
                            (true, false) => folded[j],
                            (true, true) => folded_twice[j],
                        };
                        sum = _mm256_add_epi64(sum, _mm256_mul_epu32(left, right));
                    }
                )*
                sum
            }};
        }
        columns!(column)
    }

    /// `self * other`, as a factor.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn times(&self, other: &Factor) -> Factor {
        self.mul(other, NONE).carry()
    }

    /// `self^2`, as a factor.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn squared(&self) -> Factor {
        self.square(NONE).carry()
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

    /// Carries, in two chains side by side: from limb 0 to 5 and from 5 to 0, and one limb further.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn carry(&self) -> Factor {
        let mut c = self.0;
        let masks = [
            _mm256_set1_epi64x((1 << 26) - 1),
            _mm256_set1_epi64x((1 << 25) - 1),
        ];
        macro_rules! up {
            ($i:literal) => {{
                let above = _mm256_srli_epi64::<{ bits($i) as i32 }>(c[$i]);
                c[$i] = _mm256_and_si256(c[$i], masks[$i % 2]);
                above
            }};
        }
        c[1] = _mm256_add_epi64(c[1], up!(0));
        c[6] = _mm256_add_epi64(c[6], up!(5));
        c[2] = _mm256_add_epi64(c[2], up!(1));
        c[7] = _mm256_add_epi64(c[7], up!(6));
        c[3] = _mm256_add_epi64(c[3], up!(2));
        c[8] = _mm256_add_epi64(c[8], up!(7));
        c[4] = _mm256_add_epi64(c[4], up!(3));
        c[9] = _mm256_add_epi64(c[9], up!(8));
        c[5] = _mm256_add_epi64(c[5], up!(4));
        // Below 2^38: times 19 = 16 + 2 + 1.
        let above = up!(9);
        let more = _mm256_add_epi64(above, _mm256_slli_epi64::<1>(above));
        c[0] = _mm256_add_epi64(c[0], _mm256_slli_epi64::<4>(above));
        c[0] = _mm256_add_epi64(c[0], more);
        c[6] = _mm256_add_epi64(c[6], up!(5));
        c[1] = _mm256_add_epi64(c[1], up!(0));
        Factor(c)
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
