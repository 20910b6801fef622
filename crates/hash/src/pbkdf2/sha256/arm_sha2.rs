//! The inner loop with the instructions of ARM64: tags never leave the registers, where a state is
//! four words of a message and four more, in order.
//!
//! The rounds of a chain wait for each other; of two chains, interleaved, one fits in between.

use super::{Chains, PADDING};
use crate::sha256::K;
use crate::sha256::arm_sha2::{State, load, store, take_in};
use adamant_base::simd::{from_fn, in_place};
use core::arch::aarch64::veorq_u32;

#[target_feature(enable = "neon,sha2")]
pub(super) fn run(chains: Chains<[u32; 8]>, count: u32) {
    debug_assert!(
        [chains.outer.len(), chains.value.len(), chains.sum.len()] == [chains.inner.len(); 3]
    );
    let (inner, last_inner) = chains.inner.as_chunks::<2>();
    let (outer, last_outer) = chains.outer.as_chunks::<2>();
    let (value, last_value) = chains.value.as_chunks_mut::<2>();
    let (sum, last_sum) = chains.sum.as_chunks_mut::<2>();
    for (i, sum) in sum.iter_mut().enumerate() {
        run_some(&inner[i], &outer[i], &mut value[i], sum, count);
    }
    if let ([inner], [outer], [value], [sum]) = (last_inner, last_outer, last_value, last_sum) {
        let one = core::array::from_ref;
        let one_mut = core::array::from_mut;
        run_some(one(inner), one(outer), one_mut(value), one_mut(sum), count);
    }
}

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
