//! Two streams with the instructions of ARM64.

use super::super::arm_sha3::compress_streams;
use adamant_base::Wipe;

pub(super) const fn break_even() -> usize {
    2
}

crate::lanes::streams::streams! {
    features: "neon,sha2,sha3",
    state: [u64; 8],
    block: 128,
    streams: 2,
    order: to_be_bytes,
}
