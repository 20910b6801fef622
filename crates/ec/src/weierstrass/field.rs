//! The field of a curve: integers modulo p.
//!
//! An [`Fe`] holds its element as `W` words below p, in Montgomery's form or plain as the curve has
//! it, so that equal elements have equal words. Everything but what is named `_vartime` takes the
//! same time for every value.

use super::curve::{Curve, Derived};
use super::endomorphism::Endomorphism;
use super::table::Table;
use super::words::{self, Product, add, from_hex, same, sub};
use adamant_base::ct::{Choice, barrier};
use core::marker::PhantomData;

/// How the kernel calculates on a curve with a = -3, a = 0, or one that is isomorphic to one with
/// a = -3.
pub(crate) trait Field<const W: usize>: Curve<W> {
    /// u, where the kernel calculates on the twisted curve of the points (u^2 x, u^3 y), for which
    /// u^4 a = -3; as an integer.
    const TWIST: [u64; W] = words::one();
    /// Elements are plain integers, not in Montgomery's form.
    const PLAIN: bool = false;
    /// 1.
    const ONE: [u64; W] = if Self::PLAIN {
        words::one()
    } else {
        Self::FIELD.one
    };
    /// What makes an element of an integer by a multiplication.
    const FACTOR: [u64; W] = if Self::PLAIN {
        words::one()
    } else {
        Self::FIELD.r2
    };
    /// Whether there is a twist.
    const IS_TWISTED: bool = !same(&Self::TWIST, &words::one());
    /// Whether a = 0; else a = -3 on the curve that the kernel calculates on.
    const A_IS_ZERO: bool = {
        let zero = same(&Self::A, &[0; W]);
        let (p_less_3, _) = sub(&Self::P, &from_hex("3"));
        assert!(zero || Self::IS_TWISTED || same(&Self::A, &p_less_3));
        zero
    };

    /// The endomorphism, where there is one.
    const ENDOMORPHISM: Option<Endomorphism<W>> = None;

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

    /// The multiples of the base point.
    fn table() -> &'static Table<Self, W>;
}

/// How an implementation multiplies: the formulas for points are written once and compiled for each
/// implementation, with its multiplication inlined or called.
pub(crate) trait Multiply<C, const W: usize> {
    /// `a * b`.
    fn mul(&self, a: &Fe<C, W>, b: &Fe<C, W>) -> Fe<C, W>;
    /// `a^2`.
    fn square(&self, a: &Fe<C, W>) -> Fe<C, W>;
}

/// Multiplications by these functions. Where they are inlined is for the implementation to say.
pub(crate) struct Multiplication<M, S> {
    pub(crate) mul: M,
    pub(crate) square: S,
}

/// Multiplications by calls of these functions.
pub(crate) type Calls<const W: usize> =
    Multiplication<fn(&[u64; W], &[u64; W]) -> [u64; W], fn(&[u64; W]) -> [u64; W]>;

impl<C, const W: usize, M, S> Multiply<C, W> for Multiplication<M, S>
where
    M: Fn(&[u64; W], &[u64; W]) -> [u64; W],
    S: Fn(&[u64; W]) -> [u64; W],
{
    #[inline(always)]
    fn mul(&self, a: &Fe<C, W>, b: &Fe<C, W>) -> Fe<C, W> {
        Fe::new((self.mul)(&a.0, &b.0))
    }

    #[inline(always)]
    fn square(&self, a: &Fe<C, W>) -> Fe<C, W> {
        Fe::new((self.square)(&a.0))
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
        mul: mul::<C, M, W>,
        square: square::<C, M, W>,
    }
}

/// A field element.
#[derive(Clone, Copy)]
pub(crate) struct Fe<C, const W: usize>(pub(crate) [u64; W], PhantomData<C>);

impl<C, const W: usize> Fe<C, W> {
    /// The element that these words stand for.
    #[inline(always)]
    pub(crate) const fn new(words: [u64; W]) -> Self {
        Fe(words, PhantomData)
    }
}

impl<C: Field<W>, const W: usize> Fe<C, W> {
    /// 0.
    pub(crate) const ZERO: Self = Fe::new([0; W]);
    /// 1.
    pub(crate) const ONE: Self = Fe::new(C::ONE);

    /// The element of an integer below p.
    #[inline(always)]
    pub(crate) fn from_integer(x: &[u64; W], f: &impl Multiply<C, W>) -> Self {
        if C::PLAIN {
            Fe::new(*x)
        } else {
            f.mul(&Fe::new(*x), &Fe::new(C::FACTOR))
        }
    }

    /// The integer below p.
    #[inline(always)]
    pub(crate) fn to_integer(self, f: &impl Multiply<C, W>) -> [u64; W] {
        if C::PLAIN {
            self.0
        } else {
            f.mul(&self, &Fe::new(words::one())).0
        }
    }

    /// `self + other`.
    #[inline(always)]
    pub(crate) fn add(&self, other: &Self) -> Self {
        Fe::new(C::FIELD.reduce_once(add(&self.0, &other.0)))
    }

    /// `2 self`.
    #[inline(always)]
    pub(crate) fn double(&self) -> Self {
        self.add(self)
    }

    /// `self - other`.
    #[inline(always)]
    pub(crate) fn sub(&self, other: &Self) -> Self {
        Fe::new(C::FIELD.sub(&self.0, &other.0))
    }

    /// `-self`.
    #[inline(always)]
    pub(crate) fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// `self / 2`.
    #[inline(always)]
    pub(crate) fn halve(&self) -> Self {
        let odd = barrier((self.0[0] & 1).wrapping_neg());
        let (t, carry) = add(&self.0, &C::P.map(|word| word & odd));
        let mut half = words::shift_right(&t, 1);
        half[W - 1] |= u64::from(carry) << 63;
        Fe::new(half)
    }

    /// `1 / self`, and 0 for 0.
    pub(crate) fn invert(&self) -> Self {
        Fe::new(C::FIELD.divide(&C::FACTOR, &self.0))
    }

    /// `1 / self`, and 0 for 0, in a time that depends on the value.
    pub(crate) fn invert_vartime(&self) -> Self {
        Fe::new(C::FIELD.divide_vartime(&C::FACTOR, &self.0))
    }

    /// Whether this is 0.
    #[inline(always)]
    pub(crate) fn is_zero(&self) -> Choice {
        words::is_zero(&self.0)
    }

    /// Whether both are the same.
    #[inline(always)]
    pub(crate) fn equals(&self, other: &Self) -> Choice {
        self.sub(other).is_zero()
    }

    /// `self`, or `-self` where the choice is true.
    #[inline(always)]
    pub(crate) fn negate_if(&self, choice: Choice) -> Self {
        let mut result = *self;
        result.assign_if(choice, &self.neg());
        result
    }

    /// Becomes `other` where the choice is true.
    #[inline(always)]
    pub(crate) fn assign_if(&mut self, choice: Choice, other: &Self) {
        choice.assign(&mut self.0, &other.0);
    }
}
