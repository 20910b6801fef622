//! Four chains in 128-bit vectors.

use super::super::K;
use crate::lanes::neon::{
    FROM_MEMORY, LANES, V, add, choose, equal, load_states, majority, ror, shr, splat,
    store_states, xor3,
};
use core::hint::black_box;

pub(super) const fn break_even() -> usize {
    3
}

super::kernel::kernel! { features: "neon", sets: 1 }
