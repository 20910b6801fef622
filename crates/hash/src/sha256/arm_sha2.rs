//! SHA-256 with the instructions of ARM64, for one stream or two, interleaved.
//!
//! `sha256h` does four rounds and gives A B C D, `sha256h2` gives E F G H of the same rounds: both
//! need the state before them and four words W\[t\] + K\[t\]. `sha256su0` and `sha256su1` make four
//! words of the message schedule.
//!
//! The rounds of a stream wait for each other. Its constants stay in registers from block to block;
//! a second stream needs these for itself, and fits in between.

use super::{Aligned, K};
use adamant_base::simd::{from_fn, in_place, load_u8, load_u32, map, store_u32, whole};
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vreinterpretq_u32_u8, vreinterpretq_u32_u64, vreinterpretq_u64_u32,
    vrev32q_u8, vsha256h2q_u32, vsha256hq_u32, vsha256su0q_u32, vsha256su1q_u32,
};

/// A B C D and E F G H, lowest first.
pub(crate) type State = [uint32x4_t; 2];

#[inline]
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    compress_streams(core::array::from_mut(state), [blocks]);
}

#[target_feature(enable = "neon,sha2")]
pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    compress_streams(states, blocks.each_ref().map(core::slice::from_ref));
}

/// Messages of the same length, side by side.
#[inline]
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress_streams<const S: usize>(
    states: &mut [[u32; 8]; S],
    messages: [&[[u8; 64]]; S],
) {
    let k = in_place(&K);
    let mut v: [State; S] = from_fn(|s| load(&states[s]));
    for b in 0..messages[0].len() {
        let w = map(messages, |message| {
            let chunks = message[b].as_chunks::<16>().0;
            from_fn(|i| vreinterpretq_u32_u8(vrev32q_u8(load_u8(&chunks[i]))))
        });
        v = take_in(v, w, k);
    }
    for s in 0..S {
        store(&mut states[s], v[s]);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load(words: &[u32; 8]) -> State {
    from_fn(|half| load_u32(&words.as_chunks::<4>().0[half]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn store(words: &mut [u32; 8], state: State) {
    for (to, half) in words.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        store_u32(to, half);
    }
}

/// The states after blocks of words `w`.
#[inline]
#[target_feature(enable = "neon,sha2")]
pub(crate) fn take_in<const S: usize>(
    old: [State; S],
    mut w: [[uint32x4_t; 4]; S],
    k: &Aligned,
) -> [State; S] {
    let mut v = old;
    macro_rules! rounds {
        ($($i:literal)*) => { $(rounds4(&mut v, &mut w, k, $i);)* };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    from_fn(|s| from_fn(|half| vaddq_u32(v[s][half], old[s][half])))
}

/// Rounds `4i..4i+4` of each stream, and the words sixteen rounds later.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn rounds4<const S: usize>(
    v: &mut [State; S],
    w: &mut [[uint32x4_t; 4]; S],
    k: &Aligned,
    i: usize,
) {
    let k = load_u32(&k.0.as_chunks::<4>().0[i]);
    for s in 0..S {
        let [w0, w1, w2, w3] = from_fn(|j| w[s][(i + j) % 4]);
        let wk = vaddq_u32(w0, k);
        if i < 12 {
            w[s][i % 4] = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
        }
        let [abcd, efgh] = v[s];
        // Each writes over what it adds to, so one needs a copy of A B C D, which takes two cycles on
        // many cores. Before `sha256h`, where the compiler puts it, all rounds wait for it; before
        // `sha256h2` every second four do.
        let copy = vreinterpretq_u32_u64(whole(vreinterpretq_u64_u32(abcd)));
        v[s] = [
            vsha256hq_u32(abcd, efgh, wk),
            vsha256h2q_u32(efgh, copy, wk),
        ];
    }
}
