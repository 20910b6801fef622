//! Public and private keys and their encodings: SubjectPublicKeyInfo, PKCS #8, SEC 1 and PEM.

mod curves;
mod encrypted;
mod kinds;
mod pkcs8;
mod sec1;
mod secret;
mod spki;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use adamant_base::{Rng, SecretBytes};
use adamant_der::{Oid, Writer, pem};
use adamant_ec::weierstrass::{
    brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, p224, p256, p384, p521, secp256k1,
};
use adamant_ec::{ed448, ed25519, sm2, x448, x25519};
use adamant_hybrid::x_wing;
use adamant_pq as pq;

use crate::algorithm::EC_PUBLIC_KEY;
use crate::element::parse;
use crate::extensions::SubjectKeyIdentifier;
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

use curves::OnCurve;
use kinds::Kind;

pub(crate) use encrypted::{EncryptedPrivateKey, write_encrypted};
pub use pkcs8::PrivateKeyInfo;
pub use sec1::EcPrivateKey;
pub use secret::SecretText;
pub use spki::SubjectPublicKeyInfo;

/// `PRIVATE KEY`: PKCS #8.
const PKCS8_LABEL: &str = "PRIVATE KEY";
/// `EC PRIVATE KEY`: SEC 1.
const SEC1_LABEL: &str = "EC PRIVATE KEY";
/// `RSA PRIVATE KEY`: PKCS #1.
const PKCS1_LABEL: &str = "RSA PRIVATE KEY";
/// `ENCRYPTED PRIVATE KEY`: PKCS #8 under a password.
const ENCRYPTED_LABEL: &str = "ENCRYPTED PRIVATE KEY";
/// `PUBLIC KEY`: SubjectPublicKeyInfo.
const PUBLIC_LABEL: &str = "PUBLIC KEY";

/// Room for every encoding of a private key that is made here.
const PRIVATE_CAPACITY: usize = 256;

/// Makes the types of keys from a row for each kind; those on curves also have SEC 1's form.
macro_rules! keys {
    (
        curves { $($curve:ident: $curve_kind:ty, $curve_module:ident, $curve_name:literal;)* }
        others {
            $($other:ident: $other_kind:ty, $private:ty, $public:ty, $other_name:literal;)*
        }
    ) => {
        /// Algorithms that keys are made for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum KeyAlgorithm {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")] $curve,)*
            $(#[doc = concat!($other_name, ".")] $other,)*
        }

        impl KeyAlgorithm {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$curve,)* $(Self::$other,)*];

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$curve => $curve_name,)*
                    $(Self::$other => $other_name,)*
                }
            }

            fn identifier(self) -> AlgorithmIdentifier<'static> {
                match self {
                    $(Self::$curve => <$curve_kind as Kind>::identifier(),)*
                    $(Self::$other => <$other_kind as Kind>::identifier(),)*
                }
            }
        }

        /// A public key of any algorithm.
        ///
        /// ```
        /// use adamant_x509::PublicKey;
        ///
        /// // RFC 8410, section 10.1.
        /// let pem = "-----BEGIN PUBLIC KEY-----
        /// MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
        /// -----END PUBLIC KEY-----
        /// ";
        /// let key = PublicKey::from_pem(pem)?;
        /// assert!(matches!(key, PublicKey::Ed25519(_)));
        /// assert_eq!(key.to_pem(), pem);
        /// # Ok::<(), adamant_x509::Error>(())
        /// ```
        // Keys are few, and a box would stand in every pattern.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum PublicKey {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")]
            $curve($curve_module::PublicKey),)*
            $(#[doc = concat!("Of ", $other_name, ".")]
            $other($public),)*
            /// Of an algorithm that is not implemented.
            Unknown(UnknownKey),
        }

        /// A private key of any algorithm.
        ///
        /// ```
        /// use adamant_x509::{PrivateKey, PublicKey};
        ///
        /// // RFC 8410, section 10.3.
        /// let key = PrivateKey::from_pem(
        ///     "-----BEGIN PRIVATE KEY-----
        /// MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        /// -----END PRIVATE KEY-----
        /// ",
        /// )?;
        /// assert!(matches!(key.public_key(), PublicKey::Ed25519(_)));
        /// let der = key.to_pkcs8_der();
        /// assert_eq!(PrivateKey::from_pkcs8_der(&der)?.public_key(), key.public_key());
        /// # Ok::<(), adamant_x509::Error>(())
        /// ```
        // Keys are few, and a box would stand in every pattern.
        #[allow(clippy::large_enum_variant)]
        #[non_exhaustive]
        pub enum PrivateKey {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")]
            $curve($curve_module::PrivateKey),)*
            $(#[doc = concat!("Of ", $other_name, ".")]
            $other($private),)*
        }

        impl PublicKey {
            /// The key in its structure.
            ///
            /// # Errors
            /// [`ErrorKind::Crypto`] at the octets if they are no key of the algorithm.
            pub fn from_spki(spki: &SubjectPublicKeyInfo<'_>) -> Result<Self> {
                let key = match KeyAlgorithm::from_identifier(&spki.algorithm) {
                    $(Some(KeyAlgorithm::$curve) => {
                        <$curve_kind as Kind>::read_public(spki.key).map(Self::$curve)
                    })*
                    $(Some(KeyAlgorithm::$other) => {
                        <$other_kind as Kind>::read_public(spki.key).map(Self::$other)
                    })*
                    None => Ok(Self::Unknown(UnknownKey {
                        oid: spki.algorithm.oid,
                        parameters: spki.algorithm.parameters.map(<[u8]>::to_vec),
                        bits: spki.key.to_vec(),
                    })),
                };
                key.map_err(|error| ErrorKind::Crypto(error).at(spki.key_position()))
            }

            /// What the key is for; nothing where that is not implemented.
            pub const fn algorithm(&self) -> Option<KeyAlgorithm> {
                match self {
                    $(Self::$curve(_) => Some(KeyAlgorithm::$curve),)*
                    $(Self::$other(_) => Some(KeyAlgorithm::$other),)*
                    Self::Unknown(_) => None,
                }
            }

            fn octets(&self) -> Vec<u8> {
                match self {
                    $(Self::$curve(key) => <$curve_kind as Kind>::public_octets(key),)*
                    $(Self::$other(key) => <$other_kind as Kind>::public_octets(key),)*
                    Self::Unknown(key) => key.bits.clone(),
                }
            }

            /// Whether these octets stand for this key too.
            fn is(&self, octets: &[u8]) -> Result<bool, adamant_base::Error> {
                match self {
                    $(Self::$curve(key) => <$curve_kind as Kind>::is_public(key, octets),)*
                    $(Self::$other(key) => <$other_kind as Kind>::is_public(key, octets),)*
                    Self::Unknown(key) => Ok(key.bits == octets),
                }
            }
        }

        impl PrivateKey {
            /// A new key; an RSA one has 3072 bits.
            ///
            /// # Errors
            /// That of the generator.
            pub fn generate(algorithm: KeyAlgorithm, rng: &mut impl Rng) -> Result<Self> {
                Ok(match algorithm {
                    $(KeyAlgorithm::$curve => {
                        Self::$curve(<$curve_kind as Kind>::generate(rng)?)
                    })*
                    $(KeyAlgorithm::$other => {
                        Self::$other(<$other_kind as Kind>::generate(rng)?)
                    })*
                })
            }

            /// What the key is for.
            pub const fn algorithm(&self) -> KeyAlgorithm {
                match self {
                    $(Self::$curve(_) => KeyAlgorithm::$curve,)*
                    $(Self::$other(_) => KeyAlgorithm::$other,)*
                }
            }

            /// The public key.
            pub fn public_key(&self) -> PublicKey {
                match self {
                    $(Self::$curve(key) => {
                        PublicKey::$curve(<$curve_kind as Kind>::public_of(key))
                    })*
                    $(Self::$other(key) => {
                        PublicKey::$other(<$other_kind as Kind>::public_of(key))
                    })*
                }
            }

            fn read(algorithm: KeyAlgorithm, info: &PrivateKeyInfo<'_>) -> Result<Self> {
                Ok(match algorithm {
                    $(KeyAlgorithm::$curve => {
                        Self::$curve(<$curve_kind as Kind>::read_private(info)?)
                    })*
                    $(KeyAlgorithm::$other => {
                        Self::$other(<$other_kind as Kind>::read_private(info)?)
                    })*
                })
            }

            /// What stands in the OCTET STRING of PKCS #8.
            fn inner(&self) -> SecretBytes {
                match self {
                    $(Self::$curve(key) => <$curve_kind as Kind>::write_private(key),)*
                    $(Self::$other(key) => <$other_kind as Kind>::write_private(key),)*
                }
            }

            /// Reads an ECPrivateKey (SEC 1), which names its curve.
            ///
            /// # Errors
            /// As [`PrivateKey::from_pkcs8_der`].
            pub fn from_sec1_der(der: &[u8]) -> Result<Self> {
                let ec = parse(der, EcPrivateKey::read)?;
                let Some(curve) = ec.curve else {
                    return Err(ErrorKind::WrongParameters(EC_PUBLIC_KEY).at(ec.curve_position));
                };
                $(if curve == <$curve_kind as OnCurve>::OID {
                    return <$curve_kind as OnCurve>::read_sec1(&ec).map(Self::$curve);
                })*
                Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position))
            }

            /// The ECPrivateKey (SEC 1) with curve and public key; nothing for other keys.
            pub fn to_sec1_der(&self) -> Option<SecretBytes> {
                match self {
                    $(Self::$curve(key) => {
                        let curve = <$curve_kind as OnCurve>::OID;
                        Some(<$curve_kind as OnCurve>::write_sec1(key, Some(curve)))
                    })*
                    _ => None,
                }
            }
        }
    };
}

keys! {
    curves {
        P256: curves::Ec<p256::P256, 4>, p256, "P-256";
        P224: curves::Ec<p224::P224, 4>, p224, "P-224";
        P384: curves::Ec<p384::P384, 6>, p384, "P-384";
        P521: curves::Ec<p521::P521, 9>, p521, "P-521";
        Secp256k1: curves::Ec<secp256k1::Secp256k1, 4>, secp256k1, "secp256k1";
        BrainpoolP256r1: curves::Ec<brainpoolp256r1::BrainpoolP256r1, 4>, brainpoolp256r1, "brainpoolP256r1";
        BrainpoolP384r1: curves::Ec<brainpoolp384r1::BrainpoolP384r1, 6>, brainpoolp384r1, "brainpoolP384r1";
        BrainpoolP512r1: curves::Ec<brainpoolp512r1::BrainpoolP512r1, 8>, brainpoolp512r1, "brainpoolP512r1";
        Sm2: curves::Sm2, sm2, "SM2";
    }
    others {
        Ed25519: kinds::Ed25519, ed25519::PrivateKey, ed25519::PublicKey, "Ed25519";
        X25519: kinds::Montgomery25519, x25519::PrivateKey, x25519::PublicKey, "X25519";
        Ed448: kinds::Ed448, ed448::PrivateKey, ed448::PublicKey, "Ed448";
        X448: kinds::Montgomery448, x448::PrivateKey, x448::PublicKey, "X448";
        Rsa: kinds::Rsa, adamant_rsa::PrivateKey, adamant_rsa::PublicKey, "RSA";
        MlDsa44: kinds::MlDsa44, pq::ml_dsa_44::PrivateKey, pq::ml_dsa_44::PublicKey, "ML-DSA-44";
        MlDsa65: kinds::MlDsa65, pq::ml_dsa_65::PrivateKey, pq::ml_dsa_65::PublicKey, "ML-DSA-65";
        MlDsa87: kinds::MlDsa87, pq::ml_dsa_87::PrivateKey, pq::ml_dsa_87::PublicKey, "ML-DSA-87";
        MlKem512: kinds::MlKem512, pq::ml_kem_512::DecapsulationKey, pq::ml_kem_512::EncapsulationKey, "ML-KEM-512";
        MlKem768: kinds::MlKem768, pq::ml_kem_768::DecapsulationKey, pq::ml_kem_768::EncapsulationKey, "ML-KEM-768";
        MlKem1024: kinds::MlKem1024, pq::ml_kem_1024::DecapsulationKey, pq::ml_kem_1024::EncapsulationKey, "ML-KEM-1024";
        XWing: kinds::XWing, x_wing::DecapsulationKey, x_wing::EncapsulationKey, "X-Wing";
        SlhDsaSha2_128s: kinds::SlhDsaSha2_128s, pq::slh_dsa_sha2_128s::PrivateKey, pq::slh_dsa_sha2_128s::PublicKey, "SLH-DSA-SHA2-128s";
        SlhDsaSha2_128f: kinds::SlhDsaSha2_128f, pq::slh_dsa_sha2_128f::PrivateKey, pq::slh_dsa_sha2_128f::PublicKey, "SLH-DSA-SHA2-128f";
        SlhDsaSha2_192s: kinds::SlhDsaSha2_192s, pq::slh_dsa_sha2_192s::PrivateKey, pq::slh_dsa_sha2_192s::PublicKey, "SLH-DSA-SHA2-192s";
        SlhDsaSha2_192f: kinds::SlhDsaSha2_192f, pq::slh_dsa_sha2_192f::PrivateKey, pq::slh_dsa_sha2_192f::PublicKey, "SLH-DSA-SHA2-192f";
        SlhDsaSha2_256s: kinds::SlhDsaSha2_256s, pq::slh_dsa_sha2_256s::PrivateKey, pq::slh_dsa_sha2_256s::PublicKey, "SLH-DSA-SHA2-256s";
        SlhDsaSha2_256f: kinds::SlhDsaSha2_256f, pq::slh_dsa_sha2_256f::PrivateKey, pq::slh_dsa_sha2_256f::PublicKey, "SLH-DSA-SHA2-256f";
        SlhDsaShake128s: kinds::SlhDsaShake128s, pq::slh_dsa_shake_128s::PrivateKey, pq::slh_dsa_shake_128s::PublicKey, "SLH-DSA-SHAKE-128s";
        SlhDsaShake128f: kinds::SlhDsaShake128f, pq::slh_dsa_shake_128f::PrivateKey, pq::slh_dsa_shake_128f::PublicKey, "SLH-DSA-SHAKE-128f";
        SlhDsaShake192s: kinds::SlhDsaShake192s, pq::slh_dsa_shake_192s::PrivateKey, pq::slh_dsa_shake_192s::PublicKey, "SLH-DSA-SHAKE-192s";
        SlhDsaShake192f: kinds::SlhDsaShake192f, pq::slh_dsa_shake_192f::PrivateKey, pq::slh_dsa_shake_192f::PublicKey, "SLH-DSA-SHAKE-192f";
        SlhDsaShake256s: kinds::SlhDsaShake256s, pq::slh_dsa_shake_256s::PrivateKey, pq::slh_dsa_shake_256s::PublicKey, "SLH-DSA-SHAKE-256s";
        SlhDsaShake256f: kinds::SlhDsaShake256f, pq::slh_dsa_shake_256f::PrivateKey, pq::slh_dsa_shake_256f::PublicKey, "SLH-DSA-SHAKE-256f";
    }
}

impl KeyAlgorithm {
    /// The algorithm of a key with this identifier.
    pub(crate) fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| algorithm.identifier() == *identifier)
    }
}

/// A public key of an algorithm that is not implemented.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownKey {
    /// The algorithm.
    pub oid: Oid,
    /// The element that its parameters are.
    pub parameters: Option<Vec<u8>>,
    /// The octets of the key.
    pub bits: Vec<u8>,
}

impl PublicKey {
    /// Reads a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn from_der(der: &[u8]) -> Result<Self> {
        Self::from_spki(&SubjectPublicKeyInfo::parse(der)?)
    }

    /// Reads the first `PUBLIC KEY` of a text.
    ///
    /// # Errors
    /// [`crate::Error`]; the position is one in the text, or in the decoded block.
    pub fn from_pem(text: &str) -> Result<Self> {
        Self::from_der(pem::decode_first(text, &[PUBLIC_LABEL])?.der())
    }

    /// Appends the SubjectPublicKeyInfo.
    pub fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            match (self, self.algorithm()) {
                (Self::Unknown(key), _) => {
                    AlgorithmIdentifier::new(key.oid, key.parameters.as_deref()).write(w);
                }
                (_, algorithm) => {
                    if let Some(algorithm) = algorithm {
                        algorithm.identifier().write(w);
                    }
                }
            }
            w.bit_string(&self.octets(), 0);
        });
    }

    /// The SubjectPublicKeyInfo.
    pub fn to_der(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(128);
        self.write(&mut w);
        w.finish()
    }

    /// The SubjectPublicKeyInfo as PEM.
    pub fn to_pem(&self) -> String {
        pem::encode(PUBLIC_LABEL, &self.to_der())
    }

    /// A short name of the key: method 1 of RFC 7093, 160 bits of SHA-256.
    pub fn key_id(&self) -> [u8; 20] {
        SubjectKeyIdentifier::hash(&self.octets())
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.to_der() == other.to_der()
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.algorithm()) {
            (Self::Unknown(key), _) => write!(f, "{}", key.oid)?,
            (_, algorithm) => f.write_str(algorithm.map_or("", KeyAlgorithm::name))?,
        }
        let octets = self.octets();
        octets
            .iter()
            .try_for_each(|octet| write!(f, " {octet:02x}"))
    }
}

impl PrivateKey {
    /// Reads a PrivateKeyInfo or OneAsymmetricKey (PKCS #8).
    ///
    /// # Errors
    /// [`ErrorKind::UnknownAlgorithm`]; [`ErrorKind::KeyMismatch`] at a public key that is not
    /// this key's; [`ErrorKind::Crypto`] at octets that are no key; and others.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self> {
        Self::from_info(&parse(der, PrivateKeyInfo::read)?)
    }

    /// The key in its structure.
    pub(crate) fn from_info(info: &PrivateKeyInfo<'_>) -> Result<Self> {
        let algorithm = KeyAlgorithm::from_identifier(&info.algorithm)
            .ok_or(ErrorKind::UnknownAlgorithm(info.algorithm.oid).at(info.algorithm.position()))?;
        let key = Self::read(algorithm, info)?;
        if let Some(octets) = info.public_key {
            let same = key.public_key().is(octets);
            if !same.map_err(|error| ErrorKind::Crypto(error).at(info.public_position))? {
                return Err(ErrorKind::KeyMismatch.at(info.public_position));
            }
        }
        Ok(key)
    }

    /// Reads the first `PRIVATE KEY`, `EC PRIVATE KEY` or `RSA PRIVATE KEY` of a text.
    ///
    /// # Errors
    /// As [`PrivateKey::from_pkcs8_der`], and those of PEM; the position is one in the text, or
    /// in the decoded block. [`ErrorKind::PasswordRequired`] where the first key is an encrypted
    /// one, which [`PrivateKey::from_encrypted_pem`] reads.
    pub fn from_pem(text: &str) -> Result<Self> {
        let labels = [PKCS8_LABEL, SEC1_LABEL, PKCS1_LABEL, ENCRYPTED_LABEL];
        let block = pem::decode_first(text, &labels)?;
        match block.label() {
            PKCS8_LABEL => Self::from_pkcs8_der(block.der()),
            SEC1_LABEL => Self::from_sec1_der(block.der()),
            PKCS1_LABEL => kinds::Rsa::read_pkcs1(block.der(), 0).map(Self::Rsa),
            _ => Err(ErrorKind::PasswordRequired.at(block.position())),
        }
    }

    /// The PrivateKeyInfo (PKCS #8), of version 1. As is the custom, an ECPrivateKey in it has
    /// the public key and not the curve; ML-DSA and ML-KEM keys stand as their seeds where these
    /// are known.
    pub fn to_pkcs8_der(&self) -> SecretBytes {
        let inner = self.inner();
        let mut w = Writer::with_capacity(inner.len() + PRIVATE_CAPACITY);
        PrivateKeyInfo::new(self.algorithm().identifier(), &inner).write(&mut w);
        w.finish().into()
    }

    /// [`PrivateKey::to_pkcs8_der`] as PEM.
    pub fn to_pem(&self) -> SecretText {
        SecretText::pem(PKCS8_LABEL, &self.to_pkcs8_der())
    }

    /// [`PrivateKey::to_sec1_der`] as PEM.
    pub fn to_sec1_pem(&self) -> Option<SecretText> {
        let der = self.to_sec1_der()?;
        Some(SecretText::pem(SEC1_LABEL, &der))
    }
}
