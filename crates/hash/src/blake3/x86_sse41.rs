//! BLAKE3 on four chunks or nodes at once (SSE4.1, SSSE3).

use super::lanes::{kernel, row};
use super::portable;
pub(super) use super::portable::{blocks, compress};

mod x4 {
    super::kernel! { features: "sse4.1,ssse3", vectors: crate::lanes::sse41::w32 }
}

row! { features: "sse4.1,ssse3", kernels: [x4: 1 from 2], single: portable }
