//! SHA-256 with scalar rounds beside a message schedule in vector registers (NEON).

use super::K;
use crate::lanes::neon::{add, ror, shr, splat, xor3};
use adamant_base::simd::{from_fn, load_u8, load_u32, store_u32};
use core::arch::aarch64::{uint32x4_t, vextq_u32, vreinterpretq_u32_u8, vrev32q_u8};

crate::sha2_neon::compress! {
    state: [u32; 8], block: 64,
    constants: K.0,
    big_sigma0: [2 13 22],
    big_sigma1: [6 11 25],
}

#[inline]
#[target_feature(enable = "neon")]
fn load(block: &[u8; 64]) -> [uint32x4_t; 4] {
    let chunks = block.as_chunks::<16>().0;
    from_fn(|i| vreinterpretq_u32_u8(vrev32q_u8(load_u8(&chunks[i]))))
}

#[inline]
#[target_feature(enable = "neon")]
fn put(wk: &mut [u32; 16], i: usize, w: &[uint32x4_t; 4], k: &[u32; 16]) {
    let k = load_u32(&k.as_chunks::<4>().0[i]);
    store_u32(&mut wk.as_chunks_mut::<4>().0[i], add(w[i], k));
}

#[inline]
#[target_feature(enable = "neon")]
fn next(wk: &mut [u32; 16], i: usize, w: &mut [uint32x4_t; 4], k: &[u32; 16]) {
    let [w0, w1, w2, w3] = from_fn(|j| w[(i + j) % 4]);
    let (w15, w7) = (vextq_u32::<1>(w0, w1), vextq_u32::<1>(w2, w3)); // W[t-15..], W[t-7..]
    let sigma0 = xor3(ror::<7, 25>(w15), ror::<18, 14>(w15), shr::<3>(w15));
    let sum = add(add(w0, w7), sigma0);
    // W[t-2] and W[t-1] are known, and give the W[t] and W[t+1] that the other two need.
    let zero = splat(0);
    let sum = add(sum, vextq_u32::<2>(small_sigma1(w3), zero));
    w[i] = add(sum, vextq_u32::<2>(zero, small_sigma1(sum)));
    put(wk, i, w, k);
}

/// σ1.
#[inline]
#[target_feature(enable = "neon")]
fn small_sigma1(x: uint32x4_t) -> uint32x4_t {
    xor3(ror::<17, 15>(x), ror::<19, 13>(x), shr::<10>(x))
}

#[target_feature(enable = "neon")]
pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, core::slice::from_ref(block));
    }
}
