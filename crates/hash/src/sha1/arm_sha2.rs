//! SHA-1 with the instructions of ARM64, for one stream or two, interleaved.
//!
//! `sha1c`, `sha1p` and `sha1m` do four rounds on A B C D, with E and four words W\[t\] + K: each
//! with one function of the standard. `sha1h` rotates the A of four rounds ago, which makes it E.
//! `sha1su0` and `sha1su1` make four words of the message schedule.
//!
//! The rounds of a stream wait for each other; a second stream fits in between.

use super::K;
use adamant_base::simd::{from_fn, load_u8, load_u32, map, store_u32};
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vdupq_n_u32, vgetq_lane_u32, vreinterpretq_u32_u8, vrev32q_u8,
    vsha1cq_u32, vsha1h_u32, vsha1mq_u32, vsha1pq_u32, vsha1su0q_u32, vsha1su1q_u32,
};

#[inline]
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    compress_streams(core::array::from_mut(state), [blocks]);
}

/// Messages of the same length, side by side.
#[inline]
#[target_feature(enable = "neon,sha2")]
pub(super) fn compress_streams<const S: usize>(
    states: &mut [[u32; 5]; S],
    messages: [&[[u8; 64]]; S],
) {
    let k = map(K, |k| vdupq_n_u32(k));
    let mut abcd: [uint32x4_t; S] = from_fn(|s| load_u32(&states[s].as_chunks::<4>().0[0]));
    let mut e: [u32; S] = from_fn(|s| states[s][4]);
    for b in 0..messages[0].len() {
        let (old_abcd, old_e) = (abcd, e);
        // The last sixteen words of the schedule.
        let mut w: [[uint32x4_t; 4]; S] = map(messages, |message| {
            let chunks = message[b].as_chunks::<16>().0;
            from_fn(|i| vreinterpretq_u32_u8(vrev32q_u8(load_u8(&chunks[i]))))
        });
        macro_rules! rounds {
            ($($f:ident $k:literal: $($i:literal)*,)*) => { $($(
                for s in 0..S {
                    let wk = words(&mut w[s], k[$k], $i);
                    let next_e = vsha1h_u32(vgetq_lane_u32::<0>(abcd[s]));
                    abcd[s] = $f(abcd[s], e[s], wk);
                    e[s] = next_e;
                }
            )*)* };
        }
        rounds! {
            vsha1cq_u32 0: 0 1 2 3 4,
            vsha1pq_u32 1: 5 6 7 8 9,
            vsha1mq_u32 2: 10 11 12 13 14,
            vsha1pq_u32 3: 15 16 17 18 19,
        }
        for s in 0..S {
            abcd[s] = vaddq_u32(abcd[s], old_abcd[s]);
            e[s] = e[s].wrapping_add(old_e[s]);
        }
    }
    for s in 0..S {
        let ([to], [last]) = states[s].as_chunks_mut::<4>() else {
            return; // never: five words are a chunk and one
        };
        store_u32(to, abcd[s]);
        *last = e[s];
    }
}

/// Words `4i..4i+4` of the schedule, plus K; those sixteen words later take their place.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn words(w: &mut [uint32x4_t; 4], k: uint32x4_t, i: usize) -> uint32x4_t {
    let [w0, w1, w2, w3] = from_fn(|j| w[(i + j) % 4]);
    if i < 16 {
        w[i % 4] = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3);
    }
    vaddq_u32(w0, k)
}
