//! SM4 with GFNI on 256-bit registers: the inversion and the maps after it are one instruction
//! each. Two times eight blocks; single blocks in 128-bit registers.

use adamant_base::simd::arch::{
    __m256i, _mm256_gf2p8affine_epi64_epi8, _mm256_gf2p8affineinv_epi64_epi8, _mm256_set_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use adamant_base::simd::{load256, store256};

use super::affine::{BACK, INTO};
use super::linear::{CONSTANT, P, Q, S};
pub(super) use super::x86_gfni128::{cbc_encrypt, cbc_mac, expand};
use super::{RoundKeys, words};

type V = __m256i;

/// Four registers of two blocks to four of words, lane by lane; and back.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(ab_high, cd_high),
        _mm256_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn splat(word: u32) -> V {
    _mm256_set1_epi32(word as i32)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn xor(a: V, b: V) -> V {
    _mm256_xor_si256(a, b)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn xor3(a: V, b: V, c: V) -> V {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn enter(x: V) -> V {
    _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(INTO.gfni()))
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn leave(x: V) -> V {
    _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(BACK.gfni()))
}

#[inline]
#[target_feature(enable = "gfni,avx2")]
fn add_round(x: V, t: V) -> V {
    let p =
        _mm256_gf2p8affineinv_epi64_epi8::<{ CONSTANT as i32 }>(t, _mm256_set1_epi64x(P.gfni()));
    let q = _mm256_gf2p8affineinv_epi64_epi8::<0>(t, _mm256_set1_epi64x(Q.gfni()));
    let s = _mm256_gf2p8affineinv_epi64_epi8::<0>(t, _mm256_set1_epi64x(S.gfni()));
    // Words to the right by a byte, by two and by three.
    let by_1 = _mm256_set_epi8(
        12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1, //
        12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1,
    );
    let by_2 = _mm256_set_epi8(
        13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2, //
        13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2,
    );
    let by_3 = _mm256_set_epi8(
        14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3, //
        14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3,
    );
    let far = xor3(
        _mm256_shuffle_epi8(q, by_1),
        _mm256_shuffle_epi8(q, by_2),
        _mm256_shuffle_epi8(s, by_3),
    );
    xor(xor(x, p), far)
}

/// Eight blocks, two to a register.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(data: &[[u8; 16]; 8]) -> [V; 4] {
    let pairs: &[[u8; 32]] = data.as_flattened().as_chunks().0;
    [
        load256(&pairs[0]),
        load256(&pairs[1]),
        load256(&pairs[2]),
        load256(&pairs[3]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(data: &mut [[u8; 16]; 8], blocks: [V; 4]) {
    let pairs: &mut [[u8; 32]] = data.as_flattened_mut().as_chunks_mut().0;
    for (to, pair) in pairs.iter_mut().zip(blocks) {
        store256(to, pair);
    }
}

words::kernel! { features: "gfni,avx2", blocks: 8, sets: 2 }
words::blocks! { features: "gfni,avx2", at_once: 32 }
