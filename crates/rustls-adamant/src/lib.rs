//! The cryptography of adamant for [rustls]: TLS 1.3 and 1.2, QUIC keys, hybrid groups,
//! ML-DSA, and the suites of RFC 8998.
//!
//! ```
//! rustls_adamant::default_provider().install_default().unwrap();
//! // From here on, use rustls as usual:
//! let roots = rustls::RootCertStore::empty();
//! let config = rustls::ClientConfig::builder()
//!     .with_root_certificates(roots)
//!     .with_no_client_auth();
//! # assert!(config.crypto_provider().kx_groups.len() > 5);
//! ```
//!
//! | provider | suites | groups | signatures |
//! |---|---|---|---|
//! | [`default_provider`] | AES-256-GCM, AES-128-GCM, ChaCha20-Poly1305 of TLS 1.3; the same with ECDHE of TLS 1.2 | X25519MLKEM768, X25519, P-256, P-384, SecP256r1MLKEM768, SecP384r1MLKEM1024, P-521, X448 | ECDSA, Ed25519, Ed448, RSA (PSS and PKCS #1), ML-DSA |
//! | [`sm_provider`] | `TLS_SM4_GCM_SM3`, `TLS_SM4_CCM_SM3` | curveSM2 | `sm2sig_sm3` |
//!
//! Traffic keys, shared secrets and private keys are wiped when dropped. Keys are logged only
//! by a `key_log` that the user sets. Randomness is that of [`adamant::FastRng`], one for each
//! thread.

#[cfg(feature = "batching")]
mod batching;
mod hash;
mod keys;
mod kx;
mod quic;
mod random;
mod record;
mod suites;
mod ticket;
pub mod trial;

use rustls::crypto::CryptoProvider;

#[cfg(feature = "batching")]
pub use batching::{together, with_batching};
pub use keys::{SM_ALGORITHMS, SM2SIG_SM3, SUPPORTED_ALGORITHMS, load_private_key};
pub use suites::{DEFAULT_CIPHER_SUITES, SM_CIPHER_SUITES};
pub use ticket::Ticketer;

/// The suites, one by one.
pub mod cipher_suite {
    pub use crate::suites::{
        TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        TLS13_AES_128_GCM_SHA256, TLS13_AES_256_GCM_SHA384, TLS13_CHACHA20_POLY1305_SHA256,
        TLS13_SM4_CCM_SM3, TLS13_SM4_GCM_SM3,
    };
}

/// The groups, one by one.
pub mod kx_group {
    pub use crate::kx::{
        CURVE_SM2, DEFAULT_KX_GROUPS, SECP256R1, SECP256R1MLKEM768, SECP384R1, SECP384R1MLKEM1024,
        SECP521R1, SM_KX_GROUPS, X448, X25519, X25519MLKEM768,
    };
}

/// TLS as the Internet uses it: see the table of the [crate](self).
///
/// ```
/// let mut provider = rustls_adamant::default_provider();
/// provider.kx_groups = vec![rustls_adamant::kx_group::X25519MLKEM768]; // your own choice
/// ```
#[must_use]
pub fn default_provider() -> CryptoProvider {
    CryptoProvider {
        cipher_suites: DEFAULT_CIPHER_SUITES.to_vec(),
        kx_groups: kx_group::DEFAULT_KX_GROUPS.to_vec(),
        signature_verification_algorithms: SUPPORTED_ALGORITHMS,
        secure_random: &random::Random,
        key_provider: &keys::Loader { batched: false },
    }
}

/// Only what RFC 8998 allows: SM4 with SM3, curveSM2, SM2. Certificates and keys have
/// to be of SM2.
///
/// ```
/// let provider = rustls_adamant::sm_provider();
/// assert_eq!(u16::from(provider.cipher_suites[0].suite()), 0x00c6);
/// assert_eq!(u16::from(provider.kx_groups[0].name()), 41);
/// ```
#[must_use]
pub fn sm_provider() -> CryptoProvider {
    CryptoProvider {
        cipher_suites: SM_CIPHER_SUITES.to_vec(),
        kx_groups: kx_group::SM_KX_GROUPS.to_vec(),
        signature_verification_algorithms: SM_ALGORITHMS,
        secure_random: &random::Random,
        key_provider: &keys::Loader { batched: false },
    }
}

/// The examples of the guide's chapter run as tests.
#[cfg(all(doctest, feature = "batching"))]
#[doc = include_str!("../../../docs/tls.md")]
struct Guide;
