//! Sixteen lanes in 512-bit vectors, twice.

use super::super::K;
use crate::lanes::avx512::w32::{
    LANES, REGISTERS, V, add, choose, load_blocks, load_states, majority, ror, shr, splat,
    store_states, xor, xor3,
};
use core::hint::black_box;

pub(super) fn break_even() -> usize {
    9
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u32; 8],
    block: 64,
    sets: 2,
    padding: 0x8000_0000 at 0, length at 15,
}
crate::lanes::sha2::rounds! {
    features: "avx512f,avx512bw",
    constants: K.0,
    big_sigma0: [2 30, 13 19, 22 10],
    big_sigma1: [6 26, 11 21, 25 7],
    small_sigma0: [7 25, 18 14, 3],
    small_sigma1: [17 15, 19 13, 10],
}
