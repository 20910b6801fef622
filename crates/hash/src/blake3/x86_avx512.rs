//! BLAKE3 on sixteen chunks or nodes at once, twice where there are enough; on eight and on four
//! for fewer (AVX-512).

use super::lanes::{kernel, row};
use super::portable;
pub(super) use super::portable::{blocks, compress};

pub(super) mod x16 {
    super::kernel! { features: "avx512f,avx512bw,avx512vl", vectors: crate::lanes::avx512::w32 }
}
pub(super) mod x8 {
    super::kernel! { features: "avx512f,avx512bw,avx512vl", vectors: crate::lanes::avx512vl::w32x8 }
}
mod x4 {
    super::kernel! { features: "avx512f,avx512bw,avx512vl", vectors: crate::lanes::avx512vl::w32x4 }
}

row! {
    features: "avx512f,avx512bw,avx512vl",
    kernels: [x16: 2 from 17, x16: 1 from 9, x8: 1 from 5, x4: 1 from 2],
    single: portable
}
