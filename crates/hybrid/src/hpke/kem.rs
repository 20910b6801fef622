//! The KEMs: Diffie-Hellman ones (RFC 9180, section 4.1) over any group, and X-Wing.

use super::labeled::{Digest, Labeled};
use super::{Kdf, Kem};
use crate::classic::Classic;
use crate::x_wing;
use adamant_base::family::Xof;
use adamant_base::{Error, Rng, Secret, SecretBytes};
use adamant_ec::{p256, p384, p521, x448, x25519};
use adamant_hash::Shake256;
use alloc::vec::Vec;

/// The secret of an encapsulation: at most as long as a digest.
pub(super) enum SharedSecret {
    Derived(Digest),
    XWing(x_wing::SharedSecret),
}

impl SharedSecret {
    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            SharedSecret::Derived(digest) => digest.as_bytes(),
            SharedSecret::XWing(secret) => secret.as_bytes(),
        }
    }
}

/// A group as a KEM.
trait DhKem: Classic {
    /// Its number.
    const KEM: Kem;
    /// The function that derives secrets.
    const KDF: Kdf;
    /// The mask of the first byte of a candidate for a scalar; `None` where all bytes are keys.
    const MASK: Option<u8>;

    /// `DeriveKeyPair`, section 7.1.3.
    fn derive(ikm: &[u8]) -> Result<Self, Error> {
        let mut key = Err(Error::BadPrivateKey);
        let mut bytes = Secret::new([0; 66]);
        let bytes = &mut bytes[..Self::SECRET_LEN];
        derive(
            (Self::KEM, Self::KDF),
            ikm,
            Self::MASK,
            bytes,
            &mut |bytes| {
                key = Self::from_bytes(bytes);
                key.is_ok()
            },
        )?;
        key
    }

    /// `ExtractAndExpand`: the shared secret of one agreed secret, or of two.
    fn shared(
        first: &Self::Secret,
        second: Option<&Self::Secret>,
        context: [&[u8]; 3],
    ) -> Result<SharedSecret, Error> {
        let second = second.map_or(&[][..], |secret| (**secret).as_ref());
        shared((Self::KEM, Self::KDF), (**first).as_ref(), second, context)
    }

    /// `Encap` and `AuthEncap` with this ephemeral key.
    fn encapsulate(
        to: &Self::PublicKey,
        from: Option<&Self>,
        ephemeral: &Self,
    ) -> Result<(SharedSecret, Vec<u8>), Error> {
        let enc = Self::write_public(&ephemeral.public_key());
        let to_bytes = Self::write_public(to);
        let first = ephemeral.agree(to)?;
        let second = from.map(|from| from.agree(to)).transpose()?;
        let from = from.map(|from| Self::write_public(&from.public_key()));
        let from = from.as_deref().unwrap_or_default();
        let secret = Self::shared(&first, second.as_ref(), [&enc, &to_bytes, from])?;
        Ok((secret, enc))
    }

    /// `Decap` and `AuthDecap`.
    fn decapsulate(
        &self,
        enc: &[u8],
        from: Option<&Self::PublicKey>,
    ) -> Result<SharedSecret, Error> {
        let first = self.agree(&Self::read_public(enc)?)?;
        let second = from.map(|from| self.agree(from)).transpose()?;
        let to_bytes = Self::write_public(&self.public_key());
        let from = from.map(Self::write_public);
        let from = from.as_deref().unwrap_or_default();
        Self::shared(&first, second.as_ref(), [enc, &to_bytes, from])
    }
}

/// Shows the bytes of each candidate for a private key, until one is good.
fn derive(
    (kem, kdf): (Kem, Kdf),
    ikm: &[u8],
    mask: Option<u8>,
    bytes: &mut [u8],
    good: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<(), Error> {
    let suite = &kem_id(kem);
    let labeled = Labeled { kdf, suite };
    let prk = labeled.extract(b"", "dkp_prk", ikm);
    let Some(mask) = mask else {
        labeled.expand(prk.as_bytes(), "sk", b"", bytes)?;
        good(bytes);
        return Ok(());
    };
    for counter in 0..=255 {
        labeled.expand(prk.as_bytes(), "candidate", &[counter], bytes)?;
        bytes[0] &= mask;
        if good(bytes) {
            break;
        }
    }
    Ok(())
}

/// `ExtractAndExpand` of what was agreed on, in two parts.
fn shared(
    (kem, kdf): (Kem, Kdf),
    first: &[u8],
    second: &[u8],
    context: [&[u8]; 3],
) -> Result<SharedSecret, Error> {
    let suite = &kem_id(kem);
    let labeled = Labeled { kdf, suite };
    let mut agreed = Secret::new([0; 2 * 66]);
    let len = first.len() + second.len();
    agreed[..first.len()].copy_from_slice(first);
    agreed[first.len()..len].copy_from_slice(second);
    let prk = labeled.extract(b"", "eae_prk", &agreed[..len]);
    let mut digest = prk.clone();
    let out = digest.as_mut_bytes();
    labeled.expand(prk.as_bytes(), "shared_secret", &context.concat(), out)?;
    Ok(SharedSecret::Derived(digest))
}

fn kem_id(kem: Kem) -> [u8; 5] {
    let [high, low] = (kem as u16).to_be_bytes();
    [b'K', b'E', b'M', high, low]
}

/// The parameters of the groups, section 7.1.
macro_rules! dh_kems {
    ($($kem:ident: $group:ident, $kdf:ident, $mask:expr;)*) => { $(
        impl DhKem for $group::PrivateKey {
            const KEM: Kem = Kem::$kem;
            const KDF: Kdf = Kdf::$kdf;
            const MASK: Option<u8> = $mask;
        }
    )* };
}
dh_kems! {
    P256: p256, HkdfSha256, Some(0xff);
    P384: p384, HkdfSha384, Some(0xff);
    P521: p521, HkdfSha512, Some(0x01);
    X25519: x25519, HkdfSha256, None;
    X448: x448, HkdfSha512, None;
}

/// Makes the keys of all KEMs from the groups' types.
macro_rules! kems {
    ($($kem:ident: $group:ident;)*) => {
        #[derive(Clone)]
        enum Private {
            $($kem($group::PrivateKey),)*
            XWing(alloc::boxed::Box<x_wing::DecapsulationKey>),
        }

        #[derive(Clone)]
        enum Public {
            $($kem($group::PublicKey),)*
            XWing(alloc::boxed::Box<x_wing::EncapsulationKey>),
        }

        impl PrivateKey {
            /// A new key.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate(kem: Kem, rng: &mut impl Rng) -> Result<Self, Error> {
                Ok(PrivateKey(match kem {
                    $(Kem::$kem => Private::$kem(Classic::generate(rng)?),)*
                    Kem::XWing => Private::XWing(x_wing::DecapsulationKey::generate(rng)?.into()),
                }))
            }

            /// The key of some key material, which has to have the entropy of a key
            /// (`DeriveKeyPair`).
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] where no candidate is a key, which nobody will ever see.
            pub fn derive(kem: Kem, ikm: &[u8]) -> Result<Self, Error> {
                Ok(PrivateKey(match kem {
                    $(Kem::$kem => Private::$kem(DhKem::derive(ikm)?),)*
                    Kem::XWing => {
                        let mut seed = Secret::new([0; 32]);
                        <Shake256 as Xof>::digest(ikm, &mut *seed);
                        Private::XWing(x_wing::DecapsulationKey::from_seed(&seed).into())
                    }
                }))
            }

            /// Reads a key (`DeserializePrivateKey`): a scalar, or the seed of X-Wing.
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`].
            pub fn from_bytes(kem: Kem, bytes: &[u8]) -> Result<Self, Error> {
                Ok(PrivateKey(match kem {
                    $(Kem::$kem => Private::$kem(Classic::from_bytes(bytes)?),)*
                    Kem::XWing => {
                        let seed = bytes.try_into().map_err(|_| Error::BadPrivateKey)?;
                        Private::XWing(x_wing::DecapsulationKey::from_seed(seed).into())
                    }
                }))
            }

            /// The bytes of the key.
            #[must_use]
            pub fn to_bytes(&self) -> SecretBytes {
                match &self.0 {
                    $(Private::$kem(key) => Classic::to_bytes(key).to_vec().into(),)*
                    Private::XWing(key) => key.seed().to_vec().into(),
                }
            }

            /// Its public key.
            #[must_use]
            pub fn public_key(&self) -> PublicKey {
                PublicKey(match &self.0 {
                    $(Private::$kem(key) => Public::$kem(Classic::public_key(key)),)*
                    Private::XWing(key) => Public::XWing(key.encapsulation_key().into()),
                })
            }

            /// The pair-wise consistency test of the KEM's own key.
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] where private and public key do not fit.
            pub fn check_pair(&self) -> Result<(), Error> {
                match &self.0 {
                    $(Private::$kem(key) => key.check_pair(),)*
                    Private::XWing(key) => key.check_pair(),
                }
            }

            /// Its KEM.
            #[must_use]
            pub fn kem(&self) -> Kem {
                match self.0 {
                    $(Private::$kem(_) => Kem::$kem,)*
                    Private::XWing(_) => Kem::XWing,
                }
            }

            /// The secret of an encapsulated key, from a certain sender if one is given.
            pub(super) fn decapsulate(
                &self,
                enc: &[u8],
                from: Option<&PublicKey>,
            ) -> Result<SharedSecret, Error> {
                match &self.0 {
                    $(Private::$kem(key) => {
                        let from = match from.map(|from| &from.0) {
                            None => None,
                            Some(Public::$kem(from)) => Some(from),
                            _ => return Err(Error::BadPublicKey),
                        };
                        DhKem::decapsulate(key, enc, from)
                    })*
                    Private::XWing(key) if from.is_none() => {
                        let enc = enc.try_into().map_err(|_| Error::BadPublicKey)?;
                        Ok(SharedSecret::XWing(key.decapsulate(enc)))
                    }
                    _ => Err(Error::BadPublicKey),
                }
            }
        }

        impl PublicKey {
            /// Reads a key (`DeserializePublicKey`): a point uncompressed, or as its KEM has it.
            ///
            /// # Errors
            /// [`Error::BadPublicKey`].
            pub fn from_bytes(kem: Kem, bytes: &[u8]) -> Result<Self, Error> {
                Ok(PublicKey(match kem {
                    $(Kem::$kem => {
                        Public::$kem(<$group::PrivateKey as Classic>::read_public(bytes)?)
                    })*
                    Kem::XWing => {
                        let bytes = bytes.try_into().map_err(|_| Error::BadPublicKey)?;
                        Public::XWing(x_wing::EncapsulationKey::from_bytes(bytes)?.into())
                    }
                }))
            }

            /// The bytes of the key.
            #[must_use]
            pub fn to_bytes(&self) -> Vec<u8> {
                match &self.0 {
                    $(Public::$kem(key) => <$group::PrivateKey as Classic>::write_public(key),)*
                    Public::XWing(key) => key.to_bytes().to_vec(),
                }
            }

            /// Its KEM.
            #[must_use]
            pub fn kem(&self) -> Kem {
                match self.0 {
                    $(Public::$kem(_) => Kem::$kem,)*
                    Public::XWing(_) => Kem::XWing,
                }
            }

            /// A fresh secret and its encapsulation, by a certain sender if one is given.
            pub(super) fn encapsulate(
                &self,
                from: Option<&PrivateKey>,
                rng: &mut impl Rng,
            ) -> Result<(SharedSecret, Vec<u8>), Error> {
                match (&self.0, from.map(|from| &from.0)) {
                    $((Public::$kem(key), None) => {
                        DhKem::encapsulate(key, None, &<$group::PrivateKey as Classic>::generate(rng)?)
                    }
                    (Public::$kem(key), Some(Private::$kem(from))) => {
                        DhKem::encapsulate(key, Some(from), &Classic::generate(rng)?)
                    })*
                    (Public::XWing(key), None) => {
                        let (enc, secret) = key.encapsulate(rng)?;
                        Ok((SharedSecret::XWing(secret), enc.to_vec()))
                    }
                    _ => Err(Error::BadPrivateKey),
                }
            }

            /// As [`Self::encapsulate`] with a known ephemeral key, for the vectors of the RFC.
            #[cfg(test)]
            pub(super) fn encapsulate_with(
                &self,
                from: Option<&PrivateKey>,
                ephemeral: &PrivateKey,
            ) -> Result<(SharedSecret, Vec<u8>), Error> {
                match (&self.0, &ephemeral.0) {
                    $((Public::$kem(key), Private::$kem(ephemeral)) => {
                        let from = from.map(|from| match &from.0 {
                            Private::$kem(from) => from,
                            _ => unreachable!("the vectors' keys are of one KEM"),
                        });
                        DhKem::encapsulate(key, from, ephemeral)
                    })*
                    _ => Err(Error::BadPrivateKey),
                }
            }
        }
    };
}
kems! { P256: p256; P384: p384; P521: p521; X25519: x25519; X448: x448; }

/// A private key of a KEM, which wipes itself.
#[derive(Clone)]
pub struct PrivateKey(Private);

/// A public key of a KEM.
#[derive(Clone)]
pub struct PublicKey(Public);

impl core::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "hpke::PublicKey({:?}, ", self.kem())?;
        for byte in self.to_bytes() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}
