//! SM2 with SM3 (GB/T 32918.2) under the identity that GM/T 0009 and RFC 8998 give to all.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_ec::sm2;

use super::{SigningKey, Signs, Verifies};
use crate::{AlgorithmIdentifier, PublicKey, Result, SignatureAlgorithm};

impl SigningKey for sm2::PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Sm2WithSm3
    }

    fn public_key(&self) -> PublicKey {
        PublicKey::Sm2(sm2::PrivateKey::public_key(self))
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        let made = sm2::PrivateKey::sign(self, message).to_der();
        signature.extend_from_slice(made.as_ref());
        Ok(())
    }
}

impl Signs for sm2::PrivateKey {}

impl Verifies for sm2::PublicKey {
    fn verify_with(
        &self,
        _: &AlgorithmIdentifier<'_>,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Option<Result<(), CryptoError>> {
        (algorithm == SignatureAlgorithm::Sm2WithSm3).then(|| {
            let signature = sm2::Signature::from_der(signature);
            self.verify(message, &signature.map_err(|_| CryptoError::BadSignature)?)
        })
    }
}
