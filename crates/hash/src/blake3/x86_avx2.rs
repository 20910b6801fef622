//! BLAKE3 on eight chunks or nodes at once (AVX2).

use super::lanes::{kernel, row};
use super::portable;
pub(super) use super::portable::{blocks, compress};

mod x8 {
    super::kernel! { features: "avx2", vectors: crate::lanes::avx2::w32 }
}

row! { features: "avx2", kernels: [x8: 1 from 2], single: portable }
