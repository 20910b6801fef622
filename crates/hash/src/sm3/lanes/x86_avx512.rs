//! Sixteen lanes in 512-bit vectors, twice.

use super::super::T;
use super::rounds::rounds;
use crate::lanes::avx512::w32::{
    FROM_MEMORY, LANES, V, add, choose, load_blocks, load_states, majority, ror, splat,
    store_states, xor, xor3,
};
use adamant_base::simd::from_fn;
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u32; 8],
    block: 64,
    sets: 2,
    padding: 0x8000_0000 at 0, length at 15,
}
rounds!("avx512f,avx512bw");
