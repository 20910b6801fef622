//! The operations for small CPUs, whose multiplication gives 32 bits: as
//! [`portable32`](super::portable32), over a field that multiplies only numbers of 16 bits.

// The same files, over another field.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
mod field;
#[path = "../portable32/rows.rs"]
#[allow(clippy::duplicate_mod)]
mod rows;
#[cfg(test)]
#[path = "../portable32/tests.rs"]
#[allow(clippy::duplicate_mod)]
mod tests;

pub(super) use rows::*;
