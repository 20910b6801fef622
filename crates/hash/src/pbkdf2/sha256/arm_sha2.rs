//! The inner loop with the instructions of ARM64: tags never leave the registers, where a state is
//! four words of a message and four more, in order.
//!
//! The rounds of a chain wait for each other; of two chains, interleaved, one fits in between.

use super::{Chains, PADDING, by_pairs};
use crate::sha256::K;
use crate::sha256::arm_sha2::{State, load, store, take_in};
use adamant_base::simd::{from_fn, in_place};
use core::arch::aarch64::veorq_u32;

by_pairs!("neon,sha2");

#[inline]
#[target_feature(enable = "neon,sha2")]
fn run_some<const N: usize>(
    inner: &[[u32; 8]; N],
    outer: &[[u32; 8]; N],
    value: &mut [[u32; 8]; N],
    sum: &mut [[u32; 8]; N],
    count: u32,
) {
    let k = in_place(&K);
    let [w2, w3] = load(&PADDING);
    let starts: [[State; N]; 2] = [from_fn(|i| load(&inner[i])), from_fn(|i| load(&outer[i]))];
    let mut tags: [State; N] = from_fn(|i| load(&value[i]));
    let mut sums: [State; N] = from_fn(|i| load(&sum[i]));
    for _ in 0..count {
        for start in starts {
            let w = from_fn(|i| [tags[i][0], tags[i][1], w2, w3]);
            tags = take_in(start, w, k);
        }
        sums = from_fn(|i| from_fn(|half| veorq_u32(sums[i][half], tags[i][half])));
    }
    for i in 0..N {
        store(&mut value[i], tags[i]);
        store(&mut sum[i], sums[i]);
    }
}
