//! The operations on 32-bit words, for CPUs without a 64-bit multiplication: the formulas, tables
//! and kernel of the parent, compiled over another field.

// The same file, over another field.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
mod field;
mod rows;
#[cfg(test)]
mod tests;

pub(super) use rows::*;
