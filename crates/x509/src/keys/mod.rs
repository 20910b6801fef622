//! Public and private keys and their encodings: SubjectPublicKeyInfo, PKCS #8, SEC 1 and PEM.

mod pkcs8;
mod sec1;
mod secret;
mod spki;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use adamant_base::{Error as CryptoError, Rng, Secret};
use adamant_der::{Oid, Writer, pem};
use adamant_ec::{ed25519, p256, x25519};

use crate::algorithm::{EC_PUBLIC_KEY, ED25519, SECP256R1, X25519};
use crate::element::{parse, within};
use crate::extensions::SubjectKeyIdentifier;
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

pub use pkcs8::PrivateKeyInfo;
pub use sec1::EcPrivateKey;
pub use secret::{SecretBytes, SecretText};
pub use spki::SubjectPublicKeyInfo;

/// `PRIVATE KEY`: PKCS #8.
const PKCS8_LABEL: &str = "PRIVATE KEY";
/// `EC PRIVATE KEY`: SEC 1.
const SEC1_LABEL: &str = "EC PRIVATE KEY";
/// `PUBLIC KEY`: SubjectPublicKeyInfo.
const PUBLIC_LABEL: &str = "PUBLIC KEY";

/// Room for every encoding of a private key that is made here.
const PRIVATE_CAPACITY: usize = 256;

/// The parameters of P-256: its object identifier as an element.
const SECP256R1_DER: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];

/// Algorithms that keys are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyAlgorithm {
    /// ECDSA and ECDH on P-256.
    P256,
    /// EdDSA on edwards25519.
    Ed25519,
    /// ECDH on curve25519.
    X25519,
}

impl KeyAlgorithm {
    const fn identifier(self) -> AlgorithmIdentifier<'static> {
        match self {
            Self::P256 => AlgorithmIdentifier::new(EC_PUBLIC_KEY, Some(SECP256R1_DER)),
            Self::Ed25519 => AlgorithmIdentifier::new(ED25519, None),
            Self::X25519 => AlgorithmIdentifier::new(X25519, None),
        }
    }

    /// The algorithm of a key with this identifier.
    fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Option<Self> {
        [Self::P256, Self::Ed25519, Self::X25519]
            .into_iter()
            .find(|algorithm| algorithm.identifier() == *identifier)
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
#[derive(Clone)]
#[non_exhaustive]
pub enum PublicKey {
    /// On P-256, for ECDSA and ECDH.
    P256(p256::PublicKey),
    /// EdDSA on edwards25519.
    Ed25519(ed25519::PublicKey),
    /// ECDH on curve25519.
    X25519(x25519::PublicKey),
    /// Of an algorithm that is not implemented.
    Unknown(UnknownKey),
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
    /// The key in its structure.
    ///
    /// # Errors
    /// [`ErrorKind::Crypto`] at the octets if they are no key of the algorithm.
    pub fn from_spki(spki: &SubjectPublicKeyInfo<'_>) -> Result<Self> {
        let key = match KeyAlgorithm::from_identifier(&spki.algorithm) {
            Some(KeyAlgorithm::P256) => p256::PublicKey::from_sec1(spki.key).map(Self::P256),
            Some(KeyAlgorithm::Ed25519) => {
                ed25519::PublicKey::from_bytes(spki.key).map(Self::Ed25519)
            }
            Some(KeyAlgorithm::X25519) => x25519::PublicKey::from_bytes(spki.key).map(Self::X25519),
            None => Ok(Self::Unknown(UnknownKey {
                oid: spki.algorithm.oid,
                parameters: spki.algorithm.parameters.map(<[u8]>::to_vec),
                bits: spki.key.to_vec(),
            })),
        };
        key.map_err(|error| ErrorKind::Crypto(error).at(spki.key_position()))
    }

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
            match self {
                Self::P256(_) => KeyAlgorithm::P256.identifier().write(w),
                Self::Ed25519(_) => KeyAlgorithm::Ed25519.identifier().write(w),
                Self::X25519(_) => KeyAlgorithm::X25519.identifier().write(w),
                Self::Unknown(key) => {
                    AlgorithmIdentifier::new(key.oid, key.parameters.as_deref()).write(w);
                }
            }
            self.with_octets(|octets| w.bit_string(octets, 0));
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
        self.with_octets(SubjectKeyIdentifier::hash)
    }

    fn with_octets<T>(&self, f: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            Self::P256(key) => f(&key.to_sec1()),
            Self::Ed25519(key) => f(&key.to_bytes()),
            Self::X25519(key) => f(&key.to_bytes()),
            Self::Unknown(key) => f(&key.bits),
        }
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
        match self {
            Self::P256(_) => f.write_str("P-256")?,
            Self::Ed25519(_) => f.write_str("Ed25519")?,
            Self::X25519(_) => f.write_str("X25519")?,
            Self::Unknown(key) => write!(f, "{}", key.oid)?,
        }
        self.with_octets(|octets| {
            octets
                .iter()
                .try_for_each(|octet| write!(f, " {octet:02x}"))
        })
    }
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
#[non_exhaustive]
pub enum PrivateKey {
    /// On P-256, for ECDSA and ECDH.
    P256(p256::PrivateKey),
    /// EdDSA on edwards25519.
    Ed25519(ed25519::PrivateKey),
    /// ECDH on curve25519.
    X25519(x25519::PrivateKey),
}

impl PrivateKey {
    /// A new key.
    ///
    /// # Errors
    /// That of the generator.
    pub fn generate(algorithm: KeyAlgorithm, rng: &mut impl Rng) -> Result<Self> {
        Ok(match algorithm {
            KeyAlgorithm::P256 => Self::P256(p256::PrivateKey::generate(rng)?),
            KeyAlgorithm::Ed25519 => Self::Ed25519(ed25519::PrivateKey::generate(rng)?),
            KeyAlgorithm::X25519 => Self::X25519(x25519::PrivateKey::generate(rng)?),
        })
    }

    /// What the key is for.
    pub const fn algorithm(&self) -> KeyAlgorithm {
        match self {
            Self::P256(_) => KeyAlgorithm::P256,
            Self::Ed25519(_) => KeyAlgorithm::Ed25519,
            Self::X25519(_) => KeyAlgorithm::X25519,
        }
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey {
        match self {
            Self::P256(key) => PublicKey::P256(key.public_key()),
            Self::Ed25519(key) => PublicKey::Ed25519(key.public_key()),
            Self::X25519(key) => PublicKey::X25519(key.public_key()),
        }
    }

    /// Reads a PrivateKeyInfo or OneAsymmetricKey (PKCS #8).
    ///
    /// # Errors
    /// [`ErrorKind::UnknownAlgorithm`]; [`ErrorKind::KeyMismatch`] at a public key that is not
    /// this key's; [`ErrorKind::Crypto`] at octets that are no key; and others.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self> {
        let info = parse(der, PrivateKeyInfo::read)?;
        let algorithm = KeyAlgorithm::from_identifier(&info.algorithm)
            .ok_or(ErrorKind::UnknownAlgorithm(info.algorithm.oid).at(info.algorithm.position()))?;
        let key = match algorithm {
            KeyAlgorithm::P256 => Self::from_sec1(&within(info.key, EcPrivateKey::read)?)?,
            KeyAlgorithm::Ed25519 => {
                let (seed, position) = curve_private_key(&info)?;
                let key = ed25519::PrivateKey::from_seed(octets(seed, position)?);
                Self::Ed25519(key)
            }
            KeyAlgorithm::X25519 => {
                let (scalar, position) = curve_private_key(&info)?;
                let key = x25519::PrivateKey::from_bytes(octets(scalar, position)?);
                Self::X25519(key)
            }
        };
        if let Some(public_key) = info.public_key {
            key.check_public(public_key, info.public_position)?;
        }
        Ok(key)
    }

    /// Reads an ECPrivateKey (SEC 1), which names its curve.
    ///
    /// # Errors
    /// As [`PrivateKey::from_pkcs8_der`].
    pub fn from_sec1_der(der: &[u8]) -> Result<Self> {
        let ec = parse(der, EcPrivateKey::read)?;
        if ec.curve.is_none() {
            return Err(ErrorKind::WrongParameters(EC_PUBLIC_KEY).at(ec.curve_position));
        }
        Self::from_sec1(&ec)
    }

    fn from_sec1(ec: &EcPrivateKey<'_>) -> Result<Self> {
        if let Some(curve) = ec.curve.filter(|curve| *curve != SECP256R1) {
            return Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position));
        }
        let key = p256::PrivateKey::from_bytes(ec.private_key)
            .map_err(|error| ErrorKind::Crypto(error).at(ec.key_position))?;
        let key = Self::P256(key);
        if let Some(public_key) = ec.public_key {
            key.check_public(public_key, ec.public_position)?;
        }
        Ok(key)
    }

    /// Reads the first `PRIVATE KEY` or `EC PRIVATE KEY` of a text.
    ///
    /// # Errors
    /// As [`PrivateKey::from_pkcs8_der`], and those of PEM; the position is one in the text, or
    /// in the decoded block.
    pub fn from_pem(text: &str) -> Result<Self> {
        let block = pem::decode_first(text, &[PKCS8_LABEL, SEC1_LABEL])?;
        if block.label() == PKCS8_LABEL {
            Self::from_pkcs8_der(block.der())
        } else {
            Self::from_sec1_der(block.der())
        }
    }

    /// The PrivateKeyInfo (PKCS #8), of version 1. As is the custom, an ECPrivateKey in it has
    /// the public key and not the curve.
    pub fn to_pkcs8_der(&self) -> SecretBytes {
        let inner = match self {
            Self::P256(_) => self.sec1(None),
            Self::Ed25519(key) => octet_string(&*key.seed()),
            Self::X25519(key) => octet_string(&*key.to_bytes()),
        };
        let mut w = Writer::with_capacity(PRIVATE_CAPACITY);
        PrivateKeyInfo::new(self.algorithm().identifier(), &inner).write(&mut w);
        SecretBytes::new(w.finish())
    }

    /// The ECPrivateKey (SEC 1) with curve and public key; nothing for other keys.
    pub fn to_sec1_der(&self) -> Option<SecretBytes> {
        matches!(self, Self::P256(_)).then(|| self.sec1(Some(SECP256R1)))
    }

    /// [`PrivateKey::to_pkcs8_der`] as PEM.
    pub fn to_pem(&self) -> SecretText {
        self.to_pkcs8_der().to_pem(PKCS8_LABEL)
    }

    /// [`PrivateKey::to_sec1_der`] as PEM.
    pub fn to_sec1_pem(&self) -> Option<SecretText> {
        self.to_sec1_der().map(|der| der.to_pem(SEC1_LABEL))
    }

    fn sec1(&self, curve: Option<Oid>) -> SecretBytes {
        let mut w = Writer::with_capacity(PRIVATE_CAPACITY);
        if let Self::P256(key) = self {
            let scalar: Secret<[u8; 32]> = key.to_bytes();
            EcPrivateKey::new(&*scalar, curve, &key.public_key().to_sec1()).write(&mut w);
        }
        SecretBytes::new(w.finish())
    }

    fn check_public(&self, octets: &[u8], position: usize) -> Result<()> {
        let same = match self {
            // A point may be written compressed.
            Self::P256(key) => p256::PublicKey::from_sec1(octets)
                .map_err(|error| ErrorKind::Crypto(error).at(position))
                .map(|public| public.to_sec1() == key.public_key().to_sec1())?,
            Self::Ed25519(_) | Self::X25519(_) => {
                self.public_key().with_octets(|own| own == octets)
            }
        };
        if same {
            Ok(())
        } else {
            Err(ErrorKind::KeyMismatch.at(position))
        }
    }
}

/// CurvePrivateKey (RFC 8410, section 7): an OCTET STRING within that of PKCS #8.
fn curve_private_key<'a>(info: &PrivateKeyInfo<'a>) -> Result<(&'a [u8], usize)> {
    within(info.key, |r| {
        let octets = r.enter(adamant_der::Tag::OCTET_STRING)?;
        Ok((octets.rest(), octets.position()))
    })
}

fn octets(octets: &[u8], position: usize) -> Result<&[u8; 32]> {
    octets
        .try_into()
        .map_err(|_| ErrorKind::Crypto(CryptoError::BadPrivateKey).at(position))
}

fn octet_string(octets: &[u8]) -> SecretBytes {
    let mut w = Writer::with_capacity(PRIVATE_CAPACITY);
    w.octet_string(octets);
    SecretBytes::new(w.finish())
}
