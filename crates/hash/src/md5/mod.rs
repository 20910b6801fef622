//! MD5 (RFC 1321). **Legacy**: collisions take seconds; for old formats and protocols only.
//!
//! The state is four 32-bit words, a block 64 bytes; bytes are in little-endian order. Time
//! depends only on the length.

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
mod x86_avx512vl;

use crate::hasher::hasher;
use crate::merkle_damgard::{BlockBuffer, MerkleDamgard, compress_short};
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

adamant_base::backends! {
    /// The compression function of MD5.
    pub(crate) struct Backend {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx512vl if ["avx512f", "avx512vl"; "golden-cove"];
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

/// The state before the first block (RFC 1321, 3.3).
pub(crate) const IV: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// RFC 1321, 3.4, the table T: 2^32 |sin i| for i from 1, in radians (a test recomputes it).
#[rustfmt::skip]
static T: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee,
    0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
    0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa,
    0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
    0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05,
    0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039,
    0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
    0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];
