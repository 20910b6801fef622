//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018).
//!
//! The state is eight 32-bit words, a block 64 bytes. Time depends only on the length.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_sm4;
pub(crate) mod lanes;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

use crate::hasher::hasher;
use crate::merkle_damgard::{BlockBuffer, MerkleDamgard, compress_short};
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

adamant_base::backends! {
    /// The compression function of SM3.
    pub(crate) struct Backend {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "bmi2"] steps [x86_avx512::BLOCKS * 64];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_sm4 if ["neon", "sm4"];
    _ => portable;
}

hasher! {
    /// SM3.
    ///
    /// ```
    /// use adamant_hash::Sm3;
    /// let mut hash = Sm3::new();
    /// hash.update(b"a");
    /// hash.update(b"bc");
    /// assert_eq!(hash.finalize(), Sm3::digest(b"abc"));
    /// ```
    ///
    /// A message has fewer than 2^61 bytes; beyond that, decades of input away, the standard
    /// defines no digest, and the length counts modulo 2^64 bits.
    pub struct Sm3 {
        state: [u32; 8] = IV,
        block: 64,
        length: u64,
        order: to_be_bytes,
        output: 32,
    }
}

/// The state before the first block (GB/T 32905, 4.1).
pub(crate) const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// T_j <<< (j mod 32), as the rounds use it (GB/T 32905, 4.2 and 5.3.3).
const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = constant.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};
