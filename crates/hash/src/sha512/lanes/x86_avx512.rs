//! Eight lanes in 512-bit vectors, twice.

use super::super::K;
use crate::lanes::avx512::w64::{
    FROM_MEMORY, LANES, V, add, choose, load_blocks, load_states, majority, ror, shr, splat,
    store_states, xor, xor3,
};
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u64; 8],
    block: 128,
    sets: 2,
    padding: 0x8000_0000_0000_0000 at 0, length at 15,
}
crate::lanes::sha2::sigmas512!("avx512f,avx512bw");
crate::lanes::sha2::rounds! {
    features: "avx512f,avx512bw",
    constants: [u64; _] = K,
}
