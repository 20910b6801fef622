//! scryptROMix in the [vectors](super::vectors) of 128 bits: one lane.
//!
//! A chain of operations, like the one in general registers, but no word waits for memory. This
//! wins where a vector operation takes one cycle.

use super::Block;
use adamant_base::simd::arch::{
    __m128i as V, _mm_add_epi32 as add, _mm_rol_epi32, _mm_shuffle_epi32, _mm_xor_si128 as xor,
};
use adamant_base::simd::{load128 as load, prefetch, store128 as store};

const LANES: usize = 1;

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn rol<const L: i32, const R: i32>(x: V) -> V {
    _mm_rol_epi32::<L>(x)
}

crate::lanes::turn!("avx512f,avx512vl", _mm_shuffle_epi32);

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn row(block: &Block, i: usize) -> V {
    load(&block.as_chunks::<4>().0[i])
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn rows(lane: &[Block], copies: Option<&[&[Block]; LANES]>, _len: usize, at: usize) -> [V; 4] {
    let mut rows = [
        row(&lane[at], 0),
        row(&lane[at], 1),
        row(&lane[at], 2),
        row(&lane[at], 3),
    ];
    if let Some([copy]) = copies {
        for i in 0..4 {
            rows[i] = xor(rows[i], row(&copy[at], i));
        }
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn put(lane: &mut [Block], _len: usize, at: usize, rows: [V; 4]) {
    for i in 0..4 {
        store(&mut lane[at].as_chunks_mut::<4>().0[i], rows[i]);
    }
}

super::vectors::kernel!("avx512f,avx512vl");

#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block]) {
    super::check(b, v, x, 1);
    ro_mix_lanes::<1>(b, v, x);
}
