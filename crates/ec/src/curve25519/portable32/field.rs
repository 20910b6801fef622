//! Arithmetic modulo p = 2^255 - 19 for CPUs whose multiplication takes 32 bits, radix 2^25.5.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^51, and so is what a
//! function is for. An element is ten signed limbs; limb i counts 2^ceil(25.5 i), so that those of
//! even index have 26 bits and the others 25. Bounds on the magnitude of limbs, for those of even
//! and odd index:
//!
//! * *tight*: 2^25 + 2^15 and 2^24 + 2^15. What products and differences are.
//! * *loose*: 1.65 * 2^26 and 1.65 * 2^25, as large as a sum of three tight elements. What
//!   products take: 38 times such a limb is below 2^32, and a column of products below 2^63.
//!
//! Differences are carried, for they may not grow further.

use adamant_base::Wipe;
use adamant_base::ct::{Choice, barrier};

/// A field element.
#[derive(Clone, Copy)]
pub struct Fe([i32; 10]);

/// The bits of limb `i`.
const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

impl Fe {
    pub(in crate::curve25519) const ZERO: Fe = Fe([0; 10]);
    pub(in crate::curve25519) const ONE: Fe = Fe::small(1);

    /// A small constant, below 2^25.
    pub(in crate::curve25519) const fn small(x: u32) -> Fe {
        Fe([x as i32, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    pub(in crate::curve25519) const fn from_bytes(bytes: &[u8; 32]) -> Fe {
        let mut limbs = [0; 10];
        let mut position = 0;
        let mut i = 0;
        while i < 10 {
            // 26 bits from any position are within five bytes; the last limb ends at bit 254.
            let mut window = 0u64;
            let mut k = 0;
            while k < 5 && position / 8 + k < 32 {
                window |= (bytes[position / 8 + k] as u64) << (8 * k);
                k += 1;
            }
            limbs[i] = (window >> (position % 8)) as i32 & ((1 << bits(i)) - 1);
            position += bits(i) as usize;
            i += 1;
        }
        Fe(carry(limbs))
    }

    pub(in crate::curve25519) const fn to_bytes(self) -> [u8; 32] {
        let mut x = carry(self.0);
        // Below p in magnitude: q = -1 where it is negative, else 0, by the carries of x + 19 / 2^255
        // as they run up; then x - q p is in range.
        let mut q = (19 * x[9] + (1 << 24)) >> 25;
        let mut i = 0;
        while i < 10 {
            q = (x[i] + q) >> bits(i);
            i += 1;
        }
        x[0] += 19 * q;
        let mut i = 0;
        while i < 10 {
            let above = x[i] >> bits(i);
            x[i] -= above << bits(i);
            if i < 9 {
                x[i + 1] += above;
            }
            i += 1;
        }
        let mut out = [0; 32];
        let mut position = 0;
        let mut i = 0;
        while i < 10 {
            let window = (x[i] as u64) << (position % 8);
            let mut k = 0;
            while k < 5 && position / 8 + k < 32 {
                out[position / 8 + k] |= (window >> (8 * k)) as u8;
                k += 1;
            }
            position += bits(i) as usize;
            i += 1;
        }
        out
    }

    pub(in crate::curve25519) const fn add(self, other: Fe) -> Fe {
        let mut sum = self.0;
        let mut i = 0;
        while i < 10 {
            sum[i] += other.0[i];
            i += 1;
        }
        Fe(sum)
    }

    pub(in crate::curve25519) const fn sub(self, other: Fe) -> Fe {
        let mut difference = self.0;
        let mut i = 0;
        while i < 10 {
            difference[i] -= other.0[i];
            i += 1;
        }
        Fe(carry(difference))
    }

    pub(in crate::curve25519) const fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    pub(in crate::curve25519) const fn tighten(self) -> Fe {
        Fe(carry(self.0))
    }

    pub(in crate::curve25519) const fn mul(self, other: Fe) -> Fe {
        debug_assert!(self.is_loose() && other.is_loose());
        let (a, b) = (self.0, other.0);
        let mut columns = [0i64; 10];
        let mut i = 0;
        while i < 10 {
            let mut j = 0;
            while j < 10 {
                // Two limbs of odd index meet half a bit above their column; what passes the top
                // comes back times 19.
                let twice = if i % 2 == 1 && j % 2 == 1 { 2 } else { 1 };
                let folded = if i + j >= 10 { 19 } else { 1 };
                let product = (a[i] * twice) as i64 * (b[j] * folded) as i64;
                columns[(i + j) % 10] += product;
                j += 1;
            }
            i += 1;
        }
        Fe(reduce(columns))
    }

    pub(in crate::curve25519) const fn square(self) -> Fe {
        debug_assert!(self.is_loose());
        let a = self.0;
        let mut columns = [0i64; 10];
        let mut i = 0;
        while i < 10 {
            let mut j = i;
            while j < 10 {
                let twice = if i % 2 == 1 && j % 2 == 1 { 2 } else { 1 };
                let both = if i == j { 1 } else { 2 };
                let folded = if i + j >= 10 { 19 } else { 1 };
                let product = (a[i] * twice * both) as i64 * (a[j] * folded) as i64;
                columns[(i + j) % 10] += product;
                j += 1;
            }
            i += 1;
        }
        Fe(reduce(columns))
    }

    pub(in crate::curve25519) const fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(self.is_loose() && factor < 1 << 17);
        let mut columns = [0i64; 10];
        let mut i = 0;
        while i < 10 {
            columns[i] = self.0[i] as i64 * factor as i64;
            i += 1;
        }
        Fe(reduce(columns))
    }

    crate::curve25519::field::powers!();

    pub(in crate::curve25519) fn swap(bit: u64, a: &mut Fe, b: &mut Fe) {
        let mask = barrier(bit.wrapping_neg()) as i32;
        for i in 0..10 {
            let t = mask & (a.0[i] ^ b.0[i]);
            a.0[i] ^= t;
            b.0[i] ^= t;
        }
    }

    pub(in crate::curve25519) fn assign(&mut self, mask: u64, from: Fe) {
        for i in 0..10 {
            self.0[i] ^= mask as i32 & (self.0[i] ^ from.0[i]);
        }
    }

    pub(in crate::curve25519) fn or_masked(&mut self, mask: u64, from: &Fe) {
        for i in 0..10 {
            self.0[i] |= mask as i32 & from.0[i];
        }
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

/// One pass of carries, all at once: from limbs up to 2^30 to tight ones.
const fn carry(x: [i32; 10]) -> [i32; 10] {
    let mut out = x;
    let mut i = 0;
    while i < 10 {
        let above = (x[i] + (1 << (bits(i) - 1))) >> bits(i);
        out[i] -= above << bits(i);
        if i < 9 {
            out[i + 1] += above;
        } else {
            out[0] += 19 * above;
        }
        i += 1;
    }
    out
}

/// Brings the columns of a product, below 2^63 in magnitude, to tight limbs: two chains of
/// carries, one after the other.
const fn reduce(mut x: [i64; 10]) -> [i32; 10] {
    let mut round = 0;
    while round < 2 {
        let mut i = 0;
        while i < 10 {
            let above = (x[i] + (1 << (bits(i) - 1))) >> bits(i);
            x[i] -= above << bits(i);
            if i < 9 {
                x[i + 1] += above;
            } else {
                x[0] += 19 * above;
            }
            i += 1;
        }
        round += 1;
    }
    let mut out = [0; 10];
    let mut i = 0;
    while i < 10 {
        out[i] = x[i] as i32;
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
