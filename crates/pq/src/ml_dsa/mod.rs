//! ML-DSA (FIPS 204): signatures from lattices.
//!
//! ```
//! use adamant_pq::ml_dsa_65::{PrivateKey, PublicKey, Signature};
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
//! Signing is deterministic or hedged with 32 random bytes, which the standard prefers. A context
//! of up to 255 bytes keeps uses of one key apart. A message may be hashed beforehand
//! ([`PreHash`]: HashML-DSA), or its representative μ computed elsewhere:
//!
//! ```
//! use adamant_pq::ml_dsa::{PreHash, ml_dsa_44::PrivateKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = PrivateKey::generate(&mut rng)?;
//! let digest = adamant_hash::Sha512::digest(b"a long message");
//! let signature = key.sign_hedged_prehashed(&digest, PreHash::Sha512, b"context", &mut rng)?;
//! key.public_key().verify_prehashed(&digest, PreHash::Sha512, b"context", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Keys keep the matrix that their 32 bytes of seed stand for: verifying again under the same key
//! costs less. Keys that were made in a batch do not, until they are asked to. The time of signing
//! varies with the number of attempts, which reveals nothing about the key; apart from that it
//! depends on nothing secret.
//!
//! | file | holds |
//! |---|---|
//! | `parameters` | the parameter sets |
//! | `keys`, `matrix`, `verify` | public keys and their matrix; verifying |
//! | `signing` | private keys and batches, as users see them (feature `alloc`) |
//! | `keygen`, `private`, `decode`, `sign` | private keys: made, kept and read; signing |
//! | `poly` | polynomials and the constants of their arithmetic |
//! | `arithmetic` | the table of its implementations |
//! | `portable` | their arithmetic as the standard writes it |
//! | `kernel` | the same for vectors; `x86_avx512` and `x86_avx2` are made from it |
//! | `arm_neon` | the same for the vectors of ARM64 |

pub(crate) mod arithmetic;
#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(feature = "alloc")]
mod decode;
#[cfg(target_arch = "x86_64")]
mod kernel;
#[cfg(feature = "alloc")]
mod keygen;
mod keys;
mod matrix;
mod parameters;
mod poly;
mod portable;
#[cfg(feature = "alloc")]
mod private;
#[cfg(feature = "alloc")]
mod sign;
#[cfg(feature = "alloc")]
mod signing;
#[cfg(test)]
mod tests;
mod verify;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

pub use crate::message::PreHash;
pub(crate) use arithmetic::Backend;

use self::parameters::{Parameters, parameters};
use self::verify::Message;
use crate::message::head;
use ::core::fmt;
use adamant_base::Error;
use adamant_base::family::Verifier;
use adamant_base::hazmat::FromBytesOn;
use adamant_base::shared::Shared;

/// M′ of algorithms 2 and 4.
fn message<'a>(kind: u8, context: &'a [u8], message: &'a [u8]) -> Result<Message<'a>, Error> {
    Ok(Message::Parts(head(kind, context)?, context, message))
}

/// M′ of a message with an empty context.
fn plain(message: &[u8]) -> Message<'_> {
    Message::Parts([0, 0], &[], message)
}

// For one signature, more attempts at once fill the lanes of Keccak better, and more often do what
// proves needless: of a large matrix one at a time is enough.
macro_rules! ml_dsa {
    ($module:ident, $title:literal, k: $k:literal, l: $l:literal, attempts: $attempts:literal,
        pk: $pk:literal, sk: $sk:literal, signature: $signature:literal) => {
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;

            /// Bytes of a public key.
            pub const PUBLIC_KEY_LEN: usize = $pk;
            /// Bytes of a signature.
            pub const SIGNATURE_LEN: usize = $signature;

            static PARAMETERS: Parameters = parameters($k, $l);

            /// A public key, with its matrix.
            #[derive(Clone)]
            pub struct PublicKey(keys::Verifier);

            crate::message::signature!();
            adamant_base::try_from_slice!(PublicKey(all));

            #[cfg(feature = "alloc")]
            signing::signing!(k: $k, l: $l, attempts: $attempts, sk: $sk);

            impl FromBytesOn<Backend> for PublicKey {
                type Bytes = [u8; PUBLIC_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    Ok(Self::read(bytes, backend))
                }
            }

            impl PublicKey {
                #[doc = concat!("The key of these ", stringify!($pk), " bytes; all are a key.")]
                #[inline]
                #[must_use]
                pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LEN]) -> Self {
                    Self::read(bytes, Backend::best())
                }

                fn read(bytes: &[u8; PUBLIC_KEY_LEN], backend: Backend) -> Self {
                    let public = keys::Public::from_bytes(&PARAMETERS, bytes, backend);
                    Self(keys::Verifier::new(public))
                }

                /// Keeps the matrix from now on ([`PrivateKey::expand`]).
                #[cfg(feature = "alloc")]
                pub fn expand(&mut self) {
                    self.0.public = keys::Public::expanded(&self.0.public);
                }

                /// The bytes of the key.
                #[must_use]
                pub fn to_bytes(&self) -> [u8; PUBLIC_KEY_LEN] {
                    let mut bytes = [0; PUBLIC_KEY_LEN];
                    self.0.public.write(&mut bytes);
                    bytes
                }

                /// tr, the hash of the key: what μ starts from where it is computed elsewhere.
                #[inline]
                #[must_use]
                pub fn hash(&self) -> [u8; 64] {
                    self.0.public.tr
                }

                fn verify_message(&self, message: Message, s: &Signature) -> Result<(), Error> {
                    match verify::verify::<$k, $l, 1>([&self.0], [message], [&s.0]) {
                        [true] => Ok(()),
                        [false] => Err(Error::BadSignature),
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

                /// Checks `signature` over `message` (algorithm 3).
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
                    self.verify_message(super::message(0, context, message)?, signature)
                }

                /// Checks `signature` over the digest of a message (HashML-DSA, algorithm 5).
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
                    self.verify_message(super::message(1, context, &encoded)?, signature)
                }

                /// Checks `signature` over the representative μ of a message.
                ///
                /// # Errors
                /// [`Error::BadSignature`], whatever the reason.
                #[inline]
                pub fn verify_mu(&self, mu: &[u8; 64], signature: &Signature) -> Result<(), Error> {
                    self.verify_message(Message::Mu(mu), signature)
                }
            }

            impl PartialEq for PublicKey {
                #[inline]
                fn eq(&self, other: &Self) -> bool {
                    let (own, other) = (&self.0.public, &other.0.public);
                    own.rho == other.rho && *own.t1_bytes == *other.t1_bytes
                }
            }

            impl Eq for PublicKey {}

            impl fmt::Debug for PublicKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct("PublicKey")
                        .field("hash", &self.0.public.tr)
                        .finish_non_exhaustive()
                }
            }
        }
    };
}

ml_dsa!(ml_dsa_44, "ML-DSA-44", k: 4, l: 4, attempts: 2, pk: 1312, sk: 2560, signature: 2420);
ml_dsa!(ml_dsa_65, "ML-DSA-65", k: 6, l: 5, attempts: 3, pk: 1952, sk: 4032, signature: 3309);
ml_dsa!(ml_dsa_87, "ML-DSA-87", k: 8, l: 7, attempts: 1, pk: 2592, sk: 4896, signature: 4627);
