//! Making and checking signatures: the one place where encodings meet algorithms.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_ec::{ed25519, p256};
use adamant_hash::{Sha384, Sha512};

use crate::{AlgorithmIdentifier, ErrorKind, PrivateKey, PublicKey, Result, SignatureAlgorithm};

/// What signs certificates, requests, lists and responses: a private key here, or one in an
/// HSM or another library.
///
/// ```
/// use adamant_x509::{ErrorKind, PublicKey, Result, SignatureAlgorithm, SigningKey};
///
/// /// A key whose device was taken away.
/// struct Gone(PublicKey);
///
/// impl SigningKey for Gone {
///     fn algorithm(&self) -> SignatureAlgorithm {
///         SignatureAlgorithm::Ed25519
///     }
///     fn public_key(&self) -> PublicKey {
///         self.0.clone()
///     }
///     fn sign(&self, _message: &[u8], _signature: &mut Vec<u8>) -> Result<()> {
///         Err(adamant_x509::Error::new(ErrorKind::CannotSign, 0))
///     }
/// }
/// ```
pub trait SigningKey {
    /// The algorithm of the signatures.
    fn algorithm(&self) -> SignatureAlgorithm;

    /// The key that verifies.
    fn public_key(&self) -> PublicKey;

    /// Appends the signature of `message`, as it stands in the BIT STRING.
    ///
    /// # Errors
    /// Whatever kept the key from signing; `signature` is then not to be used.
    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()>;
}

impl SigningKey for p256::PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::EcdsaWithSha256
    }

    fn public_key(&self) -> PublicKey {
        PublicKey::P256(p256::PrivateKey::public_key(self))
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        let made = p256::PrivateKey::sign(self, message).to_der();
        signature.extend_from_slice(made.as_ref());
        Ok(())
    }
}

impl SigningKey for ed25519::PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Ed25519
    }

    fn public_key(&self) -> PublicKey {
        PublicKey::Ed25519(ed25519::PrivateKey::public_key(self))
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        let made = ed25519::PrivateKey::sign(self, message).to_bytes();
        signature.extend_from_slice(&made);
        Ok(())
    }
}

impl PrivateKey {
    /// The key as one that signs.
    ///
    /// # Errors
    /// [`ErrorKind::CannotSign`] for keys of key agreement.
    pub fn signer(&self) -> Result<&(dyn SigningKey + Send + Sync)> {
        match self {
            Self::P256(key) => Ok(key),
            Self::Ed25519(key) => Ok(key),
            Self::X25519(_) => Err(ErrorKind::CannotSign.at(0)),
        }
    }
}

/// Checks a signature, as it stands in the BIT STRING.
///
/// # Errors
/// [`ErrorKind::UnknownAlgorithm`] of the signature or of the key, [`ErrorKind::WrongKey`], and
/// [`ErrorKind::Crypto`] if it does not verify. The position is zero.
pub fn verify_signature(
    key: &PublicKey,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<()> {
    use SignatureAlgorithm as Algorithm;

    let unknown = |oid| ErrorKind::UnknownAlgorithm(oid).at(0);
    let algorithm = Algorithm::from_oid(&algorithm.oid).ok_or(unknown(algorithm.oid))?;
    match (key, algorithm) {
        (PublicKey::P256(key), Algorithm::EcdsaWithSha256) => {
            key.verify(message, &ecdsa(signature)?)?;
        }
        (PublicKey::P256(key), Algorithm::EcdsaWithSha384) => {
            key.verify_digest(&Sha384::digest(message), &ecdsa(signature)?)?;
        }
        (PublicKey::P256(key), Algorithm::EcdsaWithSha512) => {
            key.verify_digest(&Sha512::digest(message), &ecdsa(signature)?)?;
        }
        (PublicKey::Ed25519(key), Algorithm::Ed25519) => {
            let signature =
                ed25519::Signature::from_bytes(signature).map_err(|_| CryptoError::BadSignature)?;
            key.verify(message, &signature)?;
        }
        (PublicKey::Unknown(key), _) => return Err(unknown(key.oid)),
        _ => return Err(ErrorKind::WrongKey.at(0)),
    }
    Ok(())
}

fn ecdsa(signature: &[u8]) -> Result<p256::Signature, CryptoError> {
    p256::Signature::from_der(signature).map_err(|_| CryptoError::BadSignature)
}
