//! RSA keys (RFC 8017, A.1), for any use.

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, SecretBytes};
use adamant_rsa as rsa;

use super::PrivateKeyInfo;
use super::kinds::Kind;
use crate::{ErrorKind, Result};

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
        key.public_key()
    }
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
        rsa::PrivateKey::from_pkcs1_der(info.private_key).map_err(|error| {
            let error = bad_rsa(error, CryptoError::BadPrivateKey);
            ErrorKind::Crypto(error).at(info.key.position())
        })
    }
    fn write_private(key: &Self::Private) -> SecretBytes {
        key.to_pkcs1_der()
    }
}
