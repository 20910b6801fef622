//! The [vectors](crate::blake2::vectors) of BLAKE2b: four words of 64 bits.

use super::IV;
use crate::blake2::SIGMA;
use adamant_base::simd::arch::{
    __m256i as V, __m512i, _mm256_add_epi64 as add, _mm256_permute4x64_epi64, _mm256_ror_epi64,
    _mm256_ternarylogic_epi64, _mm256_xor_si256 as xor, _mm512_castsi512_si256,
    _mm512_extracti64x4_epi64, _mm512_permutex2var_epi64,
};
use adamant_base::simd::{load256 as load, load512, store256 as store};

/// The words of a block.
type M = [__m512i; 2];

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(x: V, y: V, z: V) -> V {
    _mm256_ternarylogic_epi64::<0x96>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn ror<const N: i32>(x: V) -> V {
    _mm256_ror_epi64::<N>(x)
}

crate::lanes::turn!("avx512f,avx512vl", _mm256_permute4x64_epi64);

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn words(halves: &[[u8; 64]; 2]) -> M {
    [load512(&halves[0]), load512(&halves[1])]
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn half_round<const ROUND: usize, const HALF: usize>([low, high]: M) -> [V; 2] {
    #[repr(align(64))]
    struct Order([u64; 8]);
    let order = load512(
        const {
            let order = crate::blake2::vectors::order(&SIGMA[ROUND % 10], HALF);
            let mut words = [0; 8];
            let mut i = 0;
            while i < 8 {
                words[i] = order[i] as u64;
                i += 1;
            }
            &Order(words).0
        },
    );
    let xy = _mm512_permutex2var_epi64(low, order, high);
    [
        _mm512_castsi512_si256(xy),
        _mm512_extracti64x4_epi64::<1>(xy),
    ]
}

crate::blake2::vectors::row! {
    features: "avx512f,avx512vl",
    word: u64,
    counter: u128,
    block: 128,
    rotations: [32 24 16 63],
    rounds: [0 1 2 3 4 5 6 7 8 9 10 11],
}
