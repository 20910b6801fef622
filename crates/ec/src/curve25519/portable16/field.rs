//! Arithmetic modulo p = 2^255 - 19 for CPUs whose multiplication gives 32 bits, radix 2^13.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^51, and so is what a
//! function is for. An element is twenty limbs, of 260 bits together; 2^260 = 608 folds what lies
//! above. Every multiplication is of two numbers below 2^16. Bounds:
//!
//! * *tight*: limb 0 below 2^13 + 608, the others below 2^13. The form of products and differences.
//! * *loose*: limbs below 2^15, as large as a sum of three tight elements. What products take: they
//!   carry their factors first, so that a column of twenty products is below 20 * 8800^2 < 2^30.6.

use crate::curve25519::fields::{converted, stored};
use crate::limbs::{bits_at, selections, words};
use adamant_base::Wipe;

const LIMBS: usize = 20;
const BITS: u32 = 13;
const MASK: u32 = (1 << BITS) - 1;
/// 2^260 modulo p.
const FOLD: u32 = 19 << 5;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve25519) struct Fe([u32; LIMBS]);

/// The product of two numbers below 2^16.
const fn m(x: u32, y: u32) -> u32 {
    debug_assert!(x < 1 << 16 && y < 1 << 16);
    x * y
}

impl Fe {
    /// A small constant, below 2^26.
    pub(super) const fn small(x: u32) -> Fe {
        let mut limbs = [0; LIMBS];
        (limbs[0], limbs[1]) = (x & MASK, x >> BITS);
        Fe(limbs)
    }

    pub(super) const fn from_words(words: &Words) -> Fe {
        let mut limbs = [0; LIMBS];
        let mut i = 0;
        while i < LIMBS {
            limbs[i] = bits_at(words, i * BITS as usize, BITS as usize) as u32;
            i += 1;
        }
        // The top bit is ignored.
        limbs[LIMBS - 1] &= 0xff;
        Fe(limbs)
    }
}

impl Ring for Fe {
    const ZERO: Fe = Fe([0; LIMBS]);
    const ONE: Fe = Fe::small(1);

    selections!(swap u32);

    fn from_bytes(bytes: &[u8; 32]) -> Fe {
        let mut limbs = [0; LIMBS];
        let (mut window, mut bits, mut i) = (0, 0, 0);
        for byte in bytes {
            window |= u32::from(*byte) << bits;
            bits += 8;
            if bits >= BITS {
                limbs[i] = window & MASK;
                window >>= BITS;
                bits -= BITS;
                i += 1;
            }
        }
        // The top bit is ignored.
        limbs[LIMBS - 1] = window & 0xff;
        Fe(limbs)
    }

    fn to_bytes(self) -> [u8; 32] {
        let mut x = carry(self.0);
        // What is above bit 255 comes back times 19; the second time it is one bit at most.
        for _ in 0..2 {
            let above = x[LIMBS - 1] >> 8;
            x[LIMBS - 1] &= 0xff;
            x[0] += m(19, above);
            (x, _) = chain(x);
        }
        // Below 2^255 now: it reaches p exactly where value + 19 reaches 2^255.
        let mut q = 19;
        for i in 0..LIMBS {
            q = (x[i] + q) >> if i == LIMBS - 1 { 8 } else { BITS };
        }
        x[0] += m(19, q);
        (x, _) = chain(x);
        x[LIMBS - 1] &= 0xff;
        let mut out = [0; 32];
        let (mut window, mut bits, mut i) = (0, 0, 0);
        for byte in &mut out {
            if bits < 8 {
                window |= x[i] << bits;
                bits += BITS;
                i += 1;
            }
            *byte = window as u8;
            window >>= 8;
            bits -= 8;
        }
        out
    }

    fn add(self, other: Fe) -> Fe {
        Fe(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// `self - other + 128 p`, carried: 32 p = 2^260 - 608.
    fn sub(self, other: Fe) -> Fe {
        let mut difference = self.0;
        for i in 0..LIMBS {
            let p = if i == 0 { MASK + 1 - FOLD } else { MASK };
            difference[i] = difference[i] + 4 * p - other.0[i];
        }
        Fe(carry(difference))
    }

    fn mul(self, other: Fe) -> Fe {
        let (a, b) = (carry(self.0), carry(other.0));
        let mut columns = [0; 2 * LIMBS];
        for i in 0..LIMBS {
            for j in 0..LIMBS {
                columns[i + j] += m(a[i], b[j]);
            }
        }
        Fe(reduce(columns))
    }

    fn square(self) -> Fe {
        if cfg!(all(feature = "small", not(feature = "lab"))) {
            return self.mul(self);
        }
        let a = carry(self.0);
        let mut columns = [0; 2 * LIMBS];
        for i in 0..LIMBS {
            columns[2 * i] += m(a[i], a[i]);
            for j in i + 1..LIMBS {
                columns[i + j] += m(2 * a[i], a[j]);
            }
        }
        Fe(reduce(columns))
    }

    fn mul_small(self, factor: u64) -> Fe {
        self.mul(Fe::small(factor as u32))
    }
}

impl Field for Fe {
    converted!(sub);
    selections!(assign u32);

    fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    fn tighten(self) -> Fe {
        Fe(carry(self.0))
    }

    stored!(u16);
}

converted!(tables);

/// Carries from limb to limb: all of them below 2^13, and what is above.
const fn chain(mut x: [u32; LIMBS]) -> ([u32; LIMBS], u32) {
    let mut above = 0;
    let mut i = 0;
    while i < LIMBS {
        let sum = x[i] + above;
        x[i] = sum & MASK;
        above = sum >> BITS;
        i += 1;
    }
    (x, above)
}

/// From limbs below 2^24 to tight ones: after the second chain at most one is above.
const fn carry(x: [u32; LIMBS]) -> [u32; LIMBS] {
    let (mut x, above) = chain(x);
    x[0] += m(FOLD, above);
    let (mut x, above) = chain(x);
    x[0] += m(FOLD, above);
    x
}

/// Brings the columns of a product to tight limbs.
const fn reduce(mut columns: [u32; 2 * LIMBS]) -> [u32; LIMBS] {
    let mut i = 0;
    while i < 2 * LIMBS - 1 {
        columns[i + 1] += columns[i] >> BITS;
        columns[i] &= MASK;
        i += 1;
    }
    // The last has no products of its own, and is below 2^14.
    let mut x = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        x[i] = columns[i] + m(FOLD, columns[i + LIMBS]);
        i += 1;
    }
    carry(x)
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
