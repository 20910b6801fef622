//! Public and private keys and their encodings: SubjectPublicKeyInfo, PKCS #8, SEC 1 and PEM.

#[cfg(any(feature = "ecdsa", feature = "sm"))]
mod curves;
mod encrypted;
mod kinds;
mod pkcs8;
#[cfg(feature = "rsa")]
mod rsa;
mod sec1;
mod secret;
mod spki;
#[cfg(feature = "x-wing")]
mod x_wing;

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

use adamant_base::{Rng, SecretBytes};
use adamant_der::{Oid, Writer, oid, pem};

use crate::algorithm::{EC_PUBLIC_KEY, NULL, parameters};
use crate::element::parse;
use crate::extensions::SubjectKeyIdentifier;
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

#[cfg(any(feature = "ecdsa", feature = "sm"))]
use curves::OnCurve;
#[allow(unused_imports)] // without keys
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

/// The table of the keys, a row for each algorithm: the feature that brings it, its name, the
/// identifier (of keys on curves that of the curve), the kind and the types. Algorithms are known
/// by their names and identifiers without their features too; keys on curves also have SEC 1's form.
macro_rules! keys {
    (
        curves { $(
            $curve_feature:tt $curve:ident $curve_name:literal $curve_oid:literal:
                $curve_kind:ty, $curve_module:ident;
        )* }
        others { $(
            $feature:tt $other:ident $other_name:literal $oid:literal $(($parameters:expr))?:
                $other_kind:ty, $private:ty, $public:ty;
        )* }
    ) => {
        /// Algorithms that keys are made for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum KeyAlgorithm {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")] $curve,)*
            $(#[doc = concat!($other_name, ".")] $other,)*
        }

        impl KeyAlgorithm {
            /// All of them, built in or not.
            pub const ALL: &[Self] = &[$(Self::$curve,)* $(Self::$other,)*];

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$curve => $curve_name,)*
                    $(Self::$other => $other_name,)*
                }
            }

            /// What its public keys have for an identifier.
            const fn identifier(self) -> AlgorithmIdentifier<'static> {
                match self {
                    $(Self::$curve => {
                        const CURVE: Oid = oid!($curve_oid);
                        const ELEMENT: &[u8] = &element::<{ CURVE.as_bytes().len() + 2 }>(CURVE);
                        AlgorithmIdentifier::new(EC_PUBLIC_KEY, Some(ELEMENT))
                    })*
                    $(Self::$other => {
                        AlgorithmIdentifier::new(const { oid!($oid) }, parameters!($($parameters)?))
                    })*
                }
            }

            /// The curve of keys that are `id-ecPublicKey`.
            const fn curve(self) -> Option<Oid> {
                match self {
                    $(Self::$curve => Some(const { oid!($curve_oid) }),)*
                    _ => None,
                }
            }

            /// Whether the feature that brings its keys is on.
            pub const fn is_built_in(self) -> bool {
                match self {
                    $(Self::$curve => cfg!(feature = $curve_feature),)*
                    $(Self::$other => cfg!(feature = $feature),)*
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
            #[cfg(feature = $curve_feature)]
            $curve(adamant_ec::$curve_module::PublicKey),)*
            $(#[doc = concat!("Of ", $other_name, ".")]
            #[cfg(feature = $feature)]
            $other($public),)*
            /// Of an algorithm that is not implemented or not built in.
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
            #[cfg(feature = $curve_feature)]
            $curve(adamant_ec::$curve_module::PrivateKey),)*
            $(#[doc = concat!("Of ", $other_name, ".")]
            #[cfg(feature = $feature)]
            $other($private),)*
            /// There is none: so that it is a type without any feature.
            #[doc(hidden)]
            Never(Infallible),
        }

        impl PublicKey {
            /// The key in its structure.
            ///
            /// # Errors
            /// [`ErrorKind::Crypto`] at the octets if they are no key of the algorithm.
            pub fn from_spki(spki: &SubjectPublicKeyInfo<'_>) -> Result<Self> {
                let key = match KeyAlgorithm::from_identifier(&spki.algorithm) {
                    $(#[cfg(feature = $curve_feature)]
                    Some(KeyAlgorithm::$curve) => {
                        <$curve_kind as Kind>::read_public(spki.key).map(Self::$curve)
                    })*
                    $(#[cfg(feature = $feature)]
                    Some(KeyAlgorithm::$other) => {
                        <$other_kind as Kind>::read_public(spki.key).map(Self::$other)
                    })*
                    _ => Ok(Self::Unknown(UnknownKey {
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
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(_) => Some(KeyAlgorithm::$curve),)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(_) => Some(KeyAlgorithm::$other),)*
                    Self::Unknown(_) => None,
                }
            }

            fn octets(&self) -> Vec<u8> {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => <$curve_kind as Kind>::public_octets(key),)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(key) => <$other_kind as Kind>::public_octets(key),)*
                    Self::Unknown(key) => key.bits.clone(),
                }
            }

            /// Whether these octets stand for this key too.
            fn is(&self, octets: &[u8]) -> Result<bool, adamant_base::Error> {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => <$curve_kind as Kind>::is_public(key, octets),)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(key) => <$other_kind as Kind>::is_public(key, octets),)*
                    Self::Unknown(key) => Ok(key.bits == octets),
                }
            }
        }

        impl PrivateKey {
            /// A new key; an RSA one has 3072 bits.
            ///
            /// # Errors
            /// That of the generator; [`ErrorKind::NotBuiltIn`].
            pub fn generate(algorithm: KeyAlgorithm, rng: &mut impl Rng) -> Result<Self> {
                Ok(match algorithm {
                    $(#[cfg(feature = $curve_feature)]
                    KeyAlgorithm::$curve => {
                        Self::$curve(<$curve_kind as Kind>::generate(rng)?)
                    })*
                    $(#[cfg(feature = $feature)]
                    KeyAlgorithm::$other => {
                        Self::$other(<$other_kind as Kind>::generate(rng)?)
                    })*
                    #[allow(unreachable_patterns)] // with all features
                    _ => return Err(algorithm.not_built_in(0)),
                })
            }

            /// What the key is for.
            pub const fn algorithm(&self) -> KeyAlgorithm {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(_) => KeyAlgorithm::$curve,)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(_) => KeyAlgorithm::$other,)*
                    Self::Never(never) => match *never {},
                }
            }

            /// The public key.
            pub fn public_key(&self) -> PublicKey {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => {
                        PublicKey::$curve(<$curve_kind as Kind>::public_of(key))
                    })*
                    $(#[cfg(feature = $feature)]
                    Self::$other(key) => {
                        PublicKey::$other(<$other_kind as Kind>::public_of(key))
                    })*
                    Self::Never(never) => match *never {},
                }
            }

            fn read(algorithm: KeyAlgorithm, info: &PrivateKeyInfo<'_>) -> Result<Self> {
                Ok(match algorithm {
                    $(#[cfg(feature = $curve_feature)]
                    KeyAlgorithm::$curve => {
                        Self::$curve(<$curve_kind as Kind>::read_private(info)?)
                    })*
                    $(#[cfg(feature = $feature)]
                    KeyAlgorithm::$other => {
                        Self::$other(<$other_kind as Kind>::read_private(info)?)
                    })*
                    #[allow(unreachable_patterns)] // with all features
                    _ => return Err(algorithm.not_built_in(info.algorithm.position())),
                })
            }

            /// What stands in the OCTET STRING of PKCS #8.
            fn inner(&self) -> SecretBytes {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => <$curve_kind as Kind>::write_private(key),)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(key) => <$other_kind as Kind>::write_private(key),)*
                    Self::Never(never) => match *never {},
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
                match KeyAlgorithm::ALL.iter().find(|known| known.curve() == Some(curve)) {
                    $(#[cfg(feature = $curve_feature)]
                    Some(KeyAlgorithm::$curve) => {
                        <$curve_kind as OnCurve>::read_sec1(&ec).map(Self::$curve)
                    })*
                    Some(_) => Err(ErrorKind::NotBuiltIn(curve).at(ec.curve_position)),
                    None => Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position)),
                }
            }

            /// The ECPrivateKey (SEC 1) with curve and public key; nothing for other keys.
            pub fn to_sec1_der(&self) -> Option<SecretBytes> {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => {
                        let curve = self.algorithm().curve();
                        Some(<$curve_kind as OnCurve>::write_sec1(key, curve))
                    })*
                    _ => None,
                }
            }
        }
    };
}

keys! {
    curves {
        "ecdsa" P256 "P-256" "1.2.840.10045.3.1.7": curves::Ec<adamant_ec::p256::P256, 4>, p256;
        "ecdsa" P224 "P-224" "1.3.132.0.33": curves::Ec<adamant_ec::p224::P224, 4>, p224;
        "ecdsa" P384 "P-384" "1.3.132.0.34": curves::Ec<adamant_ec::p384::P384, 6>, p384;
        "ecdsa" P521 "P-521" "1.3.132.0.35": curves::Ec<adamant_ec::p521::P521, 9>, p521;
        "ecdsa" Secp256k1 "secp256k1" "1.3.132.0.10": curves::Ec<adamant_ec::secp256k1::Secp256k1, 4>, secp256k1;
        "ecdsa" BrainpoolP256r1 "brainpoolP256r1" "1.3.36.3.3.2.8.1.1.7": curves::Ec<adamant_ec::brainpoolp256r1::BrainpoolP256r1, 4>, brainpoolp256r1;
        "ecdsa" BrainpoolP384r1 "brainpoolP384r1" "1.3.36.3.3.2.8.1.1.11": curves::Ec<adamant_ec::brainpoolp384r1::BrainpoolP384r1, 6>, brainpoolp384r1;
        "ecdsa" BrainpoolP512r1 "brainpoolP512r1" "1.3.36.3.3.2.8.1.1.13": curves::Ec<adamant_ec::brainpoolp512r1::BrainpoolP512r1, 8>, brainpoolp512r1;
        "sm" Sm2 "SM2" "1.2.156.10197.1.301": curves::Sm2, sm2;
    }
    others {
        "curve25519" Ed25519 "Ed25519" "1.3.101.112": kinds::Ed25519, adamant_ec::ed25519::PrivateKey, adamant_ec::ed25519::PublicKey;
        "curve25519" X25519 "X25519" "1.3.101.110": kinds::Montgomery25519, adamant_ec::x25519::PrivateKey, adamant_ec::x25519::PublicKey;
        "curve448" Ed448 "Ed448" "1.3.101.113": kinds::Ed448, adamant_ec::ed448::PrivateKey, adamant_ec::ed448::PublicKey;
        "curve448" X448 "X448" "1.3.101.111": kinds::Montgomery448, adamant_ec::x448::PrivateKey, adamant_ec::x448::PublicKey;
        "rsa" Rsa "RSA" "1.2.840.113549.1.1.1" (NULL): rsa::Rsa, adamant_rsa::PrivateKey, adamant_rsa::PublicKey;
        "ml-dsa" MlDsa44 "ML-DSA-44" "2.16.840.1.101.3.4.3.17": kinds::MlDsa44, adamant_pq::ml_dsa_44::PrivateKey, adamant_pq::ml_dsa_44::PublicKey;
        "ml-dsa" MlDsa65 "ML-DSA-65" "2.16.840.1.101.3.4.3.18": kinds::MlDsa65, adamant_pq::ml_dsa_65::PrivateKey, adamant_pq::ml_dsa_65::PublicKey;
        "ml-dsa" MlDsa87 "ML-DSA-87" "2.16.840.1.101.3.4.3.19": kinds::MlDsa87, adamant_pq::ml_dsa_87::PrivateKey, adamant_pq::ml_dsa_87::PublicKey;
        "ml-kem" MlKem512 "ML-KEM-512" "2.16.840.1.101.3.4.4.1": kinds::MlKem512, adamant_pq::ml_kem_512::DecapsulationKey, adamant_pq::ml_kem_512::EncapsulationKey;
        "ml-kem" MlKem768 "ML-KEM-768" "2.16.840.1.101.3.4.4.2": kinds::MlKem768, adamant_pq::ml_kem_768::DecapsulationKey, adamant_pq::ml_kem_768::EncapsulationKey;
        "ml-kem" MlKem1024 "ML-KEM-1024" "2.16.840.1.101.3.4.4.3": kinds::MlKem1024, adamant_pq::ml_kem_1024::DecapsulationKey, adamant_pq::ml_kem_1024::EncapsulationKey;
        "x-wing" XWing "X-Wing" "1.3.6.1.4.1.62253.25722": x_wing::XWing, adamant_hybrid::x_wing::DecapsulationKey, adamant_hybrid::x_wing::EncapsulationKey;
        "slh-dsa" SlhDsaSha2_128s "SLH-DSA-SHA2-128s" "2.16.840.1.101.3.4.3.20": kinds::SlhDsaSha2_128s, adamant_pq::slh_dsa_sha2_128s::PrivateKey, adamant_pq::slh_dsa_sha2_128s::PublicKey;
        "slh-dsa" SlhDsaSha2_128f "SLH-DSA-SHA2-128f" "2.16.840.1.101.3.4.3.21": kinds::SlhDsaSha2_128f, adamant_pq::slh_dsa_sha2_128f::PrivateKey, adamant_pq::slh_dsa_sha2_128f::PublicKey;
        "slh-dsa" SlhDsaSha2_192s "SLH-DSA-SHA2-192s" "2.16.840.1.101.3.4.3.22": kinds::SlhDsaSha2_192s, adamant_pq::slh_dsa_sha2_192s::PrivateKey, adamant_pq::slh_dsa_sha2_192s::PublicKey;
        "slh-dsa" SlhDsaSha2_192f "SLH-DSA-SHA2-192f" "2.16.840.1.101.3.4.3.23": kinds::SlhDsaSha2_192f, adamant_pq::slh_dsa_sha2_192f::PrivateKey, adamant_pq::slh_dsa_sha2_192f::PublicKey;
        "slh-dsa" SlhDsaSha2_256s "SLH-DSA-SHA2-256s" "2.16.840.1.101.3.4.3.24": kinds::SlhDsaSha2_256s, adamant_pq::slh_dsa_sha2_256s::PrivateKey, adamant_pq::slh_dsa_sha2_256s::PublicKey;
        "slh-dsa" SlhDsaSha2_256f "SLH-DSA-SHA2-256f" "2.16.840.1.101.3.4.3.25": kinds::SlhDsaSha2_256f, adamant_pq::slh_dsa_sha2_256f::PrivateKey, adamant_pq::slh_dsa_sha2_256f::PublicKey;
        "slh-dsa" SlhDsaShake128s "SLH-DSA-SHAKE-128s" "2.16.840.1.101.3.4.3.26": kinds::SlhDsaShake128s, adamant_pq::slh_dsa_shake_128s::PrivateKey, adamant_pq::slh_dsa_shake_128s::PublicKey;
        "slh-dsa" SlhDsaShake128f "SLH-DSA-SHAKE-128f" "2.16.840.1.101.3.4.3.27": kinds::SlhDsaShake128f, adamant_pq::slh_dsa_shake_128f::PrivateKey, adamant_pq::slh_dsa_shake_128f::PublicKey;
        "slh-dsa" SlhDsaShake192s "SLH-DSA-SHAKE-192s" "2.16.840.1.101.3.4.3.28": kinds::SlhDsaShake192s, adamant_pq::slh_dsa_shake_192s::PrivateKey, adamant_pq::slh_dsa_shake_192s::PublicKey;
        "slh-dsa" SlhDsaShake192f "SLH-DSA-SHAKE-192f" "2.16.840.1.101.3.4.3.29": kinds::SlhDsaShake192f, adamant_pq::slh_dsa_shake_192f::PrivateKey, adamant_pq::slh_dsa_shake_192f::PublicKey;
        "slh-dsa" SlhDsaShake256s "SLH-DSA-SHAKE-256s" "2.16.840.1.101.3.4.3.30": kinds::SlhDsaShake256s, adamant_pq::slh_dsa_shake_256s::PrivateKey, adamant_pq::slh_dsa_shake_256s::PublicKey;
        "slh-dsa" SlhDsaShake256f "SLH-DSA-SHAKE-256f" "2.16.840.1.101.3.4.3.31": kinds::SlhDsaShake256f, adamant_pq::slh_dsa_shake_256f::PrivateKey, adamant_pq::slh_dsa_shake_256f::PublicKey;
    }
}

/// An object identifier as an element.
const fn element<const N: usize>(oid: Oid) -> [u8; N] {
    let mut element = [0; N];
    (element[0], element[1]) = (0x06, oid.as_bytes().len() as u8);
    let mut i = 2;
    while i < N {
        element[i] = oid.as_bytes()[i - 2];
        i += 1;
    }
    element
}

impl KeyAlgorithm {
    /// The algorithm of a key with this identifier.
    pub(crate) fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| algorithm.identifier() == *identifier)
    }

    fn not_built_in(self, position: usize) -> crate::Error {
        ErrorKind::NotBuiltIn(self.curve().unwrap_or(self.identifier().oid)).at(position)
    }
}

/// A public key of an algorithm that is not implemented or not built in.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownKey {
    /// The algorithm.
    pub oid: Oid,
    /// The element that its parameters are.
    pub parameters: Option<Vec<u8>>,
    /// The octets of the key.
    pub bits: Vec<u8>,
}

impl UnknownKey {
    /// What keeps it from being used.
    pub(crate) fn error(&self) -> crate::Error {
        let identifier = AlgorithmIdentifier::new(self.oid, self.parameters.as_deref());
        match KeyAlgorithm::from_identifier(&identifier) {
            Some(known) => known.not_built_in(0),
            None => ErrorKind::UnknownAlgorithm(self.oid).at(0),
        }
    }
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
    /// [`ErrorKind::UnknownAlgorithm`], [`ErrorKind::NotBuiltIn`]; [`ErrorKind::KeyMismatch`] at a
    /// public key that is not this key's; [`ErrorKind::Crypto`] at octets that are no key; and others.
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
            PKCS1_LABEL => {
                let rsa = KeyAlgorithm::Rsa;
                Self::read(rsa, &PrivateKeyInfo::new(rsa.identifier(), block.der()))
            }
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
