//! Sixteen lanes in 512-bit registers, twice.

use super::super::K;
use super::rounds::rounds;
use core::hint::black_box;
use crate::lanes::avx512::w32::{
    LANES, V, add, choose, load_blocks, load_states, majority, ror, shr, splat, store_states, xor,
    xor3,
};

pub(super) fn break_even() -> usize {
    9
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u32; 8],
    block: 64,
    sets: 2,
}
rounds!("avx512f,avx512bw");
