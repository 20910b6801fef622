//! Eight lanes in 512-bit vectors, twice.

use super::super::K;
use crate::lanes::avx512::w64::{
    LANES, REGISTERS, V, add, choose, load_blocks, load_states, majority, ror, shr, splat,
    store_states, xor, xor3,
};
use core::hint::black_box;

pub(super) fn break_even() -> usize {
    4
}

crate::lanes::kernel::kernel! {
    features: "avx512f,avx512bw",
    state: [u64; 8],
    block: 128,
    sets: 2,
    padding: 0x8000_0000_0000_0000 at 0, length at 15,
}
crate::lanes::sha2::rounds! {
    features: "avx512f,avx512bw",
    constants: K,
    big_sigma0: [28 36, 34 30, 39 25],
    big_sigma1: [14 50, 18 46, 41 23],
    small_sigma0: [1 63, 8 56, 7],
    small_sigma1: [19 45, 61 3, 6],
}
