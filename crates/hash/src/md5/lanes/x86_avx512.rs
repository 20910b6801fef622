//! Sixteen lanes in 512-bit vectors, twice.

use super::super::T;
use super::rounds::rounds;
use crate::lanes::avx512::w32::{
    LANES, V, add, choose, load_blocks_le as load_blocks, load_states, or_not_xor, ror, splat,
    store_states, xor, xor3,
};

pub(super) const fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u32; 4],
    block: 64,
    sets: 2,
    padding: 0x80 at 0, length at 14,
}
rounds!("avx512f,avx512bw");
