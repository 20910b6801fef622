//! SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4).
//!
//! The state is eight 64-bit words, a block 128 bytes. Time depends only on the length.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
mod arm_sha3;
pub(crate) mod lanes;
mod portable;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
mod power_crypto;
#[cfg(target_arch = "x86_64")]
mod rounds;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod woven;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avxvnni;
#[cfg(target_arch = "x86_64")]
mod x86_avxvnni512;

use crate::hasher::hasher;
use crate::merkle_damgard::{BlockBuffer, MerkleDamgard, compress_short};
use crate::roots::{CUBE_ROOTS, SQUARE_ROOTS};
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

adamant_base::backends! {
    /// The compression function of SHA-512.
    pub(crate) struct Backend: own {
        /// Takes whole blocks into `state`, in order.
        fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avxvnni512 if ["avx512f", "avx512bw", "avx2", "bmi1", "bmi2"; "avxvnni"]
        steps [x86_avxvnni512::GROUP * 128, x86_avxvnni512::LEAST * x86_avxvnni512::GROUP * 128];
    #[cfg(target_arch = "x86_64")]
    x86_avxvnni if ["avx2", "bmi1", "bmi2"; "avxvnni"];
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "avx2", "bmi1", "bmi2"]
        steps [x86_avx512::GROUP * 128, x86_avx512::LEAST * x86_avx512::GROUP * 128];
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2", "bmi1", "bmi2"];
    #[cfg(target_arch = "aarch64")]
    arm_sha3 if ["neon", "sha2", "sha3"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"];
    #[cfg(all(target_arch = "x86", target_feature = "sse2"))]
    x86_sse2 if ["sse2"];
    #[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
    portable64 if [];
    #[cfg(any(feature = "lab", not(any(target_pointer_width = "64", target_arch = "wasm32"))))]
    portable32 if [];
}

/// The portable code on vector registers.
#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
mod x86_sse2 {
    pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        super::portable::compress::<adamant_base::simd::Low>(state, blocks);
    }
}

/// The portable code on registers of 64 bits.
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
mod portable64 {
    pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        super::portable::compress::<u64>(state, blocks);
    }
}

/// The portable code on registers of 32 bits.
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
mod portable32 {
    pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        super::portable::compress::<crate::word64::Halves>(state, blocks);
    }
}

hasher! {
    /// SHA-512.
    ///
    /// ```
    /// use adamant_hash::Sha512;
    /// let mut hash = Sha512::new();
    /// hash.update(b"a");
    /// hash.update(b"bc");
    /// assert_eq!(hash.finalize(), Sha512::digest(b"abc"));
    /// ```
    ///
    /// A message has fewer than 2^125 bytes, more than can ever be fed in.
    pub struct Sha512 {
        state: [u64; 8] = IV,
        block: 128,
        length: u128,
        order: to_be_bytes,
        output: 64,
    }
}

hasher! {
    /// SHA-384: SHA-512 from another initial value, cut to 48 bytes.
    ///
    /// ```
    /// use adamant_hash::Sha384;
    /// assert_eq!(Sha384::digest(b"abc")[..4], [0xcb, 0x00, 0x75, 0x3f]);
    /// ```
    pub struct Sha384 {
        state: [u64; 8] = SHA384_IV,
        block: 128,
        length: u128,
        order: to_be_bytes,
        output: 48,
    }
}

hasher! {
    /// SHA-512/256: SHA-512 from another initial value, cut to 32 bytes.
    ///
    /// ```
    /// use adamant_hash::Sha512_256;
    /// assert_eq!(Sha512_256::digest(b"abc")[..4], [0x53, 0x04, 0x8e, 0x26]);
    /// ```
    pub struct Sha512_256 {
        state: [u64; 8] = SHA512_256_IV,
        block: 128,
        length: u128,
        order: to_be_bytes,
        output: 32,
    }
}

/// FIPS 180-4, 4.2.3: 64 bits of the fractional parts of the cube roots of the first 80 primes.
static K: [u64; 80] = CUBE_ROOTS;

/// The state of SHA-512 before the first block (FIPS 180-4, 5.3.5): 64 bits of the square roots of the first eight primes.
pub(crate) const IV: [u64; 8] = *SQUARE_ROOTS.first_chunk().unwrap();

/// FIPS 180-4, 5.3.4: 64 bits of the square roots of the ninth to sixteenth primes.
const SHA384_IV: [u64; 8] = *SQUARE_ROOTS.last_chunk().unwrap();

/// FIPS 180-4, 5.3.6.2: what SHA-512 from its own initial value xor `a5…a5` makes of the text
/// "SHA-512/256" (a test recomputes it).
const SHA512_256_IV: [u64; 8] = [
    0x2231_2194_fc2b_f72c,
    0x9f55_5fa3_c84c_64c2,
    0x2393_b86b_6f53_b151,
    0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3,
    0xbe5e_1e25_5386_3992,
    0x2b01_99fc_2c85_b8aa,
    0x0eb7_2ddc_81c5_2ca2,
];
