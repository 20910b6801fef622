//! Eight lanes in 256-bit vectors.

use super::super::T;
use super::rounds::rounds;
use crate::lanes::avx2::w32::{
    LANES, V, add, choose, load_blocks_le as load_blocks, load_states, or_not_xor, ror, splat,
    store_states, xor, xor3,
};

pub(super) const fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx2",
    state: [u32; 4],
    block: 64,
    sets: 1,
    padding: 0x80 at 0, length at 14,
}
rounds!("avx2");
