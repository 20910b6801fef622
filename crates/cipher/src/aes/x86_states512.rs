//! Counter mode that does two rounds of AES once for 256 blocks and not for each.
//!
//! Of 256 blocks in a row of counters only one byte differs. The first round spreads it over the
//! first column; what the second round makes of that column depends only on it and on three other
//! bytes, none of which counts as long as 32 bits do. So the state after the second round is a
//! sum: of something that the byte that counts fastest decides, and of something that the others
//! of the counter decide. The states of 256 blocks, kept, give those of the next 256 when the same
//! is added to all.
//!
//! The byte that counts fastest is the last one or, in GCM-SIV, the first: ShiftRows brings both
//! to the first column, with bytes 5 and 10.

use adamant_base::simd::{Shelf, load128};
use core::arch::x86_64::{
    __m512i, _mm_cvtsi128_si32, _mm512_add_epi32, _mm512_aesenc_epi128, _mm512_and_si512,
    _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_mask_blend_epi64, _mm512_set_epi32,
    _mm512_set_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_shuffle_i64x2,
    _mm512_xor_si512,
};

/// Steps of 32 blocks from which on keeping states is worth its while.
pub(crate) const LONG: usize = 12;

/// Bytes of the blocks whose states are kept.
pub(crate) const GROUP: usize = 16 * 256;

/// The states after the second round, of 256 blocks.
pub(crate) type States = Shelf<8>;

/// The states of later blocks, 256 after 256.
pub(crate) struct Later<'a> {
    keys: &'a [[u8; 16]; 15],
    /// The order of the bytes in a block.
    order: __m512i,
    /// How many of 256 blocks come before their counters carry into the second byte.
    before: usize,
    /// Counters whose fastest byte is zero: in the two low lanes that of the blocks before, in the
    /// two high lanes that of the blocks that follow.
    counters: __m512i,
    /// Their states for the first 256 blocks.
    first: __m512i,
    /// What to add to the states of the first 256 blocks, before and after.
    add: [__m512i; 2],
}

impl<'a> Later<'a> {
    /// Each lane of `first` is the first counter, which counts in its low word; `order` is that of
    /// the bytes in a block.
    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    pub(crate) fn new(first: __m512i, order: __m512i, keys: &'a [[u8; 16]; 15]) -> Self {
        let fastest = _mm512_and_si512(first, _mm512_set_epi64(0, 255, 0, 255, 0, 255, 0, 255));
        let next = _mm512_set_epi32(0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 0);
        let zero = _mm512_setzero_si512();
        let low = _mm_cvtsi128_si32(_mm512_castsi512_si128(fastest));
        let mut later = Later {
            keys,
            order,
            before: 256 - low as usize,
            counters: _mm512_add_epi32(_mm512_xor_si512(first, fastest), next),
            first: zero,
            add: [zero; 2],
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

    /// Goes on to the next 256 blocks.
    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    pub(crate) fn go_on(&mut self) {
        let more = _mm512_set_epi32(0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 256);
        self.counters = _mm512_add_epi32(self.counters, more);
        let both = _mm512_xor_si512(self.states(), self.first);
        self.add = [
            _mm512_shuffle_i64x2::<0x00>(both, both),
            _mm512_shuffle_i64x2::<0xff>(both, both),
        ];
    }

    /// The states of step `i`, from those that it had of the first 256 blocks.
    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
    pub(crate) fn step(&self, i: usize, states: &[__m512i; 8]) -> [__m512i; 8] {
        debug_assert!(i < 8, "a group has eight steps");
        let [before, behind] = self.add;
        let left = self.before.saturating_sub(32 * i);
        let mut blocks = *states;
        if left == 0 || left >= 32 {
            let add = if left == 0 { behind } else { before };
            for block in &mut blocks {
                *block = _mm512_xor_si512(*block, add);
            }
        } else {
            for (j, block) in blocks.iter_mut().enumerate() {
                let lanes = left.saturating_sub(4 * j).min(4);
                let mask = (0xff << (2 * lanes)) as u8;
                let add = _mm512_mask_blend_epi64(mask, before, behind);
                *block = _mm512_xor_si512(*block, add);
            }
        }
        blocks
    }
}
