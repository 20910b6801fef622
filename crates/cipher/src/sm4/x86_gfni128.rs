//! What GFNI does for SM4 on one block at a time, in 128-bit registers: chains and the key schedule.

use adamant_base::simd::arch::{
    __m128i, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8, _mm_set_epi8,
    _mm_set1_epi32, _mm_set1_epi64x, _mm_shuffle_epi8, _mm_xor_si128,
};

use super::affine::{BACK, INTO, INTO_CONSTANT, OUT, OUT_CONSTANT};
use super::linear::{CONSTANT, P, Q, S};
use super::{RoundKeys, words};

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn splat(word: u32) -> __m128i {
    _mm_set1_epi32(word as i32)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn xor(a: __m128i, b: __m128i) -> __m128i {
    _mm_xor_si128(a, b)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn enter(x: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(x, _mm_set1_epi64x(INTO.gfni()))
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn leave(x: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(x, _mm_set1_epi64x(BACK.gfni()))
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn add_round(x: __m128i, t: __m128i) -> __m128i {
    let q = _mm_gf2p8affineinv_epi64_epi8::<0>(t, _mm_set1_epi64x(Q.gfni()));
    let s = _mm_gf2p8affineinv_epi64_epi8::<0>(t, _mm_set1_epi64x(S.gfni()));
    let p = _mm_gf2p8affineinv_epi64_epi8::<{ CONSTANT as i32 }>(t, _mm_set1_epi64x(P.gfni()));
    let by_1 = _mm_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1);
    let by_2 = _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2);
    let by_3 = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);
    let near = xor(xor(x, p), _mm_shuffle_epi8(q, by_1));
    let far = xor(_mm_shuffle_epi8(q, by_2), _mm_shuffle_epi8(s, by_3));
    xor(near, far)
}

/// The S-box on every byte.
#[inline]
#[target_feature(enable = "gfni,avx2")]
fn s_box(x: __m128i) -> __m128i {
    let into = _mm_set1_epi64x(INTO.gfni());
    let t = _mm_gf2p8affine_epi64_epi8::<{ INTO_CONSTANT as i32 }>(x, into);
    let out = _mm_set1_epi64x(OUT.gfni());
    _mm_gf2p8affineinv_epi64_epi8::<{ OUT_CONSTANT as i32 }>(t, out)
}

/// Here the order of additions is as written.
#[inline]
#[target_feature(enable = "gfni,avx2")]
fn in_order(x: __m128i) -> __m128i {
    x
}

words::chains! { "gfni,avx2", x86 }
