//! ML-KEM (FIPS 203): key encapsulation from lattices.
//!
//! ```
//! use adamant_pq::ml_kem_768::{DecapsulationKey, EncapsulationKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = DecapsulationKey::generate(&mut rng)?;
//! let public = EncapsulationKey::from_bytes(&key.encapsulation_key().to_bytes())?;
//!
//! let (ciphertext, secret) = public.encapsulate(&mut rng)?;
//! assert_eq!(key.decapsulate(&ciphertext).as_ref(), secret.as_ref());
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! A key keeps the matrix that its 32 bytes of seed stand for, so encapsulating to it or
//! decapsulating with it again costs less. Keys that were made in a batch do not, nor do keys
//! that are used once as they travel
//! ([`encapsulate_encoded_batch`](ml_kem_768::encapsulate_encoded_batch),
//! [`decapsulate_encoded`](ml_kem_768::decapsulate_encoded)). A ciphertext that was tampered with
//! gives another secret, never an error (implicit rejection).
//!
//! Time depends on nothing secret. Only the matrix is drawn by rejection, and it is public.
//!
//! | file | holds |
//! |---|---|
//! | `keygen`, `encapsulate` | K-PKE and ML-KEM, on one item or eight |
//! | `encoded` | functions for keys that are used once |
//! | `batch` | functions for many items (feature `alloc`) |
//! | `keys`, `matrix` | keys as they are kept, and the matrix of a public key |
//! | `poly` | polynomials and the constants of their arithmetic |
//! | `arithmetic` | the table of its implementations |
//! | `portable` | their arithmetic as the standard writes it |
//! | `kernel` | the same for vectors; `x86_avx512` and `x86_avx2` are made from it |
//! | `arm_neon` | the same for the vectors of ARM64 |

pub(crate) mod arithmetic;
#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(feature = "alloc")]
mod batch;
mod encapsulate;
mod encoded;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod keygen;
mod keys;
mod matrix;
mod poly;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

pub(crate) use arithmetic::Backend;

use crate::hazmat::ml_kem::DecapsulateOn;
use ::core::fmt;
use adamant_base::family::Kem;
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::shared::Shared;
use adamant_base::{Error, Rng, Secret, ct, exactly};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The secret that both sides share: 32 bytes, which may serve as a key as they are.
#[derive(Clone)]
pub struct SharedSecret(Secret<[u8; 32]>);

impl AsRef<[u8]> for SharedSecret {
    fn as_ref(&self) -> &[u8] {
        &*self.0
    }
}

impl SharedSecret {
    /// All zeros: a place for a batch to write to.
    #[must_use]
    pub fn zero() -> Self {
        SharedSecret(Secret::new([0; 32]))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Items that a batch does side by side: as many as Keccak has lanes.
const MANY: usize = 8;

macro_rules! ml_kem {
    ($module:ident, $title:literal, k: $k:literal, ek: $ek:literal, dk: $dk:literal, c: $c:literal) => {
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;

            /// Bytes of an encapsulation key.
            pub const ENCAPSULATION_KEY_LEN: usize = $ek;
            /// Bytes of a decapsulation key in its expanded form.
            pub const DECAPSULATION_KEY_LEN: usize = $dk;
            /// Bytes of a ciphertext.
            pub const CIPHERTEXT_LEN: usize = $c;

            const _: () = assert!($ek == 384 * $k + 32 && $dk == 768 * $k + 96);

            /// A ciphertext.
            pub type Ciphertext = [u8; CIPHERTEXT_LEN];

            /// An encapsulation key, which is public.
            #[derive(Clone)]
            pub struct EncapsulationKey(Shared<keys::Public>);

            /// A decapsulation key, with its encapsulation key.
            #[derive(Clone)]
            pub struct DecapsulationKey(keys::Private);

            adamant_base::try_from_slice!(EncapsulationKey, DecapsulationKey);

            #[doc = concat!($title, " as a [`Kem`].")]
            #[derive(Clone, Copy, Debug)]
            pub struct MlKem;

            impl EncapsulationKey {
                #[doc = concat!("Reads the ", stringify!($ek), " bytes of a key.")]
                ///
                /// # Errors
                /// [`Error::BadPublicKey`] where a coefficient is not below q (FIPS 203, 7.2).
                #[inline]
                pub fn from_bytes(bytes: &[u8; ENCAPSULATION_KEY_LEN]) -> Result<Self, Error> {
                    Self::from_bytes_on(bytes, Backend::best())
                }

                /// The bytes of the key.
                #[must_use]
                pub fn to_bytes(&self) -> [u8; ENCAPSULATION_KEY_LEN] {
                    let mut bytes = [0; ENCAPSULATION_KEY_LEN];
                    self.0.write(&mut bytes);
                    bytes
                }

                /// Keeps the matrix from now on, so that using the key again costs less. Keys
                /// that were read, or generated alone, do so from the beginning.
                #[cfg(feature = "alloc")]
                pub fn expand(&mut self) {
                    self.0 = keys::Public::expanded(&self.0);
                }

                /// A fresh shared secret and its ciphertext (algorithm 20).
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn encapsulate(
                    &self,
                    rng: &mut impl Rng,
                ) -> Result<(Ciphertext, SharedSecret), Error> {
                    let mut m = Secret::new([0; 32]);
                    rng.fill(&mut *m)?;
                    Ok(self.encapsulate_deterministic(&m))
                }

                /// The shared secret and ciphertext that 32 random bytes give (algorithm 17). The
                /// bytes must be fresh, random and secret: this is for tests, and for protocols
                /// that bring their own randomness.
                #[must_use]
                pub fn encapsulate_deterministic(
                    &self,
                    m: &[u8; 32],
                ) -> (Ciphertext, SharedSecret) {
                    let mut secret = SharedSecret::zero();
                    let mut c = [0; CIPHERTEXT_LEN];
                    encapsulate::encapsulate([&self.0], [m], [(&mut *secret.0, &mut c)]);
                    (c, secret)
                }
            }

            impl DecapsulationKey {
                /// A new key.
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                    Self::generate_on(rng, Backend::best())
                }

                /// The key of a seed, d and z in a row (algorithm 16); all seeds are good.
                #[inline]
                #[must_use]
                pub fn from_seed(seed: &[u8; 64]) -> Self {
                    Self::from_seed_on(seed, Backend::best())
                }

                #[doc = concat!("Reads the ", stringify!($dk), " bytes of the expanded form.")]
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] where the hash of the encapsulation key inside is not
                /// the one beside it (FIPS 203, 7.3), and where a coefficient of that key is not
                /// below q.
                #[inline]
                pub fn from_bytes(bytes: &[u8; DECAPSULATION_KEY_LEN]) -> Result<Self, Error> {
                    Self::from_bytes_on(bytes, Backend::best())
                }

                /// The expanded form.
                #[must_use]
                pub fn to_bytes(&self) -> Secret<[u8; DECAPSULATION_KEY_LEN]> {
                    let mut bytes = Secret::new([0; DECAPSULATION_KEY_LEN]);
                    self.0.write(&mut *bytes);
                    bytes
                }

                /// The seed, where the key came from one.
                #[inline]
                #[must_use]
                pub fn seed(&self) -> Option<Secret<[u8; 64]>> {
                    self.0.seed()
                }

                /// Keeps the matrix from now on ([`EncapsulationKey::expand`]).
                #[cfg(feature = "alloc")]
                pub fn expand(&mut self) {
                    self.0.public = keys::Public::expanded(&self.0.public);
                }

                /// The encapsulation key.
                #[inline]
                #[must_use]
                pub fn encapsulation_key(&self) -> EncapsulationKey {
                    EncapsulationKey(Shared::clone(&self.0.public))
                }

                /// The shared secret of a ciphertext (algorithm 21). For a ciphertext that nobody
                /// made with the encapsulation key, it is a secret that nobody knows.
                #[must_use]
                pub fn decapsulate(&self, ciphertext: &Ciphertext) -> SharedSecret {
                    let mut secret = SharedSecret::zero();
                    let mut again = [0; CIPHERTEXT_LEN];
                    encapsulate::decapsulate(
                        [&self.0],
                        [ciphertext],
                        [&mut *secret.0],
                        [&mut again],
                        None,
                    );
                    secret
                }

                /// The pair-wise consistency check of FIPS 203, 7.1: what the public half
                /// encapsulates, this half must open. For m serves the hash of the public half, which
                /// is read anew: a wrong hash that both halves keep would be used by both.
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] where the halves do not fit.
                pub fn check_pair(&self) -> Result<(), Error> {
                    let bytes = self.encapsulation_key().to_bytes();
                    let public = EncapsulationKey::from_bytes_on(&bytes, self.0.public.backend)
                        .map_err(|_| Error::BadPrivateKey)?;
                    let (c, secret) = public.encapsulate_deterministic(&public.0.h);
                    let opened = self.decapsulate(&c);
                    // Whether a key is broken is public.
                    if ct::eq(opened.as_ref(), secret.as_ref()).declassify() {
                        Ok(())
                    } else {
                        Err(Error::BadPrivateKey)
                    }
                }
            }

            impl FromBytesOn<Backend> for EncapsulationKey {
                type Bytes = [u8; ENCAPSULATION_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    keys::Public::from_bytes($k, bytes, backend).map(Self)
                }
            }

            impl FromSeedOn<Backend> for DecapsulationKey {
                type Seed = [u8; 64];

                fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                    Self(keygen::keygen_one($k, backend, seed))
                }
            }

            impl FromBytesOn<Backend> for DecapsulationKey {
                type Bytes = [u8; DECAPSULATION_KEY_LEN];

                fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                    keys::Private::from_bytes($k, bytes, backend).map(Self)
                }
            }

            /// A hash of the public half that others do not find.
            #[test]
            fn a_hash_with_a_fault_does_not_fit() {
                let mut key = DecapsulationKey::from_seed(&[7; 64]);
                assert_eq!(key.check_pair(), Ok(()));
                Shared::make_mut(&mut key.0.public).h[0] ^= 1;
                assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
            }

            impl PartialEq for EncapsulationKey {
                #[inline]
                fn eq(&self, other: &Self) -> bool {
                    *self.0.t_bytes == *other.0.t_bytes && self.0.rho == other.0.rho
                }
            }

            impl Eq for EncapsulationKey {}

            impl fmt::Debug for EncapsulationKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct("EncapsulationKey")
                        .field("hash", &self.0.h)
                        .finish_non_exhaustive()
                }
            }

            impl Kem for MlKem {
                type DecapsulationKey = DecapsulationKey;
                type EncapsulationKey = EncapsulationKey;
                type Ciphertext = Ciphertext;
                type SharedSecret = SharedSecret;

                fn generate(rng: &mut impl Rng) -> Result<DecapsulationKey, Error> {
                    DecapsulationKey::generate(rng)
                }
                fn encapsulation_key(key: &DecapsulationKey) -> EncapsulationKey {
                    key.encapsulation_key()
                }
                fn encapsulate(
                    key: &EncapsulationKey,
                    rng: &mut impl Rng,
                ) -> Result<(Ciphertext, SharedSecret), Error> {
                    key.encapsulate(rng)
                }
                fn ciphertext(octets: &[u8]) -> Result<Ciphertext, Error> {
                    exactly(octets).copied()
                }
                fn decapsulate(
                    key: &DecapsulationKey,
                    ciphertext: &Ciphertext,
                ) -> Result<SharedSecret, Error> {
                    Ok(key.decapsulate(ciphertext))
                }
                fn check_pair(key: &DecapsulationKey) -> Result<(), Error> {
                    key.check_pair()
                }
                #[cfg(feature = "alloc")]
                fn generate_batch(
                    count: usize,
                    rng: &mut impl Rng,
                ) -> Result<Vec<DecapsulationKey>, Error> {
                    generate_batch(count, rng)
                }
                #[cfg(feature = "alloc")]
                fn encapsulate_batch(
                    keys: &[&EncapsulationKey],
                    rng: &mut impl Rng,
                ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
                    encapsulate_batch(keys, rng)
                }
                #[cfg(feature = "alloc")]
                #[cfg_attr(not(feature = "lab"), inline)]
                fn decapsulate_batch(
                    items: &[(&DecapsulationKey, &Ciphertext)],
                ) -> Vec<Result<SharedSecret, Error>> {
                    decapsulate_batch(items).into_iter().map(Ok).collect()
                }
            }

            encoded::encoded!($k);
            #[cfg(feature = "alloc")]
            batch::batch!($module, k: $k);
        }
    };
}

ml_kem!(ml_kem_512, "ML-KEM-512", k: 2, ek: 800, dk: 1632, c: 768);
ml_kem!(ml_kem_768, "ML-KEM-768", k: 3, ek: 1184, dk: 2400, c: 1088);
ml_kem!(ml_kem_1024, "ML-KEM-1024", k: 4, ek: 1568, dk: 3168, c: 1568);
