//! SLH-DSA (FIPS 205): signatures from nothing but hashes.
//!
//! ```
//! use adamant_pq::slh_dsa_sha2_128f::{PrivateKey, PublicKey, Signature};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = PrivateKey::generate(&mut rng)?;
//! let signature = key.sign_hedged(b"attack at dawn", &mut rng)?;
//!
//! let public = PublicKey::from_bytes(&key.public_key().to_bytes());
//! let received = Signature::try_from(signature.as_ref())?;
//! public.verify(b"attack at dawn", &received)?;
//! assert!(public.verify(b"attack at dusk", &received).is_err());
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Twelve parameter sets: over SHA-2 or SHAKE, of three strengths, with small signatures (`s`) or
//! fast signing (`f`). A public key has n bytes of seed and n of root, n being 16, 24 or 32; a
//! private key two secrets of n bytes in front of that.
//!
//! Signing is deterministic or hedged with n random bytes, which the standard prefers. A context
//! of up to 255 bytes keeps uses of one key apart. A message may be hashed beforehand
//! ([`PreHash`]: HashSLH-DSA). A key may be kept as its seed, which is shorter than its bytes:
//!
//! ```
//! use adamant_pq::slh_dsa::{PreHash, slh_dsa_sha2_128f::PrivateKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = PrivateKey::generate(&mut rng)?;
//! let again = PrivateKey::from_seed(&key.seed());
//! let digest = adamant_hash::Sha512::digest(b"a long message");
//! let signature = again.sign_hedged_prehashed(&digest, PreHash::Sha512, b"context", &mut rng)?;
//! key.public_key().verify_prehashed(&digest, PreHash::Sha512, b"context", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! All the time goes into short hashes that do not wait for each other: whole trees of them go
//! through the lanes of the machine at once, and with the feature `rayon` through several cores.
//! Time depends on nothing secret: which leaves sign follows from the signature.
//!
//! | file | holds |
//! |---|---|
//! | `parameters` | the parameter sets, and addresses |
//! | `hash` | the hashes, many at a time, and the table of implementations |
//! | `sha2`, `shake` | the two families of them |
//! | `trees` | WOTS⁺, XMSS and FORS for whoever has the key |
//! | `core` | keys and signing |
//! | `verify` | verifying |

mod core;
pub(crate) mod hash;
mod parameters;
mod sha2;
mod shake;
#[cfg(test)]
mod tests;
mod trees;
mod verify;

pub use crate::message::PreHash;
pub(crate) use hash::Backend;

use self::core::Message;
use self::parameters::Parameters;
use self::verify::Item;
use crate::message::head;
use ::core::fmt;
use adamant_base::family::{Signer, Verifier};
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, Rng, Secret, same_length};
use alloc::vec::Vec;

/// M′ of a message with an empty context.
fn plain(message: &[u8]) -> Message<'_> {
    [&[0, 0], &[], message]
}

macro_rules! slh_dsa {
    ($module:ident, $title:literal, shake: $shake:literal, n: $n:literal, d: $d:literal,
        h_prime: $h_prime:literal, a: $a:literal, k: $k:literal, signature: $signature:literal) => {
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;

            /// Bytes of a public key.
            pub const PUBLIC_KEY_LEN: usize = 2 * $n;
            /// Bytes of a private key.
            pub const PRIVATE_KEY_LEN: usize = 4 * $n;
            /// Bytes of what a key is made from.
            pub const SEED_LEN: usize = 3 * $n;
            /// Bytes of randomness in a signature.
            pub const RANDOM_LEN: usize = $n;
            /// Bytes of a signature.
            pub const SIGNATURE_LEN: usize = $signature;

            static PARAMETERS: Parameters = Parameters {
                n: $n,
                d: $d,
                h_prime: $h_prime,
                a: $a,
                k: $k,
                shake: $shake,
            };
            const _: () = assert!(PARAMETERS.signature_len() == SIGNATURE_LEN);
            const _: () = assert!(PARAMETERS.digest_len() <= parameters::MAX_DIGEST);

            /// A public key.
            #[derive(Clone)]
            pub struct PublicKey(core::Public);

            /// A private key, with its public key.
            #[derive(Clone)]
            pub struct PrivateKey(core::Private);

            crate::message::signature!();
            crate::message::signing!();
            adamant_base::try_from_slice!(PublicKey(all), PrivateKey(all));

            impl PrivateKey {
                /// A new key from random bytes (algorithm 21).
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                    Self::generate_on(rng, Backend::best())
                }

                /// The key of SK.seed, SK.prf and PK.seed in a row (algorithm 18); all are good.
                #[inline]
                #[must_use]
                pub fn from_seed(seed: &[u8; SEED_LEN]) -> Self {
                    Self::from_seed_on(seed, Backend::best())
                }

                /// Reads SK.seed, SK.prf, PK.seed and PK.root in a row. Whether the root belongs
                /// to the rest only [`Self::check_pair`] tells, which takes as long as making a
                /// key.
                #[inline]
                #[must_use]
                pub fn from_bytes(bytes: &[u8; PRIVATE_KEY_LEN]) -> Self {
                    let backend = Backend::best();
                    Self(core::Private::from_bytes(&PARAMETERS, bytes, backend))
                }

                /// The bytes of the key.
                #[inline]
                #[must_use]
                pub fn to_bytes(&self) -> Secret<[u8; PRIVATE_KEY_LEN]> {
                    let mut bytes = Secret::new([0; PRIVATE_KEY_LEN]);
                    self.0.write(&mut *bytes);
                    bytes
                }

                /// What the key was made from: SK.seed, SK.prf and PK.seed in a row, the first three
                /// of its four parts. [`Self::from_seed`] takes as long as making a key, as it
                /// computes the root.
                #[inline]
                #[must_use]
                pub fn seed(&self) -> Secret<[u8; SEED_LEN]> {
                    let mut seed = Secret::new([0; SEED_LEN]);
                    seed.copy_from_slice(&self.to_bytes()[..SEED_LEN]);
                    seed
                }

                /// The public key.
                #[inline]
                #[must_use]
                pub fn public_key(&self) -> PublicKey {
                    PublicKey(self.0.public.clone())
                }

                /// Computes the root anew.
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] where it is another one.
                #[inline]
                pub fn check_pair(&self) -> Result<(), Error> {
                    if self.0.root() == self.0.public.root {
                        Ok(())
                    } else {
                        Err(Error::BadPrivateKey)
                    }
                }

                #[inline]
                fn sign_message(
                    &self,
                    message: Message,
                    random: Option<&[u8; RANDOM_LEN]>,
                ) -> Signature {
                    let mut signature = Signature([0; SIGNATURE_LEN]);
                    let random = random.map(|random| &random[..]);
                    self.0.sign(message, random, &mut signature.0);
                    signature
                }

                fn sign_hedged_message(
                    &self,
                    message: Message,
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    let mut random = Secret::new([0; RANDOM_LEN]);
                    rng.fill(&mut *random)?;
                    Ok(self.sign_message(message, Some(&random)))
                }

                /// Signs `message` deterministically, with an empty context.
                #[inline]
                #[must_use]
                pub fn sign(&self, message: &[u8]) -> Signature {
                    self.sign_message(plain(message), None)
                }

                /// Signs `message` deterministically (algorithm 22).
                ///
                /// # Errors
                /// [`Error::BadParameter`] for a context of more than 255 bytes.
                #[inline]
                pub fn sign_with_context(
                    &self,
                    message: &[u8],
                    context: &[u8],
                ) -> Result<Signature, Error> {
                    Ok(self.sign_message([&head(0, context)?, context, message], None))
                }

                /// Signs `message` with fresh randomness, which keeps faults and side channels
                /// from seeing the same computation twice, with an empty context.
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn sign_hedged(
                    &self,
                    message: &[u8],
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    self.sign_hedged_with_context(message, b"", rng)
                }

                /// Signs `message` with fresh randomness (algorithm 22).
                ///
                /// # Errors
                /// [`Error::BadParameter`] for a context of more than 255 bytes;
                /// [`Error::NoEntropy`] from the generator.
                pub fn sign_hedged_with_context(
                    &self,
                    message: &[u8],
                    context: &[u8],
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    self.sign_hedged_message([&head(0, context)?, context, message], rng)
                }

                /// Signs the digest of a message deterministically (HashSLH-DSA, algorithm 23).
                ///
                /// # Errors
                /// [`Error::BadLength`] for a digest of another length than the function's;
                /// [`Error::BadParameter`] for a context of more than 255 bytes.
                #[inline]
                pub fn sign_prehashed(
                    &self,
                    digest: &[u8],
                    hash: PreHash,
                    context: &[u8],
                ) -> Result<Signature, Error> {
                    let encoded = hash.encode(digest)?;
                    Ok(self.sign_message([&head(1, context)?, context, &encoded], None))
                }

                /// As [`Self::sign_prehashed`], with fresh randomness.
                ///
                /// # Errors
                /// As there; [`Error::NoEntropy`] from the generator.
                pub fn sign_hedged_prehashed(
                    &self,
                    digest: &[u8],
                    hash: PreHash,
                    context: &[u8],
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    let encoded = hash.encode(digest)?;
                    self.sign_hedged_message([&head(1, context)?, context, &encoded], rng)
                }

                /// Signs M as it is, with nothing in front of it (algorithm 19,
                /// slh_sign_internal): for test vectors, which give the random bytes, and for
                /// whoever builds M′. Without them it signs deterministically.
                #[inline]
                #[must_use]
                pub fn sign_internal(
                    &self,
                    message: &[u8],
                    random: Option<&[u8; RANDOM_LEN]>,
                ) -> Signature {
                    self.sign_message([&[], &[], message], random)
                }
            }

            impl PublicKey {
                /// The key of PK.seed and PK.root in a row; all bytes are a key.
                #[inline]
                #[must_use]
                pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LEN]) -> Self {
                    let backend = Backend::best();
                    Self(core::Public::from_bytes(&PARAMETERS, bytes, backend))
                }

                /// The bytes of the key.
                #[inline]
                #[must_use]
                pub fn to_bytes(&self) -> [u8; PUBLIC_KEY_LEN] {
                    let mut bytes = [0; PUBLIC_KEY_LEN];
                    self.0.write(&mut bytes);
                    bytes
                }

                #[inline]
                fn verify_message(&self, message: Message, s: &Signature) -> Result<(), Error> {
                    let item = Item {
                        key: &self.0,
                        message,
                        signature: &s.0,
                    };
                    match verify::verify(&[item])[..] {
                        [true] => Ok(()),
                        _ => Err(Error::BadSignature),
                    }
                }

                /// Checks `signature` over `message` with an empty context.
                ///
                /// # Errors
                /// [`Error::BadSignature`], whatever the reason.
                #[inline]
                pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                    self.verify_message(plain(message), signature)
                }

                /// Checks `signature` over `message` (algorithm 24).
                ///
                /// # Errors
                /// [`Error::BadSignature`], whatever the reason; [`Error::BadParameter`] for a
                /// context of more than 255 bytes.
                #[inline]
                pub fn verify_with_context(
                    &self,
                    message: &[u8],
                    context: &[u8],
                    signature: &Signature,
                ) -> Result<(), Error> {
                    self.verify_message([&head(0, context)?, context, message], signature)
                }

                /// Checks `signature` over the digest of a message (HashSLH-DSA, algorithm 25).
                ///
                /// # Errors
                /// As for [`Self::verify_with_context`], and [`Error::BadLength`] for a digest of
                /// another length than the function's.
                #[inline]
                pub fn verify_prehashed(
                    &self,
                    digest: &[u8],
                    hash: PreHash,
                    context: &[u8],
                    signature: &Signature,
                ) -> Result<(), Error> {
                    let encoded = hash.encode(digest)?;
                    self.verify_message([&head(1, context)?, context, &encoded], signature)
                }

                /// Checks `signature` over M as it is (algorithm 20, slh_verify_internal).
                ///
                /// # Errors
                /// [`Error::BadSignature`], whatever the reason.
                #[inline]
                pub fn verify_internal(
                    &self,
                    message: &[u8],
                    signature: &Signature,
                ) -> Result<(), Error> {
                    self.verify_message([&[], &[], message], signature)
                }
            }

            impl FromBytesOn<Backend> for PublicKey {
                type Bytes = [u8; PUBLIC_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    Ok(Self(core::Public::from_bytes(&PARAMETERS, bytes, backend)))
                }
            }

            impl FromSeedOn<Backend> for PrivateKey {
                type Seed = [u8; SEED_LEN];

                fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                    Self(core::Private::from_seed(&PARAMETERS, seed, backend))
                }
            }

            impl FromBytesOn<Backend> for PrivateKey {
                type Bytes = [u8; PRIVATE_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    Ok(Self(core::Private::from_bytes(&PARAMETERS, bytes, backend)))
                }
            }

            impl PartialEq for PublicKey {
                #[inline]
                fn eq(&self, other: &Self) -> bool {
                    self.to_bytes() == other.to_bytes()
                }
            }

            impl Eq for PublicKey {}

            impl fmt::Debug for PublicKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_tuple("PublicKey").field(&self.to_bytes()).finish()
                }
            }

            /// Makes `count` keys: those that [`PrivateKey::generate`] would make one after the
            /// other from the same generator. One key fills the lanes already.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate_batch(
                count: usize,
                rng: &mut impl Rng,
            ) -> Result<Vec<PrivateKey>, Error> {
                (0..count).map(|_| PrivateKey::generate(rng)).collect()
            }

            /// As [`sign_batch`], to memory of the caller's: `out[i]` is the signature of `items[i]`.
            /// One signature fills the lanes already.
            ///
            /// # Errors
            /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
            /// untouched.
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn sign_batch_into(
                items: &[(&PrivateKey, &[u8])],
                out: &mut [Signature],
            ) -> Result<(), Error> {
                same_length(items.len(), out.len())?;
                for ((key, message), signature) in items.iter().zip(out) {
                    key.0.sign(plain(message), None, &mut signature.0);
                }
                Ok(())
            }

            /// As [`verify_batch`], to memory of the caller's: `out[i]` is what `items[i]` gives.
            ///
            /// # Errors
            /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
            /// untouched.
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn verify_batch_into(
                items: &[(&PublicKey, &[u8], &Signature)],
                out: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                let item = |i: usize| {
                    let (key, message, signature) = items[i];
                    Item {
                        key: &key.0,
                        message: plain(message),
                        signature: &signature.0,
                    }
                };
                verify::verify_batch(items.len(), &item, out)
            }
        }
    };
}

slh_dsa!(slh_dsa_sha2_128s, "SLH-DSA-SHA2-128s", shake: false,
    n: 16, d: 7, h_prime: 9, a: 12, k: 14, signature: 7856);
slh_dsa!(slh_dsa_sha2_128f, "SLH-DSA-SHA2-128f", shake: false,
    n: 16, d: 22, h_prime: 3, a: 6, k: 33, signature: 17088);
slh_dsa!(slh_dsa_sha2_192s, "SLH-DSA-SHA2-192s", shake: false,
    n: 24, d: 7, h_prime: 9, a: 14, k: 17, signature: 16224);
slh_dsa!(slh_dsa_sha2_192f, "SLH-DSA-SHA2-192f", shake: false,
    n: 24, d: 22, h_prime: 3, a: 8, k: 33, signature: 35664);
slh_dsa!(slh_dsa_sha2_256s, "SLH-DSA-SHA2-256s", shake: false,
    n: 32, d: 8, h_prime: 8, a: 14, k: 22, signature: 29792);
slh_dsa!(slh_dsa_sha2_256f, "SLH-DSA-SHA2-256f", shake: false,
    n: 32, d: 17, h_prime: 4, a: 9, k: 35, signature: 49856);
slh_dsa!(slh_dsa_shake_128s, "SLH-DSA-SHAKE-128s", shake: true,
    n: 16, d: 7, h_prime: 9, a: 12, k: 14, signature: 7856);
slh_dsa!(slh_dsa_shake_128f, "SLH-DSA-SHAKE-128f", shake: true,
    n: 16, d: 22, h_prime: 3, a: 6, k: 33, signature: 17088);
slh_dsa!(slh_dsa_shake_192s, "SLH-DSA-SHAKE-192s", shake: true,
    n: 24, d: 7, h_prime: 9, a: 14, k: 17, signature: 16224);
slh_dsa!(slh_dsa_shake_192f, "SLH-DSA-SHAKE-192f", shake: true,
    n: 24, d: 22, h_prime: 3, a: 8, k: 33, signature: 35664);
slh_dsa!(slh_dsa_shake_256s, "SLH-DSA-SHAKE-256s", shake: true,
    n: 32, d: 8, h_prime: 8, a: 14, k: 22, signature: 29792);
slh_dsa!(slh_dsa_shake_256f, "SLH-DSA-SHAKE-256f", shake: true,
    n: 32, d: 17, h_prime: 4, a: 9, k: 35, signature: 49856);
