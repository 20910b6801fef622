//! The [vectors](crate::blake2::vectors) of BLAKE2s: four words of 32 bits.

use super::IV;
use adamant_base::simd::arch::_mm_ternarylogic_epi32;

crate::blake2::vectors::words32! { schedule: crate::blake2::SIGMA }

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(x: V, y: V, z: V) -> V {
    _mm_ternarylogic_epi32::<0x96>(x, y, z)
}

crate::blake2::vectors::row! {
    features: "avx512f,avx512vl",
    word: u32,
    counter: u64,
    block: 64,
    rotations: [16 12 8 7],
    rounds: [0 1 2 3 4 5 6 7 8 9],
}
