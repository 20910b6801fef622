//! Eight items side by side, on AVX-512 IFMA; a single one is that of [`x86_ifma`](super::x86_ifma).
//!
//! The steps are those of the [scalar kernel](super::kernel), a lane for each item. Departures:
//!
//! 1. Limbs have 52 bits, and what a sum or a product leaves is carried only where it is multiplied:
//!    see [`field`].
//! 2. Entries of the base point's table are picked from registers (`vpermi2q`); digits are odd, so
//!    that none of them is zero: see [`rows`](super::rows).
//! 3. A ladder's points do not change places: which of the two is doubled is chosen.
//! 4. One inversion serves up to 64 items.
//! 5. In verification a lane has a table of its own, its entries beside each other, which are
//!    transposed as they are read: these indices are public.
//!
//! Scalars and digits are wiped as in the scalar implementation; intermediate points live in
//! registers, whose copies on the stack are not.

mod base;
mod convert;
mod field;
mod ladder;
pub(super) mod lanes;
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
