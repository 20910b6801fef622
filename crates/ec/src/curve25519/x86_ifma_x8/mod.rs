//! Eight multiplications side by side, on AVX-512 IFMA; a single one is that of
//! [`x86_ifma`](super::x86_ifma).

mod base;
mod convert;
mod field;
mod ladder;
mod point;
#[cfg(test)]
mod tests;
mod verify;

/// Groups of eight that share an inversion.
const GROUPS: usize = 8;
/// The items of these groups.
const CHUNK: usize = 8 * GROUPS;

pub(super) use base::{mul_base_batch, mul_base_u_batch};
pub(super) use ladder::ladder_batch;
pub(super) use verify::{decompress_batch_vartime, sum_vartime, verify_batch_vartime};
