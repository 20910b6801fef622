//! SM4 with AES-NI, the rest on 256-bit registers: as `x86_aesni`, two times eight blocks.

use adamant_base::simd::arch::{
    __m256i, _mm_aesenclast_si128, _mm_setzero_si128, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm256_xor_si256,
};
use adamant_base::simd::load128;

use super::linear::{ENTER, LEAVE, MAP_Q, MAP_S, Nibbles, UNSHIFT};
pub(super) use super::x86_aesni::{cbc_encrypt, cbc_mac, expand};
use super::x86_gfni256::{load, store, transpose};
use super::{RoundKeys, words};

type V = __m256i;

#[inline]
#[target_feature(enable = "aes,avx2")]
fn splat(word: u32) -> V {
    _mm256_set1_epi32(word as i32)
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn xor(a: V, b: V) -> V {
    _mm256_xor_si256(a, b)
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn xor3(a: V, b: V, c: V) -> V {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn halves(x: V) -> [V; 2] {
    let low = _mm256_set1_epi8(15);
    [
        _mm256_and_si256(x, low),
        _mm256_and_si256(_mm256_srli_epi16::<4>(x), low),
    ]
}

/// Sixteen bytes, twice.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn twice(bytes: &[u8; 16]) -> V {
    _mm256_broadcastsi128_si256(load128(bytes))
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn look_up([low, high]: [V; 2], tables: &Nibbles) -> V {
    xor(
        _mm256_shuffle_epi8(twice(&tables[0]), low),
        _mm256_shuffle_epi8(twice(&tables[1]), high),
    )
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn enter(x: V) -> V {
    look_up(halves(x), &ENTER)
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn leave(x: V) -> V {
    look_up(halves(x), &LEAVE)
}

#[inline]
#[target_feature(enable = "aes,avx2")]
fn add_round(x: V, t: V) -> V {
    let zero = _mm_setzero_si128();
    let low = _mm_aesenclast_si128(_mm256_castsi256_si128(t), zero);
    let high = _mm_aesenclast_si128(_mm256_extracti128_si256::<1>(t), zero);
    let halves = halves(_mm256_set_m128i(high, low));
    let (q, s) = (look_up(halves, &MAP_Q), look_up(halves, &MAP_S));
    let turned = |x, bytes: usize| _mm256_shuffle_epi8(x, twice(&UNSHIFT[bytes]));
    let near = xor(turned(xor(q, s), 0), turned(q, 1));
    xor3(x, near, xor(turned(q, 2), turned(s, 3)))
}

words::kernel! { features: "aes,avx2", blocks: 8, sets: 2 }
words::blocks! { features: "aes,avx2", at_once: 32 }
