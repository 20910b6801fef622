//! SM4 with AES-NI: `aesenclast` is the S-box of AES, which is the inversion, with ShiftRows, which
//! is undone along with the rotations. Two times four blocks, or a single one.

use adamant_base::simd::arch::{
    __m128i, _mm_aesenclast_si128, _mm_and_si128, _mm_set1_epi8, _mm_set1_epi32, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_srli_epi16, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32,
    _mm_unpacklo_epi64, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

use super::linear::{ENTER, ENTER_KEYED, LEAVE, MAP_OUT, MAP_Q, MAP_S, Nibbles, UNSHIFT};
use super::{RoundKeys, words};

type V = __m128i;

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn load(data: &[[u8; 16]; 4]) -> [V; 4] {
    [
        load128(&data[0]),
        load128(&data[1]),
        load128(&data[2]),
        load128(&data[3]),
    ]
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn store(data: &mut [[u8; 16]; 4], blocks: [V; 4]) {
    for (to, block) in data.iter_mut().zip(blocks) {
        store128(to, block);
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn splat(word: u32) -> V {
    _mm_set1_epi32(word as i32)
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn xor(a: V, b: V) -> V {
    _mm_xor_si128(a, b)
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn xor3(a: V, b: V, c: V) -> V {
    xor(xor(a, b), c)
}

/// The halves of every byte.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn halves(x: V) -> [V; 2] {
    let low = _mm_set1_epi8(15);
    [
        _mm_and_si128(x, low),
        _mm_and_si128(_mm_srli_epi16::<4>(x), low),
    ]
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn look_up([low, high]: [V; 2], tables: &Nibbles) -> V {
    xor(
        _mm_shuffle_epi8(load128(&tables[0]), low),
        _mm_shuffle_epi8(load128(&tables[1]), high),
    )
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn enter(x: V) -> V {
    look_up(halves(x), &ENTER)
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn leave(x: V) -> V {
    look_up(halves(x), &LEAVE)
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn add_round(x: V, t: V) -> V {
    let halves = halves(_mm_aesenclast_si128(t, _mm_setzero_si128()));
    let (q, s) = (look_up(halves, &MAP_Q), look_up(halves, &MAP_S));
    let turned = |x, bytes: usize| _mm_shuffle_epi8(x, load128(&UNSHIFT[bytes]));
    let near = xor(turned(xor(q, s), 0), turned(q, 1));
    xor3(x, near, xor(turned(q, 2), turned(s, 3)))
}

/// The S-box on the bytes of the lowest word.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn s_box(x: V) -> V {
    let inverted = look_up(halves(x), &ENTER_KEYED);
    let substituted = _mm_aesenclast_si128(inverted, _mm_setzero_si128());
    let substituted = _mm_shuffle_epi8(substituted, load128(&UNSHIFT[0]));
    look_up(halves(substituted), &MAP_OUT)
}

/// Here the order of additions is as written.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn in_order(x: V) -> V {
    x
}

words::kernel! { features: "aes,ssse3,sse4.1", blocks: 4, sets: 2 }
words::blocks! { features: "aes,ssse3,sse4.1", at_once: 32 }
words::chains! { "aes,ssse3,sse4.1", x86 }
