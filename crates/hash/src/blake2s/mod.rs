//! BLAKE2s (RFC 7693): digests of 1 to 32 bytes, keyed or not, with salt and personalisation.
//!
//! The state is eight 32-bit words, a block 64 bytes; words are in little-endian order. Time
//! depends only on the length.

pub(crate) mod lanes;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx512vl;

use crate::blake2::blake2;
use crate::sha256::IV;
use adamant_base::family::{Hash, Mac};
use adamant_base::{Error, Wipe, ct};

adamant_base::backends! {
    /// The compression function of BLAKE2s.
    pub(crate) struct Backend {
        /// Takes whole blocks into `h`, in order; `t` bytes went before them.
        fn compress(h: &mut [u32; 8], blocks: &[[u8; 64]], t: u64);
        /// Takes the last block into `h`; the message has `t` bytes, a key's block included.
        fn compress_last(h: &mut [u32; 8], block: &[u8; 64], t: u64);
    }
    // Where a vector operation takes two cycles, words are quicker.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx512vl if ["avx512vl"; "avx512quick"];
    _ => portable;
}

mod portable {
    crate::blake2::portable::row! { u32: u32, counter: u64, block: 64 }
}

/// BLAKE2s with the longest digest, 256 bits.
pub type Blake2s256 = Blake2s<32>;

blake2! {
    /// BLAKE2s with a digest of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::blake2s::{Blake2s, Parameters};
    /// assert_eq!(Blake2s::<32>::digest(b"abc")[..4], [0x50, 0x8c, 0x5e, 0x8c]);
    ///
    /// let parameters = Parameters::new().personalization(b"objects.");
    /// let mut hash = Blake2s::<16>::with_parameters(&parameters);
    /// hash.update(b"abc");
    /// assert_ne!(hash.finalize(), Blake2s::<16>::digest(b"abc"));
    /// ```
    ///
    /// A digest is no prefix of a longer one: `N` is hashed too. States are wiped on drop.
    pub struct Blake2s;

    /// BLAKE2s under a key of 1 to 32 bytes: a MAC with a tag of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::blake2s::Blake2sMac;
    /// let keyed = Blake2sMac::<16>::new(b"key")?;
    /// let mut mac = keyed.clone();
    /// mac.update(b"message");
    /// let tag = mac.clone().finalize();
    /// assert!(mac.verify(&tag).is_ok());
    /// assert!(keyed.verify(&tag).is_err());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    pub struct Blake2sMac;

    word: u32,
    counter: u64,
    block: 64,
    output: 32,
    salt: 8,
}
