//! Private keys and signatures of the handshake.

#[cfg(feature = "batching")]
mod batched;
mod load;
mod verify;

use std::fmt;
use std::sync::Arc;

use adamant::Error as CryptoError;
use adamant::family::{self, Verifier};
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

/// Calls the macro of this name with the signatures of TLS, in the order of the offer: of each kind
/// of keys the variant, the module and the scheme; of RSA, each scheme with what signs, what verifies
/// and what signs in batches. Schemes have the names of [`SignatureScheme`].
macro_rules! signatures {
    ($then:ident) => {
        $then! {
            ecdsa {
                { P256 p256 ECDSA_NISTP256_SHA256 }
                { P384 p384 ECDSA_NISTP384_SHA384 }
                { P521 p521 ECDSA_NISTP521_SHA512 }
            }
            eddsa { { Ed25519 ed25519 ED25519 } { Ed448 ed448 ED448 } }
            rsa {
                { RSA_PSS_SHA256 sign_pss verify_pss RsaPssSign Sha256 }
                { RSA_PSS_SHA384 sign_pss verify_pss RsaPssSign Sha384 }
                { RSA_PSS_SHA512 sign_pss verify_pss RsaPssSign Sha512 }
                { RSA_PKCS1_SHA256 sign_pkcs1 verify_pkcs1 RsaPkcs1Sign Sha256 }
                { RSA_PKCS1_SHA384 sign_pkcs1 verify_pkcs1 RsaPkcs1Sign Sha384 }
                { RSA_PKCS1_SHA512 sign_pkcs1 verify_pkcs1 RsaPkcs1Sign Sha512 }
            }
            ml_dsa {
                { MlDsa65 ml_dsa_65 ML_DSA_65 }
                { MlDsa87 ml_dsa_87 ML_DSA_87 }
                { MlDsa44 ml_dsa_44 ML_DSA_44 }
            }
        }
    };
}
use signatures;

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

/// A signature in the form that TLS shares with certificates.
fn sign<K: family::Signer>(key: &K, message: &[u8]) -> Vec<u8> {
    K::Verifier::signature_to_x509(&key.sign(message))
}

macro_rules! keys {
    (
        ecdsa { $({ $curve:ident $cm:ident $ecdsa:ident })* }
        eddsa { $({ $ed:ident $em:ident $eddsa:ident })* }
        rsa { $({ $rsa:ident $sign:ident $verify:ident $batch:ident $hash:ident })* }
        ml_dsa { $({ $ml:ident $mm:ident $ml_dsa:ident })* }
    ) => {
        /// What RSA keys sign with, best first.
        pub(crate) static RSA_SCHEMES: &[SignatureScheme] = &[$(SignatureScheme::$rsa),*];

        /// The kind of a key, which suites of TLS 1.2 are chosen by, and what it signs with, best
        /// first.
        fn kind(key: &PrivateKey) -> Option<(SignatureAlgorithm, &'static [SignatureScheme])> {
            // For what TLS 1.2 does not know.
            const LATER: SignatureAlgorithm = SignatureAlgorithm::Unknown(0xff);

            Some(match key {
                PrivateKey::Rsa(_) => (SignatureAlgorithm::RSA, RSA_SCHEMES),
                $(PrivateKey::$curve(_) => {
                    (SignatureAlgorithm::ECDSA, &[SignatureScheme::$ecdsa])
                })*
                $(PrivateKey::$ed(_) => (SignatureAlgorithm::$eddsa, &[SignatureScheme::$eddsa]),)*
                $(PrivateKey::$ml(_) => (LATER, &[SignatureScheme::$ml_dsa]),)*
                PrivateKey::Sm2(_) => (LATER, &[SM2SIG_SM3]),
                _ => return None,
            })
        }

        impl Sign for PrivateKey {
            fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, CryptoError> {
                match (self, scheme) {
                    $((PrivateKey::$curve(key), _) => Ok(sign(key, message)),)*
                    $((PrivateKey::$ed(key), _) => Ok(sign(key, message)),)*
                    $((PrivateKey::$ml(key), _) => Ok(sign(key, message)),)*
                    (PrivateKey::Sm2(key), _) => {
                        let signature = key.sign_with_identity(message, SM2_IDENTITY)?;
                        Ok(signature.to_der().as_ref().to_vec())
                    }
                    $((PrivateKey::Rsa(key), SignatureScheme::$rsa) => {
                        key.$sign::<$hash>(message, &mut Random)
                    })*
                    _ => Err(CryptoError::BadParameter("scheme")),
                }
            }
        }
    };
}
signatures!(keys);
