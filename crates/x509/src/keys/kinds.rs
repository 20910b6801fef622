//! What each kind of keys is in SubjectPublicKeyInfo and PKCS #8.

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, Secret, Wipe};
use adamant_der::{Oid, Tag, Writer, oid};
use adamant_ec::weierstrass::{self, Curve};
use adamant_ec::{ed448, ed25519, x448, x25519};
use adamant_rsa as rsa;

use super::{EcPrivateKey, PRIVATE_CAPACITY, PrivateKeyInfo, SecretBytes};
use crate::algorithm::{EC_PUBLIC_KEY, ED448, ED25519, X448, X25519};
use crate::element::within;
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

/// A kind of keys.
pub(super) trait Kind {
    type Private;
    type Public;

    /// The algorithm.
    fn identifier() -> AlgorithmIdentifier<'static>;
    /// A new key.
    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError>;
    /// The key in the octets of a BIT STRING.
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError>;
    /// These octets.
    fn public_octets(key: &Self::Public) -> Vec<u8>;
    fn public_of(key: &Self::Private) -> Self::Public;
    /// The key in its PKCS #8 structure.
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private>;
    /// What stands in the OCTET STRING of PKCS #8.
    fn write_private(key: &Self::Private) -> SecretBytes;
    /// Whether these octets stand for this public key too.
    fn is_public(key: &Self::Public, octets: &[u8]) -> Result<bool, CryptoError> {
        Ok(Self::public_octets(key) == octets)
    }
}

/// A curve with its object identifier.
pub(super) trait NamedCurve<const W: usize>: Curve<W> {
    const OID: Oid;
    /// The same as an element.
    const DER: &'static [u8];
}

macro_rules! named_curves {
    ($($curve:ty, $w:literal: $oid:literal = $der:expr;)*) => { $(
        impl NamedCurve<$w> for $curve {
            const OID: Oid = oid!($oid);
            const DER: &'static [u8] = &$der;
        }
    )* };
}

named_curves! {
    weierstrass::p256::P256, 4: "1.2.840.10045.3.1.7" =
        [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
    weierstrass::p224::P224, 4: "1.3.132.0.33" = [0x06, 5, 0x2b, 0x81, 4, 0, 0x21];
    weierstrass::p384::P384, 6: "1.3.132.0.34" = [0x06, 5, 0x2b, 0x81, 4, 0, 0x22];
    weierstrass::p521::P521, 9: "1.3.132.0.35" = [0x06, 5, 0x2b, 0x81, 4, 0, 0x23];
    weierstrass::secp256k1::Secp256k1, 4: "1.3.132.0.10" = [0x06, 5, 0x2b, 0x81, 4, 0, 0x0a];
    weierstrass::brainpoolp256r1::BrainpoolP256r1, 4: "1.3.36.3.3.2.8.1.1.7" =
        [0x06, 9, 0x2b, 0x24, 3, 3, 2, 8, 1, 1, 7];
    weierstrass::brainpoolp384r1::BrainpoolP384r1, 6: "1.3.36.3.3.2.8.1.1.11" =
        [0x06, 9, 0x2b, 0x24, 3, 3, 2, 8, 1, 1, 11];
    weierstrass::brainpoolp512r1::BrainpoolP512r1, 8: "1.3.36.3.3.2.8.1.1.13" =
        [0x06, 9, 0x2b, 0x24, 3, 3, 2, 8, 1, 1, 13];
}

/// Keys on a curve, for ECDSA and ECDH (RFC 5480, RFC 5915).
pub(super) struct Ec<C, const W: usize>(C);

impl<C: NamedCurve<W>, const W: usize> Ec<C, W> {
    /// The key of an ECPrivateKey.
    pub(super) fn read_sec1(ec: &EcPrivateKey<'_>) -> Result<weierstrass::PrivateKey<C, W>> {
        if let Some(curve) = ec.curve.filter(|curve| *curve != C::OID) {
            return Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position));
        }
        let key = weierstrass::PrivateKey::from_bytes(ec.private_key)
            .map_err(|error| ErrorKind::Crypto(error).at(ec.key_position))?;
        if let Some(octets) = ec.public_key {
            let position = ec.public_position;
            let same = Self::is_public(&key.public_key(), octets);
            if !same.map_err(|error| ErrorKind::Crypto(error).at(position))? {
                return Err(ErrorKind::KeyMismatch.at(position));
            }
        }
        Ok(key)
    }

    /// The ECPrivateKey.
    pub(super) fn write_sec1(
        key: &weierstrass::PrivateKey<C, W>,
        curve: Option<Oid>,
    ) -> SecretBytes {
        let mut w = Writer::with_capacity(PRIVATE_CAPACITY);
        let scalar: Secret<C::Scalar> = key.to_bytes();
        let point = key.public_key().to_sec1();
        EcPrivateKey::new((*scalar).as_ref(), curve, point.as_ref()).write(&mut w);
        SecretBytes::new(w.finish())
    }
}

/// A kind of keys on a curve.
pub(super) trait OnCurve {
    const OID: Oid;
}

impl<C: NamedCurve<W>, const W: usize> OnCurve for Ec<C, W> {
    const OID: Oid = C::OID;
}

impl<C: NamedCurve<W>, const W: usize> Kind for Ec<C, W> {
    type Private = weierstrass::PrivateKey<C, W>;
    type Public = weierstrass::PublicKey<C, W>;

    fn identifier() -> AlgorithmIdentifier<'static> {
        AlgorithmIdentifier::new(EC_PUBLIC_KEY, Some(C::DER))
    }
    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        Self::Public::from_sec1(octets)
    }
    fn public_octets(key: &Self::Public) -> Vec<u8> {
        key.to_sec1().as_ref().to_vec()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
        Self::read_sec1(&within(info.key, EcPrivateKey::read)?)
    }
    fn write_private(key: &Self::Private) -> SecretBytes {
        // As is the custom, with the public key and without the curve.
        Self::write_sec1(key, None)
    }
    fn is_public(key: &Self::Public, octets: &[u8]) -> Result<bool, CryptoError> {
        // A point may be written compressed.
        Ok(Self::read_public(octets)? == *key)
    }
}

/// CurvePrivateKey (RFC 8410, section 7): an OCTET STRING within that of PKCS #8.
fn curve_private_key<T>(
    info: &PrivateKeyInfo<'_>,
    read: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<T> {
    within(info.key, |r| {
        let octets = r.enter(Tag::OCTET_STRING)?;
        let bad = ErrorKind::Crypto(CryptoError::BadPrivateKey).at(octets.position());
        read(octets.rest()).ok_or(bad)
    })
}

fn octet_string(octets: &[u8]) -> SecretBytes {
    let mut w = Writer::with_capacity(octets.len() + 8);
    w.octet_string(octets);
    SecretBytes::new(w.finish())
}

/// Keys of RFC 8410: the seeds and scalars are all keys of their length.
macro_rules! rfc8410 {
    ($($kind:ident $module:ident $oid:ident $from:ident $to:ident;)*) => { $(
        pub(super) struct $kind;

        impl Kind for $kind {
            type Private = $module::PrivateKey;
            type Public = $module::PublicKey;

            fn identifier() -> AlgorithmIdentifier<'static> {
                AlgorithmIdentifier::new($oid, None)
            }
            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                Self::Public::from_bytes(octets)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                curve_private_key(info, |octets| Some(Self::Private::$from(octets.try_into().ok()?)))
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                octet_string(&*key.$to())
            }
        }
    )* };
}

rfc8410! {
    Ed25519 ed25519 ED25519 from_seed seed;
    Montgomery25519 x25519 X25519 from_bytes to_bytes;
    Ed448 ed448 ED448 from_seed seed;
    Montgomery448 x448 X448 from_bytes to_bytes;
}

/// RSA keys (RFC 8017, A.1), for any use.
pub(super) struct Rsa;

/// Bits of the keys that [`Kind::generate`] makes.
const RSA_BITS: usize = 3072;

fn bad_rsa(error: rsa::KeyError, otherwise: CryptoError) -> CryptoError {
    match error {
        rsa::KeyError::ModulusBits(_) => CryptoError::BadParameter("modulus"),
        _ => otherwise,
    }
}

impl Kind for Rsa {
    type Private = rsa::PrivateKey;
    type Public = rsa::PublicKey;

    fn identifier() -> AlgorithmIdentifier<'static> {
        AlgorithmIdentifier::new(oid!("1.2.840.113549.1.1.1"), Some(&[0x05, 0x00]))
    }
    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(RSA_BITS, rng)
    }
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        Self::Public::from_pkcs1_der(octets).map_err(|e| bad_rsa(e, CryptoError::BadPublicKey))
    }
    fn public_octets(key: &Self::Public) -> Vec<u8> {
        key.to_pkcs1_der()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key().clone()
    }
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
        Self::Private::from_pkcs1_der(info.private_key).map_err(|error| {
            let error = bad_rsa(error, CryptoError::BadPrivateKey);
            ErrorKind::Crypto(error).at(info.key.position())
        })
    }
    fn write_private(key: &Self::Private) -> SecretBytes {
        let der = key.to_pkcs1_der();
        let mut octets = Vec::with_capacity(der.len());
        octets.extend_from_slice(&der);
        SecretBytes::new(octets)
    }
}

/// The private keys of ML-DSA (RFC 9881, section 6) and ML-KEM (RFC 9935, section 6): a CHOICE of
/// the seed, the expanded key, and both in a row.
fn read_lattice<const SEED: usize, T, B: AsRef<[u8]> + Wipe>(
    info: &PrivateKeyInfo<'_>,
    from_seed: impl Fn(&[u8; SEED]) -> T,
    from_expanded: impl Fn(&[u8]) -> Result<T, CryptoError>,
    expanded_of: impl Fn(&T) -> Secret<B>,
) -> Result<T> {
    let at = |position| move |error| ErrorKind::Crypto(error).at(position);
    let seed = |octets: &[u8], position| {
        let seed = octets.try_into().map_err(|_| CryptoError::BadPrivateKey);
        Ok::<_, crate::Error>(from_seed(seed.map_err(at(position))?))
    };
    within(info.key, |r| {
        if let Some(tlv) = r.optional(Tag::context(0))? {
            return seed(tlv.value, tlv.value_position());
        }
        if let Some(tlv) = r.optional(Tag::OCTET_STRING)? {
            return from_expanded(tlv.value).map_err(at(tlv.value_position()));
        }
        crate::element::sequence(r, |r| {
            let both = (r.enter(Tag::OCTET_STRING)?, r.enter(Tag::OCTET_STRING)?);
            let key = seed(both.0.rest(), both.0.position())?;
            // The seed decides; an expanded key that is not its own is refused.
            let position = both.1.position();
            let same = adamant_base::ct::eq((*expanded_of(&key)).as_ref(), both.1.rest());
            if same.declassify() {
                Ok(key)
            } else {
                Err(ErrorKind::KeyMismatch.at(position))
            }
        })
    })
}

/// The seed where there is one, the expanded key otherwise.
fn write_lattice(seed: Option<&[u8]>, expanded: &[u8]) -> SecretBytes {
    let mut w = Writer::with_capacity(expanded.len() + 8);
    match seed {
        Some(seed) => w.nested(Tag::context(0), |w| w.raw(seed)),
        None => w.octet_string(expanded),
    }
    SecretBytes::new(w.finish())
}

macro_rules! lattices {
    ($($kind:ident $module:ident $private:ident $public:ident $of:ident $oid:literal;)*) => { $(
        pub(super) struct $kind;

        impl Kind for $kind {
            type Private = adamant_pq::$module::$private;
            type Public = adamant_pq::$module::$public;

            fn identifier() -> AlgorithmIdentifier<'static> {
                AlgorithmIdentifier::new(const { oid!($oid) }, None)
            }
            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                Self::Public::from_bytes(octets)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.$of()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                read_lattice(
                    info,
                    Self::Private::from_seed,
                    Self::Private::from_bytes,
                    Self::Private::to_bytes,
                )
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                let seed = key.seed();
                write_lattice(seed.as_deref().map(|seed| &seed[..]), &*key.to_bytes())
            }
        }
    )* };
}

lattices! {
    MlDsa44 ml_dsa_44 PrivateKey PublicKey public_key "2.16.840.1.101.3.4.3.17";
    MlDsa65 ml_dsa_65 PrivateKey PublicKey public_key "2.16.840.1.101.3.4.3.18";
    MlDsa87 ml_dsa_87 PrivateKey PublicKey public_key "2.16.840.1.101.3.4.3.19";
    MlKem512 ml_kem_512 DecapsulationKey EncapsulationKey encapsulation_key "2.16.840.1.101.3.4.4.1";
    MlKem768 ml_kem_768 DecapsulationKey EncapsulationKey encapsulation_key "2.16.840.1.101.3.4.4.2";
    MlKem1024 ml_kem_1024 DecapsulationKey EncapsulationKey encapsulation_key "2.16.840.1.101.3.4.4.3";
}

/// The keys of SLH-DSA, whose octets stand as they are (RFC 9909, sections 4 and 6).
macro_rules! slh_dsa {
    ($($kind:ident $module:ident $oid:literal;)*) => { $(
        pub(super) struct $kind;

        impl Kind for $kind {
            type Private = adamant_pq::$module::PrivateKey;
            type Public = adamant_pq::$module::PublicKey;

            fn identifier() -> AlgorithmIdentifier<'static> {
                AlgorithmIdentifier::new(const { oid!($oid) }, None)
            }
            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                Self::Public::from_bytes(octets)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                Self::Private::from_bytes(info.private_key)
                    .map_err(|error| ErrorKind::Crypto(error).at(info.key.position()))
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                SecretBytes::new(key.to_bytes().to_vec())
            }
        }
    )* };
}

slh_dsa! {
    SlhDsaSha2_128s slh_dsa_sha2_128s "2.16.840.1.101.3.4.3.20";
    SlhDsaSha2_128f slh_dsa_sha2_128f "2.16.840.1.101.3.4.3.21";
    SlhDsaSha2_192s slh_dsa_sha2_192s "2.16.840.1.101.3.4.3.22";
    SlhDsaSha2_192f slh_dsa_sha2_192f "2.16.840.1.101.3.4.3.23";
    SlhDsaSha2_256s slh_dsa_sha2_256s "2.16.840.1.101.3.4.3.24";
    SlhDsaSha2_256f slh_dsa_sha2_256f "2.16.840.1.101.3.4.3.25";
    SlhDsaShake128s slh_dsa_shake_128s "2.16.840.1.101.3.4.3.26";
    SlhDsaShake128f slh_dsa_shake_128f "2.16.840.1.101.3.4.3.27";
    SlhDsaShake192s slh_dsa_shake_192s "2.16.840.1.101.3.4.3.28";
    SlhDsaShake192f slh_dsa_shake_192f "2.16.840.1.101.3.4.3.29";
    SlhDsaShake256s slh_dsa_shake_256s "2.16.840.1.101.3.4.3.30";
    SlhDsaShake256f slh_dsa_shake_256f "2.16.840.1.101.3.4.3.31";
}
