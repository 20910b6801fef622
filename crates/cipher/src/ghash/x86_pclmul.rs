//! GHASH with `pclmulqdq`: eight blocks with eight powers of H, and one reduction for all.
//!
//! Blocks are byte-reversed, so that they are polynomials with their bits in reverse order, and H
//! is kept times x, which makes up for the missing bit of a reversed product (Gueron and
//! Kounavis, "Intel carry-less multiplication instruction and its usage for computing the GCM
//! mode").

use super::reversed::{POLYNOMIAL, first_power};
use super::{POWERS, Powers, finish_by};
use adamant_base::simd::arch::{
    __m128i, _mm_clmulepi64_si128, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_shuffle_epi32, _mm_slli_si128, _mm_srli_si128, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// Blocks with one reduction.
pub(super) const WIDE: usize = 8;

/// Products not yet reduced: Karatsuba's three.
#[derive(Clone, Copy)]
struct Product {
    low: __m128i,
    mid: __m128i,
    high: __m128i,
}

#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn nothing() -> Product {
    let zero = _mm_setzero_si128();
    Product {
        low: zero,
        mid: zero,
        high: zero,
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn reverse(block: __m128i) -> __m128i {
    let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    _mm_shuffle_epi8(block, order)
}

/// Both halves of a register hold the sum of its halves.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn sum_of_halves(x: __m128i) -> __m128i {
    _mm_xor_si128(x, _mm_shuffle_epi32::<0x4e>(x))
}

/// Adds `x` times the power at `at`.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn multiply_add(sum: &mut Product, x: __m128i, key: &Powers, at: usize) {
    let power = load128(&key.power[at]);
    let halves = load128(&key.halves[at]);
    sum.low = _mm_xor_si128(sum.low, _mm_clmulepi64_si128::<0x00>(x, power));
    sum.high = _mm_xor_si128(sum.high, _mm_clmulepi64_si128::<0x11>(x, power));
    let mid = _mm_clmulepi64_si128::<0x00>(sum_of_halves(x), halves);
    sum.mid = _mm_xor_si128(sum.mid, mid);
}

/// The remainder of a product.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn reduce(p: Product) -> __m128i {
    let mid = _mm_xor_si128(p.mid, _mm_xor_si128(p.low, p.high));
    let low = _mm_xor_si128(p.low, _mm_slli_si128::<8>(mid));
    let high = _mm_xor_si128(p.high, _mm_srli_si128::<8>(mid));
    fold(low, high)
}

/// Folds the low half into the high one, 64 bits at a time.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(crate) fn fold(low: __m128i, high: __m128i) -> __m128i {
    let polynomial = _mm_set_epi64x(0, POLYNOMIAL as i64);
    let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
    let low = _mm_xor_si128(_mm_shuffle_epi32::<0x4e>(low), t);
    let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
    let low = _mm_xor_si128(_mm_shuffle_epi32::<0x4e>(low), t);
    _mm_xor_si128(high, low)
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    powers::<WIDE>(h, key);
}

/// The first `N` powers.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(crate) fn powers<const N: usize>(h: &[u8; 16], key: &mut Powers) {
    key.power[POWERS - 1] = first_power(h);
    for i in (POWERS - N..POWERS).rev() {
        let power = load128(&key.power[i]);
        store128(&mut key.halves[i], sum_of_halves(power));
        if i > POWERS - N {
            let mut next = nothing();
            multiply_add(&mut next, power, key, POWERS - 1);
            store128(&mut key.power[i - 1], reduce(next));
        }
    }
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let mut y = reverse(load128(sum));
    let (groups, rest) = blocks.as_chunks::<WIDE>();
    for group in groups {
        y = absorb(key, y, group);
    }
    if !rest.is_empty() {
        y = absorb(key, y, rest);
    }
    store128(sum, reverse(y));
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}

/// At most [`WIDE`] blocks.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn absorb(key: &Powers, y: __m128i, blocks: &[[u8; 16]]) -> __m128i {
    let mut sum = nothing();
    let mut y = y;
    for (i, block) in blocks.iter().enumerate() {
        let x = _mm_xor_si128(y, reverse(load128(block)));
        multiply_add(&mut sum, x, key, POWERS - blocks.len() + i);
        y = _mm_setzero_si128();
    }
    reduce(sum)
}
