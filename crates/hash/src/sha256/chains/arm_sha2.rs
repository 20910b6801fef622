//! Two chains with the instructions of ARM64, interleaved.
//!
//! A chain stays in registers: nodes are bytes in their order, and `ext` puts them after the 22
//! bytes of the address.

use super::super::K;
use super::super::arm_sha2::{State, load, take_in};
use super::{Chains, by_pairs, length};
use adamant_base::simd::{from_fn, in_place, load_u8, load_u32, map, store_u32};
use core::arch::aarch64::{
    uint8x16_t, uint32x4_t, vaddq_u32, vcombine_u8, vextq_u8, vget_low_u8, vreinterpretq_u8_u32,
    vreinterpretq_u32_u8, vrev32q_u8,
};

by_pairs!("neon,sha2");

/// `S` chains with nodes of `N` words.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn run_streams<const S: usize, const N: usize>(chains: Chains, steps: u32) {
    let k = in_place(&K);
    let zero = load_u8(&[0; 16]);
    let one = load_u32(&[0, 1 << 16, 0, 0]);
    // After the node a one bit, at the end the length as a word.
    let bit = load_u8(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let end = load_u32(&[0, 0, 0, length(N)]);
    let prefix: [State; S] = from_fn(|s| load(&chains.prefixes[s]));
    let w0: [uint32x4_t; S] = from_fn(|s| {
        let [a, b, c, d, _, _] = chains.addresses[s];
        load_u32(&[a, b, c, d])
    });
    // Words 4 and 5 of the block where the count lies.
    let mut counter: [uint32x4_t; S] = from_fn(|s| {
        let [_, _, _, _, e, f] = chains.addresses[s];
        load_u32(&[e, f, 0, 0])
    });
    let mut node: [[uint8x16_t; 2]; S] =
        from_fn(|s| map(load(&chains.nodes[s]), |words| bytes(words)));
    for step in 0..=steps {
        for s in 0..S {
            if chains.keep[s] == step {
                put(&mut chains.kept[s], node[s]);
            }
        }
        if step == steps {
            break;
        }
        let w = from_fn(|s| {
            // Six bytes of the address at the upper end.
            let head = vextq_u8::<6>(zero, bytes(counter[s]));
            let [low, high] = node[s];
            let [second, third, fourth] = match N {
                4 => [low, bit, zero],
                6 => [low, vcombine_u8(vget_low_u8(high), vget_low_u8(bit)), zero],
                _ => [low, high, bit],
            };
            [
                w0[s],
                words(vextq_u8::<10>(head, second)),
                words(vextq_u8::<10>(second, third)),
                vaddq_u32(words(vextq_u8::<10>(third, fourth)), end),
            ]
        });
        counter = map(counter, |words| vaddq_u32(words, one));
        node = map(take_in(prefix, w, k), |state| {
            map(state, |words| bytes(words))
        });
    }
    for s in 0..S {
        put(&mut chains.nodes[s], node[s]);
    }
}

/// Big-endian words as bytes.
#[inline]
#[target_feature(enable = "neon")]
fn bytes(words: uint32x4_t) -> uint8x16_t {
    vrev32q_u8(vreinterpretq_u8_u32(words))
}

/// The reverse of [`bytes`].
#[inline]
#[target_feature(enable = "neon")]
fn words(bytes: uint8x16_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vrev32q_u8(bytes))
}

/// Writes a node as words.
#[inline]
#[target_feature(enable = "neon")]
fn put(to: &mut [u32; 8], node: [uint8x16_t; 2]) {
    for (to, half) in to.as_chunks_mut::<4>().0.iter_mut().zip(node) {
        store_u32(to, words(half));
    }
}
