//! Making and checking signatures: the one place where encodings meet algorithms.

#[cfg(feature = "ecdsa")]
mod ecdsa;
#[cfg(feature = "rsa")]
mod rsa;
#[cfg(any(
    feature = "curve25519",
    feature = "curve448",
    feature = "ecdsa",
    feature = "ml-dsa",
    feature = "slh-dsa",
    feature = "sm"
))]
mod usual;

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;

use crate::{
    AlgorithmIdentifier, ErrorKind, KeyAlgorithm, PrivateKey, PublicKey, Result, SignatureAlgorithm,
};

/// A signer of certificates, requests, lists and responses: a private key here, or one in an
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
/// and the message, as RFC 6979 does it for ECDSA. (With your own generator: `sign_pss` and the
/// like of each key.)
pub trait SigningKey {
    /// The algorithm of the signatures.
    fn algorithm(&self) -> SignatureAlgorithm;

    /// The key that verifies.
    fn public_key(&self) -> PublicKey;

    /// Appends the signature of `message`, the contents of the BIT STRING.
    ///
    /// # Errors
    /// Whatever kept the key from signing; `signature` is then not to be used.
    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()>;
}

/// A key here that signs.
trait Signs: SigningKey {
    /// Appends the signature with an algorithm that fits the key.
    fn sign_with(
        &self,
        _algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &mut Vec<u8>,
    ) -> Result<()> {
        self.sign(message, signature)
    }
}

type AnySigns = dyn Signs + Send + Sync;

/// A key here that verifies.
trait Verifies {
    /// The verdict on a signature; nothing for an algorithm of other keys.
    fn verify_with(
        &self,
        identifier: &AlgorithmIdentifier<'_>,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Option<Result<(), CryptoError>>;
}

/// The keys that sign, each with the feature that brings it.
macro_rules! signing {
    ($([$feature:tt $variant:ident])*) => {
        fn signs(key: &PrivateKey) -> Option<&AnySigns> {
            match key {
                $(#[cfg(feature = $feature)]
                PrivateKey::$variant(key) => Some(key),)*
                _ => None,
            }
        }

        fn verifies(key: &PublicKey) -> Option<&dyn Verifies> {
            match key {
                $(#[cfg(feature = $feature)]
                PublicKey::$variant(key) => Some(key),)*
                _ => None,
            }
        }
    };
}

/// The rows, of the list of the schemes.
macro_rules! rows {
    (
        curves { $({ $cf:tt $curve:ident $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $($_s:tt)* })* }
        $($_groups:tt)*
    ) => {
        signing! { ["rsa" Rsa] ["sm" Sm2] $([$cf $curve])* $([$sf $signs])* }
    };
}
adamant_base::schemes!(rows);

impl PrivateKey {
    /// The key as one that signs, with its usual algorithm: ECDSA with the hash of the curve's
    /// length, RSASSA-PKCS1-v1_5 with SHA-256, SM2 with SM3, and the one that there is for others.
    ///
    /// # Errors
    /// [`ErrorKind::CannotSign`] for keys of key agreement and encapsulation.
    pub fn signer(&self) -> Result<&(dyn SigningKey + Send + Sync)> {
        match signs(self) {
            Some(key) => Ok(key),
            None => Err(ErrorKind::CannotSign.at(0)),
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

        let key = signs(self).ok_or(ErrorKind::CannotSign.at(0))?;
        let usual = key.algorithm();
        let fits = match algorithm {
            Algorithm::RsaSha1 => return Err(ErrorKind::WeakAlgorithm(algorithm.oid()).at(0)),
            Algorithm::RsaSha256
            | Algorithm::RsaSha384
            | Algorithm::RsaSha512
            | Algorithm::RsaPssSha256
            | Algorithm::RsaPssSha384
            | Algorithm::RsaPssSha512 => self.algorithm() == KeyAlgorithm::Rsa,
            Algorithm::EcdsaWithSha224
            | Algorithm::EcdsaWithSha256
            | Algorithm::EcdsaWithSha384
            | Algorithm::EcdsaWithSha512 => matches!(
                usual,
                Algorithm::EcdsaWithSha224
                    | Algorithm::EcdsaWithSha256
                    | Algorithm::EcdsaWithSha384
                    | Algorithm::EcdsaWithSha512
            ),
            _ => usual == algorithm,
        };
        if fits {
            Ok(Signer { key, algorithm })
        } else {
            Err(ErrorKind::WrongKey.at(0))
        }
    }
}

/// A private key that signs with an algorithm of choice: see [`PrivateKey::signer_with`].
pub struct Signer<'a> {
    key: &'a AnySigns,
    algorithm: SignatureAlgorithm,
}

impl SigningKey for Signer<'_> {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.algorithm
    }

    fn public_key(&self) -> PublicKey {
        self.key.public_key()
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        self.key.sign_with(self.algorithm, message, signature)
    }
}

/// Checks a signature, the contents of the BIT STRING.
///
/// # Errors
/// [`ErrorKind::UnknownAlgorithm`] of the signature or of the key, [`ErrorKind::NotBuiltIn`] of the
/// key, [`ErrorKind::WrongParameters`], [`ErrorKind::WeakAlgorithm`] for SHA-1,
/// [`ErrorKind::WrongKey`], and [`ErrorKind::Crypto`] if it does not verify. The position is zero.
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

/// As [`verify_signature`], and with SHA-1 too.
pub(crate) fn verify_signature_legacy(
    key: &PublicKey,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<()> {
    let known = match SignatureAlgorithm::from_identifier(algorithm) {
        Some(known) => known,
        // Of PSS, another hash or mask.
        None if algorithm.oid == SignatureAlgorithm::RsaPssSha256.oid() => {
            return Err(ErrorKind::WrongParameters(algorithm.oid).at(0));
        }
        None => return Err(ErrorKind::UnknownAlgorithm(algorithm.oid).at(0)),
    };
    if let PublicKey::Unknown(key) = key {
        return Err(key.error());
    }
    let verdict = verifies(key)
        .and_then(|key| key.verify_with(algorithm, known, message, signature))
        .ok_or(ErrorKind::WrongKey.at(0))?;
    Ok(verdict?)
}
