//! Words of four lanes in the 128-bit registers of ARM64: what the kernels are written over.
//!
//! A rotation is a shift to the left and one to the right that inserts; by whole bytes, these move.

use adamant_base::simd::{from_fn, load_u8, load_u32, map, store_u32};
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vbslq_u32, vceqq_u32, vdupq_n_u32, veorq_u32, vornq_u32, vqtbl1q_u8,
    vreinterpretq_u8_u32, vreinterpretq_u16_u32, vreinterpretq_u32_u8, vreinterpretq_u32_u16,
    vreinterpretq_u32_u64, vreinterpretq_u64_u32, vrev32q_u8, vrev32q_u16, vshlq_n_u32,
    vshrq_n_u32, vsriq_n_u32, vtrn1q_u32, vtrn1q_u64, vtrn2q_u32, vtrn2q_u64,
};

/// One word of every lane.
pub(crate) type V = uint32x4_t;
pub(crate) const LANES: usize = 4;
/// Whether kernels leave the words of a message in memory until they are used: those of one vector a
/// word find room in registers.
pub(crate) const FROM_MEMORY: bool = false;

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn splat(word: u32) -> V {
    vdupq_n_u32(word)
}
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn add(x: V, y: V) -> V {
    vaddq_u32(x, y)
}
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn xor(x: V, y: V) -> V {
    veorq_u32(x, y)
}
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn xor3(x: V, y: V, z: V) -> V {
    xor(xor(x, y), z)
}
/// Of every bit y where x is set, z where it is not.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn choose(x: V, y: V, z: V) -> V {
    vbslq_u32(x, y, z)
}
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn majority(x: V, y: V, z: V) -> V {
    choose(xor(x, y), z, y)
}
/// y ⊕ (x ∨ ¬z).
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn or_not_xor(x: V, y: V, z: V) -> V {
    xor(y, vornq_u32(x, z))
}
/// All bits of a word where x is y, none elsewhere.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn equal(x: V, y: V) -> V {
    vceqq_u32(x, y)
}
/// Rotates right by `R`; `L` is what is missing to the word's width. Whole bytes move.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn ror<const R: i32, const L: i32>(x: V) -> V {
    const { assert!(R + L == 32) };
    match R {
        8 => {
            let places = load_u8(&[1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]);
            vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), places))
        }
        16 => vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x))),
        _ => vsriq_n_u32::<R>(vshlq_n_u32::<L>(x), x),
    }
}
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn shr<const N: i32>(x: V) -> V {
    vshrq_n_u32::<N>(x)
}

/// Turns rows into columns.
#[inline]
#[target_feature(enable = "neon")]
fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
    // Of pairs of rows words 0 and 2, and words 1 and 3.
    let pairs = [
        [vtrn1q_u32(a, b), vtrn1q_u32(c, d)],
        [vtrn2q_u32(a, b), vtrn2q_u32(c, d)],
    ];
    let [even, odd] = map(pairs, |pair| map(pair, |x| vreinterpretq_u64_u32(x)));
    let columns = [
        vtrn1q_u64(even[0], even[1]),
        vtrn1q_u64(odd[0], odd[1]),
        vtrn2q_u64(even[0], even[1]),
        vtrn2q_u64(odd[0], odd[1]),
    ];
    map(columns, |column| vreinterpretq_u32_u64(column))
}

/// In how many parts [`load_part_le`] loads.
pub(crate) const PARTS: usize = 4;

/// Word i of block j, little-endian, at place j of vector i, for the words of this part.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load_part_le(blocks: [&[u8; 64]; 4], part: usize, m: &mut [V; 16]) {
    let rows = map(blocks, |block| {
        vreinterpretq_u32_u8(load_u8(&block.as_chunks::<16>().0[part]))
    });
    m[4 * part..][..4].copy_from_slice(&transpose(rows));
}

/// Word i of block j, little-endian, at place j of vector i.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load_blocks_le(blocks: [&[u8; 64]; 4]) -> [V; 16] {
    let mut m = [splat(0); 16];
    for part in 0..PARTS {
        load_part_le(blocks, part, &mut m);
    }
    m
}

/// Word i of block j, big-endian, at place j of vector i.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load_blocks(blocks: [&[u8; 64]; 4]) -> [V; 16] {
    map(load_blocks_le(blocks), |words| {
        vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(words)))
    })
}

/// Word i of state j at place j of vector i.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load_states(states: &[[u32; 8]; 4]) -> [V; 8] {
    let mut words = [splat(0); 8];
    for half in 0..2 {
        let rows = from_fn(|j| load_u32(&states[j].as_chunks::<4>().0[half]));
        words[4 * half..][..4].copy_from_slice(&transpose(rows));
    }
    words
}

/// The reverse of [`load_states`].
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn store_states(states: &mut [[u32; 8]; 4], words: &[V; 8]) {
    for half in 0..2 {
        let rows = transpose(from_fn(|i| words[4 * half + i]));
        for (state, row) in states.iter_mut().zip(rows) {
            store_u32(&mut state.as_chunks_mut::<4>().0[half], row);
        }
    }
}
