//! Two lanes in vectors of 256 bits, twice.

use super::Block;
use adamant_base::simd::arch::{
    __m256i as V, _mm256_add_epi32 as add, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_shuffle_epi32, _mm256_slli_epi32, _mm256_srli_epi32, _mm256_xor_si256 as xor,
};
use adamant_base::simd::{load256 as load, prefetch, store256 as store};

const LANES: usize = 2;

pub(super) const fn vector() -> usize {
    LANES
}

#[inline]
#[target_feature(enable = "avx2")]
fn rol<const L: i32, const R: i32>(x: V) -> V {
    _mm256_or_si256(_mm256_slli_epi32::<L>(x), _mm256_srli_epi32::<R>(x))
}

crate::lanes::turn!("avx2", _mm256_shuffle_epi32);

/// Half `i` of a block: two rows.
#[inline]
#[target_feature(enable = "avx2")]
fn half(block: &Block, i: usize) -> V {
    load(&block.as_chunks::<8>().0[i])
}

#[inline]
#[target_feature(enable = "avx2")]
fn rows(lanes: &[Block], copies: Option<&[&[Block]; LANES]>, len: usize, at: usize) -> [V; 4] {
    let (block0, block1) = (&lanes[at], &lanes[len + at]);
    let mut halves = [
        [half(block0, 0), half(block0, 1)],
        [half(block1, 0), half(block1, 1)],
    ];
    if let Some(copies) = copies {
        for l in 0..LANES {
            for i in 0..2 {
                halves[l][i] = xor(halves[l][i], half(&copies[l][at], i));
            }
        }
    }
    let [[low0, high0], [low1, high1]] = halves;
    [
        _mm256_permute2x128_si256::<0x20>(low0, low1),
        _mm256_permute2x128_si256::<0x31>(low0, low1),
        _mm256_permute2x128_si256::<0x20>(high0, high1),
        _mm256_permute2x128_si256::<0x31>(high0, high1),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn put(lanes: &mut [Block], len: usize, at: usize, [a, b, c, d]: [V; 4]) {
    let ([low0, high0], _) = lanes[at].as_chunks_mut::<8>() else {
        return; // never
    };
    store(low0, _mm256_permute2x128_si256::<0x20>(a, b));
    store(high0, _mm256_permute2x128_si256::<0x20>(c, d));
    let ([low1, high1], _) = lanes[len + at].as_chunks_mut::<8>() else {
        return; // never
    };
    store(low1, _mm256_permute2x128_si256::<0x31>(a, b));
    store(high1, _mm256_permute2x128_si256::<0x31>(c, d));
}

crate::scrypt::vectors::kernel!("avx2");
super::row!("avx2");
