//! Arithmetic modulo p = 2^448 - 2^224 - 1 for CPUs whose multiplication takes 32 bits, radix 2^28.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^56, and so is what a
//! function is for. An element is sixteen limbs; bounds:
//!
//! * *tight*: limbs below 2^28 + 2^10. The form of products and differences.
//! * *loose*: limbs below 2^32. Taken by products, which carry their factors first.
//!
//! With tight factors the sums of two halves are below 2^29.01, and a column of eight of their
//! products below 2^61.1.

use crate::curve448::field::{BYTES, Words};
use crate::curve448::fields::converted;
use crate::limbs::{bits_at, selections, words};
use adamant_base::Wipe;

/// The low 28 bits.
const MASK: u32 = (1 << 28) - 1;
const LIMBS: usize = 16;
const HALF: usize = LIMBS / 2;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve448) struct Fe([u32; LIMBS]);

/// The columns of a product of eight limbs by eight; the last is zero.
const fn product(a: &[u32; HALF], b: &[u32; HALF]) -> [u64; LIMBS] {
    let mut columns = [0; LIMBS];
    let mut i = 0;
    while i < HALF {
        let mut j = 0;
        while j < HALF {
            columns[i + j] += a[i] as u64 * b[j] as u64;
            j += 1;
        }
        i += 1;
    }
    columns
}

/// The columns of a square of eight limbs; the last is zero.
const fn product_square(a: &[u32; HALF]) -> [u64; LIMBS] {
    let mut columns = [0; LIMBS];
    let mut i = 0;
    while i < HALF {
        columns[2 * i] += a[i] as u64 * a[i] as u64;
        let mut j = i + 1;
        while j < HALF {
            columns[i + j] += (2 * a[i]) as u64 * a[j] as u64;
            j += 1;
        }
        i += 1;
    }
    columns
}

impl Fe {
    const fn from_words(words: &Words) -> Fe {
        let mut out = [0; LIMBS];
        let mut i = 0;
        while i < LIMBS {
            out[i] = bits_at(words, 28 * i, 28) as u32;
            i += 1;
        }
        Fe(out)
    }

    fn reduced(self) -> Fe {
        // Twice, so that the value is below 2^448 + 2^10, and so below 2p.
        let x = carry(carry(self.0));
        // The value reaches p exactly where value + 2^224 + 1 reaches 2^448: q = 1.
        let mut q = 1;
        for i in 0..LIMBS {
            q = (x[i] + q + (i == HALF) as u32) >> 28;
        }
        // Subtract q * p: add q (2^224 + 1) and drop bit 448.
        let mut out = [0; LIMBS];
        let mut carry = q;
        for i in 0..LIMBS {
            carry += x[i] + if i == HALF { q } else { 0 };
            out[i] = carry & MASK;
            carry >>= 28;
        }
        Fe(out)
    }

    /// The low half of the limbs, carried, the high half, and their sum.
    fn halves(self) -> [[u32; HALF]; 3] {
        let limbs = carry(self.0);
        let mut halves = [[0; HALF]; 3];
        for i in 0..HALF {
            halves[0][i] = limbs[i];
            halves[1][i] = limbs[i + HALF];
            halves[2][i] = limbs[i] + limbs[i + HALF];
        }
        halves
    }
}

impl Field for Fe {
    const ZERO: Fe = Fe([0; LIMBS]);
    const ONE: Fe = Fe::from_words(&[1, 0, 0, 0, 0, 0, 0]);

    converted!();
    selections!(swap u32);
    selections!(assign u32);

    fn from_bytes(bytes: &[u8; BYTES]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    fn to_bytes(self) -> [u8; BYTES] {
        let limbs = self.reduced().0;
        let mut out = [0; BYTES];
        for i in 0..BYTES {
            let word = limbs[2 * (i / 7)] as u64 | (limbs[2 * (i / 7) + 1] as u64) << 28;
            out[i] = (word >> (8 * (i % 7))) as u8;
        }
        out
    }

    fn add(self, other: Fe) -> Fe {
        Fe(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// `self - other + 4p`, carried, where the limbs of `other` are at most those of 4p.
    fn sub(self, other: Fe) -> Fe {
        let mut difference = self.0;
        for i in 0..LIMBS {
            let p = if i == HALF { MASK - 1 } else { MASK };
            difference[i] = difference[i] + 4 * p - other.0[i];
        }
        Fe(carry(difference))
    }

    fn sub_loose(self, other: Fe) -> Fe {
        self.sub(other)
    }

    fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    fn tighten(self) -> Fe {
        Fe(carry(self.0))
    }

    /// As in radix 2^56: three products of halves.
    fn mul(self, other: Fe) -> Fe {
        let ([a0, a1, sum_a], [b0, b1, sum_b]) = (self.halves(), other.halves());
        Fe(combine(
            &product(&a0, &b0),
            &product(&a1, &b1),
            &product(&sum_a, &sum_b),
        ))
    }

    fn square(self) -> Fe {
        let [low, high, sum] = self.halves();
        Fe(combine(
            &product_square(&low),
            &product_square(&high),
            &product_square(&sum),
        ))
    }

    fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(factor < 1 << 17);
        let mut columns = [0; LIMBS];
        for i in 0..LIMBS {
            columns[i] = self.0[i] as u64 * factor;
        }
        Fe(reduce(&columns))
    }
}

converted!(tables);

/// The product from those of the low halves, of the high halves and of the sums of both: see the
/// field in radix 2^56.
const fn combine(low: &[u64; LIMBS], high: &[u64; LIMBS], both: &[u64; LIMBS]) -> [u32; LIMBS] {
    let mut columns = [0; LIMBS];
    let mut k = 0;
    while k < HALF {
        columns[k] = low[k] + high[k] + (both[k + HALF] - low[k + HALF]);
        columns[k + HALF] = (both[k] - low[k]) + high[k + HALF] + both[k + HALF];
        k += 1;
    }
    reduce(&columns)
}

/// Brings the columns of a product, below 2^63, to tight limbs: two passes of carries, the first
/// of which leaves less than 2^37, and the second adds less than 2 * 2^9.
const fn reduce(columns: &[u64; LIMBS]) -> [u32; LIMBS] {
    let columns = pass(pass(*columns));
    let mut out = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        out[i] = columns[i] as u32;
        i += 1;
    }
    out
}

/// All carries of columns at once.
const fn pass(x: [u64; LIMBS]) -> [u64; LIMBS] {
    let mut out = [0; LIMBS];
    let top = x[LIMBS - 1] >> 28;
    let mut i = 0;
    while i < LIMBS {
        let above = if i == 0 { top } else { x[i - 1] >> 28 };
        let folded = if i == HALF { top } else { 0 };
        out[i] = (x[i] & MASK as u64) + above + folded;
        i += 1;
    }
    out
}

/// All carries of limbs at once: from any to tight ones.
const fn carry(x: [u32; LIMBS]) -> [u32; LIMBS] {
    let mut out = [0; LIMBS];
    let top = x[LIMBS - 1] >> 28;
    let mut i = 0;
    while i < LIMBS {
        let above = if i == 0 { top } else { x[i - 1] >> 28 };
        let folded = if i == HALF { top } else { 0 };
        out[i] = (x[i] & MASK) + above + folded;
        i += 1;
    }
    out
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
