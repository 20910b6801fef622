//! Two streams with the instructions of ARM64.

use super::super::arm_sm4::compress_streams;
use adamant_base::Wipe;

pub(super) const fn break_even() -> usize {
    2
}

crate::lanes::streams::streams! {
    features: "neon,sm4",
    state: [u32; 8],
    block: 64,
    streams: 2,
    order: to_be_bytes,
}
