//! Making and checking signatures: the one place where encodings meet algorithms.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_ec as ec;
use adamant_ec::weierstrass::{
    self, Curve, brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, p224, p256, p384, p521,
    secp256k1,
};
use adamant_hash::{Sha224, Sha256, Sha384, Sha512};
use adamant_pq as pq;

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

/// ECDSA with the curve's usual hash.
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

/// Checks an ECDSA signature; nothing for other algorithms.
fn verify_ecdsa<C: Curve<W>, const W: usize>(
    key: &weierstrass::PublicKey<C, W>,
    algorithm: SignatureAlgorithm,
    message: &[u8],
    signature: &[u8],
) -> Option<Result<(), CryptoError>> {
    let check = |digest: &[u8]| {
        let signature = weierstrass::Signature::from_der(signature);
        key.verify_digest(digest, &signature.map_err(|_| CryptoError::BadSignature)?)
    };
    Some(match algorithm {
        SignatureAlgorithm::EcdsaWithSha224 => check(&Sha224::digest(message)),
        SignatureAlgorithm::EcdsaWithSha256 => check(&Sha256::digest(message)),
        SignatureAlgorithm::EcdsaWithSha384 => check(&Sha384::digest(message)),
        SignatureAlgorithm::EcdsaWithSha512 => check(&Sha512::digest(message)),
        _ => return None,
    })
}

/// EdDSA and the post-quantum signatures (RFC 8410, RFC 9881, RFC 9909): pure, without a context.
macro_rules! pure {
    ($($variant:ident $from:ident $module:ident;)*) => {
        $(impl SigningKey for $from::$module::PrivateKey {
            fn algorithm(&self) -> SignatureAlgorithm {
                SignatureAlgorithm::$variant
            }

            fn public_key(&self) -> PublicKey {
                PublicKey::$variant($from::$module::PrivateKey::public_key(self))
            }

            fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
                let made = $from::$module::PrivateKey::sign(self, message).to_bytes();
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
                    Self::P224(key) => Ok(key),
                    Self::P256(key) => Ok(key),
                    Self::P384(key) => Ok(key),
                    Self::P521(key) => Ok(key),
                    Self::Secp256k1(key) => Ok(key),
                    Self::BrainpoolP256r1(key) => Ok(key),
                    Self::BrainpoolP384r1(key) => Ok(key),
                    Self::BrainpoolP512r1(key) => Ok(key),
                    $(Self::$variant(key) => Ok(key),)*
                    _ => Err(ErrorKind::CannotSign.at(0)),
                }
            }
        }

        /// Checks such a signature; nothing for other keys and algorithms.
        fn verify_pure(
            key: &PublicKey,
            algorithm: SignatureAlgorithm,
            message: &[u8],
            signature: &[u8],
        ) -> Option<Result<(), CryptoError>> {
            match (key, algorithm) {
                $((PublicKey::$variant(key), SignatureAlgorithm::$variant) => {
                    let signature = $from::$module::Signature::from_bytes(signature);
                    let signature = signature.map_err(|_| CryptoError::BadSignature);
                    Some(signature.and_then(|signature| key.verify(message, &signature)))
                })*
                _ => None,
            }
        }
    };
}

pure! {
    Ed25519 ec ed25519;
    Ed448 ec ed448;
    MlDsa44 pq ml_dsa_44;
    MlDsa65 pq ml_dsa_65;
    MlDsa87 pq ml_dsa_87;
    SlhDsaSha2_128s pq slh_dsa_sha2_128s;
    SlhDsaSha2_128f pq slh_dsa_sha2_128f;
    SlhDsaSha2_192s pq slh_dsa_sha2_192s;
    SlhDsaSha2_192f pq slh_dsa_sha2_192f;
    SlhDsaSha2_256s pq slh_dsa_sha2_256s;
    SlhDsaSha2_256f pq slh_dsa_sha2_256f;
    SlhDsaShake128s pq slh_dsa_shake_128s;
    SlhDsaShake128f pq slh_dsa_shake_128f;
    SlhDsaShake192s pq slh_dsa_shake_192s;
    SlhDsaShake192f pq slh_dsa_shake_192f;
    SlhDsaShake256s pq slh_dsa_shake_256s;
    SlhDsaShake256f pq slh_dsa_shake_256f;
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
    let verdict = match key {
        PublicKey::P224(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::P256(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::P384(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::P521(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::Secp256k1(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::BrainpoolP256r1(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::BrainpoolP384r1(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::BrainpoolP512r1(key) => verify_ecdsa(key, algorithm, message, signature),
        PublicKey::Unknown(key) => return Err(unknown(key.oid)),
        _ => verify_pure(key, algorithm, message, signature),
    };
    match verdict {
        Some(verdict) => Ok(verdict?),
        None => Err(ErrorKind::WrongKey.at(0)),
    }
}
