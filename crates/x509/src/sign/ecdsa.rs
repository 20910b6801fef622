//! ECDSA (RFC 5758, RFC 5480) on each curve, with any of the hashes.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_ec::weierstrass::{
    self, Curve, brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, p224, p256, p384, p521,
    secp256k1,
};
use adamant_hash::{Sha224, Sha256, Sha384, Sha512};

use super::{SigningKey, Signs, Verifies};
use crate::{AlgorithmIdentifier, ErrorKind, PublicKey, Result, SignatureAlgorithm};

/// The kinds, and the hash that each usually signs with.
macro_rules! ecdsa {
    ($($module:ident $curve:ident $algorithm:ident;)*) => { $(
        impl SigningKey for $module::PrivateKey {
            fn algorithm(&self) -> SignatureAlgorithm {
                SignatureAlgorithm::$algorithm
            }

            fn public_key(&self) -> PublicKey {
                PublicKey::$curve($module::PrivateKey::public_key(self))
            }

            fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
                let made = $module::PrivateKey::sign(self, message).to_der();
                signature.extend_from_slice(made.as_ref());
                Ok(())
            }
        }
    )* };
}

ecdsa! {
    p224 P224 EcdsaWithSha224;
    p256 P256 EcdsaWithSha256;
    p384 P384 EcdsaWithSha384;
    p521 P521 EcdsaWithSha512;
    secp256k1 Secp256k1 EcdsaWithSha256;
    brainpoolp256r1 BrainpoolP256r1 EcdsaWithSha256;
    brainpoolp384r1 BrainpoolP384r1 EcdsaWithSha384;
    brainpoolp512r1 BrainpoolP512r1 EcdsaWithSha512;
}

impl<C: Curve<W>, const W: usize> Signs for weierstrass::PrivateKey<C, W>
where
    Self: SigningKey,
{
    fn sign_with(
        &self,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &mut Vec<u8>,
    ) -> Result<()> {
        let made = match algorithm {
            SignatureAlgorithm::EcdsaWithSha224 => {
                self.sign_digest_with::<Sha224>(&Sha224::digest(message))
            }
            SignatureAlgorithm::EcdsaWithSha256 => {
                self.sign_digest_with::<Sha256>(&Sha256::digest(message))
            }
            SignatureAlgorithm::EcdsaWithSha384 => {
                self.sign_digest_with::<Sha384>(&Sha384::digest(message))
            }
            SignatureAlgorithm::EcdsaWithSha512 => {
                self.sign_digest_with::<Sha512>(&Sha512::digest(message))
            }
            _ => return Err(ErrorKind::WrongKey.at(0)),
        };
        signature.extend_from_slice(made.to_der().as_ref());
        Ok(())
    }
}

impl<C: Curve<W>, const W: usize> Verifies for weierstrass::PublicKey<C, W> {
    fn verify_with(
        &self,
        _: &AlgorithmIdentifier<'_>,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Option<Result<(), CryptoError>> {
        let check = |digest: &[u8]| {
            let signature = weierstrass::Signature::from_der(signature);
            self.verify_digest(digest, &signature.map_err(|_| CryptoError::BadSignature)?)
        };
        Some(match algorithm {
            SignatureAlgorithm::EcdsaWithSha224 => check(&Sha224::digest(message)),
            SignatureAlgorithm::EcdsaWithSha256 => check(&Sha256::digest(message)),
            SignatureAlgorithm::EcdsaWithSha384 => check(&Sha384::digest(message)),
            SignatureAlgorithm::EcdsaWithSha512 => check(&Sha512::digest(message)),
            _ => return None,
        })
    }
}
