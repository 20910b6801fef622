//! SHA-1 (FIPS 180-4). **Legacy**: collisions are practical; for old formats and protocols only.
//!
//! HMAC-SHA-1 is not affected by collisions. The state is five 32-bit words, a block 64 bytes.
//! Time depends on the length alone.

mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_sha;

use crate::merkle_damgard::{BlockBuffer, hasher, pad_short};
use adamant_base::Wipe;
use adamant_base::family::Hash;

adamant_base::backends! {
    /// The compression function of SHA-1.
    pub struct Backend {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_sha if ["sha", "sse4.1", "ssse3"];
    _ => portable;
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

/// FIPS 180-4, 5.3.1.
const IV: [u32; 5] = [
    0x6745_2301,
    0xefcd_ab89,
    0x98ba_dcfe,
    0x1032_5476,
    0xc3d2_e1f0,
];
