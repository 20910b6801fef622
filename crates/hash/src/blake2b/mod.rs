//! BLAKE2b (RFC 7693): digests of 1 to 64 bytes, keyed or not, with salt and personalisation.
//!
//! The state is eight 64-bit words, a block 128 bytes; words are in little-endian order. Time
//! depends only on the length.

pub(crate) mod lanes;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx512vl;

use crate::blake2::blake2;
use crate::sha512::IV;
use adamant_base::family::{Hash, Mac};
use adamant_base::{Error, Wipe, ct};

adamant_base::backends! {
    /// The compression function of BLAKE2b.
    pub(crate) struct Backend {
        /// Takes whole blocks into `h`, in order; `t` bytes went before them.
        fn compress(h: &mut [u64; 8], blocks: &[[u8; 128]], t: u128);
        /// Takes the last block into `h`; the message has `t` bytes, a key's block included.
        fn compress_last(h: &mut [u64; 8], block: &[u8; 128], t: u128);
    }
    // Where a vector operation takes two cycles, words are quicker.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx512vl if ["avx512vl"; "avx512quick"];
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
    crate::blake2::portable::row! { adamant_base::simd::Low: u64, counter: u128, block: 128 }
}

/// The portable code on registers of 64 bits.
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
mod portable64 {
    crate::blake2::portable::row! { u64: u64, counter: u128, block: 128 }
}

/// The portable code on registers of 32 bits.
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
mod portable32 {
    crate::blake2::portable::row! { crate::word64::Halves: u64, counter: u128, block: 128 }
}

/// BLAKE2b with the longest digest, 512 bits.
pub type Blake2b512 = Blake2b<64>;

blake2! {
    /// BLAKE2b with a digest of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::blake2b::{Blake2b, Parameters};
    /// assert_eq!(Blake2b::<64>::digest(b"abc")[..4], [0xba, 0x80, 0xa5, 0x3f]);
    ///
    /// let parameters = Parameters::new().personalization(b"cache of objects");
    /// let mut hash = Blake2b::<32>::with_parameters(&parameters);
    /// hash.update(b"abc");
    /// assert_ne!(hash.finalize(), Blake2b::<32>::digest(b"abc"));
    /// ```
    ///
    /// A digest is no prefix of a longer one: `N` is hashed too. States are wiped on drop.
    pub struct Blake2b;

    /// BLAKE2b under a key of 1 to 64 bytes: a MAC with a tag of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::blake2b::Blake2bMac;
    /// let keyed = Blake2bMac::<16>::new(b"key")?;
    /// let mut mac = keyed.clone();
    /// mac.update(b"message");
    /// let tag = mac.clone().finalize();
    /// assert!(mac.verify(&tag).is_ok());
    /// assert!(keyed.verify(&tag).is_err());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    pub struct Blake2bMac;

    word: u64,
    counter: u128,
    block: 128,
    output: 64,
    salt: 16,
}
