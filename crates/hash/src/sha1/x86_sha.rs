//! SHA-1 with the SHA extensions of x86-64.
//!
//! `sha1rnds4` does four rounds on the words A B C D, highest first, with the four words of the
//! schedule, the first of which already has E in it. `sha1nexte` adds that E: 30 bits of rotation
//! of the A of four rounds ago. `sha1msg1` and `sha1msg2` make four words of the message schedule:
//! W\[t..t+4\] = msg2(msg1(W\[t-16..\], W\[t-12..\]) ⊕ W\[t-8..\], W\[t-4..\]).

use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_extract_epi32, _mm_set_epi32, _mm_set_epi64x, _mm_sha1msg1_epu32,
    _mm_sha1msg2_epu32, _mm_sha1nexte_epu32, _mm_sha1rnds4_epu32, _mm_shuffle_epi8,
    _mm_shuffle_epi32, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// `w` with the E in it that follows from A B C D of four rounds ago, in the highest word.
#[inline]
#[target_feature(enable = "sha")]
fn next_e(before: __m128i, w: __m128i) -> __m128i {
    _mm_sha1nexte_epu32(before, w)
}

/// The next four words of the schedule from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn schedule(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)
}

/// Four rounds with the function numbered `$f` and the schedule words of `$w`: `$before` holds A B
/// C D of four rounds ago, and then of now.
macro_rules! rounds4 {
    ($abcd:ident $before:ident $f:literal $w:ident) => {
        let e_and_w = next_e($before, $w);
        $before = $abcd;
        $abcd = _mm_sha1rnds4_epu32::<$f>($abcd, e_and_w);
    };
}

/// Makes `compress` with the `next_e` and `schedule` of the module at hand.
macro_rules! kernel {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
            let big_endian = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let ([dcba], [e]) = state.as_chunks_mut::<4>() else {
                return; // never: five words are a chunk and one
            };
            let mut abcd = _mm_shuffle_epi32::<0x1b>(load128(dcba));
            let mut old_e = _mm_set_epi32(e.cast_signed(), 0, 0, 0);

            for block in blocks {
                let old_abcd = abcd;
                let ([b0, b1, b2, b3], _) = block.as_chunks::<16>() else {
                    return; // never: 64 bytes are four chunks
                };
                let w0 = _mm_shuffle_epi8(load128(b0), big_endian);
                let mut before = abcd;
                abcd = _mm_sha1rnds4_epu32::<0>(abcd, _mm_add_epi32(old_e, w0));
                let w1 = _mm_shuffle_epi8(load128(b1), big_endian);
                crate::sha1::x86_sha::rounds4!(abcd before 0 w1);
                let w2 = _mm_shuffle_epi8(load128(b2), big_endian);
                crate::sha1::x86_sha::rounds4!(abcd before 0 w2);
                let w3 = _mm_shuffle_epi8(load128(b3), big_endian);
                crate::sha1::x86_sha::rounds4!(abcd before 0 w3);
                let w0 = schedule(w0, w1, w2, w3);
                crate::sha1::x86_sha::rounds4!(abcd before 0 w0);
                let w1 = schedule(w1, w2, w3, w0);
                crate::sha1::x86_sha::rounds4!(abcd before 1 w1);
                let w2 = schedule(w2, w3, w0, w1);
                crate::sha1::x86_sha::rounds4!(abcd before 1 w2);
                let w3 = schedule(w3, w0, w1, w2);
                crate::sha1::x86_sha::rounds4!(abcd before 1 w3);
                let w0 = schedule(w0, w1, w2, w3);
                crate::sha1::x86_sha::rounds4!(abcd before 1 w0);
                let w1 = schedule(w1, w2, w3, w0);
                crate::sha1::x86_sha::rounds4!(abcd before 1 w1);
                let w2 = schedule(w2, w3, w0, w1);
                crate::sha1::x86_sha::rounds4!(abcd before 2 w2);
                let w3 = schedule(w3, w0, w1, w2);
                crate::sha1::x86_sha::rounds4!(abcd before 2 w3);
                let w0 = schedule(w0, w1, w2, w3);
                crate::sha1::x86_sha::rounds4!(abcd before 2 w0);
                let w1 = schedule(w1, w2, w3, w0);
                crate::sha1::x86_sha::rounds4!(abcd before 2 w1);
                let w2 = schedule(w2, w3, w0, w1);
                crate::sha1::x86_sha::rounds4!(abcd before 2 w2);
                let w3 = schedule(w3, w0, w1, w2);
                crate::sha1::x86_sha::rounds4!(abcd before 3 w3);
                let w0 = schedule(w0, w1, w2, w3);
                crate::sha1::x86_sha::rounds4!(abcd before 3 w0);
                let w1 = schedule(w1, w2, w3, w0);
                crate::sha1::x86_sha::rounds4!(abcd before 3 w1);
                let w2 = schedule(w2, w3, w0, w1);
                crate::sha1::x86_sha::rounds4!(abcd before 3 w2);
                let w3 = schedule(w3, w0, w1, w2);
                crate::sha1::x86_sha::rounds4!(abcd before 3 w3);
                old_e = next_e(before, old_e);
                abcd = _mm_add_epi32(abcd, old_abcd);
            }

            store128(dcba, _mm_shuffle_epi32::<0x1b>(abcd));
            *e = _mm_extract_epi32::<3>(old_e).cast_unsigned();
        }
    };
}
pub(super) use {kernel, rounds4};

kernel!("sha,sse4.1,ssse3");
