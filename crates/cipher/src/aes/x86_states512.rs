//! Counter mode that does two rounds of AES once for 256 blocks and not for each.
//!
//! Of 256 blocks in a row of counters only one byte differs. The first round spreads it over the
//! first column; what the second round makes of that column depends on it and on three other bytes
//! alone, none of which counts as long as 32 bits do. So the state behind the second round is a
//! sum: of something that the byte that counts fastest decides, and of something that the others
//! of the counter decide. The states of 256 blocks, kept, give those of the next 256 when the same
//! is added to all.
//!
//! The byte that counts fastest is the last one or, in GCM-SIV, the first: ShiftRows brings both
//! to the first column, with bytes 5 and 10.

use adamant_base::simd::{Shelf, load128};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_aesenc_epi128, _mm512_broadcast_i32x4, _mm512_set_epi32,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_xor_si512,
};

/// The states behind the second round, of 256 blocks.
pub(crate) type States = Shelf<8>;

/// By how much the states of later blocks differ from the first 256 ones.
pub(crate) struct Later<'a> {
    keys: &'a [[u8; 16]; 15],
    /// The order of the bytes in a block, the counter being in the low word.
    order: __m512i,
    /// Counters whose fastest byte is zero: in the two low lanes that of these blocks, in the two
    /// high lanes the next one.
    counters: __m512i,
    /// Their states for the first 256 blocks.
    first: __m512i,
}

impl<'a> Later<'a> {
    /// Each lane of `first` has the counter that the first 256 blocks begin with, in its low word;
    /// `order` is that of the bytes in a block.
    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    pub(crate) fn new(first: __m512i, order: __m512i, keys: &'a [[u8; 16]; 15]) -> Self {
        let next = _mm512_set_epi32(0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 0);
        let mut later = Later {
            keys,
            order,
            counters: _mm512_add_epi32(first, next),
            first: _mm512_setzero_si512(),
        };
        later.first = later.states();
        later
    }

    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    fn states(&self) -> __m512i {
        let key = |i: usize| _mm512_broadcast_i32x4(load128(&self.keys[i]));
        let block = _mm512_shuffle_epi8(self.counters, self.order);
        let block = _mm512_aesenc_epi128(_mm512_xor_si512(block, key(0)), key(1));
        _mm512_aesenc_epi128(block, key(2))
    }

    /// What to add for the next 256 blocks: to those whose counter has not carried into the second
    /// byte since the first of them, and to those whose has.
    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    pub(crate) fn next(&mut self) -> [__m512i; 2] {
        let more = _mm512_set_epi32(0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 256);
        self.counters = _mm512_add_epi32(self.counters, more);
        let both = _mm512_xor_si512(self.states(), self.first);
        [
            _mm512_shuffle_i64x2::<0x00>(both, both),
            _mm512_shuffle_i64x2::<0xff>(both, both),
        ]
    }
}
