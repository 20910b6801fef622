//! Two streams with the SHA extensions of x86-64.
//!
//! One stream waits four cycles for each `sha256rnds2`, of which the CPU can start one every two:
//! a second stream fits in between.

use super::super::K;
use super::super::x86_sha::schedule;
use adamant_base::Wipe;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_set_epi64x,
    _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_unpackhi_epi64,
};
use adamant_base::simd::{from_fn, load128, store128};

/// Rounds `4i..4i+4` of each stream.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds4<const S: usize>(
    abef: &mut [__m128i; S],
    cdgh: &mut [__m128i; S],
    w: &mut [[__m128i; 4]; S],
    i: usize,
) {
    let k = load128(&K.0.as_chunks::<4>().0[i]);
    for s in 0..S {
        if i >= 4 {
            let [w0, w1, w2, w3] = from_fn(|j| w[s][(i + j) % 4]);
            w[s][i % 4] = schedule(w0, w1, w2, w3);
        }
        let wk = _mm_add_epi32(w[s][i % 4], k);
        cdgh[s] = _mm_sha256rnds2_epu32(cdgh[s], abef[s], wk);
        abef[s] = _mm_sha256rnds2_epu32(abef[s], cdgh[s], _mm_unpackhi_epi64(wk, wk));
    }
}

/// The rounds of a block.
macro_rules! all_rounds {
    ($abef:ident $cdgh:ident $w:ident) => {
        all_rounds!($abef $cdgh $w: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($abef:ident $cdgh:ident $w:ident: $($i:literal)*) => {
        $(rounds4(&mut $abef, &mut $cdgh, &mut $w, $i);)*
    };
}

pub(super) const fn break_even() -> usize {
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
    let (mut abef, mut cdgh) = ([zero; S], [zero; S]);
    for s in 0..S {
        // From the words in order (lowest first) to A B E F and C D G H (highest first).
        let [dcba, hgfe] = from_fn(|half| load128(&states[s].as_chunks::<4>().0[half]));
        let (cdab, efgh) = (
            _mm_shuffle_epi32::<0xb1>(dcba),
            _mm_shuffle_epi32::<0x1b>(hgfe),
        );
        abef[s] = _mm_alignr_epi8::<8>(cdab, efgh);
        cdgh[s] = _mm_blend_epi16::<0xf0>(efgh, cdab);
    }
    for b in 0..messages[0].len() {
        let (old_abef, old_cdgh) = (abef, cdgh);
        // The last sixteen words of the schedule.
        let mut w = [[zero; 4]; S];
        for s in 0..S {
            for i in 0..4 {
                let words = load128(&messages[s][b].as_chunks::<16>().0[i]);
                w[s][i] = _mm_shuffle_epi8(words, big_endian);
            }
        }
        all_rounds!(abef cdgh w);
        for s in 0..S {
            abef[s] = _mm_add_epi32(abef[s], old_abef[s]);
            cdgh[s] = _mm_add_epi32(cdgh[s], old_cdgh[s]);
        }
    }
    for s in 0..S {
        let feba = _mm_shuffle_epi32::<0x1b>(abef[s]);
        let dchg = _mm_shuffle_epi32::<0xb1>(cdgh[s]);
        let ([dcba, hgfe], _) = states[s].as_chunks_mut::<4>() else {
            return; // never: eight words are two chunks
        };
        store128(dcba, _mm_blend_epi16::<0xf0>(feba, dchg));
        store128(hgfe, _mm_alignr_epi8::<8>(dchg, feba));
    }
}

/// The states after blocks of words `w`, each state as A B E F and C D G H (highest first).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::sha256) fn take_in<const S: usize>(
    (old_abef, old_cdgh): ([__m128i; S], [__m128i; S]),
    mut w: [[__m128i; 4]; S],
) -> ([__m128i; S], [__m128i; S]) {
    let (mut abef, mut cdgh) = (old_abef, old_cdgh);
    all_rounds!(abef cdgh w);
    for s in 0..S {
        abef[s] = _mm_add_epi32(abef[s], old_abef[s]);
        cdgh[s] = _mm_add_epi32(cdgh[s], old_cdgh[s]);
    }
    (abef, cdgh)
}
