//! The kinds of keys on elliptic curves (RFC 5480, RFC 5915; GM/T 0009 for SM2).

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, Secret, SecretBytes};
use adamant_der::{Oid, Writer, oid};
use adamant_ec::sm2;
use adamant_ec::weierstrass::{self, Curve};

use super::kinds::Kind;
use super::{EcPrivateKey, PRIVATE_CAPACITY, PrivateKeyInfo};
use crate::algorithm::EC_PUBLIC_KEY;
use crate::element::within;
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

/// A kind of keys on a curve: scalars, and points as SEC 1 encodes them.
pub(super) trait OnCurve {
    type Private;
    type Public: PartialEq;

    /// The curve.
    const OID: Oid;
    /// The same as an element.
    const DER: &'static [u8];

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError>;
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError>;
    fn scalar(key: &Self::Private) -> SecretBytes;
    fn public(key: &Self::Private) -> Self::Public;
    fn from_point(octets: &[u8]) -> Result<Self::Public, CryptoError>;
    fn point(key: &Self::Public) -> Vec<u8>;

    /// The key of an ECPrivateKey.
    fn read_sec1(ec: &EcPrivateKey<'_>) -> Result<Self::Private> {
        if let Some(curve) = ec.curve.filter(|curve| *curve != Self::OID) {
            return Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position));
        }
        let key = Self::from_scalar(ec.private_key)
            .map_err(|error| ErrorKind::Crypto(error).at(ec.key_position))?;
        if let Some(octets) = ec.public_key {
            let position = ec.public_position;
            // A point may be written compressed.
            let point = Self::from_point(octets);
            if point.map_err(|error| ErrorKind::Crypto(error).at(position))? != Self::public(&key) {
                return Err(ErrorKind::KeyMismatch.at(position));
            }
        }
        Ok(key)
    }

    /// The ECPrivateKey.
    fn write_sec1(key: &Self::Private, curve: Option<Oid>) -> SecretBytes {
        let mut w = Writer::with_capacity(PRIVATE_CAPACITY);
        let (scalar, point) = (Self::scalar(key), Self::point(&Self::public(key)));
        EcPrivateKey::new(&scalar, curve, &point).write(&mut w);
        w.finish().into()
    }
}

impl<C: OnCurve> Kind for C {
    type Private = C::Private;
    type Public = C::Public;

    fn identifier() -> AlgorithmIdentifier<'static> {
        AlgorithmIdentifier::new(EC_PUBLIC_KEY, Some(C::DER))
    }
    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        C::new(rng)
    }
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        C::from_point(octets)
    }
    fn public_octets(key: &Self::Public) -> Vec<u8> {
        C::point(key)
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        C::public(key)
    }
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
        C::read_sec1(&within(info.key, EcPrivateKey::read)?)
    }
    fn write_private(key: &Self::Private) -> SecretBytes {
        // As is the custom, with the public key and without the curve.
        C::write_sec1(key, None)
    }
    fn is_public(key: &Self::Public, octets: &[u8]) -> Result<bool, CryptoError> {
        // A point may be written compressed.
        Ok(C::from_point(octets)? == *key)
    }
}

/// A curve with its object identifier, alone and as an element.
pub(super) trait NamedCurve<const W: usize>: Curve<W> {
    const OID: Oid;
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

/// Keys for ECDSA and ECDH.
pub(super) struct Ec<C, const W: usize>(C);

impl<C: NamedCurve<W>, const W: usize> OnCurve for Ec<C, W> {
    type Private = weierstrass::PrivateKey<C, W>;
    type Public = weierstrass::PublicKey<C, W>;

    const OID: Oid = C::OID;
    const DER: &'static [u8] = C::DER;

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError> {
        Self::Private::from_bytes(octets)
    }
    fn scalar(key: &Self::Private) -> SecretBytes {
        let scalar: Secret<C::Scalar> = key.to_bytes();
        (*scalar).as_ref().to_vec().into()
    }
    fn public(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
    fn from_point(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        Self::Public::from_sec1(octets)
    }
    fn point(key: &Self::Public) -> Vec<u8> {
        key.to_sec1().as_ref().to_vec()
    }
}

/// Keys for SM2, whose curve tells them from others.
pub(super) struct Sm2;

impl OnCurve for Sm2 {
    type Private = sm2::PrivateKey;
    type Public = sm2::PublicKey;

    const OID: Oid = oid!("1.2.156.10197.1.301");
    const DER: &'static [u8] = &[0x06, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d];

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError> {
        Self::Private::from_bytes(octets)
    }
    fn scalar(key: &Self::Private) -> SecretBytes {
        key.to_bytes().to_vec().into()
    }
    fn public(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
    fn from_point(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        Self::Public::from_sec1(octets)
    }
    fn point(key: &Self::Public) -> Vec<u8> {
        key.to_sec1().to_vec()
    }
}
