//! Two states in the lanes of the vector registers, four times.

use super::{Blocks, Chain, States, next_blocks};
use crate::keccak::arm_sha3::{Pair, permute_pair};
use crate::keccak::{Rate, Rounds};
use adamant_base::simd::{from_fn, load_u8, load_u64, map, store_u8, store_u64};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u64, vbslq_u64, vceqq_u64, vdupq_n_u64, veorq_u64, vreinterpretq_u8_u64,
    vreinterpretq_u64_u8, vtrn1q_u64, vtrn2q_u64,
};

/// All eight take as long as four, one after the other.
pub(super) const fn break_even() -> usize {
    5
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,sha3")]
pub(super) fn permute(states: &mut States, rounds: Rounds) {
    for pair in 0..4 {
        let mut a: Pair = from_fn(|i| load_u64(&states[i].as_chunks().0[pair]));
        permute_pair(&mut a, rounds);
        for i in 0..25 {
            store_u64(&mut states[i].as_chunks_mut().0[pair], a[i]);
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,sha3")]
pub(super) fn chain(blocks: &mut States, kept: &mut [[u64; 8]; 4], keep: &[u64; 8], chain: Chain) {
    let (count, node) = chain.places();
    let one = vdupq_n_u64(Chain::ONE);
    for pair in 0..4 {
        let keep = load_u64(&keep.as_chunks().0[pair]);
        for step in 0..=chain.steps {
            let now = vceqq_u64(keep, vdupq_n_u64(step));
            for (to, row) in kept.iter_mut().zip(&blocks[node.clone()]) {
                let to = &mut to.as_chunks_mut().0[pair];
                let row = load_u64(&row.as_chunks().0[pair]);
                store_u64(to, vbslq_u64(now, row, load_u64(to)));
            }
            if step == chain.steps {
                break;
            }
            let mut a: Pair = from_fn(|i| load_u64(&blocks[i].as_chunks().0[pair]));
            permute_pair(&mut a, Rounds::ALL);
            for (row, word) in blocks[node.clone()].iter_mut().zip(a) {
                store_u64(&mut row.as_chunks_mut().0[pair], word);
            }
            let row = &mut blocks[count].as_chunks_mut().0[pair];
            store_u64(row, vaddq_u64(load_u64(row), one));
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds) {
    for (pair, blocks) in blocks.as_chunks::<2>().0.iter().enumerate() {
        for twelfth in 0..12 {
            let rows = transpose(map([0, 1], |i| load(&blocks[i].as_chunks().0[twelfth])));
            for i in 0..2 {
                add(&mut states[2 * twelfth + i], pair, rows[i]);
            }
        }
    }
    permute(states, rounds);
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,sha3")]
pub(super) fn squeeze(states: &States, blocks: &mut Blocks) {
    for (pair, blocks) in blocks.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        for twelfth in 0..12 {
            let rows = map([0, 1], |i| {
                load_u64(&states[2 * twelfth + i].as_chunks().0[pair])
            });
            let rows = transpose(rows);
            for i in 0..2 {
                let to = &mut blocks[i].as_chunks_mut().0[twelfth];
                store_u8(to, vreinterpretq_u8_u64(rows[i]));
            }
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb_messages(
    states: &mut States,
    messages: &[&[u8]; 8],
    rate: Rate,
    rounds: Rounds,
) {
    let mut messages = *messages;
    while let Some(blocks) = next_blocks(&mut messages, rate) {
        for (pair, blocks) in blocks.as_chunks::<2>().0.iter().enumerate() {
            for i in 0..blocks[0].len() {
                let words = map(*blocks, |block| u64::from_le_bytes(block[i]));
                add(&mut states[i], pair, load_u64(&words));
            }
        }
        permute(states, rounds);
    }
}

#[inline]
#[target_feature(enable = "neon,sha3")]
fn load(from: &[u8; 16]) -> uint64x2_t {
    vreinterpretq_u64_u8(load_u8(from))
}

/// Adds `row` to the lanes of two states.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn add(lanes: &mut [u64; 8], pair: usize, row: uint64x2_t) {
    let lanes = &mut lanes.as_chunks_mut().0[pair];
    store_u64(lanes, veorq_u64(load_u64(lanes), row));
}

/// Word i of block j at place j of vector i.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn transpose([a, b]: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
    [vtrn1q_u64(a, b), vtrn2q_u64(a, b)]
}
