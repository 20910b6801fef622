//! One arithmetic for all curves, small rather than fast: the prime and the curve are data, numbers
//! are slices, loops stay loops, and nothing is computed beforehand.
//!
//! **Points** are (X : Y : Z) with x = X / Z and y = Y / Z, and infinity is (0 : 1 : 0). They are
//! added by the complete formulas of Renes, Costello and Batina, "Complete addition formulas for
//! prime order elliptic curves" (2016), algorithm 1: on a group of odd order they hold for any two
//! points, for equal and opposite ones and for infinity too, whatever a is. So one addition also
//! doubles, and looks for no exception. Its 40 steps are data, which [`run`] reads.
//!
//! **Scalars** are read two bits at a time, from the top of their words on: two doublings, and the
//! addition of 0, 1, 2 or 3 times the point, which a mask picks. Every scalar takes the same steps,
//! and public ones have no others.

use super::curve::Derived;
#[cfg(not(target_pointer_width = "64"))]
use super::words::By32 as Words;
#[cfg(target_pointer_width = "64")]
use super::words::By64 as Words;
use super::words::Product;
use adamant_base::Secret;
use adamant_base::ct::{Choice, barrier};

/// The words of the longest numbers.
const MAX: usize = 9;
/// A number in its lowest words; those above count for nothing.
type Number = [u64; MAX];

/// An odd modulus above 2^64, and -1 / m mod 2^64. Residues are in Montgomery's form and below m; all
/// numbers of one calculation have as many words as m.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'a> {
    pub(crate) m: &'a [u64],
    pub(crate) n0: u64,
}

impl Ring<'_> {
    /// `out = a b / 2^(64 W)` mod m, for numbers of `W` words, one of them below m.
    #[inline(never)]
    pub(crate) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        out.fill(0);
        let (first, mut top) = (a.first().copied().unwrap_or(0), 0);
        for &b in b {
            // out + a b + m q, of which the lowest word is 0 and dropped, is below 2^(64 W + 1) and
            // below 2m in the end.
            let lowest = out.first().copied().unwrap_or(0);
            let q = Words::mul_low(lowest.wrapping_add(Words::mul_low(first, b)), self.n0);
            let (mut of_a, mut of_m) = (0, 0);
            let mut dropped = 0;
            let mut below = &mut dropped;
            for ((to, a), m) in out.iter_mut().zip(a).zip(self.m) {
                let word;
                (word, of_a) = mul_add(*a, b, *to, of_a);
                (*below, of_m) = mul_add(*m, q, word, of_m);
                below = to;
            }
            let sum = u128::from(of_a) + u128::from(of_m) + u128::from(top);
            (*below, top) = (sum as u64, (sum >> 64) as u64);
        }
        self.reduce_once(out, top);
    }

    /// `x += y` mod m.
    #[inline(never)]
    pub(crate) fn add(&self, x: &mut [u64], y: &[u64]) {
        let carry = accumulate(x, y, u64::MAX, 0);
        self.reduce_once(x, carry);
    }

    /// `x -= y` mod m.
    #[inline(never)]
    pub(crate) fn sub(&self, x: &mut [u64], y: &[u64]) {
        let enough = accumulate(x, y, u64::MAX, u64::MAX);
        self.raise(x, enough);
    }

    /// Takes m from `x`, with this bit above it, if it is not below m; it is below 2m.
    #[inline(never)]
    pub(crate) fn reduce_once(&self, x: &mut [u64], carry: u64) {
        let enough = accumulate(x, self.m, u64::MAX, u64::MAX);
        self.raise(x, enough | carry);
    }

    /// Adds m where more was taken from `x` than it had, which this bit denies.
    #[inline(always)]
    fn raise(&self, x: &mut [u64], enough: u64) {
        accumulate(x, self.m, barrier(enough.wrapping_sub(1)), 0);
    }

    /// `out = x^exponent`, of residues, for a public exponent; `one` is the residue of 1.
    #[inline(never)]
    pub(crate) fn power(&self, out: &mut [u64], x: &[u64], exponent: &[u64], one: &[u64]) {
        copy(out, one);
        let mut factor = Secret::new([0; MAX]);
        let factor = &mut factor[..out.len()];
        for place in (0..64 * exponent.len()).rev() {
            copy(factor, out);
            self.mul(out, factor, factor);
            if bits(exponent, place, 1) == 1 {
                copy(factor, out);
                self.mul(out, factor, x);
            }
        }
    }

    /// `out = 2^(128 W) / x` mod m, for a prime m, which makes the residue of 1 / x of that of x;
    /// 0 for 0. `one` is the residue of 1.
    #[inline(never)]
    pub(crate) fn invert(&self, out: &mut [u64], x: &[u64], one: &[u64]) {
        // m - 2: Fermat.
        let mut exponent = [0; MAX];
        copy(&mut exponent, self.m);
        let two = [2, 0, 0, 0, 0, 0, 0, 0, 0];
        accumulate(&mut exponent, &two, u64::MAX, u64::MAX);
        self.power(out, x, &exponent[..self.m.len()], one);
    }
}

/// This many bits of a number from this place on, all of one word.
#[inline(always)]
fn bits(x: &[u64], place: usize, count: usize) -> u64 {
    let word = x.get(place / 64).copied().unwrap_or(0);
    word >> (place % 64) & ((1 << count) - 1)
}

/// `a b + c + d`: the low and the high word.
#[inline(always)]
fn mul_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let (low, high) = Words::mul(a, b);
    let sum = (u128::from(high) << 64 | u128::from(low)) + u128::from(c) + u128::from(d);
    (sum as u64, (sum >> 64) as u64)
}

/// `x += y` under the mask, with the carry; or, where `negate` is all ones and not 0, `x -= y`, with
/// 1 where nothing was borrowed.
#[inline(never)]
fn accumulate(x: &mut [u64], y: &[u64], mask: u64, negate: u64) -> u64 {
    let mut carry = negate & 1;
    for (x, y) in x.iter_mut().zip(y) {
        let sum = u128::from(*x) + u128::from((y & mask) ^ negate) + u128::from(carry);
        (*x, carry) = (sum as u64, (sum >> 64) as u64);
    }
    carry
}

/// Writes as many words as both have.
fn copy(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

// The registers: the sum, what is added to it, the curve, and what is on the way.
const X: u16 = 0;
const Y: u16 = 1;
const Z: u16 = 2;
const X2: u16 = 3;
const Y2: u16 = 4;
const Z2: u16 = 5;
const A: u16 = 6;
const B3: u16 = 7;
const T0: u16 = 8;
const T1: u16 = 9;
const T2: u16 = 10;
const T3: u16 = 11;
const T4: u16 = 12;
const T5: u16 = 13;
/// With two to spare, as four bits say which.
const REGISTERS: usize = 16;

/// A step: four bits for the register written, for those read, and for what is done.
const fn mul(to: u16, a: u16, b: u16) -> u16 {
    to << 12 | a << 8 | b << 4
}
const fn add(to: u16, a: u16, b: u16) -> u16 {
    mul(to, a, b) | 1
}
const fn sub(to: u16, a: u16, b: u16) -> u16 {
    mul(to, a, b) | 2
}

/// Integers become residues: T0 is 2^(128 W), Z2 is 1, and b becomes 3 b.
#[rustfmt::skip] // a line for each idea
const ENTER: &[u16] = &[
    mul(X2, X2, T0), mul(Y2, Y2, T0), mul(Z2, Z2, T0),
    mul(A, A, T0),
    mul(T1, B3, T0), add(B3, T1, T1), add(B3, B3, T1),
];

/// The sum becomes that of it and (X2 : Y2 : Z2).
#[rustfmt::skip]
const ADD: &[u16] = &[
    mul(T0, X, X2), mul(T1, Y, Y2), mul(T2, Z, Z2),
    add(T3, X, Y), add(T4, X2, Y2), mul(T3, T3, T4), add(T4, T0, T1), sub(T3, T3, T4),
    add(T4, X, Z), add(T5, X2, Z2), mul(T4, T4, T5), add(T5, T0, T2), sub(T4, T4, T5),
    add(T5, Y, Z), add(X, Y2, Z2), mul(T5, T5, X), add(X, T1, T2), sub(T5, T5, X),
    mul(Z, A, T4), mul(X, B3, T2), add(Z, X, Z), sub(X, T1, Z), add(Z, T1, Z), mul(Y, X, Z),
    add(T1, T0, T0), add(T1, T1, T0), mul(T2, A, T2), mul(T4, B3, T4), add(T1, T1, T2),
    sub(T2, T0, T2), mul(T2, A, T2), add(T4, T4, T2), mul(T0, T1, T4), add(Y, Y, T0),
    mul(T0, T5, T4), mul(X, T3, X), sub(X, X, T0),
    mul(T0, T3, T1), mul(Z, T5, Z), add(Z, Z, T0),
];

/// X and Y become the integers x and y, where T0 is the inverse of Z and T1 is 1.
const LEAVE: &[u16] = &[mul(X, X, T0), mul(Y, Y, T0), mul(X, X, T1), mul(Y, Y, T1)];

/// Takes the steps.
#[inline(never)]
fn run(steps: &[u16], registers: &mut [Number; REGISTERS], p: &Ring<'_>) {
    let len = p.m.len();
    let register = |i: u16| usize::from(i & 15);
    for step in steps {
        let (a, b) = (
            registers[register(step >> 8)],
            registers[register(step >> 4)],
        );
        let to = &mut registers[register(step >> 12)][..len];
        let b = &b[..len];
        if step & 3 == 0 {
            p.mul(to, &a[..len], b);
        } else {
            copy(to, &a);
            if step & 3 == 1 {
                p.add(to, b);
            } else {
                p.sub(to, b);
            }
        }
    }
}

/// A curve: its field, the residue of 1, and the integers that [`ENTER`] starts with from Z2 on.
struct Numbers<'a> {
    p: Ring<'a>,
    one: &'a [u64],
    integers: [&'a [u64]; 4],
}

/// A scalar, and x and y of the point that it multiplies.
pub(crate) type Term<'a> = (&'a [u64], [&'a [u64]; 2]);

/// The integer 1.
const ONE: &[u64] = &[1, 0, 0, 0, 0, 0, 0, 0, 0];
/// Bits of a digit.
const WINDOW: usize = 2;
/// Terms of the longest sum.
const TERMS: usize = 2;

/// x and y of the sum of the terms; for infinity, (0, 0).
#[inline(never)]
fn sum(curve: &Numbers<'_>, terms: &[Term<'_>], out: &mut [&mut [u64]; 2]) {
    let (p, len) = (&curve.p, curve.p.m.len());
    let mut registers = Secret::new([[0; MAX]; REGISTERS]);
    let mut tables = [[[0; MAX]; 3 << WINDOW]; TERMS];
    for ((_, point), table) in terms.iter().zip(&mut tables) {
        for (register, integer) in registers[3..].iter_mut().zip(point) {
            copy(register, integer);
        }
        for (register, integer) in registers[5..].iter_mut().zip(curve.integers) {
            copy(register, integer);
        }
        run(ENTER, &mut registers, p);
        infinity(&mut registers, curve.one);
        for multiple in table.as_chunks_mut::<3>().0 {
            multiple.copy_from_slice(&registers[..3]);
            run(ADD, &mut registers, p);
        }
    }
    infinity(&mut registers, curve.one);
    let mut place = 64 * len;
    while place > 0 {
        for _ in 0..WINDOW {
            registers.copy_within(..3, 3);
            run(ADD, &mut registers, p);
        }
        place -= WINDOW;
        for ((scalar, _), table) in terms.iter().zip(&tables) {
            pick(&mut registers, table, bits(scalar, place, WINDOW));
            run(ADD, &mut registers, p);
        }
    }
    let [_, _, z, _, _, _, _, _, t0, t1, ..] = &mut *registers;
    p.invert(&mut t0[..len], &z[..len], curve.one);
    copy(t1, ONE);
    run(LEAVE, &mut registers, p);
    for (to, coordinate) in out.iter_mut().zip(registers.iter()) {
        copy(to, coordinate);
    }
}

/// Makes the sum infinity.
fn infinity(registers: &mut [Number; REGISTERS], one: &[u64]) {
    registers[..3].fill([0; MAX]);
    copy(&mut registers[1], one);
}

/// Makes the multiple at a secret place what is added next: reads all.
#[inline(never)]
fn pick(registers: &mut [Number; REGISTERS], table: &[Number; 3 << WINDOW], digit: u64) {
    let point = registers[3..6].as_flattened_mut();
    point.fill(0);
    for (i, multiple) in (0..).zip(table.as_chunks::<3>().0) {
        let mask = Choice::eq_u64(i, digit).mask();
        for (to, from) in point.iter_mut().zip(multiple.as_flattened()) {
            *to |= from & mask;
        }
    }
}

/// A term of a [`products`].
pub(crate) fn term<'a, const W: usize>(k: &'a [u64; W], [x, y]: &'a [[u64; W]; 2]) -> Term<'a> {
    (k, [x, y])
}

/// x and y of the sum of one term or two; for infinity, (0, 0).
pub(crate) fn products<C: Derived<W>, const W: usize>(terms: &[Term<'_>]) -> [[u64; W]; 2] {
    let p = C::FIELD;
    let curve = Numbers {
        p: p.ring(),
        one: &p.one,
        integers: [ONE, &C::A, &C::B, &p.r2],
    };
    let mut out = [[0; W]; 2];
    let [x, y] = &mut out;
    sum(&curve, terms, &mut [x, y]);
    out
}

/// The functions of an implementation.
macro_rules! implementation {
    ($curve:ident, $w:tt) => {
        use super::{Check, $curve};
        use crate::weierstrass::curve::{Curve, Derived};
        use crate::weierstrass::small::{products, term};

        type Limbs = [u64; $w];

        pub(super) fn mul_base(k: &Limbs) -> [Limbs; 2] {
            mul(k, &$curve::G)
        }

        pub(super) fn mul(k: &Limbs, point: &[Limbs; 2]) -> [Limbs; 2] {
            products::<$curve, $w>(&[term(k, point)])
        }

        pub(super) fn has_x_vartime(u1: &Limbs, u2: &Limbs, q: &[Limbs; 2], r: &Limbs) -> bool {
            let [x, y] = products::<$curve, $w>(&[term(u1, &$curve::G), term(u2, q)]);
            // y is 0 only for infinity, as the order is odd.
            y != [0; $w] && $curve::ORDER.reduce(&x) == *r
        }

        crate::weierstrass::rows::one_by_one!($w);
    };
}
pub(crate) use implementation;
