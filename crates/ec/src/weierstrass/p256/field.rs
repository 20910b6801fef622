//! The field of P-256: integers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (SP 800-186,
//! 3.2.1.3).
//!
//! An [`Fe`] holds x * 2^256 mod p (Montgomery's form) as four 64-bit words, always below p: equal
//! elements have equal words. Everything but what is named `_vartime` takes the same time for
//! every value.
//!
//! Montgomery's reduction is cheap for this prime. As p = -1 mod 2^64, the multiple of p that
//! clears the lowest word m of a number is m * p itself, and
//! m * p + m = m * (2^256 - 2^224 + 2^192) + m * 2^96: one multiplication by the top word of p and
//! one shift.

use super::P256;
use super::limbs::{Limbs, adc, add4, mul, mul_wide, sbb, square_wide, sub4};
use crate::weierstrass::curve::Derived;
use adamant_base::ct::{Choice, barrier};

/// The prime p.
pub(super) const P: Limbs = [
    0xffff_ffff_ffff_ffff,
    0x0000_0000_ffff_ffff,
    0x0000_0000_0000_0000,
    0xffff_ffff_0000_0001,
];

/// 2^512 mod p.
const R2: Fe = Fe([
    0x0000_0000_0000_0003,
    0xffff_fffb_ffff_ffff,
    0xffff_ffff_ffff_fffe,
    0x0000_0004_ffff_fffd,
]);

/// A field element.
#[derive(Clone, Copy)]
pub(super) struct Fe(pub(super) Limbs);

/// How an implementation multiplies: the formulas for points are written once and compiled for each
/// implementation, with its multiplication inlined or called.
pub(super) trait Multiply {
    /// `a * b`.
    fn mul(&self, a: &Fe, b: &Fe) -> Fe;
    /// `a^2`.
    fn square(&self, a: &Fe) -> Fe;
}

/// Multiplications by these functions. Where they are inlined is for the implementation to say:
/// loops over long formulas call them, as with all inlined, bodies of 10 KB and more ran up to three
/// times slower on Zen 5, depending on where the code came to lie.
pub(super) struct Multiplication<M, S> {
    pub(super) mul: M,
    pub(super) square: S,
}

impl<M: Fn(&Fe, &Fe) -> Fe, S: Fn(&Fe) -> Fe> Multiply for Multiplication<M, S> {
    #[inline(always)]
    fn mul(&self, a: &Fe, b: &Fe) -> Fe {
        (self.mul)(a, b)
    }

    #[inline(always)]
    fn square(&self, a: &Fe) -> Fe {
        (self.square)(a)
    }
}

/// `t / 2^256` mod p, below 2p, for `t` below `2^256 p`.
#[inline(always)]
fn montgomery(t: &[u64; 8]) -> (Limbs, bool) {
    // The lower half: each step clears the lowest word and drops it. What is left stays below
    // 2^192 + p < 2^256, and is at most p in the end.
    let [mut a, mut b, mut c, mut d, high @ ..] = *t;
    for _ in 0..4 {
        let m = a;
        let (lo, hi) = mul(m, P[3]);
        let carry;
        (a, carry) = adc(b, m << 32, false);
        let (next_b, carry) = adc(c, m >> 32, carry);
        let (next_c, carry) = adc(d, lo, carry);
        (d, _) = adc(hi, 0, carry);
        (b, c) = (next_b, next_c);
    }
    add4(&[a, b, c, d], &high)
}

/// `t + p` where the mask is set, without the carry.
#[inline(always)]
fn add_p(t: &Limbs, mask: u64) -> (Limbs, bool) {
    add4(t, &[mask, mask >> 32, 0, mask & P[3]])
}

/// Subtracts p once from a number below 2p, if it is not below p.
#[inline(always)]
fn reduce_once((t, carry): (Limbs, bool)) -> Limbs {
    // The barriers on p keep the subtraction one chain of borrows.
    let (d0, borrow) = sbb(t[0], barrier(P[0]), false);
    let (d1, borrow) = sbb(t[1], barrier(P[1]), borrow);
    let (d2, borrow) = sbb(t[2], P[2], borrow);
    let (d3, borrow) = sbb(t[3], barrier(P[3]), borrow);
    let (mask, _) = sbb(u64::from(carry), 0, borrow);
    add_p(&[d0, d1, d2, d3], barrier(mask)).0
}

impl Fe {
    /// 0.
    pub(super) const ZERO: Fe = Fe([0; 4]);
    /// 1.
    pub(super) const ONE: Fe = Fe([
        0x0000_0000_0000_0001,
        0xffff_ffff_0000_0000,
        0xffff_ffff_ffff_ffff,
        0x0000_0000_ffff_fffe,
    ]);

    /// The element of an integer below p.
    pub(super) fn from_integer(x: &Limbs) -> Fe {
        Fe(*x).mul(&R2)
    }

    /// The integer below p.
    pub(super) fn to_integer(self) -> Limbs {
        let [t0, t1, t2, t3] = self.0;
        reduce_once(montgomery(&[t0, t1, t2, t3, 0, 0, 0, 0]))
    }

    /// `self + other`.
    #[inline(always)]
    pub(super) fn add(&self, other: &Fe) -> Fe {
        Fe(reduce_once(add4(&self.0, &other.0)))
    }

    /// `2 self`.
    #[inline(always)]
    pub(super) fn double(&self) -> Fe {
        self.add(self)
    }

    /// `self - other`.
    #[inline(always)]
    pub(super) fn sub(&self, other: &Fe) -> Fe {
        let (difference, borrow) = sub4(&self.0, &other.0);
        Fe(add_p(&difference, barrier(u64::from(borrow).wrapping_neg())).0)
    }

    /// `-self`.
    #[inline(always)]
    pub(super) fn neg(&self) -> Fe {
        Fe::ZERO.sub(self)
    }

    /// `self / 2`.
    #[inline(always)]
    pub(super) fn halve(&self) -> Fe {
        let odd = barrier((self.0[0] & 1).wrapping_neg());
        let (t, carry) = add_p(&self.0, odd);
        Fe([
            t[0] >> 1 | t[1] << 63,
            t[1] >> 1 | t[2] << 63,
            t[2] >> 1 | t[3] << 63,
            t[3] >> 1 | u64::from(carry) << 63,
        ])
    }

    /// `self * other`.
    #[inline(never)]
    pub(super) fn mul(&self, other: &Fe) -> Fe {
        self.mul_inline(other)
    }

    /// `self^2`.
    #[inline(never)]
    pub(super) fn square(&self) -> Fe {
        self.square_inline()
    }

    /// [`Fe::mul`], to be compiled with the features of the caller.
    #[inline(always)]
    pub(super) fn mul_inline(&self, other: &Fe) -> Fe {
        Fe(reduce_once(montgomery(&mul_wide(&self.0, &other.0))))
    }

    /// [`Fe::square`], to be compiled with the features of the caller.
    #[inline(always)]
    pub(super) fn square_inline(&self) -> Fe {
        Fe(reduce_once(montgomery(&square_wide(&self.0))))
    }

    /// `1 / self`, and 0 for 0.
    pub(super) fn invert(&self) -> Fe {
        Fe(P256::FIELD.divide(&R2.0, &self.0))
    }

    /// `1 / self`, and 0 for 0, in a time that depends on the value.
    pub(super) fn invert_vartime(&self) -> Fe {
        Fe(P256::FIELD.divide_vartime(&R2.0, &self.0))
    }

    /// Whether this is 0.
    #[inline(always)]
    pub(super) fn is_zero(&self) -> Choice {
        !Choice::nonzero(self.0[0] | self.0[1] | self.0[2] | self.0[3])
    }

    /// Whether both are the same.
    #[inline(always)]
    pub(super) fn equals(&self, other: &Fe) -> Choice {
        self.sub(other).is_zero()
    }

    /// `self`, or `-self` where the choice is true.
    #[inline(always)]
    pub(super) fn negate_if(&self, choice: Choice) -> Fe {
        let mut result = *self;
        choice.assign(&mut result.0, &self.neg().0);
        result
    }
}
