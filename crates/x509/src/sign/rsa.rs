//! Signatures of RSA (RFC 4055, RFC 5754): PKCS#1 v1.5 and PSS.
//!
//! The factors that blind the private operation, and the salts of PSS, come from HMAC_DRBG seeded
//! with the private key and the message's digest: nobody without the key can tell them from random
//! ones, and no generator has to be at hand.

use alloc::vec::Vec;

use adamant_base::family::Hash;
use adamant_base::{Error as CryptoError, Rng};
use adamant_hash::hazmat::hmac_drbg::Rfc6979;
use adamant_hash::{Sha1, Sha256, Sha384, Sha512};
use adamant_rsa::{DigestInfo, PrivateKey, PublicKey as RsaPublicKey};

use super::{SigningKey, Signs, Verifies};
use crate::algorithm::Pss;
use crate::{AlgorithmIdentifier, ErrorKind, PublicKey, Result, SignatureAlgorithm};

/// A generator that a private key and a digest seed. As a salt becomes public, the schemes have
/// generators of their own.
struct Derived(Rfc6979<Sha512>);

impl Derived {
    fn new(key: &PrivateKey, digest: &[u8], scheme: &str) -> Self {
        Self(Rfc6979::new(&key.to_pkcs1_der(), digest, scheme.as_bytes()))
    }
}

impl Rng for Derived {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), CryptoError> {
        self.0.next(out);
        Ok(())
    }
}

impl SigningKey for PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::RsaSha256
    }

    fn public_key(&self) -> PublicKey {
        PublicKey::Rsa(PrivateKey::public_key(self).clone())
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        self.sign_with(SignatureAlgorithm::RsaSha256, message, signature)
    }
}

impl Signs for PrivateKey {
    fn sign_with(
        &self,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &mut Vec<u8>,
    ) -> Result<()> {
        use SignatureAlgorithm as Algorithm;

        let sign = match algorithm {
            Algorithm::RsaSha256 => sign_pkcs1::<Sha256>,
            Algorithm::RsaSha384 => sign_pkcs1::<Sha384>,
            Algorithm::RsaSha512 => sign_pkcs1::<Sha512>,
            Algorithm::RsaPssSha256 => sign_pss::<Sha256>,
            Algorithm::RsaPssSha384 => sign_pss::<Sha384>,
            Algorithm::RsaPssSha512 => sign_pss::<Sha512>,
            _ => return Err(ErrorKind::WrongKey.at(0)),
        };
        signature.extend_from_slice(&sign(self, message)?);
        Ok(())
    }
}

fn sign_pkcs1<H: DigestInfo>(key: &PrivateKey, message: &[u8]) -> Result<Vec<u8>, CryptoError> {
    let digest = H::digest(message);
    let rng = &mut Derived::new(key, digest.as_ref(), "RSASSA-PKCS1-v1_5");
    key.sign_pkcs1_prehashed::<H>(digest.as_ref(), rng)
}

fn sign_pss<H: Hash>(key: &PrivateKey, message: &[u8]) -> Result<Vec<u8>, CryptoError> {
    let digest = H::digest(message);
    let rng = &mut Derived::new(key, digest.as_ref(), "RSASSA-PSS");
    key.sign_pss_prehashed::<H, H>(digest.as_ref(), H::OUTPUT_LEN, rng)
}

impl Verifies for RsaPublicKey {
    fn verify_with(
        &self,
        identifier: &AlgorithmIdentifier<'_>,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Option<Result<(), CryptoError>> {
        use SignatureAlgorithm as Algorithm;

        let verify = match algorithm {
            Algorithm::RsaSha1 => Self::verify_pkcs1::<Sha1>,
            Algorithm::RsaSha256 => Self::verify_pkcs1::<Sha256>,
            Algorithm::RsaSha384 => Self::verify_pkcs1::<Sha384>,
            Algorithm::RsaSha512 => Self::verify_pkcs1::<Sha512>,
            _ => {
                let verify = match algorithm {
                    Algorithm::RsaPssSha256 => verify_pss::<Sha256>,
                    Algorithm::RsaPssSha384 => verify_pss::<Sha384>,
                    Algorithm::RsaPssSha512 => verify_pss::<Sha512>,
                    _ => return None,
                };
                let salt_len = Pss::read(identifier).ok()?.salt_len;
                return Some(verify(self, salt_len, message, signature));
            }
        };
        Some(verify(self, message, signature))
    }
}

fn verify_pss<H: Hash>(
    key: &RsaPublicKey,
    salt_len: usize,
    message: &[u8],
    signature: &[u8],
) -> Result<(), CryptoError> {
    key.verify_pss_prehashed::<H, H>(H::digest(message).as_ref(), Some(salt_len), signature)
}
