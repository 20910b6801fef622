//! Private keys and signatures of the handshake.

#[cfg(feature = "batching")]
mod batched;
mod load;
mod verify;

use std::fmt;
use std::sync::Arc;

use adamant::Error as CryptoError;
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::x509::PrivateKey;
use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};

use crate::random::Random;

pub(crate) use load::Loader;
pub use load::load_private_key;
pub use verify::{SM_ALGORITHMS, SUPPORTED_ALGORITHMS};

/// `sm2sig_sm3` (RFC 8998).
pub const SM2SIG_SM3: SignatureScheme = SignatureScheme::Unknown(0x0708);
/// The identity of the signer in CertificateVerify (RFC 8998, section 3.2.1).
const SM2_IDENTITY: &[u8] = b"TLSv1.3+GM+Cipher+Suite";

/// What RSA keys sign with, best first.
pub(crate) static RSA_SCHEMES: &[SignatureScheme] = &[
    SignatureScheme::RSA_PSS_SHA256,
    SignatureScheme::RSA_PSS_SHA384,
    SignatureScheme::RSA_PSS_SHA512,
    SignatureScheme::RSA_PKCS1_SHA256,
    SignatureScheme::RSA_PKCS1_SHA384,
    SignatureScheme::RSA_PKCS1_SHA512,
];

/// What keys of this kind sign with, best first.
fn schemes(key: &PrivateKey) -> Option<&'static [SignatureScheme]> {
    Some(match key {
        PrivateKey::Rsa(_) => RSA_SCHEMES,
        PrivateKey::P256(_) => &[SignatureScheme::ECDSA_NISTP256_SHA256],
        PrivateKey::P384(_) => &[SignatureScheme::ECDSA_NISTP384_SHA384],
        PrivateKey::P521(_) => &[SignatureScheme::ECDSA_NISTP521_SHA512],
        PrivateKey::Ed25519(_) => &[SignatureScheme::ED25519],
        PrivateKey::Ed448(_) => &[SignatureScheme::ED448],
        PrivateKey::MlDsa44(_) => &[SignatureScheme::ML_DSA_44],
        PrivateKey::MlDsa65(_) => &[SignatureScheme::ML_DSA_65],
        PrivateKey::MlDsa87(_) => &[SignatureScheme::ML_DSA_87],
        PrivateKey::Sm2(_) => &[SM2SIG_SM3],
        _ => return None,
    })
}

/// The kind of keys, which suites of TLS 1.2 are chosen by.
fn algorithm(key: &PrivateKey) -> SignatureAlgorithm {
    match key {
        PrivateKey::Rsa(_) => SignatureAlgorithm::RSA,
        PrivateKey::P256(_) | PrivateKey::P384(_) | PrivateKey::P521(_) => {
            SignatureAlgorithm::ECDSA
        }
        PrivateKey::Ed25519(_) => SignatureAlgorithm::ED25519,
        PrivateKey::Ed448(_) => SignatureAlgorithm::ED448,
        // TLS 1.2 knows none of the others.
        _ => SignatureAlgorithm::Unknown(0xff),
    }
}

/// What makes signatures.
trait Sign: Send + Sync {
    /// The signature under one of the key's schemes.
    fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, CryptoError>;
}

/// A private key that signs handshakes.
#[derive(Clone)]
struct Key {
    key: Arc<dyn Sign>,
    /// Its SubjectPublicKeyInfo.
    public: Arc<[u8]>,
    algorithm: SignatureAlgorithm,
    schemes: &'static [SignatureScheme],
}

/// A key with the scheme that was agreed on.
struct Chosen {
    key: Arc<dyn Sign>,
    scheme: SignatureScheme,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("schemes", &self.schemes)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen")
            .field("scheme", &self.scheme)
            .finish_non_exhaustive()
    }
}

impl SigningKey for Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let scheme = *self
            .schemes
            .iter()
            .find(|scheme| offered.contains(scheme))?;
        let key = Arc::clone(&self.key);
        Some(Box::new(Chosen { key, scheme }))
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some((&self.public[..]).into())
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.algorithm
    }
}

impl Signer for Chosen {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let made = self.key.sign(self.scheme, message);
        made.map_err(|error| Error::General(error.to_string()))
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}

impl Sign for PrivateKey {
    fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, CryptoError> {
        use SignatureScheme as Scheme;

        let rng = &mut Random;
        Ok(match (self, scheme) {
            (PrivateKey::P256(key), _) => key.sign(message).to_der().as_ref().to_vec(),
            (PrivateKey::P384(key), _) => key.sign(message).to_der().as_ref().to_vec(),
            (PrivateKey::P521(key), _) => key.sign(message).to_der().as_ref().to_vec(),
            (PrivateKey::Ed25519(key), _) => key.sign(message).to_bytes().to_vec(),
            (PrivateKey::Ed448(key), _) => key.sign(message).to_bytes().to_vec(),
            (PrivateKey::MlDsa44(key), _) => key.sign(message).to_bytes().to_vec(),
            (PrivateKey::MlDsa65(key), _) => key.sign(message).to_bytes().to_vec(),
            (PrivateKey::MlDsa87(key), _) => key.sign(message).to_bytes().to_vec(),
            (PrivateKey::Sm2(key), _) => {
                let signature = key.sign_with_identity(message, SM2_IDENTITY)?;
                signature.to_der().as_ref().to_vec()
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PSS_SHA256) => {
                key.sign_pss::<Sha256>(message, rng)?
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PSS_SHA384) => {
                key.sign_pss::<Sha384>(message, rng)?
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PSS_SHA512) => {
                key.sign_pss::<Sha512>(message, rng)?
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PKCS1_SHA256) => {
                key.sign_pkcs1::<Sha256>(message, rng)?
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PKCS1_SHA384) => {
                key.sign_pkcs1::<Sha384>(message, rng)?
            }
            (PrivateKey::Rsa(key), Scheme::RSA_PKCS1_SHA512) => {
                key.sign_pkcs1::<Sha512>(message, rng)?
            }
            _ => return Err(CryptoError::BadParameter("scheme")),
        })
    }
}
