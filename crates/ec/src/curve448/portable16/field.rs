//! Arithmetic modulo p = 2^448 - 2^224 - 1 for CPUs whose multiplication gives 32 bits, radix 2^14.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^56, and so is what a
//! function is for. An element is thirty-two signed limbs, kept in 16 bits. Every multiplication is
//! of two such numbers. Bounds on the magnitude of limbs:
//!
//! * *tight*: 2^13 + 4. The form of products and differences.
//! * *loose*: three times as much, as large as a sum of three tight elements. What products take:
//!   they carry their factors first.
//!
//! A product is made of three of halves, as in radix 2^56. Sums of two halves are carried too, but
//! for what their top limb holds above its bits, so that a column of sixteen products of tight limbs,
//! two of them with a top limb, is below 18 * (2^13 + 4)^2 < 2^30.2.

use crate::curve448::field::{BYTES, Words};
use crate::curve448::fields::converted;
use crate::limbs::{bits_at, selections, words};
use adamant_base::Wipe;

const BITS: u32 = 14;
/// The low 14 bits.
const MASK: i32 = (1 << BITS) - 1;
const LIMBS: usize = 32;
const HALF: usize = LIMBS / 2;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve448) struct Fe([i16; LIMBS]);

/// The product of two numbers of 16 bits.
#[inline(always)]
const fn m(x: i16, y: i16) -> i32 {
    x as i32 * y as i32
}

/// The columns of a product of sixteen limbs by sixteen; the last is zero.
#[inline(always)]
const fn product(a: &[i16; HALF], b: &[i16; HALF]) -> [i32; LIMBS] {
    let mut columns = [0; LIMBS];
    let mut i = 0;
    while i < HALF {
        let mut j = 0;
        while j < HALF {
            columns[i + j] += m(a[i], b[j]);
            j += 1;
        }
        i += 1;
    }
    columns
}

/// The columns of a square of sixteen limbs; the last is zero.
#[inline(always)]
const fn product_square(a: &[i16; HALF]) -> [i32; LIMBS] {
    let mut columns = [0; LIMBS];
    let mut i = 0;
    while i < HALF {
        columns[2 * i] += m(a[i], a[i]);
        let mut j = i + 1;
        while j < HALF {
            columns[i + j] += 2 * m(a[i], a[j]);
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
            out[i] = bits_at(words, 14 * i, 14) as i32;
            i += 1;
        }
        narrow(&pass(&out))
    }

    /// The limbs of the value below p, none of them negative.
    fn reduced(self) -> Fe {
        // 4p added, no limb is negative. Carried twice, the value is below 2p.
        let x = unsigned_pass(&unsigned_pass(&Fe::plus_4p(&wide(&self.0))));
        // The value reaches p exactly where value + 2^224 + 1 reaches 2^448: q = 1.
        let mut q = 1;
        for i in 0..LIMBS {
            q = (x[i] + q + (i == HALF) as i32) >> BITS;
        }
        // Subtract q * p: add q (2^224 + 1) and drop bit 448.
        let mut out = [0; LIMBS];
        let mut carry = q;
        for i in 0..LIMBS {
            carry += x[i] + if i == HALF { q } else { 0 };
            out[i] = carry & MASK;
            carry >>= BITS;
        }
        narrow(&out)
    }

    /// 4p added to each limb.
    fn plus_4p(limbs: &[i32; LIMBS]) -> [i32; LIMBS] {
        let mut sum = *limbs;
        for i in 0..LIMBS {
            sum[i] += 4 * if i == HALF { MASK - 1 } else { MASK };
        }
        sum
    }

    /// The low half of the limbs, carried, the high half, and their sum, carried but for the top.
    #[inline(always)]
    fn halves(self) -> [[i16; HALF]; 3] {
        let limbs = self.tighten().0;
        let mut halves = [[0; HALF]; 3];
        let mut above = 0;
        for i in 0..HALF {
            halves[0][i] = limbs[i];
            halves[1][i] = limbs[i + HALF];
            let sum = limbs[i] as i32 + limbs[i + HALF] as i32;
            let next = if i == HALF - 1 { 0 } else { rounded(sum) };
            halves[2][i] = (sum - (next << BITS) + above) as i16;
            above = next;
        }
        halves
    }
}

impl Field for Fe {
    const ZERO: Fe = Fe([0; LIMBS]);
    const ONE: Fe = Fe::from_words(&[1, 0, 0, 0, 0, 0, 0]);

    converted!();
    selections!(swap i16);
    selections!(assign i16);

    fn from_bytes(bytes: &[u8; BYTES]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    fn to_bytes(self) -> [u8; BYTES] {
        let limbs = self.reduced().0;
        let mut out = [0; BYTES];
        for i in 0..BYTES {
            // Four limbs are seven bytes.
            let (mut word, mut j) = (0, 0);
            while j < 4 {
                word |= (limbs[4 * (i / 7) + j] as u64) << (14 * j);
                j += 1;
            }
            out[i] = (word >> (8 * (i % 7))) as u8;
        }
        out
    }

    fn add(self, other: Fe) -> Fe {
        Fe(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// `self - other`, carried.
    fn sub(self, other: Fe) -> Fe {
        let (mut difference, other) = (wide(&self.0), wide(&other.0));
        for i in 0..LIMBS {
            difference[i] -= other[i];
        }
        narrow(&pass(&difference))
    }

    fn sub_loose(self, other: Fe) -> Fe {
        self.sub(other)
    }

    fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    fn tighten(self) -> Fe {
        narrow(&pass(&wide(&self.0)))
    }

    /// As in radix 2^56: three products of halves.
    #[inline(never)]
    fn mul(self, other: Fe) -> Fe {
        let ([a0, a1, sum_a], [b0, b1, sum_b]) = (self.halves(), other.halves());
        combine(
            &product(&a0, &b0),
            &product(&a1, &b1),
            &product(&sum_a, &sum_b),
        )
    }

    #[inline(never)]
    fn square(self) -> Fe {
        let [low, high, sum] = self.halves();
        combine(
            &product_square(&low),
            &product_square(&high),
            &product_square(&sum),
        )
    }

    /// `self * factor`, for a factor below 2^16.
    fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(factor < 1 << 16);
        let mut columns = wide(&self.0);
        for i in 0..LIMBS {
            columns[i] *= factor as i32;
        }
        narrow(&pass(&pass(&pass(&columns))))
    }
}

converted!(tables);

/// Limbs with room for carries.
#[inline(always)]
const fn wide(limbs: &[i16; LIMBS]) -> [i32; LIMBS] {
    let mut out = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        out[i] = limbs[i] as i32;
        i += 1;
    }
    out
}

/// The element of carried limbs.
#[inline(always)]
const fn narrow(limbs: &[i32; LIMBS]) -> Fe {
    let mut out = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        debug_assert!(limbs[i] as i16 as i32 == limbs[i]);
        out[i] = limbs[i] as i16;
        i += 1;
    }
    Fe(out)
}

/// What a column passes on, so that it keeps at most 2^13 by magnitude.
#[inline(always)]
const fn rounded(x: i32) -> i32 {
    (x + (1 << (BITS - 1))) >> BITS
}

/// The product from those of the low halves, of the high halves and of the sums of both: see the
/// field in radix 2^56. Columns, below 2^30.2, are first carried to less than 2^16.4, for the sum of
/// four.
#[inline(always)]
const fn combine(low: &[i32; LIMBS], high: &[i32; LIMBS], both: &[i32; LIMBS]) -> Fe {
    let (low, high, both) = (settle(low), settle(high), settle(both));
    let mut columns = [0; LIMBS];
    let mut k = 0;
    while k < HALF {
        columns[k] = low[k] + high[k] + both[k + HALF] - low[k + HALF];
        columns[k + HALF] = both[k] - low[k] + high[k + HALF] + both[k + HALF];
        k += 1;
    }
    // The first pass leaves 2^13 + 2 * 20 at most, and the second passes on 1.
    narrow(&pass(&pass(&columns)))
}

/// All carries of the columns of a product at once; its last column takes one and passes none on.
#[inline(always)]
const fn settle(x: &[i32; LIMBS]) -> [i32; LIMBS] {
    let mut out = *x;
    let mut i = 0;
    while i < LIMBS - 1 {
        let above = rounded(x[i]);
        out[i] -= above << BITS;
        out[i + 1] += above;
        i += 1;
    }
    out
}

/// All carries at once, those of the top to limbs 0 and 16: 2^448 = 2^224 + 1.
#[inline(always)]
const fn pass(x: &[i32; LIMBS]) -> [i32; LIMBS] {
    let mut out = settle(x);
    let top = rounded(x[LIMBS - 1]);
    out[LIMBS - 1] -= top << BITS;
    out[0] += top;
    out[HALF] += top;
    out
}

/// The same of limbs that are not negative, and stay so.
const fn unsigned_pass(x: &[i32; LIMBS]) -> [i32; LIMBS] {
    let mut out = [0; LIMBS];
    let top = x[LIMBS - 1] >> BITS;
    let mut i = 0;
    while i < LIMBS {
        let above = if i == 0 { top } else { x[i - 1] >> BITS };
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
