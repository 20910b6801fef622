//! Arithmetic modulo p = 2^255 - 19 (RFC 7748, section 4.1), radix 2^51.
//!
//! An element is five limbs: the value is the sum of `limb[i] * 2^(51 i)`, modulo p. It is seldom
//! reduced in full; these bounds hold between calls:
//!
//! * *tight*: limbs below 2^51 + 2^17. Returned by multiplications.
//! * *loose*: limbs below 2^54. Taken by multiplications.
//! * [`Fe::add`] adds limbs: the sum of two or three tight elements is loose, below 2^53 - 76.
//! * [`Fe::sub`] adds 4p first: it takes limbs up to 2^53 - 76 on both sides and returns a loose
//!   element, which is fit for a multiplication and for nothing else.
//!
//! In debug builds every function checks what it takes. All of them run in constant time, and all
//! are inlined, so that a caller compiled for more CPU features compiles them for the same.

use super::edwards::{self, Completed, Extended, Niels, Projective, Signed};
use super::fields::{Field, Ring, stored};
use super::table::{self, ODDS, ROWS};
use crate::chain::Link;
use crate::limbs::{own, selections, words};
use adamant_base::Wipe;
use adamant_base::ct::barrier;

/// The low 51 bits.
const MASK: u64 = (1 << 51) - 1;
/// The limbs of 4p.
const FOUR_P: [u64; 5] = [
    (1 << 53) - 76,
    (1 << 53) - 4,
    (1 << 53) - 4,
    (1 << 53) - 4,
    (1 << 53) - 4,
];

/// The powers that lead to those of inverses and square roots.
pub(super) const CHAIN: [Link; 12] = [
    (1, 0),   // 2^2 - 1
    (2, 1),   // 2^4 - 1
    (1, 0),   // 2^5 - 1
    (5, 3),   // 2^10 - 1
    (10, 4),  // 2^20 - 1
    (20, 5),  // 2^40 - 1
    (10, 4),  // 2^50 - 1
    (50, 7),  // 2^100 - 1
    (100, 8), // 2^200 - 1
    (50, 7),  // 2^250 - 1
    (2, 0),   // 2^252 - 3
    (3, 1),   // 2^255 - 21
];

/// An element's words, the least significant first.
pub(super) type Words = [u64; 4];

/// A field element.
#[derive(Clone, Copy)]
pub struct Fe([u64; 5]);

/// The 128-bit product.
#[inline(always)]
const fn m(x: u64, y: u64) -> u128 {
    x as u128 * y as u128
}

/// Whether every limb is below `bound`; for the checks of debug builds.
const fn below(limbs: &[u64; 5], bound: u64) -> bool {
    limbs[0] < bound && limbs[1] < bound && limbs[2] < bound && limbs[3] < bound && limbs[4] < bound
}

impl Fe {
    pub(super) const ZERO: Fe = Fe([0; 5]);
    pub(super) const ONE: Fe = Fe([1, 0, 0, 0, 0]);

    /// A small constant.
    pub(super) const fn small(x: u32) -> Fe {
        Fe([x as u64, 0, 0, 0, 0])
    }

    /// The element of these limbs, which must be loose.
    #[inline(always)]
    pub(super) const fn from_limbs(limbs: [u64; 5]) -> Fe {
        debug_assert!(below(&limbs, 1 << 54));
        Fe(limbs)
    }

    /// The limbs.
    #[inline(always)]
    pub(super) const fn limbs(&self) -> &[u64; 5] {
        &self.0
    }

    /// Reads 32 bytes, least significant first. The top bit is ignored and values from p on are
    /// accepted, as RFC 7748 asks; the result is tight.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) const fn from_bytes(bytes: &[u8; 32]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    /// The same of words, the least significant first.
    #[inline(always)]
    pub(super) const fn from_words([a, b, c, d]: &Words) -> Fe {
        Fe([
            *a & MASK,
            (*a >> 51 | *b << 13) & MASK,
            (*b >> 38 | *c << 26) & MASK,
            (*c >> 25 | *d << 39) & MASK,
            *d >> 12 & MASK,
        ])
    }

    /// The canonical encoding: the value below p, least significant byte first.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) const fn to_bytes(self) -> [u8; 32] {
        debug_assert!(below(&self.0, 1 << 54));
        let [mut a, mut b, mut c, mut d, mut e] = carry(self.0);
        // The value is below 2p. It reaches p exactly where value + 19 reaches 2^255: q = 1.
        let mut q = (a + 19) >> 51;
        q = (b + q) >> 51;
        q = (c + q) >> 51;
        q = (d + q) >> 51;
        q = (e + q) >> 51;
        // Subtract q * p: add 19 q and drop bit 255.
        a += 19 * q;
        b += a >> 51;
        c += b >> 51;
        d += c >> 51;
        e += d >> 51;
        a &= MASK;
        b &= MASK;
        c &= MASK;
        d &= MASK;
        e &= MASK;
        let words = [
            a | b << 51,
            b >> 13 | c << 38,
            c >> 26 | d << 25,
            d >> 39 | e << 12,
        ];
        let mut out = [0; 32];
        let mut i = 0;
        while i < 32 {
            out[i] = (words[i / 8] >> (8 * (i % 8))) as u8;
            i += 1;
        }
        out
    }

    /// `self + other`, limb by limb.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) const fn add(self, other: Fe) -> Fe {
        let (a, b) = (self.0, other.0);
        let sum = [
            a[0] + b[0],
            a[1] + b[1],
            a[2] + b[2],
            a[3] + b[3],
            a[4] + b[4],
        ];
        debug_assert!(below(&sum, 1 << 54));
        Fe(sum)
    }

    /// `self - other + 4p`, limb by limb.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) const fn sub(self, other: Fe) -> Fe {
        debug_assert!(below(&self.0, (1 << 53) - 75) && below(&other.0, (1 << 53) - 75));
        let (a, b, p) = (self.0, other.0, FOUR_P);
        Fe([
            a[0] + p[0] - b[0],
            a[1] + p[1] - b[1],
            a[2] + p[2] - b[2],
            a[3] + p[3] - b[3],
            a[4] + p[4] - b[4],
        ])
    }

    /// `-self`, tight.
    #[inline(always)]
    pub(super) const fn neg(self) -> Fe {
        Fe(carry(Fe::ZERO.sub(self).0))
    }

    /// The same value with tight limbs.
    #[inline(always)]
    pub(super) const fn tighten(self) -> Fe {
        debug_assert!(below(&self.0, 1 << 54));
        Fe(carry(self.0))
    }

    /// `self * other`.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) fn mul(self, other: Fe) -> Fe {
        Fe(carry(opaque(self.sums_of_product(other))))
    }

    /// The same for constants.
    #[inline(always)]
    pub(super) const fn const_mul(self, other: Fe) -> Fe {
        Fe(carry(self.sums_of_product(other)))
    }

    /// The schoolbook product, with what passes 2^255 folded back times 19.
    #[inline(always)]
    const fn sums_of_product(self, other: Fe) -> [u64; 5] {
        debug_assert!(below(&self.0, 1 << 54) && below(&other.0, 1 << 54));
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (self.0, other.0);
        let (c1, c2, c3, c4) = (19 * b1, 19 * b2, 19 * b3, 19 * b4);
        reduce([
            m(a0, b0) + m(a1, c4) + m(a2, c3) + m(a3, c2) + m(a4, c1),
            m(a0, b1) + m(a1, b0) + m(a2, c4) + m(a3, c3) + m(a4, c2),
            m(a0, b2) + m(a1, b1) + m(a2, b0) + m(a3, c4) + m(a4, c3),
            m(a0, b3) + m(a1, b2) + m(a2, b1) + m(a3, b0) + m(a4, c4),
            m(a0, b4) + m(a1, b3) + m(a2, b2) + m(a3, b1) + m(a4, b0),
        ])
    }

    /// `self^2`.
    #[inline(always)]
    pub(super) fn square(self) -> Fe {
        if cfg!(feature = "small") {
            self.mul(self)
        } else {
            Fe(carry(opaque(self.sums_of_square())))
        }
    }

    /// The same for constants.
    #[inline(always)]
    pub(super) const fn const_square(self) -> Fe {
        Fe(carry(self.sums_of_square()))
    }

    #[inline(always)]
    const fn sums_of_square(self) -> [u64; 5] {
        debug_assert!(below(&self.0, 1 << 54));
        let [a0, a1, a2, a3, a4] = self.0;
        let (d0, d1) = (2 * a0, 2 * a1);
        let (c3, c4) = (19 * a3, 19 * a4);
        reduce([
            m(a0, a0) + m(d1, c4) + m(2 * a2, c3),
            m(d0, a1) + m(2 * a2, c4) + m(a3, c3),
            m(d0, a2) + m(a1, a1) + m(2 * a3, c4),
            m(d0, a3) + m(d1, a2) + m(a4, c4),
            m(d0, a4) + m(d1, a3) + m(a2, a2),
        ])
    }

    /// `self * factor`, for a factor below 2^17.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub(super) fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(below(&self.0, 1 << 54) && factor < 1 << 17);
        if cfg!(feature = "small") {
            return self.mul(Fe([factor, 0, 0, 0, 0]));
        }
        let a = self.0;
        Fe(carry(opaque(reduce([
            m(a[0], factor),
            m(a[1], factor),
            m(a[2], factor),
            m(a[3], factor),
            m(a[4], factor),
        ]))))
    }
}

/// Brings limbs of up to 64 bits (the top one up to 2^59) below 2^51 + 2^17, all carries at once.
#[inline(always)]
const fn carry(r: [u64; 5]) -> [u64; 5] {
    [
        (r[0] & MASK) + 19 * (r[4] >> 51),
        (r[1] & MASK) + (r[0] >> 51),
        (r[2] & MASK) + (r[1] >> 51),
        (r[3] & MASK) + (r[2] >> 51),
        (r[4] & MASK) + (r[3] >> 51),
    ]
}

/// The same words, of which the compiler does not know how every other one came about.
///
/// LLVM's vectoriser would follow the limbs of each result that is stored through several products
/// back, in vain, and take as long for it as for all else.
#[inline(always)]
fn opaque([a, b, c, d, e]: [u64; 5]) -> [u64; 5] {
    if cfg!(target_arch = "x86_64") {
        [a, barrier(b), c, barrier(d), e]
    } else {
        [a, b, c, d, e]
    }
}

/// Brings the columns of a product into words, from which [`carry`] makes limbs below 2^51 + 2^17.
///
/// With loose factors the first column is at most (1 + 4 * 19) 2^108 < 2^114.3 and the last
/// 5 * 2^108 < 2^110.4: shifted right by 51, and the last then times 19, all stay below 2^63.6.
/// The second pass carries less than 2^13, times 19 below 2^17.
///
/// The shift by 51 is written as two, which is faster than a double-word shift on many CPUs.
#[inline(always)]
const fn reduce(r: [u128; 5]) -> [u64; 5] {
    const fn low(x: u128) -> u64 {
        x as u64 & MASK
    }
    const fn middle(x: u128) -> u64 {
        x as u64 >> 51
    }
    const fn high(x: u128) -> u64 {
        ((x >> 64) as u64) << 13
    }
    [
        low(r[0]) + 19 * middle(r[4]) + 19 * high(r[4]),
        low(r[1]) + middle(r[0]) + high(r[0]),
        low(r[2]) + middle(r[1]) + high(r[1]),
        low(r[3]) + middle(r[2]) + high(r[2]),
        low(r[4]) + middle(r[3]) + high(r[3]),
    ]
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Ring for Fe {
    const ZERO: Fe = Fe::ZERO;
    const ONE: Fe = Fe::ONE;

    selections!(swap u64);

    own! {
        from_bytes(bytes: &[u8; 32]) -> Fe;
        to_bytes(self: Fe) -> [u8; 32];
        add(self: Fe, other: Fe) -> Fe;
        sub(self: Fe, other: Fe) -> Fe;
        mul(self: Fe, other: Fe) -> Fe;
        square(self: Fe) -> Fe;
        mul_small(self: Fe, factor: u64) -> Fe;
    }
}

impl Field for Fe {
    selections!(assign u64);
    const TWO: Fe = Fe::small(2);
    const D: Fe = edwards::D;
    const D2: Fe = edwards::D2;
    const SQRT_M1: Fe = edwards::SQRT_M1;
    const COMB: &'static [Niels; 8 * ROWS] = &table::COMB;
    const ODD: &'static [Niels; ODDS] = &table::ODD;
    const ODD_HIGH: &'static [Niels; ODDS] = &table::ODD_HIGH;

    own! {
        neg(self: Fe) -> Fe;
        tighten(self: Fe) -> Fe;
    }
    stored!(u64);
    edwards::formulas!(sub);

    #[inline(always)]
    fn from_outside(x: Fe) -> Fe {
        x
    }
    #[inline(always)]
    fn to_outside(self: Fe) -> Fe {
        self
    }
}
