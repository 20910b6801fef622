//! MD5 (RFC 1321). **Legacy**: collisions take seconds; for old formats and protocols only.
//!
//! The state is four 32-bit words, a block 64 bytes; bytes are in little-endian order. Time
//! depends on the length alone.

mod portable;
#[cfg(test)]
mod tests;

use crate::merkle_damgard::{BlockBuffer, hasher, pad_short};
use adamant_base::Wipe;
use adamant_base::family::Hash;

adamant_base::backends! {
    /// The compression function of MD5.
    pub struct Backend {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]);
    }
    _ => portable;
}

hasher! {
    /// MD5, for what is bound to it: two messages with one digest can be made at will.
    ///
    /// ```
    /// use adamant_hash::Md5;
    /// assert_eq!(Md5::digest(b"abc")[..4], [0x90, 0x01, 0x50, 0x98]);
    /// ```
    ///
    /// Messages have any length; it counts modulo 2^64 bits.
    pub struct Md5 {
        state: [u32; 4] = IV,
        block: 64,
        length: u64,
        order: to_le_bytes,
        output: 16,
    }
}

/// RFC 1321, 3.3.
const IV: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
