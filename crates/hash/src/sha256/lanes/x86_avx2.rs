//! Eight lanes in 256-bit registers.

use super::super::K;
use super::rounds::rounds;
use core::hint::black_box;
use crate::lanes::avx2::w32::{
    LANES, V, add, choose, load_blocks, load_states, majority, ror, shr, splat, store_states, xor,
    xor3,
};

pub(super) fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx2",
    state: [u32; 8],
    block: 64,
    sets: 1,
}
rounds!("avx2");
