//! SHA-512 with the instructions of ARM64 (which came with those of SHA-3), for one stream or two,
//! interleaved.
//!
//! A state is the pairs A B, C D, E F and G H, lowest first. Two rounds are `sha512h`, which from G H
//! plus the words W\[t\] + K\[t\], the second round's lowest, makes what both rounds add to C D, and
//! `sha512h2`, which makes the new A B. `sha512su0` and `sha512su1` make two words of the message
//! schedule.
//!
//! The rounds of a stream wait for each other; a second stream fits in between. Two have just the
//! registers that there are, as long as the compiler leaves their rounds in turn.

use super::K;
use adamant_base::simd::{from_fn, in_order, in_place, load_u8, load_u64, map, store_u64};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u64, vextq_u64, vreinterpretq_u64_u8, vrev64q_u8, vsha512h2q_u64,
    vsha512hq_u64, vsha512su0q_u64, vsha512su1q_u64,
};

/// A B, C D, E F and G H.
type State = [uint64x2_t; 4];

#[inline]
#[target_feature(enable = "neon,sha2,sha3")]
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    compress_streams(core::array::from_mut(state), [blocks]);
}

/// Messages of the same length, side by side.
#[inline]
#[target_feature(enable = "neon,sha2,sha3")]
pub(super) fn compress_streams<const S: usize>(
    states: &mut [[u64; 8]; S],
    messages: [&[[u8; 128]]; S],
) {
    let mut v: [State; S] =
        from_fn(|s| from_fn(|pair| load_u64(&states[s].as_chunks::<2>().0[pair])));
    for b in 0..messages[0].len() {
        let old = v;
        // The last sixteen words of the schedule.
        let mut w: [[uint64x2_t; 8]; S] = map(messages, |message| {
            let chunks = message[b].as_chunks::<16>().0;
            from_fn(|i| vreinterpretq_u64_u8(vrev64q_u8(load_u8(&chunks[i]))))
        });
        let k = in_place(&K);
        macro_rules! rounds {
            ($($i:literal)*) => { $(two_rounds(&mut v, &mut w, k, $i);)* };
        }
        rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        rounds!(20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        v = from_fn(|s| from_fn(|pair| vaddq_u64(v[s][pair], old[s][pair])));
    }
    for s in 0..S {
        for (to, pair) in states[s].as_chunks_mut::<2>().0.iter_mut().zip(v[s]) {
            store_u64(to, pair);
        }
    }
}

/// Rounds `2i` and `2i + 1` of each stream, and the words sixteen rounds later.
#[inline]
#[target_feature(enable = "neon,sha2,sha3")]
fn two_rounds<const S: usize>(
    v: &mut [State; S],
    w: &mut [[uint64x2_t; 8]; S],
    k: &[u64; 80],
    i: usize,
) {
    let k = load_u64(&k.as_chunks::<2>().0[i]);
    for s in 0..S {
        let word = |j: usize| w[s][(i + j) % 8];
        let wk = vaddq_u64(word(0), k);
        if i < 32 {
            let w9 = vextq_u64::<1>(word(4), word(5)); // W[t-7..t-5]
            w[s][i % 8] = vsha512su1q_u64(vsha512su0q_u64(word(0), word(1)), word(7), w9);
        }
        let [ab, cd, ef, gh] = v[s];
        let sum = vaddq_u64(gh, vextq_u64::<1>(wk, wk));
        let t1 = vsha512hq_u64(sum, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
        let mut next = vsha512h2q_u64(t1, cd, ab);
        if S > 1 {
            next = in_order(next);
        }
        v[s] = [next, ab, vaddq_u64(cd, t1), ef];
    }
}
