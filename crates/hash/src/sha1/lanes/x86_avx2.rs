//! Eight lanes in 256-bit vectors.

use super::super::K;
use super::rounds::rounds;
use crate::lanes::avx2::w32::{
    FROM_MEMORY, LANES, V, add, choose, load_blocks, load_states, majority, ror, splat,
    store_states, xor, xor3,
};
use adamant_base::simd::from_fn;
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx2",
    state: [u32; 5],
    block: 64,
    sets: 1,
    padding: 0x8000_0000 at 0, length at 15,
}
rounds!("avx2");
