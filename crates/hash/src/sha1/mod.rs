//! SHA-1 (FIPS 180-4). **Legacy**: collisions are practical; for old formats and protocols only.
//!
//! HMAC-SHA-1 is not affected by collisions. The state is five 32-bit words, a block 64 bytes.
//! Time depends only on the length.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
mod arm_sha2;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(
        feature = "lab",
        not(any(target_has_atomic = "ptr", feature = "small"))
    )
))]
mod arm_thumb;
pub(crate) mod lanes;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha_avx512vl;

use crate::hasher::hasher;
use crate::merkle_damgard::{BlockBuffer, MerkleDamgard, compress_short};
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

adamant_base::backends! {
    /// The compression function of SHA-1.
    pub(crate) struct Backend {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha_avx512vl if ["sha", "avx512f", "avx512vl"; "golden-cove"];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha if ["sha", "sse4.1", "ssse3"];
    #[cfg(target_arch = "aarch64")]
    arm_sha2 if ["neon", "sha2"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    // ARMv6-M, known by its lack of compare-and-swap, has no other instructions.
    #[cfg(all(
        target_arch = "arm",
        not(target_has_atomic = "ptr"),
        not(feature = "small")
    ))]
    arm_thumb if [];
    portable if [];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        feature = "lab"
    ))]
    arm_thumb if [];
}

hasher! {
    /// SHA-1, for what is bound to it: two messages with one digest can be made at will.
    ///
    /// ```
    /// use adamant_hash::Sha1;
    /// assert_eq!(Sha1::digest(b"abc")[..4], [0xa9, 0x99, 0x3e, 0x36]);
    /// ```
    ///
    /// A message has fewer than 2^61 bytes; beyond that, decades of input away, the standard
    /// defines no digest, and the length counts modulo 2^64 bits.
    pub struct Sha1 {
        state: [u32; 5] = IV,
        block: 64,
        length: u64,
        order: to_be_bytes,
        output: 20,
    }
}

/// The state before the first block (FIPS 180-4, 5.3.1).
pub(crate) const IV: [u32; 5] = [
    0x6745_2301,
    0xefcd_ab89,
    0x98ba_dcfe,
    0x1032_5476,
    0xc3d2_e1f0,
];

/// FIPS 180-4, 4.2.1: 2^30 times the square roots of 2, 3, 5 and 10.
const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];
const _: () = assert!(root(K[0], 2) && root(K[1], 3) && root(K[2], 5) && root(K[3], 10));

/// Whether `k` is the whole part of 2^30 √x.
const fn root(k: u32, x: u128) -> bool {
    let (k, x) = (k as u128, x << 60);
    k * k <= x && x < (k + 1) * (k + 1)
}
