//! GHASH with `vpclmulqdq` on 256-bit registers, for CPUs without AVX-512: sixteen blocks with one
//! reduction. The arithmetic is that of `x86_pclmul`, two blocks to a register.

use super::x86_pclmul::{self, fold, powers};
use super::{POWERS, Powers, finish_by};
use adamant_base::simd::arch::{
    __m128i, __m256i, _mm_set_epi64x, _mm_shuffle_epi8, _mm_xor_si128, _mm256_broadcastsi128_si256,
    _mm256_bslli_epi128, _mm256_bsrli_epi128, _mm256_castsi256_si128, _mm256_clmulepi64_epi128,
    _mm256_extracti128_si256, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_xor_si256, _mm256_zextsi128_si256,
};
use adamant_base::simd::{load128, load256, store128};

/// Blocks with one reduction.
pub(super) const WIDE: usize = 16;

#[target_feature(enable = "vpclmulqdq,avx2,pclmulqdq,ssse3,sse4.1")]
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    powers::<WIDE>(h, key);
}

#[target_feature(enable = "vpclmulqdq,avx2,pclmulqdq,ssse3,sse4.1")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let (wide, rest) = blocks.as_flattened().as_chunks::<{ 16 * WIDE }>();
    let mut y = _mm_shuffle_epi8(load128(sum), order);
    for group in wide {
        y = absorb(key, y, group, _mm256_broadcastsi128_si256(order));
    }
    store128(sum, _mm_shuffle_epi8(y, order));
    x86_pclmul::update(key, sum, rest.as_chunks().0);
}

#[target_feature(enable = "vpclmulqdq,avx2,pclmulqdq,ssse3,sse4.1")]
pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx2,pclmulqdq,ssse3,sse4.1")]
fn absorb(key: &Powers, y: __m128i, group: &[u8; 16 * WIDE], order: __m256i) -> __m128i {
    let zero = _mm256_setzero_si256();
    let (mut low, mut mid, mut high) = (zero, zero, zero);
    let mut y = _mm256_zextsi128_si256(y);
    let pairs = group.as_chunks::<32>().0;
    let powers = key.power[POWERS - WIDE..].as_flattened().as_chunks().0;
    let halves = key.halves[POWERS - WIDE..].as_flattened().as_chunks().0;
    for ((pair, power), halves) in pairs.iter().zip(powers).zip(halves) {
        let x = _mm256_xor_si256(_mm256_shuffle_epi8(load256(pair), order), y);
        let power = load256::<[u8; 32]>(power);
        low = _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x00>(x, power));
        high = _mm256_xor_si256(high, _mm256_clmulepi64_epi128::<0x11>(x, power));
        let both = _mm256_xor_si256(x, _mm256_shuffle_epi32::<0x4e>(x));
        let halves = load256::<[u8; 32]>(halves);
        mid = _mm256_xor_si256(mid, _mm256_clmulepi64_epi128::<0x00>(both, halves));
        y = zero;
    }
    mid = _mm256_xor_si256(mid, _mm256_xor_si256(low, high));
    low = _mm256_xor_si256(low, _mm256_bslli_epi128::<8>(mid));
    high = _mm256_xor_si256(high, _mm256_bsrli_epi128::<8>(mid));
    fold(sum_of_lanes(low), sum_of_lanes(high))
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx2,pclmulqdq,ssse3,sse4.1")]
fn sum_of_lanes(x: __m256i) -> __m128i {
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}
