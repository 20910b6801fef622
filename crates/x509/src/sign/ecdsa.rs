//! ECDSA (RFC 5758, RFC 5480) with any of the hashes.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_base::family::Hash;
use adamant_ec::weierstrass::{self, Curve};
use adamant_hash::hazmat::hmac_drbg::accepted_candidate;
use adamant_hash::{Sha224, Sha256, Sha384, Sha512};

use super::{SigningKey, Signs, Verifies};
use crate::{AlgorithmIdentifier, ErrorKind, Result, SignatureAlgorithm};

/// A digest, and how nonces are made with its hash.
struct Digest {
    bytes: [u8; 64],
    len: usize,
    nonces: adamant_ec::hazmat::Nonces,
}

impl Digest {
    /// That of the message which the algorithm signs, if it is one of these.
    fn new(algorithm: SignatureAlgorithm, message: &[u8]) -> Option<Self> {
        Some(match algorithm {
            SignatureAlgorithm::EcdsaWithSha224 => Self::of::<Sha224>(message),
            SignatureAlgorithm::EcdsaWithSha256 => Self::of::<Sha256>(message),
            SignatureAlgorithm::EcdsaWithSha384 => Self::of::<Sha384>(message),
            SignatureAlgorithm::EcdsaWithSha512 => Self::of::<Sha512>(message),
            _ => return None,
        })
    }

    fn of<H: Hash>(message: &[u8]) -> Self {
        let mut bytes = [0; 64];
        bytes[..H::OUTPUT_LEN].copy_from_slice(H::digest(message).as_ref());
        Digest {
            bytes,
            len: H::OUTPUT_LEN,
            nonces: accepted_candidate::<H>,
        }
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
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
        let digest = Digest::new(algorithm, message).ok_or(ErrorKind::WrongKey.at(0))?;
        let made = self.sign_prehashed_by(digest.as_ref(), digest.nonces);
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
        let digest = Digest::new(algorithm, message)?;
        Some(match weierstrass::Signature::from_der(signature) {
            Ok(signature) => self.verify_prehashed(digest.as_ref(), &signature),
            Err(_) => Err(CryptoError::BadSignature),
        })
    }
}
