//! The keys of X-Wing, whose octets are not wrapped: of the private key its seed
//! (draft-connolly-cfrg-xwing-kem, "Use in X.509 Public Key Infrastructure").

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, SecretBytes};
use adamant_hybrid::x_wing;

use super::PrivateKeyInfo;
use super::kinds::Kind;
use crate::{ErrorKind, Result};

pub(super) struct XWing;

impl Kind for XWing {
    type Private = x_wing::DecapsulationKey;
    type Public = x_wing::EncapsulationKey;

    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
        Self::Private::generate(rng)
    }
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
        Self::Public::try_from(octets)
    }
    fn public_octets(key: &Self::Public) -> Vec<u8> {
        key.to_bytes().to_vec()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.encapsulation_key()
    }
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
        let bad = ErrorKind::Crypto(CryptoError::BadPrivateKey);
        let seed = info.private_key.try_into();
        let seed = seed.map_err(|_| bad.at(info.key.position()))?;
        Ok(Self::Private::from_seed(seed))
    }
    fn write_private(key: &Self::Private) -> SecretBytes {
        key.seed().to_vec().into()
    }
}
