//! Four lanes in 128-bit vectors, twice.

use super::super::T;
use super::rounds::rounds;
use crate::lanes::neon::{
    LANES, V, add, choose, load_blocks_le as load_blocks, load_states, or_not_xor, ror, splat,
    store_states, xor, xor3,
};

pub(super) const fn break_even() -> usize {
    3
}

crate::lanes::kernel::kernel! {
    features: "neon",
    state: [u32; 4],
    block: 64,
    sets: 2,
    padding: 0x80 at 0, length at 14,
}
rounds!("neon");
