//! Signatures of certificates and handshakes, checked.

use adamant::Error;
use adamant::base::family::Verifier;
use adamant::ec::weierstrass::{Curve, PublicKey, Signature, p256::P256, p384::P384, p521::P521};
use adamant::ec::{ed448, ed25519, sm2};
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::pq::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use adamant::rsa;
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{
    AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id,
};

use super::{SM2_IDENTITY, SM2SIG_SM3};

/// A check of signatures for keys of one kind.
#[derive(Debug)]
struct Algorithm {
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
    /// By key, message and signature, as they are encoded.
    verify: fn(&[u8], &[u8], &[u8]) -> Result<(), Error>,
}

impl SignatureVerificationAlgorithm for Algorithm {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        (self.verify)(public_key, message, signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.key
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.signature
    }
}

/// ECDSA on a curve with a hash.
fn ecdsa<C: Curve<W>, H: adamant::base::family::Hash, const W: usize>(
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let key = PublicKey::<C, W>::from_sec1(key)?;
    key.verify_prehashed(
        H::digest(message).as_ref(),
        &Signature::from_der(signature)?,
    )
}

/// An RSA key of a length that is safe.
fn rsa_key(key: &[u8]) -> Result<rsa::PublicKey, Error> {
    let key = rsa::PublicKey::from_pkcs1_der(key).map_err(|_| Error::BadPublicKey)?;
    if key.bits() < 2048 {
        return Err(Error::BadPublicKey);
    }
    Ok(key)
}

/// Checks that take the key's bytes, the message and the signature's bytes.
macro_rules! pure {
    ($($name:ident = $module:ident;)*) => { $(
        fn $name(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
            let key = $module::PublicKey::try_from(key)?;
            key.verify(message, &<$module::PublicKey as Verifier>::signature(signature)?)
        }
    )* };
}

pure! {
    verify_ed25519 = ed25519;
    verify_ed448 = ed448;
    verify_ml_dsa_44 = ml_dsa_44;
    verify_ml_dsa_65 = ml_dsa_65;
    verify_ml_dsa_87 = ml_dsa_87;
}

/// SM2 of a certificate, under the usual identity.
fn verify_sm2(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    sm2::PublicKey::from_sec1(key)?.verify(message, &sm2::Signature::from_der(signature)?)
}

/// SM2 of a handshake.
fn verify_sm2_handshake(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let signature = sm2::Signature::from_der(signature)?;
    sm2::PublicKey::from_sec1(key)?.verify_with_identity(message, SM2_IDENTITY, &signature)
}

/// id-ecPublicKey on the curve of SM2 (GM/T 0009).
const SM2: AlgorithmIdentifier = AlgorithmIdentifier::from_slice(&[
    0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, // 1.2.840.10045.2.1
    0x06, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d, // 1.2.156.10197.1.301
]);
/// sm2-with-SM3: 1.2.156.10197.1.501.
const SM2_SM3: AlgorithmIdentifier =
    AlgorithmIdentifier::from_slice(&[0x06, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75]);
/// sha256WithRSAEncryption and the others without their NULL, as some write them.
const RSA_SHA256_ABSENT: AlgorithmIdentifier =
    rsa_absent(&[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 11]);
const RSA_SHA384_ABSENT: AlgorithmIdentifier =
    rsa_absent(&[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 12]);
const RSA_SHA512_ABSENT: AlgorithmIdentifier =
    rsa_absent(&[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 13]);

const fn rsa_absent(der: &'static [u8]) -> AlgorithmIdentifier {
    AlgorithmIdentifier::from_slice(der)
}

macro_rules! algorithms {
    ($($name:ident: $key:expr, $signature:expr, $verify:expr;)*) => { $(
        static $name: &Algorithm = &Algorithm {
            key: $key,
            signature: $signature,
            verify: $verify,
        };
    )* };
}

algorithms! {
    P256_SHA256: alg_id::ECDSA_P256, alg_id::ECDSA_SHA256, ecdsa::<P256, Sha256, 4>;
    P256_SHA384: alg_id::ECDSA_P256, alg_id::ECDSA_SHA384, ecdsa::<P256, Sha384, 4>;
    P256_SHA512: alg_id::ECDSA_P256, alg_id::ECDSA_SHA512, ecdsa::<P256, Sha512, 4>;
    P384_SHA256: alg_id::ECDSA_P384, alg_id::ECDSA_SHA256, ecdsa::<P384, Sha256, 6>;
    P384_SHA384: alg_id::ECDSA_P384, alg_id::ECDSA_SHA384, ecdsa::<P384, Sha384, 6>;
    P384_SHA512: alg_id::ECDSA_P384, alg_id::ECDSA_SHA512, ecdsa::<P384, Sha512, 6>;
    P521_SHA256: alg_id::ECDSA_P521, alg_id::ECDSA_SHA256, ecdsa::<P521, Sha256, 9>;
    P521_SHA384: alg_id::ECDSA_P521, alg_id::ECDSA_SHA384, ecdsa::<P521, Sha384, 9>;
    P521_SHA512: alg_id::ECDSA_P521, alg_id::ECDSA_SHA512, ecdsa::<P521, Sha512, 9>;
    ED25519: alg_id::ED25519, alg_id::ED25519, verify_ed25519;
    ED448: alg_id::ED448, alg_id::ED448, verify_ed448;
    RSA_PSS_SHA256: alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA256,
        |key, message, signature| rsa_key(key)?.verify_pss::<Sha256>(message, signature);
    RSA_PSS_SHA384: alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA384,
        |key, message, signature| rsa_key(key)?.verify_pss::<Sha384>(message, signature);
    RSA_PSS_SHA512: alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA512,
        |key, message, signature| rsa_key(key)?.verify_pss::<Sha512>(message, signature);
    RSA_SHA256: alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA256,
        |key, message, signature| rsa_key(key)?.verify_pkcs1::<Sha256>(message, signature);
    RSA_SHA384: alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA384,
        |key, message, signature| rsa_key(key)?.verify_pkcs1::<Sha384>(message, signature);
    RSA_SHA512: alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA512,
        |key, message, signature| rsa_key(key)?.verify_pkcs1::<Sha512>(message, signature);
    RSA_SHA256_BARE: alg_id::RSA_ENCRYPTION, RSA_SHA256_ABSENT, RSA_SHA256.verify;
    RSA_SHA384_BARE: alg_id::RSA_ENCRYPTION, RSA_SHA384_ABSENT, RSA_SHA384.verify;
    RSA_SHA512_BARE: alg_id::RSA_ENCRYPTION, RSA_SHA512_ABSENT, RSA_SHA512.verify;
    ML_DSA_44: alg_id::ML_DSA_44, alg_id::ML_DSA_44, verify_ml_dsa_44;
    ML_DSA_65: alg_id::ML_DSA_65, alg_id::ML_DSA_65, verify_ml_dsa_65;
    ML_DSA_87: alg_id::ML_DSA_87, alg_id::ML_DSA_87, verify_ml_dsa_87;
    SM2_CERTIFICATE: SM2, SM2_SM3, verify_sm2;
    SM2_HANDSHAKE: SM2, SM2_SM3, verify_sm2_handshake;
}

/// What [`default_provider`](crate::default_provider) verifies, in the order of its offer.
pub static SUPPORTED_ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[
        P256_SHA256,
        P256_SHA384,
        P256_SHA512,
        P384_SHA256,
        P384_SHA384,
        P384_SHA512,
        P521_SHA256,
        P521_SHA384,
        P521_SHA512,
        ED25519,
        ED448,
        RSA_PSS_SHA256,
        RSA_PSS_SHA384,
        RSA_PSS_SHA512,
        RSA_SHA256,
        RSA_SHA384,
        RSA_SHA512,
        RSA_SHA256_BARE,
        RSA_SHA384_BARE,
        RSA_SHA512_BARE,
        ML_DSA_44,
        ML_DSA_65,
        ML_DSA_87,
    ],
    mapping: &[
        // TLS 1.3 takes the first of each, whose curve belongs to the scheme.
        (
            SignatureScheme::ECDSA_NISTP256_SHA256,
            &[P256_SHA256, P384_SHA256, P521_SHA256],
        ),
        (
            SignatureScheme::ECDSA_NISTP384_SHA384,
            &[P384_SHA384, P256_SHA384, P521_SHA384],
        ),
        (
            SignatureScheme::ECDSA_NISTP521_SHA512,
            &[P521_SHA512, P384_SHA512, P256_SHA512],
        ),
        (SignatureScheme::ED25519, &[ED25519]),
        (SignatureScheme::ED448, &[ED448]),
        (SignatureScheme::RSA_PSS_SHA256, &[RSA_PSS_SHA256]),
        (SignatureScheme::RSA_PSS_SHA384, &[RSA_PSS_SHA384]),
        (SignatureScheme::RSA_PSS_SHA512, &[RSA_PSS_SHA512]),
        (SignatureScheme::RSA_PKCS1_SHA256, &[RSA_SHA256]),
        (SignatureScheme::RSA_PKCS1_SHA384, &[RSA_SHA384]),
        (SignatureScheme::RSA_PKCS1_SHA512, &[RSA_SHA512]),
        (SignatureScheme::ML_DSA_65, &[ML_DSA_65]),
        (SignatureScheme::ML_DSA_87, &[ML_DSA_87]),
        (SignatureScheme::ML_DSA_44, &[ML_DSA_44]),
    ],
};

/// What [`sm_provider`](crate::sm_provider) verifies.
pub static SM_ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[SM2_CERTIFICATE],
    mapping: &[(SM2SIG_SM3, &[SM2_HANDSHAKE])],
};
