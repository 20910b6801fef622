//! The [vectors](crate::blake2::vectors) of BLAKE2s: four words of 32 bits.

use super::IV;
use adamant_base::simd::{load128 as load, load256, load512, store128 as store};
use core::arch::x86_64::{
    __m128i as V, __m512i, _mm_add_epi32 as add, _mm_ror_epi32, _mm_shuffle_epi32,
    _mm_ternarylogic_epi32, _mm_xor_si128 as xor, _mm256_castsi256_si128,
    _mm256_extracti32x4_epi32, _mm512_castsi256_si512, _mm512_castsi512_si256,
    _mm512_permutexvar_epi32,
};

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(x: V, y: V, z: V) -> V {
    _mm_ternarylogic_epi32::<0x96>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn ror<const N: i32>(x: V) -> V {
    _mm_ror_epi32::<N>(x)
}

crate::lanes::turn!("avx512f,avx512vl", _mm_shuffle_epi32);

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn words(block: &[u8; 64]) -> __m512i {
    load512(block)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn half_round<const ROUND: usize, const HALF: usize>(m: __m512i) -> [V; 2] {
    #[repr(align(32))]
    struct Order([u32; 8]);
    let order = load256(
        const {
            let order = crate::blake2::vectors::order(ROUND, HALF);
            let mut words = [0; 8];
            let mut i = 0;
            while i < 8 {
                words[i] = order[i] as u32;
                i += 1;
            }
            &Order(words).0
        },
    );
    let xy = _mm512_permutexvar_epi32(_mm512_castsi256_si512(order), m);
    let xy = _mm512_castsi512_si256(xy);
    [
        _mm256_castsi256_si128(xy),
        _mm256_extracti32x4_epi32::<1>(xy),
    ]
}

crate::blake2::vectors::row! {
    features: "avx512f,avx512vl",
    word: u32,
    counter: u64,
    block: 64,
    rotations: [16 12 8 7],
    rounds: [0 1 2 3 4 5 6 7 8 9],
}
