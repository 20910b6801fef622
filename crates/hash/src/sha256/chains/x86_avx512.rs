//! Sixteen chains in 512-bit vectors, twice.

use super::super::K;
use crate::lanes::avx512::w32::{
    FROM_MEMORY, LANES, V, add, choose, equal, load_states, majority, ror, shr, splat,
    store_states, xor3,
};
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    8
}

super::kernel::kernel! { features: "avx512f,avx512bw", sets: 2 }
