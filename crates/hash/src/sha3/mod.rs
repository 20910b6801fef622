//! The functions of the SHA-3 family.
//!
//! | functions | document |
//! |---|---|
//! | [`Sha3_224`], [`Sha3_256`], [`Sha3_384`], [`Sha3_512`] | FIPS 202 |
//! | [`Shake128`], [`Shake256`]: output of any length | FIPS 202 |
//! | [`CShake128`], [`CShake256`]: SHAKE with a name and a customization string | SP 800-185 |
//! | [`TurboShake128`], [`TurboShake256`]: half the rounds | RFC 9861 |
//!
//! All are sponges over [`keccak`](crate::hazmat::keccak), which has the table of implementations; they
//! differ in the bytes of a block and in the bits after the message. Time depends only on
//! lengths.

pub(crate) mod encoding;
mod shake;
#[cfg(test)]
mod tests;
mod turboshake;

pub(crate) use shake::{CSHAKE_SUFFIX, cshake};
pub use shake::{CShake128, CShake256, Reader, Shake128, Shake256};
pub use turboshake::{Domain, TurboShake128, TurboShake256};

use crate::hmac::{BatchHash, Hmac};
use crate::keccak::lanes::{self, batch::Function};
use crate::keccak::{Backend, Rounds, Sponge};
use adamant_base::Error;
use adamant_base::family::Hash;

/// FIPS 202, 6.1: the bits 01 after the message, then the first one of the padding.
const SHA3_SUFFIX: u8 = 0b110;

macro_rules! sha3 {
    ($(#[$meta:meta])* $name:ident, block: $block:literal, output: $output:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name(Sponge<$block>);

        impl $name {
            /// The state before any input, on the best implementation of this CPU.
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                Self::new_on(Backend::best())
            }

            /// The state before any input, on this implementation.
            #[inline]
            #[must_use]
            pub fn new_on(backend: Backend) -> Self {
                // FIPS 202, 6.1: the capacity is twice the output.
                const { assert!($block == 200 - 2 * $output) };
                $name(Sponge::new(backend, Rounds::ALL))
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }

            /// The digest of everything taken in.
            #[inline(always)] // A call would move the state.
            #[must_use]
            pub fn finalize(mut self) -> [u8; $output] {
                self.finish()
            }

            #[inline]
            fn finish(&mut self) -> [u8; $output] {
                let mut digest = [0; $output];
                self.0.finish(SHA3_SUFFIX);
                self.0.squeeze(&mut digest);
                digest
            }

            /// The digest of `data`.
            #[inline]
            #[must_use]
            pub fn digest(data: &[u8]) -> [u8; $output] {
                let mut hash = Self::new();
                hash.update(data);
                hash.finish()
            }

            /// The digests of many messages, eight at once, on the best implementation of this CPU.
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            #[must_use]
            pub fn digest_batch(messages: &[&[u8]]) -> alloc::vec::Vec<[u8; $output]> {
                let mut out = alloc::vec![[0; $output]; messages.len()];
                Self::digest_batch_into(messages, &mut out).expect("as many places as messages");
                out
            }

            /// [`Self::digest_batch`] to these places.
            ///
            /// # Errors
            /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
            /// untouched.
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn digest_batch_into(
                messages: &[&[u8]],
                out: &mut [[u8; $output]],
            ) -> Result<(), Error> {
                Self::digest_batch_on(messages, out, lanes::Backend::best())
            }

            const FUNCTION: Function<$block> = Function {
                suffix: SHA3_SUFFIX,
                rounds: Rounds::ALL,
            };
        }

        impl BatchHash for $name {
            type Lanes = lanes::Backend;

            #[inline]
            fn lanes() -> lanes::Backend {
                lanes::Backend::best()
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn digest_batch_on(
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                Self::FUNCTION.batch(lanes, messages, out)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn hmac_batch_on(
                keys: &[&[u8]],
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                Self::FUNCTION.hmac_batch::<Self, $output>(lanes, keys, messages, out)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn hmac_batch_one_key_on(
                keyed: &Hmac<Self>,
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                let (inner, outer) = keyed.states();
                let states = [inner.0.between_blocks(), outer.0.between_blocks()];
                Self::FUNCTION.hmac_one_key(lanes, keyed, states, messages, out)
            }
        }

        impl Hash for $name {
            type Output = [u8; $output];
            const BLOCK_LEN: usize = $block;
            const OUTPUT_LEN: usize = $output;

            #[inline]
            fn new() -> Self {
                $name::new()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                $name::update(self, data);
            }
            #[inline(always)]
            fn finalize(self) -> Self::Output {
                $name::finalize(self)
            }
            #[inline]
            fn finish(&mut self) -> Self::Output {
                $name::finish(self)
            }
            #[inline]
            fn digest(data: &[u8]) -> Self::Output {
                $name::digest(data)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn digest_batch_into(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                $name::digest_batch_into(messages, out)
            }
        }

        impl crate::hmac_drbg::NonceHash for $name {}

        #[cfg(feature = "std")]
        adamant_base::write_by_update! { [] $name; }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

sha3! {
    /// SHA3-224.
    ///
    /// ```
    /// use adamant_hash::sha3::Sha3_224;
    /// assert_eq!(Sha3_224::digest(b"abc")[..4], [0xe6, 0x42, 0x82, 0x4c]);
    /// ```
    Sha3_224, block: 144, output: 28
}
sha3! {
    /// SHA3-256.
    ///
    /// ```
    /// use adamant_hash::Sha3_256;
    /// let mut hash = Sha3_256::new();
    /// hash.update(b"a");
    /// hash.update(b"bc");
    /// assert_eq!(hash.finalize(), Sha3_256::digest(b"abc"));
    ///
    /// let digests = Sha3_256::digest_batch(&[b"one", b"another"]);
    /// assert_eq!(digests[1], Sha3_256::digest(b"another"));
    /// ```
    Sha3_256, block: 136, output: 32
}
sha3! {
    /// SHA3-384.
    ///
    /// ```
    /// use adamant_hash::sha3::Sha3_384;
    /// assert_eq!(Sha3_384::digest(b"abc")[..4], [0xec, 0x01, 0x49, 0x82]);
    /// ```
    Sha3_384, block: 104, output: 48
}
sha3! {
    /// SHA3-512.
    ///
    /// ```
    /// use adamant_hash::sha3::Sha3_512;
    /// assert_eq!(Sha3_512::digest(b"abc")[..4], [0xb7, 0x51, 0x85, 0x0b]);
    /// ```
    Sha3_512, block: 72, output: 64
}
