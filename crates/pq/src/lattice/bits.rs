//! Numbers of D bits in a row, from and to the words of AVX-512 vectors (VBMI).

use core::arch::x86_64::*;

/// The numbers of `d` bits in `4 · d` bytes: 32 words of 16 bits.
pub(crate) struct Bits16<const D: usize>;

impl<const D: usize> Bits16<D> {
    /// The eight bytes that word of 64 bits `i` is cut from start at byte ⌊4Di / 8⌋.
    const BYTES: [u8; 64] = {
        assert!(D <= 13);
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            at[i] = (4 * D * (i / 8) / 8 + i % 8) as u8;
            i += 1;
        }
        at
    };
    /// And where in these the bits of each byte start.
    const SHIFTS: [u8; 64] = {
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            at[i] = (4 * D * (i / 8) % 8 + D * (i % 8 / 2) + i % 2 * 8) as u8;
            i += 1;
        }
        at
    };
    /// Of the words of 64 bits with 4D bits each: the bytes that start in an even one.
    const EVEN: [u8; 64] = Self::packed(0);
    const EVEN_MASK: u64 = Self::packed_mask(0);
    /// The bytes that an odd one adds to, when it starts within a byte.
    const ODD: [u8; 64] = Self::packed(1);
    const ODD_MASK: u64 = Self::packed_mask(1);

    /// The index of the byte of word 2p + odd that goes to byte i of pair p, if there is one.
    const fn source(i: usize, odd: usize) -> Option<usize> {
        let (pair, byte) = (i / D, i % D);
        if i >= 4 * D {
            return None;
        }
        let first = 4 * D * odd / 8;
        let last = (4 * D * (odd + 1) - 1) / 8;
        if byte < first || byte > last {
            return None;
        }
        Some(8 * (2 * pair + odd) + byte - first)
    }
    const fn packed(odd: usize) -> [u8; 64] {
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            if let Some(source) = Self::source(i, odd) {
                at[i] = source as u8;
            }
            i += 1;
        }
        at
    }
    const fn packed_mask(odd: usize) -> u64 {
        let (mut mask, mut i) = (0, 0);
        while i < 64 {
            if Self::source(i, odd).is_some() {
                mask |= 1 << i;
            }
            i += 1;
        }
        mask
    }

    /// Whether every number lies within two bytes.
    const IN_TWO: bool = {
        let (mut fits, mut i) = (true, 0);
        while i < 8 {
            fits &= D * i % 8 + D <= 16;
            i += 1;
        }
        fits
    };
    /// The two bytes that each number is cut from, then.
    const TWO: [u8; 64] = {
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            at[i] = (D * (i / 2) / 8 + i % 2) as u8;
            i += 1;
        }
        at
    };
    /// And where in these it starts.
    const TWO_SHIFTS: [u16; 32] = {
        let mut at = [0; 32];
        let mut i = 0;
        while i < 32 {
            at[i] = (D * i % 8) as u16;
            i += 1;
        }
        at
    };

    /// The 32 numbers in the first 4·D bytes of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn unpack(bytes: &[u8]) -> __m512i {
        use adamant_base::simd::{load512, load512_partial};
        let bytes = match bytes.first_chunk::<64>() {
            Some(bytes) => load512(bytes),
            None => load512_partial(bytes),
        };
        let words = if const { Self::IN_TWO } {
            // Shifts have a port of their own beside that of permutations, on some CPUs.
            let words = _mm512_permutexvar_epi8(load512(&Self::TWO), bytes);
            _mm512_srlv_epi16(words, load512(&Self::TWO_SHIFTS))
        } else {
            let words = _mm512_permutexvar_epi8(load512(&Self::BYTES), bytes);
            _mm512_multishift_epi64_epi8(load512(&Self::SHIFTS), words)
        };
        _mm512_and_si512(words, _mm512_set1_epi16((1 << D) - 1))
    }

    /// 4·D bytes of the numbers, each below 2^D, to all of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn pack(bytes: &mut [u8], numbers: __m512i) {
        use adamant_base::simd::{load512, store512_partial};
        // 2D bits in words of 32, 4D bits in words of 64.
        let pairs = _mm512_madd_epi16(numbers, _mm512_set1_epi32((1 << (16 + D)) | 1));
        let high = _mm512_set1_epi64(32 - 2 * D as i64);
        let quads = _mm512_srl_epi64(_mm512_sllv_epi32(pairs, high), _mm512_castsi512_si128(high));
        let quads = _mm512_sllv_epi64(
            quads,
            _mm512_set_epi64(
                Self::ODD_SHIFT,
                0,
                Self::ODD_SHIFT,
                0,
                Self::ODD_SHIFT,
                0,
                Self::ODD_SHIFT,
                0,
            ),
        );
        let even = _mm512_maskz_permutexvar_epi8(Self::EVEN_MASK, load512(&Self::EVEN), quads);
        let odd = _mm512_maskz_permutexvar_epi8(Self::ODD_MASK, load512(&Self::ODD), quads);
        store512_partial(bytes, _mm512_or_si512(even, odd));
    }

    /// Where within a byte an odd word of 64 bits starts.
    const ODD_SHIFT: i64 = (4 * D % 8) as i64;
}

/// The numbers of `d` bits in `2 · d` bytes: 16 words of 32 bits.
pub(crate) struct Bits32<const D: usize>;

impl<const D: usize> Bits32<D> {
    /// The eight bytes that word of 64 bits `i` is cut from start at byte ⌊2Di / 8⌋.
    const BYTES: [u8; 64] = {
        assert!(D <= 26);
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            at[i] = (2 * D * (i / 8) / 8 + i % 8) as u8;
            i += 1;
        }
        at
    };
    /// And where in these the bits of each byte start.
    const SHIFTS: [u8; 64] = {
        let mut at = [0; 64];
        let mut i = 0;
        while i < 64 {
            at[i] = (2 * D * (i / 8) % 8 + D * (i % 8 / 4) + i % 4 * 8) as u8;
            i += 1;
        }
        at
    };

    /// The 16 numbers in the first 2·D bytes of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn unpack(bytes: &[u8]) -> __m512i {
        use adamant_base::simd::{load512, load512_partial};
        let bytes = match bytes.first_chunk::<64>() {
            Some(bytes) => load512(bytes),
            None => load512_partial(bytes),
        };
        let words = _mm512_permutexvar_epi8(load512(&Self::BYTES), bytes);
        let words = _mm512_multishift_epi64_epi8(load512(&Self::SHIFTS), words);
        _mm512_and_si512(words, _mm512_set1_epi32((1 << D) - 1))
    }
}
