//! SHA-512 with scalar rounds beside a message schedule in vector registers (NEON).

use super::K;
use adamant_base::simd::{from_fn, load_u8, load_u64, store_u64};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u64, veorq_u64, vextq_u64, vreinterpretq_u64_u8, vrev64q_u8, vshlq_n_u64,
    vshrq_n_u64, vsriq_n_u64,
};

crate::sha2_neon::compress! {
    state: [u64; 8], block: 128,
    constants: K,
    big_sigma0: [28 34 39],
    big_sigma1: [14 18 41],
}

#[inline]
#[target_feature(enable = "neon")]
fn load(block: &[u8; 128]) -> [uint64x2_t; 8] {
    let chunks = block.as_chunks::<16>().0;
    from_fn(|i| vreinterpretq_u64_u8(vrev64q_u8(load_u8(&chunks[i]))))
}

#[inline]
#[target_feature(enable = "neon")]
fn put(wk: &mut [u64; 16], i: usize, w: &[uint64x2_t; 8], k: &[u64; 16]) {
    for pair in [2 * i, 2 * i + 1] {
        let k = load_u64(&k.as_chunks::<2>().0[pair]);
        store_u64(&mut wk.as_chunks_mut::<2>().0[pair], vaddq_u64(w[pair], k));
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn next(wk: &mut [u64; 16], i: usize, w: &mut [uint64x2_t; 8], k: &[u64; 16]) {
    for pair in [2 * i, 2 * i + 1] {
        let word = |j: usize| w[(pair + j) % 8];
        let w15 = vextq_u64::<1>(word(0), word(1)); // W[t-15..t-13]
        let w7 = vextq_u64::<1>(word(4), word(5)); // W[t-7..t-5]
        let early = vaddq_u64(vaddq_u64(word(0), w7), small_sigma0(w15));
        w[pair] = vaddq_u64(early, small_sigma1(word(7)));
    }
    put(wk, i, w, k);
}

/// σ0.
#[inline]
#[target_feature(enable = "neon")]
fn small_sigma0(x: uint64x2_t) -> uint64x2_t {
    veorq_u64(
        veorq_u64(ror::<1, 63>(x), ror::<8, 56>(x)),
        vshrq_n_u64::<7>(x),
    )
}

/// σ1.
#[inline]
#[target_feature(enable = "neon")]
fn small_sigma1(x: uint64x2_t) -> uint64x2_t {
    veorq_u64(
        veorq_u64(ror::<19, 45>(x), ror::<61, 3>(x)),
        vshrq_n_u64::<6>(x),
    )
}

/// Rotates right by `R`; `L` is what is missing to the word's width.
#[inline]
#[target_feature(enable = "neon")]
fn ror<const R: i32, const L: i32>(x: uint64x2_t) -> uint64x2_t {
    const { assert!(R + L == 64) };
    vsriq_n_u64::<R>(vshlq_n_u64::<L>(x), x)
}
