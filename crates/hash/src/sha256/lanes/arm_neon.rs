//! Four lanes in 128-bit vectors, with the message schedule in registers.

use super::super::K;
use crate::lanes::neon::{
    LANES, V, add, choose, load_blocks, load_states, majority, ror, shr, splat, store_states, xor,
    xor3,
};

pub(super) const fn break_even() -> usize {
    3
}

crate::lanes::kernel::kernel! {
    features: "neon",
    state: [u32; 8],
    block: 64,
    sets: 1,
    padding: 0x8000_0000 at 0, length at 15,
}
crate::lanes::sha2::sigmas256!("neon");
crate::lanes::sha2::rounds_in_registers! {
    features: "neon",
    constants: K.0,
}
