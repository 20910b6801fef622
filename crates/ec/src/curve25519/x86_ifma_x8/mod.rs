//! Eight items side by side, on AVX-512 IFMA; a single one is that of [`x86_ifma`](super::x86_ifma).
//!
//! Multiples of secret scalars are [written once](super::lanes). In verification a lane has a table
//! of its own, its entries beside each other, which are transposed as they are read: these indices
//! are public. In sums of multiples a lane has a window of all scalars (`windows`), or of a window
//! the points of one digit (`buckets`). Limbs have 52 bits: see [`field`].

#[cfg(feature = "alloc")]
mod buckets;
mod convert;
mod entry;
mod field;
pub(super) mod lanes;
mod pick;
#[cfg(test)]
mod tests;
mod verify;
#[cfg(feature = "alloc")]
mod windows;

/// Items side by side.
const LANES: usize = 8;
/// Groups of as many that share an inversion.
const GROUPS: usize = 8;
/// The items of these groups.
const CHUNK: usize = LANES * GROUPS;

super::lanes::modules!(#[target_feature(enable = "avx512f,avx512ifma")]);

pub(super) use base::{mul_base_batch, mul_base_u_batch};
#[cfg(feature = "alloc")]
pub(super) use buckets::buckets_vartime;
pub(super) use ladder::ladder_batch;
pub(super) use verify::{decompress_batch_vartime, sum_vartime, verify_batch_vartime};
#[cfg(feature = "alloc")]
pub(super) use windows::windows;
