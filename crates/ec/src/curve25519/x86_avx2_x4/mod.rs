//! Four items side by side, on AVX2.
//!
//! The formulas are [written once](super::lanes). Limbs have 26 and 25 bits: see [`field`].

mod convert;
mod field;
pub(super) mod lanes;
mod pick;
#[cfg(test)]
mod tests;
mod vector;

/// Items side by side.
const LANES: usize = 4;
/// Groups of as many that share an inversion.
const GROUPS: usize = 16;
/// The items of these groups.
const CHUNK: usize = LANES * GROUPS;

super::lanes::modules!(#[target_feature(enable = "avx2")]);

pub(super) use base::{mul_base_batch, mul_base_u_batch};
pub(super) use ladder::ladder_batch;
