//! Two streams with the SHA extensions of x86-64.
//!
//! One stream waits four cycles for each `sha256rnds2`, of which the CPU can start one every two:
//! a second stream fits in between.

use super::super::K;
use super::super::x86_sha::schedule;
use adamant_base::Wipe;
use adamant_base::simd::{load128, store128};
use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_set_epi64x,
    _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_unpackhi_epi64,
};

pub(super) fn break_even() -> usize {
    2
}

crate::lanes::streams::streams! {
    features: "sha,sse4.1,ssse3",
    state: [u32; 8],
    block: 64,
    streams: 2,
    order: to_be_bytes,
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::sha256) fn compress_streams<const S: usize>(
    states: &mut [[u32; 8]; S],
    messages: [&[[u8; 64]]; S],
) {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let zero = _mm_set_epi64x(0, 0);
    let (mut abef, mut cdgh) = load(states);
    for b in 0..messages[0].len() {
        // The last sixteen words of the schedule.
        let mut w = [[zero; 4]; S];
        for s in 0..S {
            for i in 0..4 {
                let words = load128(&messages[s][b].as_chunks::<16>().0[i]);
                w[s][i] = _mm_shuffle_epi8(words, big_endian);
            }
        }
        (abef, cdgh) = take_in((abef, cdgh), w);
    }
    for s in 0..S {
        let ([dcba, hgfe], _) = states[s].as_chunks_mut::<4>() else {
            return; // never: eight words are two chunks
        };
        let words = in_order(abef[s], cdgh[s]);
        store128(dcba, words[0]);
        store128(hgfe, words[1]);
    }
}

/// The states behind blocks of words `w`, each state as A B E F and C D G H (highest first).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::sha256) fn take_in<const S: usize>(
    (old_abef, old_cdgh): ([__m128i; S], [__m128i; S]),
    mut w: [[__m128i; 4]; S],
) -> ([__m128i; S], [__m128i; S]) {
    let (mut abef, mut cdgh) = (old_abef, old_cdgh);
    macro_rules! rounds4 {
        ($i:literal) => {
            let k = load128(&K.0.as_chunks::<4>().0[$i]);
            for s in 0..S {
                if $i >= 4 {
                    let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|j| w[s][($i + j) % 4]);
                    w[s][$i % 4] = schedule(w0, w1, w2, w3);
                }
                let wk = _mm_add_epi32(w[s][$i % 4], k);
                cdgh[s] = _mm_sha256rnds2_epu32(cdgh[s], abef[s], wk);
                abef[s] = _mm_sha256rnds2_epu32(abef[s], cdgh[s], _mm_unpackhi_epi64(wk, wk));
            }
        };
    }
    rounds4!(0);
    rounds4!(1);
    rounds4!(2);
    rounds4!(3);
    rounds4!(4);
    rounds4!(5);
    rounds4!(6);
    rounds4!(7);
    rounds4!(8);
    rounds4!(9);
    rounds4!(10);
    rounds4!(11);
    rounds4!(12);
    rounds4!(13);
    rounds4!(14);
    rounds4!(15);
    for s in 0..S {
        abef[s] = _mm_add_epi32(abef[s], old_abef[s]);
        cdgh[s] = _mm_add_epi32(cdgh[s], old_cdgh[s]);
    }
    (abef, cdgh)
}

/// The states as A B E F and C D G H (highest first), from the words in order.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::sha256) fn load<const S: usize>(
    states: &[[u32; 8]; S],
) -> ([__m128i; S], [__m128i; S]) {
    let (mut abef, mut cdgh) = ([_mm_set_epi64x(0, 0); S], [_mm_set_epi64x(0, 0); S]);
    for s in 0..S {
        let [dcba, hgfe] = [0, 1].map(|half| load128(&states[s].as_chunks::<4>().0[half]));
        let (cdab, efgh) = (
            _mm_shuffle_epi32::<0xb1>(dcba),
            _mm_shuffle_epi32::<0x1b>(hgfe),
        );
        abef[s] = _mm_alignr_epi8::<8>(cdab, efgh);
        cdgh[s] = _mm_blend_epi16::<0xf0>(efgh, cdab);
    }
    (abef, cdgh)
}

/// The words of a state in order (lowest first).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::sha256) fn in_order(abef: __m128i, cdgh: __m128i) -> [__m128i; 2] {
    let feba = _mm_shuffle_epi32::<0x1b>(abef);
    let dchg = _mm_shuffle_epi32::<0xb1>(cdgh);
    [
        _mm_blend_epi16::<0xf0>(feba, dchg),
        _mm_alignr_epi8::<8>(dchg, feba),
    ]
}
