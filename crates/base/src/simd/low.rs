//! A word of 64 bits in a vector register of 32-bit x86, as a value with operators, for code that is
//! generic over words. The program is compiled for CPUs with SSE2, so no function needs
//! `#[target_feature]`.
#![allow(unsafe_code)]

use super::arch::{
    __m128i, _mm_add_epi64, _mm_and_si128, _mm_cvtsi32_si128, _mm_or_si128, _mm_set_epi64x,
    _mm_set1_epi32, _mm_sll_epi64, _mm_srl_epi64, _mm_xor_si128,
};
use super::store128;
use core::ops::{BitAnd, BitXor, Not};

/// A word in the lower half of a register.
#[derive(Clone, Copy)]
pub struct Low(__m128i);

impl Low {
    /// This word.
    #[inline(always)]
    #[must_use]
    pub fn new(word: u64) -> Self {
        // SAFETY: the program is compiled for CPUs with SSE2.
        Low(unsafe { _mm_set_epi64x(0, word.cast_signed()) })
    }

    /// The word.
    #[inline(always)]
    #[must_use]
    pub fn get(self) -> u64 {
        let mut words = [0; 2];
        // SAFETY: the program is compiled for CPUs with SSE2.
        unsafe { store128(&mut words, self.0) };
        words[0]
    }

    /// The sum modulo 2^64.
    #[inline(always)]
    #[must_use]
    pub fn wrapping_add(self, other: Self) -> Self {
        // SAFETY: the program is compiled for CPUs with SSE2.
        Low(unsafe { _mm_add_epi64(self.0, other.0) })
    }

    /// Rotates by `n` bits, from 1 to 63, to the right.
    #[inline(always)]
    #[must_use]
    pub fn rotate_right(self, n: u32) -> Self {
        // SAFETY: the program is compiled for CPUs with SSE2.
        Low(unsafe {
            let left = _mm_sll_epi64(self.0, _mm_cvtsi32_si128(64 - n.cast_signed()));
            _mm_or_si128(self.shift_right(n).0, left)
        })
    }

    /// Shifts by `n` bits to the right.
    #[inline(always)]
    #[must_use]
    pub fn shift_right(self, n: u32) -> Self {
        // SAFETY: the program is compiled for CPUs with SSE2.
        Low(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(n.cast_signed())) })
    }
}

macro_rules! operator {
    ($trait:ident::$name:ident = $instruction:ident) => {
        impl $trait for Low {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: the program is compiled for CPUs with SSE2.
                Low(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}
operator!(BitAnd::bitand = _mm_and_si128);
operator!(BitXor::bitxor = _mm_xor_si128);

impl Not for Low {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the program is compiled for CPUs with SSE2.
        self ^ Low(unsafe { _mm_set1_epi32(-1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_agrees_with_words() {
        let words = [0, 1, 1 << 63, u64::MAX, 0x0123_4567_89ab_cdef];
        for x in words {
            let low = Low::new(x);
            assert_eq!((low.get(), (!low).get()), (x, !x));
            for n in 1..64 {
                assert_eq!(low.rotate_right(n).get(), x.rotate_right(n), "{n}");
                assert_eq!(low.shift_right(n).get(), x >> n, "{n}");
            }
            for y in words {
                let other = Low::new(y);
                assert_eq!(low.wrapping_add(other).get(), x.wrapping_add(y));
                assert_eq!(((low ^ other).get(), (low & other).get()), (x ^ y, x & y));
            }
        }
    }
}
