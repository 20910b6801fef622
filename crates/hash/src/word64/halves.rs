//! Words of 64 bits on registers of 32.

use super::Word64;
use core::ops::{BitAnd, BitXor, Not};

/// A word in two halves.
#[derive(Clone, Copy)]
pub(crate) struct Halves {
    high: u32,
    low: u32,
}

impl Word64 for Halves {
    #[inline(always)]
    fn new(word: u64) -> Self {
        Halves {
            high: (word >> 32) as u32,
            low: word as u32,
        }
    }
    #[inline(always)]
    fn get(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high);
        Halves {
            high: high.wrapping_add(u32::from(carry)),
            low,
        }
    }
    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        let Halves { high, low } = self;
        // By half a word the halves change places.
        let (high, low) = if n < 32 { (high, low) } else { (low, high) };
        if n == 32 {
            return Halves { high, low };
        }
        let n = n % 32;
        Halves {
            high: high >> n | low << (32 - n),
            low: low >> n | high << (32 - n),
        }
    }
    #[inline(always)]
    fn shift_right(self, n: u32) -> Self {
        Halves {
            high: self.high >> n,
            low: self.low >> n | self.high << (32 - n),
        }
    }
}

impl BitXor for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Halves {
            high: self.high ^ other.high,
            low: self.low ^ other.low,
        }
    }
}

impl BitAnd for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Halves {
            high: self.high & other.high,
            low: self.low & other.low,
        }
    }
}

impl Not for Halves {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Halves {
            high: !self.high,
            low: !self.low,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_agree_with_words() {
        let words = [
            0,
            1,
            0x8000_0000,
            0xffff_ffff,
            1 << 63,
            u64::MAX,
            0x0123_4567_89ab_cdef,
        ];
        for x in words {
            let halves = Halves::new(x);
            assert_eq!(halves.get(), x);
            assert_eq!((!halves).get(), !x);
            for n in 1..64 {
                assert_eq!(halves.rotate_right(n).get(), x.rotate_right(n), "{n}");
            }
            for n in 1..32 {
                assert_eq!(halves.shift_right(n).get(), x >> n, "{n}");
            }
            for y in words {
                let other = Halves::new(y);
                assert_eq!(halves.plus(other).get(), x.wrapping_add(y));
                assert_eq!((halves ^ other).get(), x ^ y);
                assert_eq!((halves & other).get(), x & y);
            }
        }
    }
}
