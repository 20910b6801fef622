//! Eight lanes in 512-bit vectors, with the message schedule in registers: for Golden Cove.

use super::super::K;
use crate::lanes::avx512::w64::{
    LANES, V, add, choose, load_blocks, load_states, majority, ror, shr, splat, store_states, xor,
    xor3,
};

pub(super) const fn break_even() -> usize {
    3
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u64; 8],
    block: 128,
    sets: 1,
    padding: 0x8000_0000_0000_0000 at 0, length at 15,
}
crate::lanes::sha2::sigmas512!("avx512f,avx512bw");
crate::lanes::sha2::rounds_in_registers! {
    features: "avx512f,avx512bw",
    constants: K,
}
