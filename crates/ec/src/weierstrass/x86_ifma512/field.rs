//! Eight field elements side by side.
//!
//! An [`Eight`] is L registers; register j holds limb j, radix 2^52, of eight elements, in
//! Montgomery's form with R = 2^(52 L). Every limb is below 2^52, for `vpmadd52` reads no more of a
//! factor. A [`Sum`] is the same with limbs that are signed and of up to 62 bits: what a
//! multiplication gives before its carries, and what is added up of such.
//!
//! R is at least 16 p, which is room for lazy sums. A product of factors below a p and b p is below
//! (a b p / R + 1) p, so for a b <= 16 it is below 2p. Sums become elements in one of two ways:
//! [`Sum::carry`] adds a multiple of p, such that the number is not negative, and passes the
//! carries on; [`Sum::settle`] brings the number below 2p first where R is not 256 p or more.

use super::lanes::eight::{Columns, carry, multiply, multiply_far, reduce, splat};
use super::lanes::{each, from};
use super::prime::{Arithmetic, BITS, Constants, MASK, Of, Prime, split};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};

/// Eight elements.
#[derive(Clone, Copy)]
pub(super) struct Eight<const L: usize>(pub(super) [__m512i; L]);

/// Eight numbers before their carries.
#[derive(Clone, Copy)]
pub(super) struct Sum<const L: usize>([__m512i; L]);

/// Eight integers of W words: word w of all lanes at index w.
pub(super) type Words<const W: usize> = [[u64; 8]; W];

impl<const L: usize> Sum<L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn plus(mut self, other: Self) -> Self {
        for j in 0..L {
            self.0[j] = _mm512_add_epi64(self.0[j], other.0[j]);
        }
        self
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn minus(mut self, other: Self) -> Self {
        for j in 0..L {
            self.0[j] = _mm512_sub_epi64(self.0[j], other.0[j]);
        }
        self
    }

    /// `2^SHIFT self`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn shift<const SHIFT: u32>(mut self) -> Self {
        for j in 0..L {
            self.0[j] = _mm512_slli_epi64::<SHIFT>(self.0[j]);
        }
        self
    }

    /// The number plus `under p`, which may not be negative.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn carry(mut self, under: u64, f: impl Arithmetic<L>) -> Eight<L> {
        let p = &f.constants().p;
        if under > 0 {
            for j in 0..L {
                self.0[j] = _mm512_add_epi64(self.0[j], splat(under * p[j]));
            }
        }
        Eight(carry(self.0))
    }

    /// The number modulo p, as a coordinate is: below 2p where the field folds; otherwise it is the
    /// number plus `under p`. It must be from -under p on, and within 7p of 0.
    ///
    /// The multiple of p to add comes from the highest limb less 2^-10 p, which is more than the
    /// carries under way and the error of the quotient.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn settle(mut self, under: u64, f: impl Arithmetic<L>) -> Eight<L> {
        let constants = f.constants();
        if !constants.folds {
            return self.carry(under, f);
        }
        let bits = constants.top;
        let top = _mm512_sub_epi64(self.0[L - 1], splat(1 << (bits - 10)));
        let quotient = if constants.full {
            _mm512_sra_epi64(top, count(bits))
        } else {
            let top = _mm512_sra_epi64(top, count(bits - 16));
            let product = _mm512_mul_epi32(top, splat(constants.quotient));
            _mm512_srai_epi64::<32>(product)
        };
        for j in 0..L {
            let [low, high] = constants.multiples[j].as_chunks::<8>().0 else {
                unreachable!("16 are two eights")
            };
            let multiple = _mm512_permutex2var_epi64(load512(low), quotient, load512(high));
            self.0[j] = _mm512_add_epi64(self.0[j], multiple);
        }
        Eight(carry(self.0))
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn count(bits: usize) -> __m128i {
    _mm_set_epi64x(0, bits as i64)
}

/// Products of two different limbs once, doubled, and the squares of the limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply_by_itself<F: Prime<L>, const L: usize>(a: &Eight<L>) -> Sum<L> {
    let mut t: Columns = [_mm512_setzero_si512(); _];
    each!(i < L {
        from!(i + 1, j < L {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.0[i], a.0[j]);
        });
        from!(i + 1, j < L {
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.0[i], a.0[j]);
        });
    });
    each!(i < L {
        if i > 0 {
            t[2 * i] = _mm512_add_epi64(t[2 * i], t[2 * i]);
            t[2 * i + 1] = _mm512_add_epi64(t[2 * i + 1], t[2 * i + 1]);
        } else {
            t[1] = _mm512_add_epi64(t[1], t[1]);
        }
    });
    each!(i < L {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a.0[i], a.0[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a.0[i], a.0[i]);
    });
    Sum(reduce::<F, L>(t))
}

/// The same out of line, as [`multiply_far`] is.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply_by_itself_far<F: Prime<L>, const L: usize>(a: &Eight<L>) -> Sum<L> {
    multiply_by_itself::<F, L>(a)
}

/// [`Eight::mul`] out of line.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul_far<F: Prime<L>, const L: usize>(a: &Eight<L>, b: &Eight<L>) -> Eight<L> {
    a.mul(b, Of::<F, L>::PRIME)
}

impl<const L: usize> Eight<L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn constant(x: &[u64; L]) -> Self {
        let mut result = [_mm512_setzero_si512(); L];
        for j in 0..L {
            result[j] = splat(x[j]);
        }
        Eight(result)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_limbs(limbs: [__m512i; L]) -> Self {
        Eight(limbs)
    }

    /// 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zero() -> Self {
        Eight([_mm512_setzero_si512(); L])
    }

    /// To add up.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn sum(&self) -> Sum<L> {
        Sum(self.0)
    }

    /// `self other`, to add up.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn product<F: Prime<L>>(&self, other: &Self, _: Of<F, L>) -> Sum<L> {
        if const { L > 5 } {
            Sum(multiply_far::<F, L>(&self.0, &other.0))
        } else {
            Sum(multiply::<F, L>(&self.0, &other.0))
        }
    }

    /// `self^2`, to add up.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squared<F: Prime<L>>(&self, _: Of<F, L>) -> Sum<L> {
        if const { L > 5 } {
            multiply_by_itself_far::<F, L>(self)
        } else {
            multiply_by_itself::<F, L>(self)
        }
    }

    /// `self other`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn mul<F: Prime<L>>(&self, other: &Self, f: Of<F, L>) -> Self {
        self.product(other, f).carry(0, f)
    }

    /// `self^2`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn square<F: Prime<L>>(&self, f: Of<F, L>) -> Self {
        self.squared(f).carry(0, f)
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, other: &Self, lanes: __mmask8) -> Self {
        let mut result = self.0;
        for j in 0..L {
            result[j] = _mm512_mask_blend_epi64(lanes, result[j], other.0[j]);
        }
        Eight(result)
    }

    /// `-self` in the lanes of the mask, for a coordinate: `BOUND p` less it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn negate_if(&self, lanes: __mmask8, f: &Calls<L>) -> Self {
        let bound = Self::constant(&f.constants.bound_p);
        let negative = bound.sum().minus(self.sum());
        self.blend(&negative.carry(0, f), lanes)
    }

    /// The elements that have these residues below p in Montgomery's form.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_residues<const W: usize>(residues: &Words<W>) -> Self {
        Eight(limbs(residues))
    }

    /// The lanes in the order of their numbers XOR 1, 2 or 4.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn swap(&self, bit: i64) -> Self {
        let lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        let from = _mm512_xor_si512(lanes, _mm512_set1_epi64(bit));
        let mut result = self.0;
        for j in 0..L {
            result[j] = _mm512_permutexvar_epi64(from, result[j]);
        }
        Eight(result)
    }
}

/// A field as data, with its multiplication to be called: for what is not a step of a multiplication
/// of points, so that it is there once for a number of limbs.
#[derive(Clone, Copy)]
pub(super) struct Calls<const L: usize> {
    pub(super) constants: &'static Constants<L>,
    multiply: fn(&[__m512i; L], &[__m512i; L]) -> [__m512i; L],
    mul: fn(&Eight<L>, &Eight<L>) -> Eight<L>,
}

impl<const L: usize> Arithmetic<L> for &Calls<L> {
    #[inline(always)]
    fn constants(self) -> &'static Constants<L> {
        self.constants
    }
}

impl<const L: usize> Calls<L> {
    /// Those of a prime.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn of<F: Prime<L>>() -> Self {
        Calls {
            constants: Of::<F, L>::CONSTANTS,
            multiply: multiply_far::<F, L>,
            mul: mul_far::<F, L>,
        }
    }

    /// `a b`, to add up.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn product(&self, a: &Eight<L>, b: &Eight<L>) -> Sum<L> {
        Sum((self.multiply)(&a.0, &b.0))
    }

    /// `a b`.
    #[inline]
    pub(super) fn mul(&self, a: &Eight<L>, b: &Eight<L>) -> Eight<L> {
        (self.mul)(a, b)
    }

    /// `a^2`.
    #[inline]
    pub(super) fn square(&self, a: &Eight<L>) -> Eight<L> {
        self.mul(a, a)
    }

    /// 1.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn one(&self) -> Eight<L> {
        Eight::constant(&self.constants.one)
    }

    /// The lanes in which an element is 0 modulo p.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn is_zero(&self, x: &Eight<L>) -> __mmask8 {
        let x = self.reduced(&self.mul(x, &Eight::constant(&split(&[1]))));
        let mut any = x[0];
        for limb in &x[1..] {
            any = _mm512_or_si512(any, *limb);
        }
        _mm512_testn_epi64_mask(any, any)
    }

    /// The limbs less p where they are not below it, for numbers below 2p.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn reduced(&self, x: &Eight<L>) -> [__m512i; L] {
        let mut less = x.0;
        for j in 0..L {
            less[j] = _mm512_sub_epi64(less[j], splat(self.constants.p[j]));
        }
        let less = carry(less);
        let below = _mm512_cmplt_epi64_mask(less[L - 1], _mm512_setzero_si512());
        Eight(less).blend(x, below).0
    }

    /// The integers below p.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn integers<const W: usize>(&self, x: &Eight<L>) -> Words<W> {
        self.integers_times(x, &split(&[1]))
    }

    /// The integers below p of the elements times an integer.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn integers_times<const W: usize>(
        &self,
        x: &Eight<L>,
        factor: &[u64; L],
    ) -> Words<W> {
        self.residues(&self.mul(x, &Eight::constant(factor)))
    }

    /// The residues below p that stand for the elements in Montgomery's form, for numbers below 2p.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn residues<const W: usize>(&self, x: &Eight<L>) -> Words<W> {
        words(&self.reduced(x))
    }

    /// The elements of integers of at most as many bits as p.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn elements<const W: usize>(&self, integers: &Words<W>) -> Eight<L> {
        self.elements_times(integers, &self.constants.r2)
    }

    /// The same times a number f, for the factor `f R^2`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn elements_times<const W: usize>(
        &self,
        integers: &Words<W>,
        factor: &[u64; L],
    ) -> Eight<L> {
        self.mul(&Eight(limbs(integers)), &Eight::constant(factor))
    }
}

/// Integers below 2^(64 W) of limbs of 52 bits.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn words<const W: usize, const L: usize>(limbs: &[__m512i; L]) -> Words<W> {
    let mut words = [[0; 8]; W];
    for (w, word) in words.iter_mut().enumerate() {
        // A word begins in limb j, at bit `shift` of it, and holds bits of three at most.
        let (j, shift) = (64 * w / BITS, 64 * w % BITS);
        let mut x = _mm512_srl_epi64(limbs[j], count(shift));
        let mut at = BITS - shift;
        for limb in limbs.iter().skip(j + 1).take(2) {
            if at < 64 {
                x = _mm512_or_si512(x, _mm512_sll_epi64(*limb, count(at)));
            }
            at += BITS;
        }
        store512(word, x);
    }
    words
}

/// Integers below 2^(52 L) in limbs of 52 bits.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn limbs<const W: usize, const L: usize>(integers: &Words<W>) -> [__m512i; L] {
    let mut limbs = [_mm512_setzero_si512(); L];
    for (j, limb) in limbs.iter_mut().enumerate() {
        let (word, shift) = (BITS * j / 64, BITS * j % 64);
        if word < W {
            *limb = _mm512_srl_epi64(load512(&integers[word]), count(shift));
        }
        if shift > 64 - BITS && word + 1 < W {
            let next = _mm512_sll_epi64(load512(&integers[word + 1]), count(64 - shift));
            *limb = _mm512_or_si512(*limb, next);
        }
        *limb = _mm512_and_si512(*limb, splat(MASK));
    }
    limbs
}
