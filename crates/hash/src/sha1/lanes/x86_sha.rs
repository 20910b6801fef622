//! Two streams with the SHA extensions of x86-64.
//!
//! One stream waits for each `sha1rnds4`; a second one fits in between.

use super::super::x86_sha::schedule;
use adamant_base::Wipe;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_extract_epi32, _mm_set_epi32, _mm_set_epi64x, _mm_sha1nexte_epu32,
    _mm_sha1rnds4_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
};
use adamant_base::simd::{from_fn, load128, store128};

pub(super) const fn break_even() -> usize {
    2
}

crate::lanes::streams::streams! {
    features: "sha,sse4.1,ssse3",
    state: [u32; 5],
    block: 64,
    streams: 2,
    order: to_be_bytes,
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress_streams<const S: usize>(states: &mut [[u32; 5]; S], messages: [&[[u8; 64]]; S]) {
    let big_endian = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let zero = _mm_set_epi64x(0, 0);
    let (mut abcd, mut e) = ([zero; S], [zero; S]);
    for s in 0..S {
        let ([dcba], [last]) = states[s].as_chunks::<4>() else {
            return; // never: five words are a chunk and one
        };
        abcd[s] = _mm_shuffle_epi32::<0x1b>(load128(dcba));
        e[s] = _mm_set_epi32(last.cast_signed(), 0, 0, 0);
    }
    for b in 0..messages[0].len() {
        let (old_abcd, old_e) = (abcd, e);
        // The last sixteen words of the schedule.
        let mut w = [[zero; 4]; S];
        for s in 0..S {
            for i in 0..4 {
                let words = load128(&messages[s][b].as_chunks::<16>().0[i]);
                w[s][i] = _mm_shuffle_epi8(words, big_endian);
            }
        }
        macro_rules! rounds {
            ($($f:literal: $($i:literal)*,)*) => {
                $($(rounds4::<S, $f>(&mut abcd, &mut e, &mut w, $i);)*)*
            };
        }
        rounds! { 0: 0 1 2 3 4, 1: 5 6 7 8 9, 2: 10 11 12 13 14, 3: 15 16 17 18 19, }
        for s in 0..S {
            e[s] = _mm_sha1nexte_epu32(e[s], old_e[s]);
            abcd[s] = _mm_add_epi32(abcd[s], old_abcd[s]);
        }
    }
    for s in 0..S {
        let ([dcba], [last]) = states[s].as_chunks_mut::<4>() else {
            return; // never: five words are a chunk and one
        };
        store128(dcba, _mm_shuffle_epi32::<0x1b>(abcd[s]));
        *last = _mm_extract_epi32::<3>(e[s]).cast_unsigned();
    }
}

/// Rounds `4i..4i+4` of each stream, with function `F`: `e` holds A B C D of four rounds ago, but for
/// the first ones E itself.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds4<const S: usize, const F: i32>(
    abcd: &mut [__m128i; S],
    e: &mut [__m128i; S],
    w: &mut [[__m128i; 4]; S],
    i: usize,
) {
    for s in 0..S {
        if i >= 4 {
            let [w0, w1, w2, w3] = from_fn(|j| w[s][(i + j) % 4]);
            w[s][i % 4] = schedule(w0, w1, w2, w3);
        }
        let words = w[s][i % 4];
        let e_and_w = if i == 0 {
            _mm_add_epi32(e[s], words)
        } else {
            _mm_sha1nexte_epu32(e[s], words)
        };
        e[s] = abcd[s];
        abcd[s] = _mm_sha1rnds4_epu32::<F>(abcd[s], e_and_w);
    }
}
