//! Eight chains in 256-bit vectors.

use super::super::K;
use crate::lanes::avx2::w32::{
    FROM_MEMORY, LANES, V, add, choose, equal, load_states, majority, ror, shr, splat,
    store_states, xor3,
};
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    2
}

super::kernel::kernel! { features: "avx2", sets: 1 }
