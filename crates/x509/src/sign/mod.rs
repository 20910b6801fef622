//! Making and checking signatures: the one place where encodings meet algorithms.

mod rsa;
mod sm2;

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_ec as ec;
use adamant_ec::weierstrass::{
    self, Curve, DerSignature, brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, p224, p256, p384,
    p521, secp256k1,
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
///
/// Signatures of the keys here are repeatable: what randomness they need is derived from the key
/// and the message, as RFC 6979 does it for ECDSA. (With one's own generator: `sign_pss` and the
/// like of each key.)
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

type AnySigningKey = dyn SigningKey + Send + Sync;

/// ECDSA: the kinds, and the hash that each usually signs with.
macro_rules! ecdsa {
    ($($module:ident $curve:ident $algorithm:ident;)*) => {
        $(impl SigningKey for $module::PrivateKey {
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
        })*

        /// A key that signs with ECDSA.
        fn ecdsa_signer(key: &PrivateKey) -> Option<&AnySigningKey> {
            match key {
                $(PrivateKey::$curve(key) => Some(key),)*
                _ => None,
            }
        }

        /// Signs with ECDSA and the hash of the algorithm; nothing for others.
        fn sign_ecdsa(
            key: &PrivateKey,
            algorithm: SignatureAlgorithm,
            message: &[u8],
        ) -> Option<DerSignature> {
            match key {
                $(PrivateKey::$curve(key) => Some(sign_on(key, algorithm, message)?.to_der()),)*
                _ => None,
            }
        }

        /// Checks an ECDSA signature; nothing for other keys and algorithms.
        fn verify_ecdsa(
            key: &PublicKey,
            algorithm: SignatureAlgorithm,
            message: &[u8],
            signature: &[u8],
        ) -> Option<Result<(), CryptoError>> {
            match key {
                $(PublicKey::$curve(key) => verify_on(key, algorithm, message, signature),)*
                _ => None,
            }
        }
    };
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

fn sign_on<C: Curve<W>, const W: usize>(
    key: &weierstrass::PrivateKey<C, W>,
    algorithm: SignatureAlgorithm,
    message: &[u8],
) -> Option<weierstrass::Signature<C, W>> {
    Some(match algorithm {
        SignatureAlgorithm::EcdsaWithSha224 => {
            key.sign_digest_with::<Sha224>(&Sha224::digest(message))
        }
        SignatureAlgorithm::EcdsaWithSha256 => {
            key.sign_digest_with::<Sha256>(&Sha256::digest(message))
        }
        SignatureAlgorithm::EcdsaWithSha384 => {
            key.sign_digest_with::<Sha384>(&Sha384::digest(message))
        }
        SignatureAlgorithm::EcdsaWithSha512 => {
            key.sign_digest_with::<Sha512>(&Sha512::digest(message))
        }
        _ => return None,
    })
}

fn verify_on<C: Curve<W>, const W: usize>(
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

        /// A key that signs so.
        fn pure_signer(key: &PrivateKey) -> Option<&AnySigningKey> {
            match key {
                $(PrivateKey::$variant(key) => Some(key),)*
                _ => None,
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

impl PrivateKey {
    /// The key as one that signs, with its usual algorithm: ECDSA with the hash of the curve's
    /// length, RSASSA-PKCS1-v1_5 with SHA-256, SM2 with SM3, and the one that there is for others.
    ///
    /// # Errors
    /// [`ErrorKind::CannotSign`] for keys of key agreement and encapsulation.
    pub fn signer(&self) -> Result<&(dyn SigningKey + Send + Sync)> {
        match self {
            Self::Rsa(key) => Ok(key),
            Self::Sm2(key) => Ok(key),
            _ => ecdsa_signer(self)
                .or(pure_signer(self))
                .ok_or(ErrorKind::CannotSign.at(0)),
        }
    }

    /// The key as one that signs with this algorithm: RSA keys with any of RSA's, those on curves
    /// with any hash.
    ///
    /// ```
    /// use adamant_rand::SystemRng;
    /// use adamant_x509::{KeyAlgorithm, PrivateKey, SignatureAlgorithm, verify_signature};
    ///
    /// let key = PrivateKey::generate(KeyAlgorithm::Rsa, &mut SystemRng)?;
    /// let algorithm = SignatureAlgorithm::RsaPssSha384;
    /// let mut signature = Vec::new();
    /// let signer = key.signer_with(algorithm)?;
    /// adamant_x509::SigningKey::sign(&signer, b"a message", &mut signature)?;
    /// verify_signature(&key.public_key(), &algorithm.identifier(), b"a message", &signature)?;
    /// # Ok::<(), adamant_x509::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::CannotSign`] for keys of key agreement and encapsulation;
    /// [`ErrorKind::WrongKey`] for an algorithm of other keys, [`ErrorKind::WeakAlgorithm`] for
    /// SHA-1.
    pub fn signer_with(&self, algorithm: SignatureAlgorithm) -> Result<Signer<'_>> {
        use SignatureAlgorithm as Algorithm;

        let usual = self.signer()?;
        let fits = match algorithm {
            Algorithm::RsaSha1 => return Err(ErrorKind::WeakAlgorithm(algorithm.oid()).at(0)),
            Algorithm::RsaSha256
            | Algorithm::RsaSha384
            | Algorithm::RsaSha512
            | Algorithm::RsaPssSha256
            | Algorithm::RsaPssSha384
            | Algorithm::RsaPssSha512 => matches!(self, Self::Rsa(_)),
            Algorithm::EcdsaWithSha224
            | Algorithm::EcdsaWithSha256
            | Algorithm::EcdsaWithSha384
            | Algorithm::EcdsaWithSha512 => ecdsa_signer(self).is_some(),
            _ => usual.algorithm() == algorithm,
        };
        if fits {
            Ok(Signer {
                key: self,
                usual,
                algorithm,
            })
        } else {
            Err(ErrorKind::WrongKey.at(0))
        }
    }
}

/// A private key that signs with an algorithm of choice: see [`PrivateKey::signer_with`].
pub struct Signer<'a> {
    key: &'a PrivateKey,
    usual: &'a (dyn SigningKey + Send + Sync),
    algorithm: SignatureAlgorithm,
}

impl SigningKey for Signer<'_> {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.algorithm
    }

    fn public_key(&self) -> PublicKey {
        self.usual.public_key()
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        if let PrivateKey::Rsa(key) = self.key {
            return rsa::sign(key, self.algorithm, message, signature);
        }
        match sign_ecdsa(self.key, self.algorithm, message) {
            Some(made) => {
                signature.extend_from_slice(made.as_ref());
                Ok(())
            }
            None => self.usual.sign(message, signature),
        }
    }
}

/// Checks a signature, as it stands in the BIT STRING.
///
/// # Errors
/// [`ErrorKind::UnknownAlgorithm`] of the signature or of the key, [`ErrorKind::WrongParameters`],
/// [`ErrorKind::WeakAlgorithm`] for SHA-1, [`ErrorKind::WrongKey`], and [`ErrorKind::Crypto`] if
/// it does not verify. The position is zero.
pub fn verify_signature(
    key: &PublicKey,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<()> {
    if algorithm.oid == SignatureAlgorithm::RsaSha1.oid() {
        return Err(ErrorKind::WeakAlgorithm(algorithm.oid).at(0));
    }
    verify_signature_legacy(key, algorithm, message, signature)
}

/// As [`verify_signature`], and with SHA-1 too, for which anybody with the means can make two
/// messages of one signature: for documents from before 2017, of which a trusted copy tells that
/// they are that old.
///
/// # Errors
/// As there.
pub fn verify_signature_legacy(
    key: &PublicKey,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<()> {
    let unknown = |oid| ErrorKind::UnknownAlgorithm(oid).at(0);
    let known = match SignatureAlgorithm::from_identifier(algorithm) {
        Some(known) => known,
        // Of PSS, another hash or mask.
        None if algorithm.oid == SignatureAlgorithm::RsaPssSha256.oid() => {
            return Err(ErrorKind::WrongParameters(algorithm.oid).at(0));
        }
        None => return Err(unknown(algorithm.oid)),
    };
    let verdict = match key {
        PublicKey::Rsa(key) => rsa::verify(key, algorithm, known, message, signature),
        PublicKey::Sm2(key) => sm2::verify(key, known, message, signature),
        PublicKey::Unknown(key) => return Err(unknown(key.oid)),
        _ => verify_ecdsa(key, known, message, signature)
            .or_else(|| verify_pure(key, known, message, signature)),
    };
    match verdict {
        Some(verdict) => Ok(verdict?),
        None => Err(ErrorKind::WrongKey.at(0)),
    }
}
