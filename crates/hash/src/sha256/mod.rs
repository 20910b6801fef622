//! SHA-256 and SHA-224 (FIPS 180-4).
//!
//! The state is eight 32-bit words, a block 64 bytes. Time depends only on the length.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
pub(crate) mod arm_sha2;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(
        feature = "lab",
        not(any(target_has_atomic = "ptr", feature = "small"))
    )
))]
mod arm_thumb;
pub(crate) mod chains;
pub(crate) mod lanes;
mod portable;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
mod power_crypto;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

use crate::hasher::hasher;
use crate::merkle_damgard::{BlockBuffer, MerkleDamgard, compress_short};
use crate::roots::{CUBE_ROOTS, SQUARE_ROOTS};
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

adamant_base::backends! {
    /// The compression function of SHA-256.
    pub(crate) struct Backend: own {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]);
        /// Takes a block into each state.
        fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) = |own| {
            for (state, block) in states.iter_mut().zip(blocks) {
                own.compress(state, core::slice::from_ref(block));
            }
        };
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha if ["sha", "sse4.1", "ssse3"];
    #[cfg(target_arch = "aarch64")]
    arm_sha2 if ["neon", "sha2"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"];
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
    /// SHA-256.
    ///
    /// ```
    /// use adamant_hash::Sha256;
    /// let mut hash = Sha256::new();
    /// hash.update(b"a");
    /// hash.update(b"bc");
    /// assert_eq!(hash.finalize(), Sha256::digest(b"abc"));
    /// ```
    ///
    /// A message has fewer than 2^61 bytes; beyond that, decades of input away, the standard
    /// defines no digest, and the length counts modulo 2^64 bits.
    pub struct Sha256 {
        state: [u32; 8] = IV,
        block: 64,
        length: u64,
        order: to_be_bytes,
        output: 32,
        chains: crate::pbkdf2::sha256::run,
        pair: compress_pair,
    }
}

hasher! {
    /// SHA-224: SHA-256 from another initial value, cut to 28 bytes.
    ///
    /// ```
    /// use adamant_hash::Sha224;
    /// assert_eq!(Sha224::digest(b"abc")[..4], [0x23, 0x09, 0x7d, 0x22]);
    /// ```
    pub struct Sha224 {
        state: [u32; 8] = SHA224_IV,
        block: 64,
        length: u64,
        order: to_be_bytes,
        output: 28,
        pair: compress_pair,
    }
}

/// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first
/// 64 primes; aligned for vector loads.
#[repr(align(64))]
pub(crate) struct Aligned(pub(crate) [u32; 64]);
pub(crate) static K: Aligned = ROUND_CONSTANTS;
const ROUND_CONSTANTS: Aligned = {
    let mut k = [0; 64];
    let mut t = 0;
    while t < 64 {
        k[t] = (CUBE_ROOTS[t] >> 32) as u32;
        t += 1;
    }
    Aligned(k)
};

/// The state before the first block (FIPS 180-4, 5.3.3): the first 32 bits of the square roots of the first eight primes.
pub(crate) const IV: [u32; 8] = {
    let mut iv = [0; 8];
    let mut i = 0;
    while i < 8 {
        iv[i] = (SQUARE_ROOTS[i] >> 32) as u32;
        i += 1;
    }
    iv
};

/// FIPS 180-4, 5.3.2: the second 32 bits of the square roots of the ninth to sixteenth primes.
const SHA224_IV: [u32; 8] = {
    let mut iv = [0; 8];
    let mut i = 0;
    while i < 8 {
        iv[i] = SQUARE_ROOTS[8 + i] as u32;
        i += 1;
    }
    iv
};
