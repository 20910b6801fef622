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

/// The post-quantum signatures (RFC 9881, RFC 9909): pure, without a context.
macro_rules! post_quantum {
    ($($variant:ident $module:ident;)*) => {
        $(impl SigningKey for adamant_pq::$module::PrivateKey {
            fn algorithm(&self) -> SignatureAlgorithm {
                SignatureAlgorithm::$variant
            }

            fn public_key(&self) -> PublicKey {
                PublicKey::$variant(adamant_pq::$module::PrivateKey::public_key(self))
            }

            fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
                let made = adamant_pq::$module::PrivateKey::sign(self, message).to_bytes();
                signature.extend_from_slice(&made);
                Ok(())
            }
        })*

        impl PrivateKey {
            /// The key as one that signs.
            ///
            /// # Errors
            /// [`ErrorKind::CannotSign`] for keys of key agreement and encapsulation, and for RSA,
            /// which signs with a generator.
            pub fn signer(&self) -> Result<&(dyn SigningKey + Send + Sync)> {
                match self {
                    Self::P256(key) => Ok(key),
                    Self::Ed25519(key) => Ok(key),
                    $(Self::$variant(key) => Ok(key),)*
                    _ => Err(ErrorKind::CannotSign.at(0)),
                }
            }
        }

        /// Checks a post-quantum signature; nothing for other keys and algorithms.
        fn verify_post_quantum(
            key: &PublicKey,
            algorithm: SignatureAlgorithm,
            message: &[u8],
            signature: &[u8],
        ) -> Option<Result<(), CryptoError>> {
            match (key, algorithm) {
                $((PublicKey::$variant(key), SignatureAlgorithm::$variant) => {
                    let signature = adamant_pq::$module::Signature::from_bytes(signature);
                    let signature = signature.map_err(|_| CryptoError::BadSignature);
                    Some(signature.and_then(|signature| key.verify(message, &signature)))
                })*
                _ => None,
            }
        }
    };
}

post_quantum! {
    MlDsa44 ml_dsa_44;
    MlDsa65 ml_dsa_65;
    MlDsa87 ml_dsa_87;
    SlhDsaSha2_128s slh_dsa_sha2_128s;
    SlhDsaSha2_128f slh_dsa_sha2_128f;
    SlhDsaSha2_192s slh_dsa_sha2_192s;
    SlhDsaSha2_192f slh_dsa_sha2_192f;
    SlhDsaSha2_256s slh_dsa_sha2_256s;
    SlhDsaSha2_256f slh_dsa_sha2_256f;
    SlhDsaShake128s slh_dsa_shake_128s;
    SlhDsaShake128f slh_dsa_shake_128f;
    SlhDsaShake192s slh_dsa_shake_192s;
    SlhDsaShake192f slh_dsa_shake_192f;
    SlhDsaShake256s slh_dsa_shake_256s;
    SlhDsaShake256f slh_dsa_shake_256f;
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
        _ => match verify_post_quantum(key, algorithm, message, signature) {
            Some(verdict) => verdict?,
            None => return Err(ErrorKind::WrongKey.at(0)),
        },
    }
    Ok(())
}

fn ecdsa(signature: &[u8]) -> Result<p256::Signature, CryptoError> {
    p256::Signature::from_der(signature).map_err(|_| CryptoError::BadSignature)
}
