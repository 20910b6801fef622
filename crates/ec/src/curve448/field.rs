//! Arithmetic modulo p = 2^448 - 2^224 - 1 (RFC 7748, section 4.2), radix 2^56.
//!
//! An element is eight limbs: the value is the sum of `limb[i] * 2^(56 i)`, modulo p. It is seldom
//! reduced in full; these bounds hold between calls:
//!
//! * *tight*: limbs below 2^56 + 2^10. Returned by multiplications.
//! * *loose*: limbs below 3 * 2^56 + 2^13. Taken by multiplications.
//! * [`Fe::add`] adds limbs, [`Fe::sub`] adds 2p first: of tight elements, both give loose ones.
//! * [`Fe::sub_loose`] takes sums of two tight elements on both sides and gives a tight one.
//!
//! All functions run in constant time, and all are inlined, so that a caller compiled for more CPU
//! features compiles them for the same. In debug builds every function checks what it takes, and
//! the long ones are not inlined: with checks everywhere that would take minutes to compile.

use super::edwards::{self, Completed, Extended, Niels, Projective};
use super::fields::Field;
use super::table::{self, ODDS, ROWS};
use crate::chain::Link;
use crate::limbs::{own, selections, split, words};
use adamant_base::Wipe;

/// The bytes of an element.
pub(super) const BYTES: usize = 56;
/// An element's words, the least significant first.
pub(super) type Words = [u64; BYTES / 8];
/// The low 56 bits.
pub(super) const MASK: u64 = (1 << 56) - 1;
/// What the limbs of loose elements stay below.
const LOOSE: u64 = (3 << 56) + (1 << 13);
/// What the limbs of the sum of two tight elements stay below.
pub(super) const SUM: u64 = (1 << 57) + (1 << 11);

/// The powers that lead to those of inverses and square roots.
pub(super) const CHAIN: [Link; 13] = [
    (1, 0),    // 2^2 - 1
    (1, 0),    // 2^3 - 1
    (3, 2),    // 2^6 - 1
    (3, 2),    // 2^9 - 1
    (9, 4),    // 2^18 - 1
    (1, 0),    // 2^19 - 1
    (18, 5),   // 2^37 - 1
    (37, 7),   // 2^74 - 1
    (37, 7),   // 2^111 - 1
    (111, 9),  // 2^222 - 1
    (1, 0),    // 2^223 - 1
    (223, 10), // (p - 3) / 4
    (2, 0),    // p - 2
];

/// A field element.
#[derive(Clone, Copy)]
pub struct Fe([u64; 8]);

/// The 128-bit product.
#[inline(always)]
const fn m(x: u64, y: u64) -> u128 {
    x as u128 * y as u128
}

/// Whether every limb is below `bound`; for the checks of debug builds.
pub(super) const fn below(limbs: &[u64; 8], bound: u64) -> bool {
    let mut i = 0;
    while i < 8 {
        if limbs[i] >= bound {
            return false;
        }
        i += 1;
    }
    true
}

/// The columns of a product of two limbs by two.
#[inline(always)]
const fn product_of_two(a: [u64; 2], b: [u64; 2]) -> [u128; 3] {
    [m(a[0], b[0]), m(a[0], b[1]) + m(a[1], b[0]), m(a[1], b[1])]
}

/// The columns of a product of four limbs by four: 12 products of limbs instead of 16, from p for the low
/// two, q for the high two and s for the sums of both.
#[inline(always)]
const fn product(a: [u64; 4], b: [u64; 4]) -> [u128; 7] {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    let p = product_of_two([a0, a1], [b0, b1]);
    let q = product_of_two([a2, a3], [b2, b3]);
    let s = product_of_two([a0 + a2, a1 + a3], [b0 + b2, b1 + b3]);
    let d = p[2].wrapping_sub(q[0]);
    [
        p[0],
        p[1],
        s[0].wrapping_sub(p[0]).wrapping_add(d),
        s[1] - p[1] - q[1],
        s[2].wrapping_sub(q[2]).wrapping_sub(d),
        q[1],
        q[2],
    ]
}

/// The columns of a square of four limbs.
#[inline(always)]
const fn product_square(a: [u64; 4]) -> [u128; 7] {
    let [a0, a1, a2, a3] = a;
    let (d0, d1, d2) = (2 * a0, 2 * a1, 2 * a2);
    [
        m(a0, a0),
        m(d0, a1),
        m(d0, a2) + m(a1, a1),
        m(d0, a3) + m(d1, a2),
        m(d1, a3) + m(a2, a2),
        m(d2, a3),
        m(a3, a3),
    ]
}

impl Fe {
    pub(super) const ZERO: Fe = Fe([0; 8]);
    pub(super) const ONE: Fe = Fe::small(1);

    /// A small constant.
    pub(super) const fn small(x: u32) -> Fe {
        Fe([x as u64, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The element of these limbs, which must be loose.
    #[inline(always)]
    pub(super) const fn from_limbs(limbs: [u64; 8]) -> Fe {
        debug_assert!(below(&limbs, LOOSE));
        Fe(limbs)
    }

    /// The limbs.
    #[cfg(any(
        test,
        target_arch = "aarch64",
        all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd")
    ))]
    #[inline(always)]
    pub(super) const fn limbs(&self) -> &[u64; 8] {
        &self.0
    }

    /// Reads 56 bytes, least significant first. Values from p on are accepted, as RFC 7748 asks;
    /// the result is tight.
    #[inline(always)]
    pub(super) const fn from_bytes(bytes: &[u8; BYTES]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    /// The same of words, the least significant first.
    #[inline(always)]
    pub(super) const fn from_words(words: &Words) -> Fe {
        Fe(split(words, 56))
    }

    /// The same element with its limbs in their lowest terms: the value below p.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn reduced(self) -> Fe {
        // Twice, so that the value is below 2^448 + 2^10, and so below 2p.
        let x = carry(carry(self.0));
        // The value reaches p exactly where value + 2^224 + 1 reaches 2^448: q = 1.
        let mut q = 1;
        let mut i = 0;
        while i < 8 {
            q = (x[i] + q + (i == 4) as u64) >> 56;
            i += 1;
        }
        // Subtract q * p: add q (2^224 + 1) and drop bit 448.
        let mut out = [0; 8];
        let mut carry = q;
        i = 0;
        while i < 8 {
            carry += x[i] + if i == 4 { q } else { 0 };
            out[i] = carry & MASK;
            carry >>= 56;
            i += 1;
        }
        Fe(out)
    }

    /// The canonical encoding: the value below p, least significant byte first.
    #[inline(always)]
    pub(super) const fn to_bytes(self) -> [u8; BYTES] {
        debug_assert!(below(&self.0, LOOSE));
        let limbs = self.reduced().0;
        let mut out = [0; BYTES];
        let mut i = 0;
        while i < BYTES {
            out[i] = (limbs[i / 7] >> (8 * (i % 7))) as u8;
            i += 1;
        }
        out
    }

    /// `self + other`, limb by limb.
    #[inline(always)]
    pub(super) const fn add(self, other: Fe) -> Fe {
        let (a, b) = (self.0, other.0);
        let sum = [
            a[0] + b[0],
            a[1] + b[1],
            a[2] + b[2],
            a[3] + b[3],
            a[4] + b[4],
            a[5] + b[5],
            a[6] + b[6],
            a[7] + b[7],
        ];
        debug_assert!(below(&sum, LOOSE));
        Fe(sum)
    }

    /// `self - other + n p`, limb by limb, for a small even n.
    #[inline(always)]
    const fn minus(self, n: u64, other: Fe) -> [u64; 8] {
        let (a, b, p, p4) = (self.0, other.0, n * MASK, n * (MASK - 1));
        [
            a[0] + p - b[0],
            a[1] + p - b[1],
            a[2] + p - b[2],
            a[3] + p - b[3],
            a[4] + p4 - b[4],
            a[5] + p - b[5],
            a[6] + p - b[6],
            a[7] + p - b[7],
        ]
    }

    /// `self - other + 2p`, limb by limb.
    #[inline(always)]
    pub(super) const fn sub(self, other: Fe) -> Fe {
        debug_assert!(below(&self.0, (1 << 56) + (1 << 12)) && below(&other.0, (1 << 57) - 4));
        Fe(self.minus(2, other))
    }

    /// `self - other`, tight, for sums of two tight elements.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn sub_loose(self, other: Fe) -> Fe {
        debug_assert!(below(&self.0, SUM) && below(&other.0, SUM));
        Fe(carry(self.minus(4, other)))
    }

    /// `-self`, tight.
    #[inline(always)]
    pub(super) const fn neg(self) -> Fe {
        Fe::ZERO.sub_loose(self)
    }

    /// The same value with tight limbs.
    #[inline(always)]
    pub(super) const fn tighten(self) -> Fe {
        debug_assert!(below(&self.0, LOOSE));
        Fe(carry(self.0))
    }

    /// `self * other`: on x86-64, where the vector implementation is the one that counts, a call.
    #[cfg_attr(any(debug_assertions, target_arch = "x86_64"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "x86_64")), inline(always))]
    pub(super) const fn mul(self, other: Fe) -> Fe {
        self.mul_here(other)
    }

    /// The same in place.
    ///
    /// With f = 2^224, which is a root of f^2 = f + 1, and a = a0 + a1 f, b = b0 + b1 f:
    /// ab = (a0 b0 + a1 b1) + ((a0 + a1)(b0 + b1) - a0 b0) f (Hamburg, "Ed448-Goldilocks", 2015).
    /// What passes f in either bracket is folded by the same rule.
    #[inline(always)]
    const fn mul_here(self, other: Fe) -> Fe {
        debug_assert!(below(&self.0, LOOSE) && below(&other.0, LOOSE));
        let ([a0, a1, a2, a3, a4, a5, a6, a7], [b0, b1, b2, b3, b4, b5, b6, b7]) =
            (self.0, other.0);
        let low = product([a0, a1, a2, a3], [b0, b1, b2, b3]);
        let high = product([a4, a5, a6, a7], [b4, b5, b6, b7]);
        let both = product(
            [a0 + a4, a1 + a5, a2 + a6, a3 + a7],
            [b0 + b4, b1 + b5, b2 + b6, b3 + b7],
        );
        Fe(combine(low, high, both))
    }

    /// `self^2`, as [`Fe::mul`].
    #[cfg_attr(any(debug_assertions, target_arch = "x86_64"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "x86_64")), inline(always))]
    pub(super) const fn square(self) -> Fe {
        self.square_here()
    }

    /// The same in place.
    #[inline(always)]
    const fn square_here(self) -> Fe {
        debug_assert!(below(&self.0, LOOSE));
        let [a0, a1, a2, a3, a4, a5, a6, a7] = self.0;
        let low = product_square([a0, a1, a2, a3]);
        let high = product_square([a4, a5, a6, a7]);
        let both = product_square([a0 + a4, a1 + a5, a2 + a6, a3 + a7]);
        Fe(combine(low, high, both))
    }

    /// `self * factor`, for a factor below 2^17.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(below(&self.0, LOOSE) && factor < 1 << 17);
        let a = self.0;
        Fe(reduce([
            m(a[0], factor),
            m(a[1], factor),
            m(a[2], factor),
            m(a[3], factor),
            m(a[4], factor),
            m(a[5], factor),
            m(a[6], factor),
            m(a[7], factor),
        ]))
    }
}

/// The product from those of the low halves, of the high halves and of the sums of both.
///
/// No difference here is negative: each column of `both` counts the products of `low` and `high`.
#[inline(always)]
const fn combine(low: [u128; 7], high: [u128; 7], both: [u128; 7]) -> [u64; 8] {
    reduce([
        low[0] + high[0] + (both[4] - low[4]),
        low[1] + high[1] + (both[5] - low[5]),
        low[2] + high[2] + (both[6] - low[6]),
        low[3] + high[3],
        both[0] - low[0] + high[4] + both[4],
        both[1] - low[1] + high[5] + both[5],
        both[2] - low[2] + high[6] + both[6],
        both[3] - low[3],
    ])
}

/// Brings limbs of up to 64 bits (below 2^63 in the top one) below 2^56 + 2^9, all carries at once.
#[inline(always)]
const fn carry(r: [u64; 8]) -> [u64; 8] {
    let top = r[7] >> 56;
    [
        (r[0] & MASK) + top,
        (r[1] & MASK) + (r[0] >> 56),
        (r[2] & MASK) + (r[1] >> 56),
        (r[3] & MASK) + (r[2] >> 56),
        (r[4] & MASK) + (r[3] >> 56) + top,
        (r[5] & MASK) + (r[4] >> 56),
        (r[6] & MASK) + (r[5] >> 56),
        (r[7] & MASK) + (r[6] >> 56),
    ]
}

/// Brings the columns of a product below 2^56 + 2^8: both halves carry side by side, and once more at
/// the end.
///
/// In units of 2^112, with loose factors below 3.001 * 2^56, whose halves' sums are below
/// 6.002 * 2^56: column 7 is at most 4 * 36.1 = 145, column 3 at most 8 * 9.1 = 73, and every other
/// below 4 * 36.1 + 3 * 9.1. Shifted right by 56, in units of 2^56, the first two together are
/// below 219 < 2^8, so that limb 4, which takes both, stays below 2^64; the others do by far.
#[inline(always)]
const fn reduce(mut r: [u128; 8]) -> [u64; 8] {
    const fn low(x: u128) -> u64 {
        x as u64 & MASK
    }
    const fn high(x: u128) -> u64 {
        (x as u64 >> 56) + (((x >> 64) as u64) << 8)
    }
    r[1] += high(r[0]) as u128;
    r[5] += high(r[4]) as u128;
    r[2] += high(r[1]) as u128;
    r[6] += high(r[5]) as u128;
    r[3] += high(r[2]) as u128;
    r[7] += high(r[6]) as u128;
    let (middle, top) = (high(r[3]), high(r[7]));
    let (r0, r4) = (low(r[0]) + top, low(r[4]) + middle + top);
    [
        r0 & MASK,
        low(r[1]) + (r0 >> 56),
        low(r[2]),
        low(r[3]),
        r4 & MASK,
        low(r[5]) + (r4 >> 56),
        low(r[6]),
        low(r[7]),
    ]
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Field for Fe {
    const ZERO: Fe = Fe::ZERO;
    const ONE: Fe = Fe::ONE;
    const COMB: &'static [Niels; 8 * ROWS] = &table::COMB;
    const ODD: &'static [Niels; ODDS] = &table::ODD;

    own! {
        from_bytes(bytes: &[u8; BYTES]) -> Fe;
        to_bytes(self: Fe) -> [u8; BYTES];
        add(self: Fe, other: Fe) -> Fe;
        sub(self: Fe, other: Fe) -> Fe;
        sub_loose(self: Fe, other: Fe) -> Fe;
        neg(self: Fe) -> Fe;
        tighten(self: Fe) -> Fe;
        mul(self: Fe, other: Fe) -> Fe;
        square(self: Fe) -> Fe;
        mul_here(self: Fe, other: Fe) -> Fe;
        square_here(self: Fe) -> Fe;
        mul_small(self: Fe, factor: u64) -> Fe;
    }

    edwards::formulas!();
    selections!(swap u64);
    selections!(assign u64);

    #[inline(always)]
    fn sign(self) -> u8 {
        self.reduced().0[0] as u8 & 1
    }
    #[inline(always)]
    fn from_outside(x: Fe) -> Fe {
        x
    }
    #[inline(always)]
    fn to_outside(self) -> Fe {
        self
    }
}
