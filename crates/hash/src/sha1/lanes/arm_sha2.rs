//! Two streams with the instructions of ARM64.

use super::super::arm_sha2::compress_streams;
use adamant_base::Wipe;

pub(super) const fn break_even() -> usize {
    2
}

crate::lanes::streams::streams! {
    features: "neon,sha2",
    state: [u32; 5],
    block: 64,
    streams: 2,
    order: to_be_bytes,
}
