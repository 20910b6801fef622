//! Arithmetic modulo p = 2^255 - 19 for CPUs whose multiplication takes 32 bits, radix 2^25.5.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^51, and so is what a
//! function is for. An element is ten signed limbs; limb i counts 2^ceil(25.5 i), so that those of
//! even index have 26 bits and the others 25. Bounds on the magnitude of limbs, for those of even
//! and odd index:
//!
//! * *tight*: 2^25 + 2^15 and 2^24 + 2^15. The form of products and differences.
//! * *loose*: 1.65 * 2^26 and 1.65 * 2^25, as large as a sum of three tight elements. What
//!   products take: 38 times such a limb is below 2^32, and a column of products below 2^63.
//!
//! Differences are carried, for they may not grow further.

use crate::curve25519::fields::{converted, stored};
use crate::limbs::{bits_at, selections, words};
use adamant_base::Wipe;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve25519) struct Fe([i32; 10]);

/// The bits of limb `i`.
const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

impl Fe {
    /// A small constant, below 2^25.
    pub(super) const fn small(x: u32) -> Fe {
        Fe([x as i32, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    pub(super) const fn from_words(words: &Words) -> Fe {
        let mut limbs = [0; 10];
        let (mut position, mut i) = (0, 0);
        // The last limb ends at bit 254.
        while i < 10 {
            limbs[i] = bits_at(words, position, bits(i) as usize) as i32;
            position += bits(i) as usize;
            i += 1;
        }
        Fe(carry(limbs))
    }

    /// Whether the limbs are within the bounds of factors; for the checks of debug builds.
    const fn is_loose(&self) -> bool {
        let mut i = 0;
        while i < 10 {
            let bound = ((165i64 << bits(i)) / 100) as i32;
            if self.0[i] > bound || self.0[i] < -bound {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl Ring for Fe {
    const ZERO: Fe = Fe([0; 10]);
    const ONE: Fe = Fe::small(1);

    selections!(swap i32);

    fn from_bytes(bytes: &[u8; 32]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    fn to_bytes(self) -> [u8; 32] {
        let mut x = carry(self.0);
        // Below p in magnitude: q = -1 where it is negative, else 0, by the carries of x + 19 / 2^255
        // as they run up; then x - q p is in range.
        let mut q = (19 * x[9] + (1 << 24)) >> 25;
        for i in 0..10 {
            q = (x[i] + q) >> bits(i);
        }
        x[0] += 19 * q;
        for i in 0..10 {
            let above = x[i] >> bits(i);
            x[i] -= above << bits(i);
            if i < 9 {
                x[i + 1] += above;
            }
        }
        let mut out = [0; 32];
        let mut position = 0;
        for i in 0..10 {
            let window = (x[i] as u64) << (position % 8);
            let mut k = 0;
            while k < 5 && position / 8 + k < 32 {
                out[position / 8 + k] |= (window >> (8 * k)) as u8;
                k += 1;
            }
            position += bits(i) as usize;
        }
        out
    }

    fn add(self, other: Fe) -> Fe {
        Fe(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    fn sub(self, other: Fe) -> Fe {
        let mut difference = self.0;
        for i in 0..10 {
            difference[i] -= other.0[i];
        }
        Fe(carry(difference))
    }

    /// Without loops: not every compiler takes the indices out of them.
    fn mul(self, other: Fe) -> Fe {
        debug_assert!(self.is_loose() && other.is_loose());
        let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = self.0;
        let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = other.0;
        // Two limbs of odd index meet half a bit above their column.
        let (d1, d3, d5, d7, d9) = (2 * a1, 2 * a3, 2 * a5, 2 * a7, 2 * a9);
        // What passes the top comes back times 19.
        let (c1, c2, c3, c4, c5) = (19 * b1, 19 * b2, 19 * b3, 19 * b4, 19 * b5);
        let (c6, c7, c8, c9) = (19 * b6, 19 * b7, 19 * b8, 19 * b9);
        macro_rules! column {
            ($($x:ident $y:ident),+) => { $($x as i64 * $y as i64 +)+ 0 };
        }
        Fe(reduce([
            column!(a0 b0, d1 c9, a2 c8, d3 c7, a4 c6, d5 c5, a6 c4, d7 c3, a8 c2, d9 c1),
            column!(a0 b1, a1 b0, a2 c9, a3 c8, a4 c7, a5 c6, a6 c5, a7 c4, a8 c3, a9 c2),
            column!(a0 b2, d1 b1, a2 b0, d3 c9, a4 c8, d5 c7, a6 c6, d7 c5, a8 c4, d9 c3),
            column!(a0 b3, a1 b2, a2 b1, a3 b0, a4 c9, a5 c8, a6 c7, a7 c6, a8 c5, a9 c4),
            column!(a0 b4, d1 b3, a2 b2, d3 b1, a4 b0, d5 c9, a6 c8, d7 c7, a8 c6, d9 c5),
            column!(a0 b5, a1 b4, a2 b3, a3 b2, a4 b1, a5 b0, a6 c9, a7 c8, a8 c7, a9 c6),
            column!(a0 b6, d1 b5, a2 b4, d3 b3, a4 b2, d5 b1, a6 b0, d7 c9, a8 c8, d9 c7),
            column!(a0 b7, a1 b6, a2 b5, a3 b4, a4 b3, a5 b2, a6 b1, a7 b0, a8 c9, a9 c8),
            column!(a0 b8, d1 b7, a2 b6, d3 b5, a4 b4, d5 b3, a6 b2, d7 b1, a8 b0, d9 c9),
            column!(a0 b9, a1 b8, a2 b7, a3 b6, a4 b5, a5 b4, a6 b3, a7 b2, a8 b1, a9 b0),
        ]))
    }

    fn square(self) -> Fe {
        debug_assert!(self.is_loose());
        let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = self.0;
        // Products of two limbs occur twice.
        let (d0, d1, d2, d3, d4) = (2 * a0, 2 * a1, 2 * a2, 2 * a3, 2 * a4);
        let (d5, d6, d7) = (2 * a5, 2 * a6, 2 * a7);
        // Times 19, and for odd indices twice.
        let (e5, c6, e7, c8, e9) = (38 * a5, 19 * a6, 38 * a7, 19 * a8, 38 * a9);
        macro_rules! column {
            ($($x:ident $y:ident),+) => { $($x as i64 * $y as i64 +)+ 0 };
        }
        Fe(reduce([
            column!(a0 a0, d1 e9, d2 c8, d3 e7, d4 c6, a5 e5),
            column!(d0 a1, a2 e9, d3 c8, a4 e7, d5 c6),
            column!(d0 a2, d1 a1, d3 e9, d4 c8, d5 e7, a6 c6),
            column!(d0 a3, d1 a2, a4 e9, d5 c8, a6 e7),
            column!(d0 a4, d1 d3, a2 a2, d5 e9, d6 c8, a7 e7),
            column!(d0 a5, d1 a4, d2 a3, a6 e9, d7 c8),
            column!(d0 a6, d1 d5, d2 a4, d3 a3, d7 e9, a8 c8),
            column!(d0 a7, d1 a6, d2 a5, d3 a4, a8 e9),
            column!(d0 a8, d1 d7, d2 a6, d3 d5, a4 a4, a9 e9),
            column!(d0 a9, d1 a8, d2 a7, d3 a6, d4 a5),
        ]))
    }

    fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(self.is_loose() && factor < 1 << 17);
        let mut columns = [0i64; 10];
        for i in 0..10 {
            columns[i] = self.0[i] as i64 * factor as i64;
        }
        Fe(reduce(columns))
    }
}

impl Field for Fe {
    converted!(sub);
    selections!(assign i32);

    fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    fn tighten(self) -> Fe {
        Fe(carry(self.0))
    }

    stored!(i32);
}

converted!(tables);

/// What goes up from limb `$i`, rounded, for it to be tight.
macro_rules! above {
    ($x:expr, $i:literal) => {
        ($x + (1 << (bits($i) - 1))) >> bits($i)
    };
}

/// One pass of carries, all at once: from limbs up to 2^30 to tight ones.
const fn carry(x: [i32; 10]) -> [i32; 10] {
    let mut out = x;
    macro_rules! limbs {
        ($($i:literal $next:literal $times:literal),+) => {$(
            let above = above!(x[$i], $i);
            out[$i] -= above << bits($i);
            out[$next] += $times * above;
        )+};
    }
    limbs!(0 1 1, 1 2 1, 2 3 1, 3 4 1, 4 5 1, 5 6 1, 6 7 1, 7 8 1, 8 9 1, 9 0 19);
    out
}

/// Brings the columns of a product, below 2^63 in magnitude, to tight limbs: two chains of
/// carries, one after the other.
const fn reduce(mut x: [i64; 10]) -> [i32; 10] {
    macro_rules! chain {
        ($($i:literal $next:literal $times:literal),+) => {$(
            let above = above!(x[$i], $i);
            x[$i] -= above << bits($i);
            x[$next] += $times * above;
        )+};
    }
    chain!(0 1 1, 1 2 1, 2 3 1, 3 4 1, 4 5 1, 5 6 1, 6 7 1, 7 8 1, 8 9 1, 9 0 19);
    chain!(0 1 1, 1 2 1, 2 3 1, 3 4 1, 4 5 1, 5 6 1, 6 7 1, 7 8 1, 8 9 1, 9 0 19);
    let [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9] = x;
    [
        x0 as i32, x1 as i32, x2 as i32, x3 as i32, x4 as i32, x5 as i32, x6 as i32, x7 as i32,
        x8 as i32, x9 as i32,
    ]
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
