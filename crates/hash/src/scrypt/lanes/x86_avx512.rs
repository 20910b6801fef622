//! Four lanes in vectors of 512 bits, twice.

use super::Block;
use adamant_base::simd::{load512 as load, prefetch, store512 as store};
use core::arch::x86_64::{
    __m512i as V, _mm512_add_epi32 as add, _mm512_rol_epi32, _mm512_shuffle_epi32,
    _mm512_shuffle_i32x4, _mm512_xor_si512 as xor,
};

const LANES: usize = 4;

pub(super) const fn vector() -> usize {
    LANES
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rol<const L: i32, const R: i32>(x: V) -> V {
    _mm512_rol_epi32::<L>(x)
}

crate::lanes::turn!("avx512f", _mm512_shuffle_epi32);

/// Turns blocks into rows and back: row i of block j changes places with row j of block i.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab_low, ab_high) = (
        _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
    );
    let (cd_low, cd_high) = (
        _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
    );
    [
        _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_low, cd_low),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_low, cd_low),
        _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_high, cd_high),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rows(lanes: &[Block], copies: Option<&[&[Block]; LANES]>, len: usize, at: usize) -> [V; 4] {
    let mut blocks = [load(&lanes[at]); LANES];
    for l in 1..LANES {
        blocks[l] = load(&lanes[l * len + at]);
    }
    if let Some(copies) = copies {
        for l in 0..LANES {
            blocks[l] = xor(blocks[l], load(&copies[l][at]));
        }
    }
    transpose(blocks)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put(lanes: &mut [Block], len: usize, at: usize, rows: [V; 4]) {
    let rows = transpose(rows);
    for l in 0..LANES {
        store(&mut lanes[l * len + at], rows[l]);
    }
}

crate::scrypt::vectors::kernel!("avx512f");
super::row!("avx512f");
