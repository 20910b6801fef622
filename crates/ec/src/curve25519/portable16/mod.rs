//! The curve for small CPUs, whose multiplication gives 32 bits: as [`portable32`](super::portable32),
//! over a field that multiplies only numbers of 16 bits.

// The same files, over another field; the group does not need all of them.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
#[allow(dead_code, unreachable_pub)]
mod field;
#[path = "../portable32/group.rs"]
#[allow(clippy::duplicate_mod)]
mod group;
#[path = "../roots.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod roots;
#[path = "../portable32/rows.rs"]
#[allow(clippy::duplicate_mod)]
pub(super) mod rows;
#[cfg(test)]
#[path = "../portable32/tests.rs"]
#[allow(clippy::duplicate_mod)]
mod tests;

pub(super) use group::*;
