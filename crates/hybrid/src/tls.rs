//! The hybrid groups of TLS 1.3 (draft-ietf-tls-ecdhe-mlkem): an elliptic curve and ML-KEM side by
//! side, in the order in which they travel.
//!
//! | module | code point | the client's share | the server's share | secret |
//! |---|---|---|---|---|
//! | [`x25519mlkem768`] | 0x11ec | ML-KEM, X25519: 1216 bytes | 1120 bytes | 64 bytes |
//! | [`secp256r1mlkem768`] | 0x11eb | P-256, ML-KEM: 1249 bytes | 1153 bytes | 64 bytes |
//! | [`secp384r1mlkem1024`] | 0x11ed | P-384, ML-KEM: 1665 bytes | 1665 bytes | 80 bytes |
//!
//! ```
//! use adamant_hybrid::tls::x25519mlkem768::{DecapsulationKey, EncapsulationKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! // The client:
//! let key = DecapsulationKey::generate(&mut rng)?;
//! let client_share = key.encapsulation_key().to_bytes();
//! // The server:
//! let (server_share, secret) = EncapsulationKey::from_bytes(&client_share)?.encapsulate(&mut rng)?;
//! // The client again:
//! assert_eq!(key.decapsulate(&server_share)?.as_ref(), secret.as_ref());
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! A client that also offers the curve alone sends the same public key again:
//! `DecapsulationKey::classic` has it. A key that has to be kept is read again from its bytes:
//!
//! ```
//! use adamant_hybrid::tls::secp256r1mlkem768::DecapsulationKey;
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = DecapsulationKey::generate(&mut rng)?;
//! let bytes = key.to_bytes().expect("a generated key has its seed");
//! let again = DecapsulationKey::from_bytes(&bytes)?;
//! assert_eq!(again.encapsulation_key(), key.encapsulation_key());
//! # Ok::<(), adamant_base::Error>(())
//! ```

use crate::classic::Classic;
use adamant_base::family::Kem;
use adamant_base::{Error, Rng, Secret, exactly, same_length};
use adamant_pq::ml_kem::SharedSecret as SharedPart;
use alloc::vec::Vec;

macro_rules! hybrid {
    (
        $module:ident, $title:literal, $code:literal, $group:ident, $lattice:ident,
        lattice_first: $lattice_first:literal, secret: $secret:literal
    ) => {
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;
            use adamant_ec::$group as group;
            use adamant_pq::$lattice as lattice;

            /// The group's code point in TLS.
            pub const CODE_POINT: u16 = $code;
            const PUBLIC_LEN: usize = <group::PrivateKey as Classic>::PUBLIC_LEN;
            /// Bytes of a decapsulation key: ML-KEM's seed and the curve's scalar.
            pub const DECAPSULATION_KEY_LEN: usize =
                64 + <group::PrivateKey as Classic>::SECRET_LEN;
            /// Bytes of an encapsulation key: the client's share.
            pub const ENCAPSULATION_KEY_LEN: usize = lattice::ENCAPSULATION_KEY_LEN + PUBLIC_LEN;
            /// Bytes of a ciphertext: the server's share.
            pub const CIPHERTEXT_LEN: usize = lattice::CIPHERTEXT_LEN + PUBLIC_LEN;
            /// Bytes of the shared secret.
            pub const SHARED_SECRET_LEN: usize = $secret;

            /// A ciphertext: the server's share.
            pub type Ciphertext = [u8; CIPHERTEXT_LEN];

            /// A decapsulation key, the client's.
            #[derive(Clone)]
            pub struct DecapsulationKey {
                classic: group::PrivateKey,
                lattice: lattice::DecapsulationKey,
            }

            /// An encapsulation key, which is public.
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct EncapsulationKey {
                classic: group::PublicKey,
                lattice: lattice::EncapsulationKey,
            }

            adamant_base::try_from_slice!(EncapsulationKey, DecapsulationKey);

            /// The secret that both sides share: input of a key schedule.
            #[derive(Clone)]
            pub struct SharedSecret(Secret<[u8; SHARED_SECRET_LEN]>);

            #[doc = concat!($title, " as a [`Kem`].")]
            #[derive(Clone, Copy, Debug)]
            pub struct Hybrid;

            impl SharedSecret {
                fn of(agreed: &[u8], secret: &SharedPart) -> Self {
                    SharedSecret(Secret::new(join(agreed, secret.as_ref())))
                }
            }

            impl AsRef<[u8]> for SharedSecret {
                fn as_ref(&self) -> &[u8] {
                    &*self.0
                }
            }

            /// The curve's part and ML-KEM's, of bytes of which the latter is this long.
            fn halves(bytes: &[u8], lattice_len: usize) -> (&[u8], &[u8]) {
                if $lattice_first {
                    let (lattice, classic) = bytes.split_at(lattice_len);
                    (classic, lattice)
                } else {
                    bytes.split_at(bytes.len() - lattice_len)
                }
            }

            /// Both parts in their order.
            fn join<const LEN: usize>(classic: &[u8], lattice: &[u8]) -> [u8; LEN] {
                let lattice_first = $lattice_first;
                let (a, b) = if lattice_first {
                    (lattice, classic)
                } else {
                    (classic, lattice)
                };
                let mut bytes = [0; LEN];
                let (first, second) = bytes.split_at_mut(a.len());
                first.copy_from_slice(a);
                second.copy_from_slice(b);
                bytes
            }

            impl DecapsulationKey {
                /// A new key.
                ///
                /// # Errors
                /// [`Error::NoEntropy`] from the generator.
                pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                    Ok(DecapsulationKey {
                        lattice: lattice::DecapsulationKey::generate(rng)?,
                        classic: group::PrivateKey::generate(rng)?,
                    })
                }

                /// The key of its halves.
                #[must_use]
                pub fn from_halves(
                    classic: group::PrivateKey,
                    lattice: lattice::DecapsulationKey,
                ) -> Self {
                    DecapsulationKey { classic, lattice }
                }

                /// Reads a key: that of ML-KEM as its seed of 64 bytes, that of the curve as its
                /// scalar, in the order of the shares. There is no seed of both: the draft knows
                /// none, as these keys serve one handshake.
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`].
                pub fn from_bytes(bytes: &[u8; DECAPSULATION_KEY_LEN]) -> Result<Self, Error> {
                    let (scalar, seed) = halves(bytes, 64);
                    Ok(DecapsulationKey {
                        lattice: lattice::DecapsulationKey::from_seed(exactly(seed)?),
                        classic: Classic::from_bytes(scalar)?,
                    })
                }

                /// The bytes that [`Self::from_bytes`] reads, where ML-KEM's half came from a seed:
                /// its expanded form is no part of them, and nothing leads back from it.
                #[must_use]
                pub fn to_bytes(&self) -> Option<Secret<[u8; DECAPSULATION_KEY_LEN]>> {
                    let (scalar, seed) = (self.classic.to_bytes(), self.lattice.seed()?);
                    Some(Secret::new(join(&*scalar, &*seed)))
                }

                /// ML-KEM's half.
                #[must_use]
                pub fn lattice(&self) -> &lattice::DecapsulationKey {
                    &self.lattice
                }

                /// The curve's half, for a client that offers the curve alone too.
                #[must_use]
                pub fn classic(&self) -> &group::PrivateKey {
                    &self.classic
                }

                /// The encapsulation key.
                #[must_use]
                pub fn encapsulation_key(&self) -> EncapsulationKey {
                    EncapsulationKey {
                        classic: self.classic.public_key(),
                        lattice: self.lattice.encapsulation_key(),
                    }
                }

                /// The shared secret of a ciphertext.
                ///
                /// # Errors
                /// [`Error::BadPublicKey`] for a point that is none; [`Error::WeakSharedSecret`] as
                /// TLS demands.
                pub fn decapsulate(&self, ciphertext: &Ciphertext) -> Result<SharedSecret, Error> {
                    let (point, c) = Self::parts(ciphertext)?;
                    let agreed = self.classic.agree(&point)?;
                    Ok(SharedSecret::of(&*agreed, &self.lattice.decapsulate(c)))
                }

                /// The pair-wise consistency tests of both halves.
                ///
                /// # Errors
                /// [`Error::BadPrivateKey`] where private and public key do not fit.
                pub fn check_pair(&self) -> Result<(), Error> {
                    self.lattice.check_pair()?;
                    self.classic.check_pair()
                }

                /// The point and ML-KEM's part of a ciphertext.
                fn parts(
                    ciphertext: &Ciphertext,
                ) -> Result<(group::PublicKey, &lattice::Ciphertext), Error> {
                    let (point, c) = halves(ciphertext, lattice::CIPHERTEXT_LEN);
                    let point = <group::PrivateKey as Classic>::read_public(point)?;
                    Ok((point, exactly(c)?))
                }
            }

            impl EncapsulationKey {
                /// Reads a key.
                ///
                /// # Errors
                /// [`Error::BadPublicKey`] for halves that are not keys.
                pub fn from_bytes(bytes: &[u8; ENCAPSULATION_KEY_LEN]) -> Result<Self, Error> {
                    let (classic, lattice) = halves(bytes, lattice::ENCAPSULATION_KEY_LEN);
                    Ok(EncapsulationKey {
                        classic: <group::PrivateKey as Classic>::read_public(classic)?,
                        lattice: lattice.try_into()?,
                    })
                }

                /// The bytes of the key.
                #[must_use]
                pub fn to_bytes(&self) -> [u8; ENCAPSULATION_KEY_LEN] {
                    let classic = <group::PrivateKey as Classic>::write_public(&self.classic);
                    join(&classic, &self.lattice.to_bytes())
                }

                /// A fresh shared secret and its ciphertext.
                ///
                /// # Errors
                /// [`Error::WeakSharedSecret`] as TLS demands; [`Error::NoEntropy`] from the
                /// generator.
                pub fn encapsulate(
                    &self,
                    rng: &mut impl Rng,
                ) -> Result<(Ciphertext, SharedSecret), Error> {
                    let (c, secret) = self.lattice.encapsulate(rng)?;
                    let ephemeral = group::PrivateKey::generate(rng)?;
                    let agreed = ephemeral.agree(&self.classic)?;
                    let own = &ephemeral.public_key();
                    let point = <group::PrivateKey as Classic>::write_public(own);
                    Ok((join(&point, &c), SharedSecret::of(&*agreed, &secret)))
                }
            }

            impl Kem for Hybrid {
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
                    key.decapsulate(ciphertext)
                }
                fn check_pair(key: &DecapsulationKey) -> Result<(), Error> {
                    key.check_pair()
                }
                fn generate_batch(
                    count: usize,
                    rng: &mut impl Rng,
                ) -> Result<Vec<DecapsulationKey>, Error> {
                    generate_batch(count, rng)
                }
                fn encapsulate_batch(
                    keys: &[&EncapsulationKey],
                    rng: &mut impl Rng,
                ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
                    encapsulate_batch(keys, rng)
                }
                #[inline] // Compiled in the caller's crate, as batches are.
                fn decapsulate_batch(
                    items: &[(&DecapsulationKey, &Ciphertext)],
                ) -> Vec<Result<SharedSecret, Error>> {
                    decapsulate_batch(items)
                }
            }

            /// Makes `count` keys.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate_batch(
                count: usize,
                rng: &mut impl Rng,
            ) -> Result<Vec<DecapsulationKey>, Error> {
                let lattice = lattice::generate_batch(count, rng)?;
                let classic = group::generate_batch(count, rng)?;
                let halves = classic.into_iter().zip(lattice);
                Ok(halves
                    .map(|(classic, lattice)| DecapsulationKey { classic, lattice })
                    .collect())
            }

            /// [`EncapsulationKey::encapsulate`] to many keys.
            #[must_use]
            pub fn encapsulate_batch(
                keys: &[&EncapsulationKey],
                rng: &mut impl Rng,
            ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
                let mut out: Vec<_> = keys.iter().map(|_| Err(Error::BadPublicKey)).collect();
                encapsulate_batch_into(keys, &mut out, rng).expect("as many places");
                out
            }

            /// As [`encapsulate_batch`], to memory of the caller's: `out[i]` is for `keys[i]`.
            ///
            /// # Errors
            /// [`Error::BadLength`] when `keys` and `out` differ in length; `out` is then
            /// untouched.
            pub fn encapsulate_batch_into(
                keys: &[&EncapsulationKey],
                out: &mut [Result<(Ciphertext, SharedSecret), Error>],
                rng: &mut impl Rng,
            ) -> Result<(), Error> {
                same_length(keys.len(), out.len())?;
                let lattices: Vec<_> = keys.iter().map(|key| &key.lattice).collect();
                let encapsulated = lattice::encapsulate_batch(&lattices, rng);
                let Ok(ephemeral) = group::generate_batch(keys.len(), rng) else {
                    // One failure of the generator is not that of all.
                    for (key, out) in keys.iter().zip(out) {
                        *out = key.encapsulate(rng);
                    }
                    return Ok(());
                };
                let pairs = ephemeral.iter().zip(keys);
                let pairs: Vec<_> = pairs.map(|(own, key)| (own, &key.classic)).collect();
                let agreed = group::agree_batch(&pairs);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = match (&encapsulated[i], &agreed[i]) {
                        (Ok((c, secret)), Ok(agreed)) => {
                            let own = &ephemeral[i].public_key();
                            let point = <group::PrivateKey as Classic>::write_public(own);
                            Ok((join(&point, c), SharedSecret::of(&**agreed, secret)))
                        }
                        (Err(error), _) | (_, Err(error)) => Err(*error),
                    };
                }
                Ok(())
            }

            /// [`DecapsulationKey::decapsulate`] for many ciphertexts: the secret of each item.
            #[inline] // Compiled in the caller's crate, as batches are.
            #[must_use]
            pub fn decapsulate_batch(
                items: &[(&DecapsulationKey, &Ciphertext)],
            ) -> Vec<Result<SharedSecret, Error>> {
                let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
                decapsulate_batch_into(items, &mut out).expect("as many places");
                out
            }

            /// As [`decapsulate_batch`], to memory of the caller's: `out[i]` is the secret of
            /// `items[i]`.
            ///
            /// # Errors
            /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
            /// untouched.
            #[inline] // Compiled in the caller's crate, as batches are.
            pub fn decapsulate_batch_into(
                items: &[(&DecapsulationKey, &Ciphertext)],
                out: &mut [Result<SharedSecret, Error>],
            ) -> Result<(), Error> {
                same_length(items.len(), out.len())?;
                let mut points = Vec::with_capacity(items.len());
                let mut lattices = Vec::with_capacity(items.len());
                let mut pairs = Vec::with_capacity(items.len());
                for (_, ciphertext) in items {
                    points.push(DecapsulationKey::parts(ciphertext));
                }
                for ((key, _), parts) in items.iter().zip(&points) {
                    if let Ok((point, c)) = parts {
                        pairs.push((&key.classic, point));
                        lattices.push((&key.lattice, *c));
                    }
                }
                let secrets = lattice::decapsulate_batch(&lattices);
                let agreed = group::agree_batch(&pairs);
                let mut secrets = agreed.into_iter().zip(secrets);
                for (out, parts) in out.iter_mut().zip(&points) {
                    *out = match parts {
                        Err(error) => Err(*error),
                        Ok(_) => match secrets.next() {
                            Some((agreed, secret)) => {
                                agreed.map(|agreed| SharedSecret::of(&*agreed, &secret))
                            }
                            None => unreachable!("each ciphertext with its parts has a secret"),
                        },
                    };
                }
                Ok(())
            }
        }
    };
}

hybrid!(
    x25519mlkem768, "X25519MLKEM768", 0x11ec, x25519, ml_kem_768,
    lattice_first: true, secret: 64
);
hybrid!(
    secp256r1mlkem768, "SecP256r1MLKEM768", 0x11eb, p256, ml_kem_768,
    lattice_first: false, secret: 64
);
hybrid!(
    secp384r1mlkem1024, "SecP384r1MLKEM1024", 0x11ed, p384, ml_kem_1024,
    lattice_first: false, secret: 80
);

#[cfg(test)]
mod tests;
