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

#[cfg(any(
    feature = "ecdsa",
    feature = "sm",
    feature = "curve25519",
    feature = "curve448"
))]
use adamant_ec as ec;
#[cfg(feature = "hybrid")]
use adamant_hybrid as hybrid;
#[cfg(any(feature = "ml-kem", feature = "ml-dsa", feature = "slh-dsa"))]
use adamant_pq as pq;

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
                $curve_kind:ty, $curve_module:ident, $bytes:literal;
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

            /// The identifier of its public keys.
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

            /// Bytes of a coordinate, for keys on a curve in short Weierstrass form.
            pub const fn coordinate_len(self) -> Option<usize> {
                match self {
                    $(Self::$curve => Some($bytes),)*
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
        // Keys are few, and a box would be in the way of every pattern.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum PublicKey {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")]
            #[cfg(feature = $curve_feature)]
            $curve(ec::$curve_module::PublicKey),)*
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
        /// let der = key.to_der();
        /// assert_eq!(PrivateKey::from_der(&der)?.public_key(), key.public_key());
        /// # Ok::<(), adamant_x509::Error>(())
        /// ```
        // Keys are few, and a box would be in the way of every pattern.
        #[allow(clippy::large_enum_variant)]
        #[non_exhaustive]
        pub enum PrivateKey {
            $(#[doc = concat!("On ", $curve_name, ", for signatures and key agreement.")]
            #[cfg(feature = $curve_feature)]
            $curve(ec::$curve_module::PrivateKey),)*
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
            /// [`ErrorKind::Crypto`] at the octets if they are not a key of the algorithm.
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

            /// The key's algorithm; nothing if that is not implemented.
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

            /// The key's algorithm.
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

            /// The pair-wise consistency test of FIPS 140-3 (implementation guidance, 10.3.A): whether
            /// the public key is this private key's. Reading a key finds what cannot belong together
            /// in an encoding; this computes with both halves, and takes as long.
            ///
            /// ```
            /// use adamant_rand::SystemRng;
            /// use adamant_x509::{KeyAlgorithm, PrivateKey};
            /// PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?.check_pair()?;
            /// # Ok::<(), adamant_x509::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`ErrorKind::Crypto`] where the halves do not fit.
            pub fn check_pair(&self) -> Result<()> {
                match self {
                    $(#[cfg(feature = $curve_feature)]
                    Self::$curve(key) => Ok(key.check_pair()?),)*
                    $(#[cfg(feature = $feature)]
                    Self::$other(key) => Ok(key.check_pair()?),)*
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

            /// The contents of the OCTET STRING in PKCS #8.
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
            /// As [`PrivateKey::from_der`].
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

/// The table's rows: the list of the schemes, SM2 and RSA.
macro_rules! rows {
    (
        curves { $({ $cf:tt $curve:ident $cm:ident $w:literal $bytes:literal $cname:literal $cid:literal
            $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $scommand:literal $sname:literal
            $sid:literal $($_s:tt)* })* }
        agreements { $({ $af:tt $agrees:ident $ac:ident $am:ident $acommand:literal $aname:literal
            $aid:literal $($_a:tt)* })* }
        kems { $({ $kf:tt $kem:ident $kc:ident $km:ident $kcommand:literal $kname:literal $kid:literal
            $($_k:tt)* })* }
    ) => {
        keys! {
            curves {
                $($cf $curve $cname $cid: curves::Ec<ec::$cm::$curve, $w>, $cm, $bytes;)*
                "sm" Sm2 "SM2" "1.2.156.10197.1.301": curves::Sm2, sm2, 32;
            }
            others {
                $($sf $signs $sname $sid: kinds::$signs, $sc::$sm::PrivateKey, $sc::$sm::PublicKey;)*
                $($af $agrees $aname $aid: kinds::$agrees, $ac::$am::PrivateKey, $ac::$am::PublicKey;)*
                $($kf $kem $kname $kid:
                    kinds::$kem, $kc::$km::DecapsulationKey, $kc::$km::EncapsulationKey;)*
                "rsa" Rsa "RSA" "1.2.840.113549.1.1.1" (NULL):
                    rsa::Rsa, adamant_rsa::PrivateKey, adamant_rsa::PublicKey;
            }
        }
    };
}
adamant_base::schemes!(rows);

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
    /// The reason why it cannot be used.
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
        Self::from_spki(&SubjectPublicKeyInfo::from_der(der)?)
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
    /// public key that is not this key's; [`ErrorKind::Crypto`] at octets that are not a key; and others.
    pub fn from_der(der: &[u8]) -> Result<Self> {
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
    /// As [`PrivateKey::from_der`], and those of PEM; the position is one in the text, or
    /// in the decoded block. [`ErrorKind::PasswordRequired`] where the first key is an encrypted
    /// one, which [`PrivateKey::from_encrypted_pem`] reads.
    pub fn from_pem(text: &str) -> Result<Self> {
        let labels = [PKCS8_LABEL, SEC1_LABEL, PKCS1_LABEL, ENCRYPTED_LABEL];
        let block = pem::decode_first(text, &labels)?;
        match block.label() {
            PKCS8_LABEL => Self::from_der(block.der()),
            SEC1_LABEL => Self::from_sec1_der(block.der()),
            PKCS1_LABEL => {
                let rsa = KeyAlgorithm::Rsa;
                Self::read(rsa, &PrivateKeyInfo::new(rsa.identifier(), block.der()))
            }
            _ => Err(ErrorKind::PasswordRequired.at(block.position())),
        }
    }

    /// The PrivateKeyInfo (PKCS #8), of version 1. As is the custom, an ECPrivateKey in it has
    /// the public key and not the curve; ML-DSA and ML-KEM keys are written as their seeds where these
    /// are known.
    pub fn to_der(&self) -> SecretBytes {
        let inner = self.inner();
        let mut w = Writer::with_capacity(inner.len() + PRIVATE_CAPACITY);
        PrivateKeyInfo::new(self.algorithm().identifier(), &inner).write(&mut w);
        w.finish().into()
    }

    /// [`PrivateKey::to_der`] as PEM.
    pub fn to_pem(&self) -> SecretText {
        SecretText::pem(PKCS8_LABEL, &self.to_der())
    }

    /// [`PrivateKey::to_sec1_der`] as PEM.
    pub fn to_sec1_pem(&self) -> Option<SecretText> {
        let der = self.to_sec1_der()?;
        Some(SecretText::pem(SEC1_LABEL, &der))
    }
}
