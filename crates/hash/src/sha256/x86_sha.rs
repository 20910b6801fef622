//! SHA-256 with the SHA extensions of x86-64.
//!
//! `sha256rnds2` does two rounds on a state held as the words A B E F in one register and C D G H
//! in the other; after two rounds the old A B E F are the new C D G H, so the registers change
//! roles. `sha256msg1` and `sha256msg2` make four words of the message schedule:
//! W\[t..t+4\] = msg2(msg1(W\[t-16..\], W\[t-12..\]) + W\[t-7..\], W\[t-4..\]).
//!
//! The 32 `sha256rnds2` of a block depend on each other and take four cycles each; the schedule
//! hides behind them.

use super::{Aligned, ROUND_CONSTANTS};
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_set_epi64x, _mm_sha256msg1_epu32,
    _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
    _mm_unpackhi_epi64,
};
use adamant_base::simd::{in_place, load128, store128};

/// The kernel's own, so that its address needs no place of the program's table of those.
static K: Aligned = ROUND_CONSTANTS;

/// Rounds `4i..4i+4` with the constants `$k` and the schedule words of `$w`.
macro_rules! rounds4 {
    ($abef:ident $cdgh:ident $k:ident $i:literal $w:ident) => {
        let wk = _mm_add_epi32($w, load128(&$k.0.as_chunks::<4>().0[$i]));
        $cdgh = _mm_sha256rnds2_epu32($cdgh, $abef, wk);
        $abef = _mm_sha256rnds2_epu32($abef, $cdgh, _mm_unpackhi_epi64(wk, wk));
    };
}

/// The next four words of the schedule from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn schedule(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    let w9 = _mm_alignr_epi8::<4>(w3, w2); // W[t-7..t-3]
    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), w9), w3)
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let ([dcba, hgfe], _) = state.as_chunks_mut::<4>() else {
        return; // never: eight words are two chunks
    };
    // From the words in order (lowest first) to A B E F and C D G H (highest first).
    let cdab = _mm_shuffle_epi32::<0xb1>(load128(dcba));
    let efgh = _mm_shuffle_epi32::<0x1b>(load128(hgfe));
    let mut abef = _mm_alignr_epi8::<8>(cdab, efgh);
    let mut cdgh = _mm_blend_epi16::<0xf0>(efgh, cdab);

    for block in blocks {
        let k = in_place(&K);
        let (old_abef, old_cdgh) = (abef, cdgh);
        let ([b0, b1, b2, b3], _) = block.as_chunks::<16>() else {
            return; // never: 64 bytes are four chunks
        };
        let w0 = _mm_shuffle_epi8(load128(b0), big_endian);
        rounds4!(abef cdgh k 0 w0);
        let w1 = _mm_shuffle_epi8(load128(b1), big_endian);
        rounds4!(abef cdgh k 1 w1);
        let w2 = _mm_shuffle_epi8(load128(b2), big_endian);
        rounds4!(abef cdgh k 2 w2);
        let w3 = _mm_shuffle_epi8(load128(b3), big_endian);
        rounds4!(abef cdgh k 3 w3);
        let w0 = schedule(w0, w1, w2, w3);
        rounds4!(abef cdgh k 4 w0);
        let w1 = schedule(w1, w2, w3, w0);
        rounds4!(abef cdgh k 5 w1);
        let w2 = schedule(w2, w3, w0, w1);
        rounds4!(abef cdgh k 6 w2);
        let w3 = schedule(w3, w0, w1, w2);
        rounds4!(abef cdgh k 7 w3);
        let w0 = schedule(w0, w1, w2, w3);
        rounds4!(abef cdgh k 8 w0);
        let w1 = schedule(w1, w2, w3, w0);
        rounds4!(abef cdgh k 9 w1);
        let w2 = schedule(w2, w3, w0, w1);
        rounds4!(abef cdgh k 10 w2);
        let w3 = schedule(w3, w0, w1, w2);
        rounds4!(abef cdgh k 11 w3);
        let w0 = schedule(w0, w1, w2, w3);
        rounds4!(abef cdgh k 12 w0);
        let w1 = schedule(w1, w2, w3, w0);
        rounds4!(abef cdgh k 13 w1);
        let w2 = schedule(w2, w3, w0, w1);
        rounds4!(abef cdgh k 14 w2);
        let w3 = schedule(w3, w0, w1, w2);
        rounds4!(abef cdgh k 15 w3);
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }

    let feba = _mm_shuffle_epi32::<0x1b>(abef);
    let dchg = _mm_shuffle_epi32::<0xb1>(cdgh);
    store128(dcba, _mm_blend_epi16::<0xf0>(feba, dchg));
    store128(hgfe, _mm_alignr_epi8::<8>(dchg, feba));
}

/// Two streams, interleaved.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    super::lanes::x86_sha::compress_streams(states, blocks.each_ref().map(core::slice::from_ref));
}
