//! Eight states, one after the other: on cores that have instructions for SHA-3 in one of their
//! vector units, two states side by side take longer.

use super::portable::{for_each, one_by_one, state};
use super::{Blocks, Chain, States};
use crate::keccak::arm_shifted;
use crate::keccak::{Rate, Rounds};

pub(super) use super::portable::break_even;

one_by_one!(arm_shifted::permute, arm_shifted::absorb, #[target_feature(enable = "neon")]);
