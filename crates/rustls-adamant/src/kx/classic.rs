//! Curves: X25519, X448 (RFC 7748), those of NIST (RFC 8446, 4.2.8.2) and curveSM2 (RFC 8998).

use std::marker::PhantomData;

use adamant::Error as CryptoError;
use adamant::ec::weierstrass::sm2p256v1::Sm2P256v1;
use adamant::ec::weierstrass::{Curve, PrivateKey as OnCurve, PublicKey};
use adamant::ec::weierstrass::{p256::P256, p384::P384, p521::P521};
use adamant::ec::{x448, x25519};
use rustls::NamedGroup;
use rustls::crypto::{SharedSecret, SupportedKxGroup};

use super::{Exchange, Group, shared};
use crate::random::Random;

/// The peer's share of X25519.
pub(super) fn x25519(bytes: &[u8], _len: usize) -> Result<x25519::PublicKey, CryptoError> {
    x25519::PublicKey::try_from(bytes)
}

/// The peer's share of X448.
pub(super) fn x448(bytes: &[u8], _len: usize) -> Result<x448::PublicKey, CryptoError> {
    x448::PublicKey::try_from(bytes)
}

/// The peer's share on a curve: only uncompressed points.
pub(super) fn point<C: Curve<W>, const W: usize>(
    bytes: &[u8],
    len: usize,
) -> Result<PublicKey<C, W>, CryptoError> {
    if bytes.len() != len {
        return Err(CryptoError::BadPublicKey);
    }
    PublicKey::from_sec1(bytes)
}

macro_rules! montgomery {
    ($($curve:ident: $name:expr, $len:literal;)*) => { $(
        impl Exchange for $curve::PrivateKey {
            const NAME: NamedGroup = $name;
            const TLS12: bool = true;
            type Share = [u8; $len];

            fn new() -> Result<Self, CryptoError> {
                Self::generate(&mut Random)
            }
            fn share(&self) -> [u8; $len] {
                self.public_key().to_bytes()
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                Ok(shared(&*self.agree(&$curve(peer, $len)?)?))
            }
        }
    )* };
}

montgomery! {
    x25519: NamedGroup::X25519, 32;
    x448: NamedGroup::X448, 56;
}

macro_rules! weierstrass {
    ($($curve:ty, $words:literal: $name:expr, $tls12:literal, $len:literal;)*) => { $(
        impl Exchange for OnCurve<$curve, $words> {
            const NAME: NamedGroup = $name;
            const TLS12: bool = $tls12;
            type Share = [u8; $len];

            fn new() -> Result<Self, CryptoError> {
                Self::generate(&mut Random)
            }
            fn share(&self) -> [u8; $len] {
                self.public_key().to_sec1()
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                Ok(shared(&*self.agree(&point(peer, $len)?)?))
            }
        }
    )* };
}

weierstrass! {
    P256, 4: NamedGroup::secp256r1, true, 65;
    P384, 6: NamedGroup::secp384r1, true, 97;
    P521, 9: NamedGroup::secp521r1, true, 133;
    Sm2P256v1, 4: NamedGroup::Unknown(41), false, 65;
}

/// X25519 (RFC 7748).
pub static X25519: &dyn SupportedKxGroup = &Group::<x25519::PrivateKey>(PhantomData);
/// X448 (RFC 7748).
pub static X448: &dyn SupportedKxGroup = &Group::<x448::PrivateKey>(PhantomData);
/// P-256.
pub static SECP256R1: &dyn SupportedKxGroup = &Group::<OnCurve<P256, 4>>(PhantomData);
/// P-384.
pub static SECP384R1: &dyn SupportedKxGroup = &Group::<OnCurve<P384, 6>>(PhantomData);
/// P-521.
pub static SECP521R1: &dyn SupportedKxGroup = &Group::<OnCurve<P521, 9>>(PhantomData);
/// curveSM2 (RFC 8998): 41. Only TLS 1.3.
pub static CURVE_SM2: &dyn SupportedKxGroup = &Group::<OnCurve<Sm2P256v1, 4>>(PhantomData);
