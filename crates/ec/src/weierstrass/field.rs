//! The field of a curve: integers modulo p.
//!
//! An [`Fe`] holds its element as `W` words below p, in Montgomery's form or plain as the curve has
//! it, so that equal elements have equal words. Everything but what is named `_vartime` takes the
//! same time for every value.

use super::curve::{Curve, Derived};
use super::endomorphism::Endomorphism;
use super::modulus::Modulus;
#[cfg(feature = "alloc")]
use super::table::Table;
use super::words::{self, Product, add, from_hex, same, sub};
use adamant_base::ct::{Choice, barrier};
#[cfg(feature = "alloc")]
use adamant_base::lazy::Lazy;

/// How the kernel calculates on a curve with a = -3, a = 0, or one that is isomorphic to one with
/// a = -3.
pub(crate) trait Field<const W: usize>: Curve<W> {
    /// u, where the kernel calculates on the twisted curve of the points (u^2 x, u^3 y), for which
    /// u^4 a = -3; as an integer.
    const TWIST: [u64; W] = words::one();
    /// Whether there is a twist.
    const IS_TWISTED: bool = !same(&Self::TWIST, &words::one());
    /// Elements are plain integers, not in Montgomery's form.
    const PLAIN: bool = false;
    /// Whether a = 0; else a = -3 on the curve that the kernel calculates on.
    const A_IS_ZERO: bool = {
        let zero = same(&Self::A, &[0; W]);
        let (p_less_3, _) = sub(&Self::P, &from_hex("3"));
        assert!(zero || Self::IS_TWISTED || same(&Self::A, &p_less_3));
        zero
    };

    /// The endomorphism, where there is one.
    const ENDOMORPHISM: Option<&'static Endomorphism<W>> = None;

    /// All of it as data.
    const CONSTANTS: &'static Constants<W> = &Constants {
        p: Modulus::new(&Self::P),
        order: Self::ORDER,
        g: Self::G,
        is_plain: Self::PLAIN,
        one: Fe(if Self::PLAIN {
            words::one()
        } else {
            Self::FIELD.one
        }),
        factor: Fe(if Self::PLAIN {
            words::one()
        } else {
            Self::FIELD.r2
        }),
        twist: if Self::IS_TWISTED {
            assert!(!Self::PLAIN);
            let p = Self::FIELD;
            let u = p.mul_const(&Self::TWIST, &p.r2);
            let uu = p.mul_const(&u, &u);
            Some([Fe(u), Fe(uu), Fe(p.mul_const(&uu, &u))])
        } else {
            None
        },
        a_is_zero: Self::A_IS_ZERO,
        endomorphism: Self::ENDOMORPHISM,
        #[cfg(feature = "alloc")]
        table: Self::table,
    };

    /// `a * b`, to be compiled with the features of the caller.
    #[inline(always)]
    fn multiply<M: Product>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        Self::FIELD.mul_inline::<M>(a, b)
    }

    /// `a^2`, to be compiled with the features of the caller.
    #[inline(always)]
    fn square<M: Product>(a: &[u64; W]) -> [u64; W] {
        Self::FIELD.square_inline::<M>(a)
    }

    /// Where the multiples of the base point are.
    #[cfg(feature = "alloc")]
    fn table() -> &'static Lazy<Table<W>>;
}

/// A curve as data.
pub(crate) struct Constants<const W: usize> {
    /// Arithmetic modulo p, of numbers in Montgomery's form.
    pub(crate) p: Modulus<W>,
    /// Arithmetic modulo n.
    pub(crate) order: &'static Modulus<W>,
    /// The base point, as integers.
    pub(crate) g: [[u64; W]; 2],
    /// Elements are plain integers, not in Montgomery's form.
    is_plain: bool,
    /// 1.
    pub(crate) one: Fe<W>,
    /// What makes an element of an integer by a multiplication.
    factor: Fe<W>,
    /// u, u^2 and u^3, where there is a [twist](Field::TWIST).
    pub(crate) twist: Option<[Fe<W>; 3]>,
    /// Whether a = 0; else a = -3 on the curve that the kernel calculates on.
    pub(crate) a_is_zero: bool,
    pub(crate) endomorphism: Option<&'static Endomorphism<W>>,
    /// Where the multiples of the base point are.
    #[cfg(feature = "alloc")]
    pub(crate) table: fn() -> &'static Lazy<Table<W>>,
}

/// How an implementation calculates in the field of a curve: the formulas for points are written once
/// and compiled for each implementation, with its multiplication inlined or called.
pub(crate) trait Arithmetic<const W: usize> {
    /// The curve.
    fn constants(&self) -> &'static Constants<W>;
    /// `a * b`.
    fn mul(&self, a: &Fe<W>, b: &Fe<W>) -> Fe<W>;
    /// `a^2`.
    fn square(&self, a: &Fe<W>) -> Fe<W>;
}

/// Multiplications by these functions. Where they are inlined is for the implementation to say.
pub(crate) struct Multiplication<M, S, const W: usize> {
    pub(crate) constants: &'static Constants<W>,
    pub(crate) mul: M,
    pub(crate) square: S,
}

/// Multiplications by calls of these functions, for any curve of a number of words.
pub(crate) type Calls<const W: usize> =
    Multiplication<fn(&[u64; W], &[u64; W]) -> [u64; W], fn(&[u64; W]) -> [u64; W], W>;

impl<const W: usize, M, S> Arithmetic<W> for Multiplication<M, S, W>
where
    M: Fn(&[u64; W], &[u64; W]) -> [u64; W],
    S: Fn(&[u64; W]) -> [u64; W],
{
    #[inline(always)]
    fn constants(&self) -> &'static Constants<W> {
        self.constants
    }

    #[inline(always)]
    fn mul(&self, a: &Fe<W>, b: &Fe<W>) -> Fe<W> {
        Fe((self.mul)(&a.0, &b.0))
    }

    #[inline(always)]
    fn square(&self, a: &Fe<W>) -> Fe<W> {
        Fe((self.square)(&a.0))
    }
}

/// Multiplications without any features of the CPU, by such products of words: functions that are
/// there once for all that calls them.
pub(crate) fn portable<C: Field<W>, M: Product, const W: usize>() -> Calls<W> {
    fn mul<C: Field<W>, M: Product, const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        C::multiply::<M>(a, b)
    }
    fn square<C: Field<W>, M: Product, const W: usize>(a: &[u64; W]) -> [u64; W] {
        C::square::<M>(a)
    }
    Calls {
        constants: C::CONSTANTS,
        mul: mul::<C, M, W>,
        square: square::<C, M, W>,
    }
}

/// A field element.
#[derive(Clone, Copy)]
pub(crate) struct Fe<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Fe<W> {
    /// 0.
    pub(crate) const ZERO: Self = Fe([0; W]);

    /// The element of an integer below p.
    #[inline]
    pub(crate) fn from_integer(x: &[u64; W], f: &Calls<W>) -> Self {
        if f.constants.is_plain {
            Fe(*x)
        } else {
            f.mul(&Fe(*x), &f.constants.factor)
        }
    }

    /// The integer below p.
    #[inline]
    pub(crate) fn to_integer(self, f: &Calls<W>) -> [u64; W] {
        if f.constants.is_plain {
            self.0
        } else {
            f.mul(&self, &Fe(words::one())).0
        }
    }

    /// `self + other`.
    #[inline(always)]
    pub(crate) fn add(&self, other: &Self, f: &impl Arithmetic<W>) -> Self {
        Fe(f.constants().p.reduce_once(add(&self.0, &other.0)))
    }

    /// `2 self`.
    #[inline(always)]
    pub(crate) fn double(&self, f: &impl Arithmetic<W>) -> Self {
        self.add(self, f)
    }

    /// `self - other`.
    #[inline(always)]
    pub(crate) fn sub(&self, other: &Self, f: &impl Arithmetic<W>) -> Self {
        Fe(f.constants().p.sub(&self.0, &other.0))
    }

    /// `self / 2`.
    #[inline(always)]
    pub(crate) fn halve(&self, f: &impl Arithmetic<W>) -> Self {
        let odd = barrier((self.0[0] & 1).wrapping_neg());
        let p = f.constants().p.words.map(|word| word & odd);
        let (t, carry) = add(&self.0, &p);
        let mut half = words::shift_right(&t, 1);
        half[W - 1] |= u64::from(carry) << 63;
        Fe(half)
    }

    /// `1 / self`, and 0 for 0.
    pub(crate) fn invert(&self, f: &Calls<W>) -> Self {
        let Constants { p, factor, .. } = f.constants;
        Fe(p.divide(&factor.0, &self.0))
    }

    /// `1 / self`, and 0 for 0, in a time that depends on the value.
    pub(crate) fn invert_vartime(&self, f: &Calls<W>) -> Self {
        let Constants { p, factor, .. } = f.constants;
        Fe(p.divide_vartime(&factor.0, &self.0))
    }

    /// Whether this is 0.
    #[inline(always)]
    pub(crate) fn is_zero(&self) -> Choice {
        words::is_zero(&self.0)
    }

    /// Whether both are the same.
    #[inline(always)]
    pub(crate) fn equals(&self, other: &Self, f: &impl Arithmetic<W>) -> Choice {
        self.sub(other, f).is_zero()
    }

    /// `self`, or `-self` where the choice is true, of an element that is not 0.
    #[inline(always)]
    pub(crate) fn negate_if(&self, choice: Choice, f: &impl Arithmetic<W>) -> Self {
        let mut result = *self;
        let (opposite, _) = sub(&f.constants().p.words, &self.0);
        choice.assign(&mut result.0, &opposite);
        result
    }

    /// Becomes `other` where the mask is set, from 0.
    #[inline(always)]
    pub(crate) fn pick(&mut self, other: &Self, mask: u64) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other & mask;
        }
    }

    /// Becomes `other` where the choice is true.
    #[inline(always)]
    pub(crate) fn assign_if(&mut self, choice: Choice, other: &Self) {
        choice.assign(&mut self.0, &other.0);
    }
}
