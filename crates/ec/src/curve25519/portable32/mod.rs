//! The curve on 32-bit words, for CPUs without a 64-bit multiplication: the formulas, roots and
//! algorithms of the parent, compiled over another field. The group is in `group`, Ed25519 and X25519
//! are in `rows`.

// The same files, over another field; the group does not need all of them.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
#[allow(dead_code, unreachable_pub)]
mod field;
mod group;
#[path = "../roots.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod roots;
pub(super) mod rows;
#[cfg(test)]
mod tests;

pub(super) use group::*;
