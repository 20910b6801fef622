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
//! | `keygen`, `keys`, `decode`, `matrix` | keys: made, kept and read, and the matrix of a public key |
//! | `sign` | signing and verifying |
//! | `poly` | polynomials and the constants of their arithmetic |
//! | `arithmetic` | the table of its implementations |
//! | `portable` | their arithmetic as the standard writes it |
//! | `kernel` | the same for vectors; `x86_avx512` and `x86_avx2` are made from it |
//! | `arm_neon` | the same for the vectors of ARM64 |

pub(crate) mod arithmetic;
#[cfg(target_arch = "aarch64")]
mod arm_neon;
mod decode;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod keygen;
mod keys;
mod matrix;
mod parameters;
mod poly;
mod portable;
mod sign;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

pub use crate::message::PreHash;
pub(crate) use arithmetic::Backend;

use self::parameters::{Parameters, parameters};
use self::sign::Message;
use crate::are_alike;
use crate::message::head;
use ::core::fmt;
use adamant_base::family::{Signer, Verifier};
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::shared::Shared;
use adamant_base::{Error, Rng, Secret, same_length};
use alloc::vec::Vec;

/// M′ of algorithms 2 and 4.
fn message<'a>(kind: u8, context: &'a [u8], message: &'a [u8]) -> Result<Message<'a>, Error> {
    Ok(Message::Parts(head(kind, context)?, context, message))
}

/// M′ of a message with an empty context.
fn plain(message: &[u8]) -> Message<'_> {
    Message::Parts([0, 0], &[], message)
}

/// Items that a batch does side by side: as many as Keccak has lanes.
const MANY: usize = 8;

/// Signatures of a batch that are attempted at once: as many as fit into a cache.
const AT_ONCE: usize = 4;

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
            /// Bytes of a private key in its expanded form.
            pub const PRIVATE_KEY_LEN: usize = $sk;
            /// Bytes of a signature.
            pub const SIGNATURE_LEN: usize = $signature;

            static PARAMETERS: Parameters = parameters($k, $l);
            const _: () = assert!(PARAMETERS.private_len() == PRIVATE_KEY_LEN);

            /// A public key, with its matrix.
            #[derive(Clone)]
            pub struct PublicKey(keys::Verifier);

            /// A private key, with its public key.
            #[derive(Clone)]
            pub struct PrivateKey(keys::Private);

            crate::message::signature!();
            adamant_base::try_from_slice!(PublicKey(all), PrivateKey);

            impl PrivateKey {
                /// A new key from 32 random bytes.
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                    Self::generate_on(rng, Backend::best())
                }

                /// The key of a seed ξ (algorithm 6); all seeds are good.
                #[inline]
                #[must_use]
                pub fn from_seed(seed: &[u8; 32]) -> Self {
                    Self::from_seed_on(seed, Backend::best())
                }

                #[doc = concat!("Reads the ", stringify!($sk), " bytes of the expanded form.")]
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] for coefficients out of their range, and where the
                /// parts that follow from others do not.
                #[inline]
                pub fn from_bytes(bytes: &[u8; PRIVATE_KEY_LEN]) -> Result<Self, Error> {
                    Self::from_bytes_on(bytes, Backend::best())
                }

                /// The expanded form.
                #[must_use]
                pub fn to_bytes(&self) -> Secret<[u8; PRIVATE_KEY_LEN]> {
                    let mut bytes = Secret::new([0; PRIVATE_KEY_LEN]);
                    self.0.write(&mut *bytes);
                    bytes
                }

                /// The seed, where the key came from one.
                #[inline]
                #[must_use]
                pub fn seed(&self) -> Option<Secret<[u8; 32]>> {
                    self.0.seed()
                }

                /// Keeps from now on what follows from the bytes of the key, the matrix and the
                /// transforms, so that signing again costs less. Keys that were read, or generated
                /// alone, do so from the beginning.
                pub fn expand(&mut self) {
                    self.0 = self.0.expanded();
                }

                /// The public key. It shares the matrix; the rest of what verification needs is
                /// computed here.
                #[must_use]
                pub fn public_key(&self) -> PublicKey {
                    PublicKey(keys::Verifier::new(Shared::clone(&self.0.public)))
                }

                /// The pair-wise consistency test: signs a message, which the public key has to
                /// verify, as others read it.
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] where the halves do not fit.
                pub fn check_pair(&self) -> Result<(), Error> {
                    // The hash of the public key is computed anew: with the one that the private key
                    // signs with, some public keys would pass that are a bit off.
                    let bytes = self.public_key().to_bytes();
                    let public = PublicKey::read(&bytes, self.0.public.backend);
                    let message = b"pair-wise consistency";
                    let verified = public.verify(message, &self.sign(message));
                    verified.map_err(|_| Error::BadPrivateKey)
                }

                fn sign_message(&self, message: Message, rnd: &[u8; 32]) -> Signature {
                    let mut signature = Signature([0; SIGNATURE_LEN]);
                    let key = &self.0;
                    let item = sign::Item { key, message, rnd };
                    sign::sign::<$k, $l, $attempts>(&[item], &mut [&mut signature.0]);
                    signature
                }

                fn sign_hedged_message(
                    &self,
                    message: Message,
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    let mut rnd = Secret::new([0; 32]);
                    rng.fill(&mut *rnd)?;
                    Ok(self.sign_message(message, &rnd))
                }

                /// Signs `message` deterministically, with an empty context.
                #[inline]
                #[must_use]
                pub fn sign(&self, message: &[u8]) -> Signature {
                    self.sign_message(plain(message), &[0; 32])
                }

                /// Signs `message` deterministically (algorithm 2).
                ///
                /// # Errors
                /// [`Error::BadParameter`] for a context of more than 255 bytes.
                #[inline]
                pub fn sign_with_context(
                    &self,
                    message: &[u8],
                    context: &[u8],
                ) -> Result<Signature, Error> {
                    Ok(self.sign_message(super::message(0, context, message)?, &[0; 32]))
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

                /// Signs `message` with fresh randomness (algorithm 2).
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
                    self.sign_hedged_message(super::message(0, context, message)?, rng)
                }

                /// Signs the digest of a message deterministically (HashML-DSA, algorithm 4).
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
                    Ok(self.sign_message(super::message(1, context, &encoded)?, &[0; 32]))
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
                    self.sign_hedged_message(super::message(1, context, &encoded)?, rng)
                }

                /// Signs the representative μ of a message, which was computed elsewhere from the
                /// hash of the public key, deterministically (algorithm 7).
                #[inline]
                #[must_use]
                pub fn sign_mu(&self, mu: &[u8; 64]) -> Signature {
                    self.sign_message(Message::Mu(mu), &[0; 32])
                }

                /// As [`Self::sign_mu`], with fresh randomness.
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn sign_hedged_mu(
                    &self,
                    mu: &[u8; 64],
                    rng: &mut impl Rng,
                ) -> Result<Signature, Error> {
                    self.sign_hedged_message(Message::Mu(mu), rng)
                }
            }

            impl FromBytesOn<Backend> for PublicKey {
                type Bytes = [u8; PUBLIC_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    Ok(Self::read(bytes, backend))
                }
            }

            impl FromSeedOn<Backend> for PrivateKey {
                type Seed = [u8; 32];

                fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                    Self(keygen::keygen_one(&PARAMETERS, backend, seed))
                }
            }

            impl FromBytesOn<Backend> for PrivateKey {
                type Bytes = [u8; PRIVATE_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    keys::Private::from_bytes(&PARAMETERS, bytes, backend).map(Self)
                }
            }

            #[test]
            fn halves_of_two_keys_do_not_fit() {
                let [mut key, other] = [7, 8].map(|byte| PrivateKey::from_seed(&[byte; 32]));
                key.0.public = other.0.public;
                assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
                assert_eq!(Signer::check_pair(&key), Err(Error::BadPrivateKey));
            }

            /// The slightest change of a public key, which often leaves the high bits as they are.
            #[test]
            fn a_public_key_with_a_fault_does_not_fit() {
                for byte in 0..20 {
                    let mut key = PrivateKey::from_seed(&[byte; 32]);
                    Shared::make_mut(&mut key.0.public).t1_bytes[0][0] ^= 1;
                    assert_eq!(key.check_pair(), Err(Error::BadPrivateKey), "{byte}");
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
                    match sign::verify::<$k, $l, 1>([&self.0], [message], [&s.0]) {
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
                    own.rho == other.rho && own.t1_bytes == other.t1_bytes
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

            /// Makes `count` keys: those that [`PrivateKey::generate`] would make one after the
            /// other from the same generator. They do not keep what follows from their bytes,
            /// unless they are asked to ([`PrivateKey::expand`]).
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate_batch(
                count: usize,
                rng: &mut impl Rng,
            ) -> Result<Vec<PrivateKey>, Error> {
                let mut keys = Vec::with_capacity(count);
                let mut seeds = Secret::new([[0; 32]; MANY]);
                let many = MANY.min(count);
                let (mut matrices, mut vectors) = keygen::rooms(&PARAMETERS, many);
                while keys.len() < count {
                    if count - keys.len() < MANY {
                        keys.push(PrivateKey::generate(rng)?);
                        continue;
                    }
                    for seed in &mut *seeds {
                        rng.fill(seed)?;
                    }
                    let eight = keygen::keygen::<MANY>(
                        &PARAMETERS,
                        Backend::best(),
                        seeds.each_ref(),
                        &mut matrices,
                        &mut vectors,
                    );
                    keys.extend(eight.into_iter().map(PrivateKey));
                }
                Ok(keys)
            }

            /// As [`sign_batch`], to memory of the caller's: `out[i]` is the signature of `items[i]`.
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
                if !are_alike(items.iter().map(|(key, _)| key.0.public.backend)) {
                    for ((key, message), signature) in items.iter().zip(out) {
                        *signature = key.sign(message);
                    }
                    return Ok(());
                }
                let zeros = &[0; 32];
                let items: Vec<_> = items
                    .iter()
                    .map(|(key, message)| sign::Item {
                        key: &key.0,
                        message: plain(message),
                        rnd: zeros,
                    })
                    .collect();
                let mut places: Vec<_> = out.iter_mut().map(|s| &mut s.0[..]).collect();
                sign::sign::<$k, $l, AT_ONCE>(&items, &mut places);
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
                same_length(items.len(), out.len())?;
                let (eights, rest) = items.as_chunks::<MANY>();
                let (places, last) = out.as_chunks_mut::<MANY>();
                for (items, out) in eights.iter().zip(places) {
                    if !are_alike(items.iter().map(|(key, _, _)| key.0.public.backend)) {
                        for ((key, message, signature), result) in items.iter().zip(out) {
                            *result = key.verify(message, signature);
                        }
                        continue;
                    }
                    let valid = sign::verify::<$k, $l, MANY>(
                        items.map(|(key, _, _)| &key.0),
                        items.map(|(_, message, _)| plain(message)),
                        items.map(|(_, _, signature)| &signature.0[..]),
                    );
                    *out = valid.map(|valid| valid.then_some(()).ok_or(Error::BadSignature));
                }
                for ((key, message, signature), result) in rest.iter().zip(last) {
                    *result = key.verify(message, signature);
                }
                Ok(())
            }
        }
    };
}

ml_dsa!(ml_dsa_44, "ML-DSA-44", k: 4, l: 4, attempts: 2, pk: 1312, sk: 2560, signature: 2420);
ml_dsa!(ml_dsa_65, "ML-DSA-65", k: 6, l: 5, attempts: 3, pk: 1952, sk: 4032, signature: 3309);
ml_dsa!(ml_dsa_87, "ML-DSA-87", k: 8, l: 7, attempts: 1, pk: 2592, sk: 4896, signature: 4627);
