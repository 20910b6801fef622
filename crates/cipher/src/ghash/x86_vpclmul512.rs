//! GHASH with `vpclmulqdq` on 512-bit registers: 32 blocks with 32 powers of H, and one reduction
//! for all. The arithmetic is that of `x86_pclmul`, four blocks to a register.

use super::x86_pclmul::fold;
pub(super) use super::x86_pclmul::init;
use super::{POWERS, Powers};
use adamant_base::simd::{in_order3, load128, load512, load512_partial, store128};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_set_epi64x, _mm_shuffle_epi8, _mm_xor_si128, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_xor_si256, _mm512_broadcast_i32x4, _mm512_bslli_epi128,
    _mm512_bsrli_epi128, _mm512_castsi512_si256, _mm512_clmulepi64_epi128,
    _mm512_extracti64x4_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_shuffle_epi32,
    _mm512_ternarylogic_epi64, _mm512_xor_si512, _mm512_zextsi128_si512,
};

/// Products not yet reduced: Karatsuba's three, for four sums.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    low: __m512i,
    mid: __m512i,
    high: __m512i,
}

/// The order of the bytes of a block reversed.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn reversal() -> __m128i {
    _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn reverse(blocks: __m512i) -> __m512i {
    _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(reversal()))
}

impl Product {
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Product {
            low: zero,
            mid: zero,
            high: zero,
        }
    }

    /// Adds four reversed blocks times four powers, given with the sums of their halves.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn multiply_add(&mut self, x: __m512i, power: &[u8; 64], halves: &[u8; 64]) {
        let power = load512(power);
        let low = _mm512_clmulepi64_epi128::<0x00>(x, power);
        let high = _mm512_clmulepi64_epi128::<0x11>(x, power);
        let both = _mm512_xor_si512(x, _mm512_shuffle_epi32::<0x4e>(x));
        let mid = _mm512_clmulepi64_epi128::<0x00>(both, load512(halves));
        self.low = _mm512_xor_si512(self.low, low);
        self.high = _mm512_xor_si512(self.high, high);
        self.mid = _mm512_xor_si512(self.mid, mid);
    }

    /// Keeps the additions so far apart from those to come.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn in_order(&mut self) {
        let mut words = [self.low, self.mid, self.high];
        in_order3(&mut words);
        [self.low, self.mid, self.high] = words;
    }

    /// The remainder of the sum over the four lanes.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn reduce(self) -> __m128i {
        let mid = _mm512_ternarylogic_epi64::<0x96>(self.mid, self.low, self.high);
        let low = _mm512_xor_si512(self.low, _mm512_bslli_epi128::<8>(mid));
        let high = _mm512_xor_si512(self.high, _mm512_bsrli_epi128::<8>(mid));
        fold(sum_of_lanes(low), sum_of_lanes(high))
    }
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn sum_of_lanes(x: __m512i) -> __m128i {
    let x = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

/// The powers, four to a register.
pub(crate) fn quads(powers: &[[u8; 16]; POWERS + 4]) -> &[[u8; 64]] {
    powers.as_flattened().as_chunks().0
}

/// Takes at most 32 blocks into a reversed sum: at most 512 bytes, the last block filled up with
/// zeros.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn absorb_few(key: &Powers, sum: __m128i, data: &[u8]) -> __m128i {
    let skipped = POWERS - data.len().div_ceil(16).min(POWERS);
    let powers = key.power[skipped..].as_flattened().as_chunks::<64>().0;
    let halves = key.halves[skipped..].as_flattened().as_chunks::<64>().0;
    let mut product = Product::zero();
    let mut carried = _mm512_zextsi128_si512(sum);
    for ((data, power), halves) in data.chunks(64).zip(powers).zip(halves) {
        let x = _mm512_xor_si512(carried, reverse(load512_partial(data)));
        product.multiply_add(x, power, halves);
        carried = _mm512_setzero_si512();
    }
    product.reduce()
}

/// Takes 32 blocks into a reversed sum.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn absorb(key: &Powers, sum: __m128i, blocks: &[[u8; 64]; 8]) -> __m128i {
    let (powers, halves) = (quads(&key.power), quads(&key.halves));
    let mut product = Product::zero();
    for i in 0..8 {
        let mut x = reverse(load512(&blocks[i]));
        if i == 0 {
            x = _mm512_xor_si512(x, _mm512_zextsi128_si512(sum));
        }
        product.multiply_add(x, &powers[i], &halves[i]);
    }
    product.reduce()
}

#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let mut y = _mm_shuffle_epi8(load128(sum), reversal());
    let (quads, rest) = blocks.as_flattened().as_chunks::<64>();
    let (groups, few) = quads.as_chunks::<8>();
    for group in groups {
        y = absorb(key, y, group);
    }
    let left = few.len() * 64 + rest.len();
    if left > 0 {
        let data = blocks.as_flattened();
        y = absorb_few(key, y, &data[data.len() - left..]);
    }
    store128(sum, _mm_shuffle_epi8(y, reversal()));
}
