//! BLAKE3 on four chunks or nodes at once (NEON).

use super::lanes::{kernel, row};
use super::portable;
pub(super) use super::portable::{blocks, compress};

mod x4 {
    super::kernel! { features: "neon", vectors: crate::lanes::neon }
}

row! { features: "neon", kernels: [x4: 1 from 2], single: portable }
