//! Signatures of certificates and handshakes, checked.

use adamant::ec::weierstrass::{Curve, PublicKey, Signature};
use adamant::ec::{self, sm2};
use adamant::family::Verifier;
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::{Error, pq, rsa};
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
fn ecdsa<C: Curve<W>, H: adamant::family::Hash, const W: usize>(
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

/// A scheme that hashes by itself.
fn verify<K: Verifier + for<'a> TryFrom<&'a [u8], Error = Error>>(
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    K::try_from(key)?.verify(message, &K::signature(signature)?)
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
const fn algorithm(
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
    verify: fn(&[u8], &[u8], &[u8]) -> Result<(), Error>,
) -> Algorithm {
    Algorithm {
        key,
        signature,
        verify,
    }
}

const fn bare(signature: &'static [u8], usual: &Algorithm) -> Algorithm {
    let signature = AlgorithmIdentifier::from_slice(signature);
    algorithm(usual.key, signature, usual.verify)
}

/// ECDSA on a curve with SHA-256, SHA-384 and SHA-512.
const fn on_curve<C: Curve<W>, const W: usize>(key: AlgorithmIdentifier) -> [Algorithm; 3] {
    [
        algorithm(key, alg_id::ECDSA_SHA256, ecdsa::<C, Sha256, W>),
        algorithm(key, alg_id::ECDSA_SHA384, ecdsa::<C, Sha384, W>),
        algorithm(key, alg_id::ECDSA_SHA512, ecdsa::<C, Sha512, W>),
    ]
}

static P256: [Algorithm; 3] = on_curve::<ec::p256::P256, 4>(alg_id::ECDSA_P256);
static P384: [Algorithm; 3] = on_curve::<ec::p384::P384, 6>(alg_id::ECDSA_P384);
static P521: [Algorithm; 3] = on_curve::<ec::p521::P521, 9>(alg_id::ECDSA_P521);
/// sha256WithRSAEncryption and the others without their NULL, as some write them.
static RSA_BARE: [Algorithm; 3] = [
    bare(
        &[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 11],
        &RSA_PKCS1_SHA256,
    ),
    bare(
        &[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 12],
        &RSA_PKCS1_SHA384,
    ),
    bare(
        &[0x06, 9, 42, 134, 72, 134, 247, 13, 1, 1, 13],
        &RSA_PKCS1_SHA512,
    ),
];
static SM2_CERTIFICATE: Algorithm = algorithm(SM2, SM2_SM3, verify_sm2);
static SM2_HANDSHAKE: Algorithm = algorithm(SM2, SM2_SM3, verify_sm2_handshake);

macro_rules! algorithms {
    (
        ecdsa { $({ $curve:ident $cm:ident $ecdsa:ident })* }
        eddsa { $({ $ed:ident $em:ident $eddsa:ident })* }
        rsa { $({ $rsa:ident $sign:ident $verify:ident $batch:ident $hash:ident })* }
        ml_dsa { $({ $ml:ident $mm:ident $ml_dsa:ident })* }
    ) => {
        $(static $eddsa: Algorithm =
            algorithm(alg_id::$eddsa, alg_id::$eddsa, verify::<ec::$em::PublicKey>);)*
        $(static $rsa: Algorithm =
            algorithm(alg_id::RSA_ENCRYPTION, alg_id::$rsa, |key, message, signature| {
                rsa_key(key)?.$verify::<$hash>(message, signature)
            });)*
        $(static $ml_dsa: Algorithm =
            algorithm(alg_id::$ml_dsa, alg_id::$ml_dsa, verify::<pq::$mm::PublicKey>);)*

        /// What [`default_provider`](crate::default_provider) verifies, in the order of its offer.
        pub static SUPPORTED_ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
            all: &[
                $(&$curve[0], &$curve[1], &$curve[2],)*
                $(&$eddsa,)*
                $(&$rsa,)*
                &RSA_BARE[0], &RSA_BARE[1], &RSA_BARE[2],
                $(&$ml_dsa,)*
            ],
            mapping: &[
                // TLS 1.3 takes the first of each, whose curve belongs to the scheme.
                (SignatureScheme::ECDSA_NISTP256_SHA256, &[&P256[0], &P384[0], &P521[0]]),
                (SignatureScheme::ECDSA_NISTP384_SHA384, &[&P384[1], &P256[1], &P521[1]]),
                (SignatureScheme::ECDSA_NISTP521_SHA512, &[&P521[2], &P384[2], &P256[2]]),
                $((SignatureScheme::$eddsa, &[&$eddsa]),)*
                $((SignatureScheme::$rsa, &[&$rsa]),)*
                $((SignatureScheme::$ml_dsa, &[&$ml_dsa]),)*
            ],
        };
    };
}
super::signatures!(algorithms);

/// What [`sm_provider`](crate::sm_provider) verifies.
pub static SM_ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[&SM2_CERTIFICATE],
    mapping: &[(SM2SIG_SM3, &[&SM2_HANDSHAKE])],
};
