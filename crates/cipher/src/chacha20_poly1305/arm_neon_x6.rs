//! As `arm_neon`, six blocks at once.

pub(super) use super::arm_neon::{open_x6 as open, seal_x6 as seal};
