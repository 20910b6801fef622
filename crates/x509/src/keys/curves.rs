//! The kinds of keys on elliptic curves (RFC 5480, RFC 5915; GM/T 0009 for SM2).

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, Secret, SecretBytes};
use adamant_der::{Oid, Writer};
#[cfg(feature = "sm")]
use adamant_ec::sm2;
#[cfg(feature = "ecdsa")]
use adamant_ec::weierstrass::{self, Curve};

use super::kinds::Kind;
use super::{EcPrivateKey, PRIVATE_CAPACITY, PrivateKeyInfo};
use crate::element::within;
use crate::{Element, ErrorKind, Result};

/// A kind of keys on a curve: scalars, and points as SEC 1 encodes them.
pub(super) trait OnCurve {
    type Private;
    type Public: PartialEq;

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError>;
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError>;
    fn scalar(key: &Self::Private) -> SecretBytes;
    fn public(key: &Self::Private) -> Self::Public;
    fn from_point(octets: &[u8]) -> Result<Self::Public, CryptoError>;
    fn point(key: &Self::Public) -> Vec<u8>;

    /// The key of an ECPrivateKey.
    fn read_sec1(ec: &EcPrivateKey<'_>) -> Result<Self::Private> {
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
        let ec = within(info.key, EcPrivateKey::read)?;
        let another = |curve: &Oid| Some(*curve) != info.algorithm.parameters_oid();
        match ec.curve.filter(another) {
            Some(curve) => Err(ErrorKind::UnknownAlgorithm(curve).at(ec.curve_position)),
            None => C::read_sec1(&ec),
        }
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

/// Keys for ECDSA and ECDH.
#[cfg(feature = "ecdsa")]
pub(super) struct Ec<C, const W: usize>(C);

#[cfg(feature = "ecdsa")]
impl<C: Curve<W>, const W: usize> OnCurve for Ec<C, W> {
    type Private = weierstrass::PrivateKey<C, W>;
    type Public = weierstrass::PublicKey<C, W>;

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError> {
        Self::Private::try_from(octets).map_err(|_| CryptoError::BadPrivateKey)
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
#[cfg(feature = "sm")]
pub(super) struct Sm2;

#[cfg(feature = "sm")]
impl OnCurve for Sm2 {
    type Private = sm2::PrivateKey;
    type Public = sm2::PublicKey;

    fn new(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn from_scalar(octets: &[u8]) -> Result<Self::Private, CryptoError> {
        Self::Private::try_from(octets).map_err(|_| CryptoError::BadPrivateKey)
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
