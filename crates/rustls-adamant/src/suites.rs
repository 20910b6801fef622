//! The cipher suites.

use std::marker::PhantomData;

use adamant::cipher::aes::{Aes128, Aes256};
use adamant::cipher::chacha20_poly1305::ChaCha20Poly1305;
use adamant::cipher::gcm::{Aes128Gcm, Aes256Gcm};
use adamant::cipher::sm4::{Sm4Ccm, Sm4Gcm};
use adamant::hash::{Sha256, Sha384, Sm3};
use rustls::crypto::{CipherSuiteCommon, KeyExchangeAlgorithm};
use rustls::{
    CipherSuite, SignatureScheme, SupportedCipherSuite, Tls12CipherSuite, Tls13CipherSuite,
};

use crate::hash::Suite;
use crate::keys::RSA_SCHEMES;
use crate::quic::{ChaChaMask, Packets};
use crate::record::{tls12, tls13};

/// Records under one key of AES-GCM (RFC 8446, section 5.5: 2^24.5).
const GCM_LIMIT: u64 = 1 << 24;
/// Records under one key of CCM (RFC 9001, appendix B.2, for packets no longer than a record).
const CCM_LIMIT: u64 = 1 << 21;

macro_rules! tls13 {
    ($($(#[$doc:meta])* $name:ident: $suite:expr, $hash:ty, $cipher:ty, $limit:expr, $quic:expr;)*) => { $(
        $(#[$doc])*
        pub static $name: SupportedCipherSuite = SupportedCipherSuite::Tls13(&Tls13CipherSuite {
            common: CipherSuiteCommon {
                suite: $suite,
                hash_provider: &Suite::<$hash>::NEW,
                confidentiality_limit: $limit,
            },
            hkdf_provider: &Suite::<$hash>::NEW,
            aead_alg: &tls13::Records::<$cipher>::NEW,
            quic: $quic,
        });
    )* };
}

tls13! {
    /// TLS 1.3, AES-256-GCM with SHA-384 (RFC 8446).
    TLS13_AES_256_GCM_SHA384: CipherSuite::TLS13_AES_256_GCM_SHA384, Sha384, Aes256Gcm, GCM_LIMIT,
        Some(&Packets::<Aes256Gcm, Aes256> {
            confidentiality_limit: 1 << 23,
            integrity_limit: 1 << 52,
            ciphers: PhantomData,
        });
    /// TLS 1.3, AES-128-GCM with SHA-256 (RFC 8446).
    TLS13_AES_128_GCM_SHA256: CipherSuite::TLS13_AES_128_GCM_SHA256, Sha256, Aes128Gcm, GCM_LIMIT,
        Some(&Packets::<Aes128Gcm, Aes128> {
            confidentiality_limit: 1 << 23,
            integrity_limit: 1 << 52,
            ciphers: PhantomData,
        });
    /// TLS 1.3, ChaCha20-Poly1305 with SHA-256 (RFC 8446).
    TLS13_CHACHA20_POLY1305_SHA256:
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256, Sha256, ChaCha20Poly1305, u64::MAX,
        Some(&Packets::<ChaCha20Poly1305, ChaChaMask> {
            confidentiality_limit: u64::MAX,
            integrity_limit: 1 << 36,
            ciphers: PhantomData,
        });
    /// TLS 1.3, SM4-GCM with SM3 (RFC 8998): 0x00c6.
    TLS13_SM4_GCM_SM3: CipherSuite::Unknown(0x00c6), Sm3, Sm4Gcm, GCM_LIMIT, None;
    /// TLS 1.3, SM4-CCM with SM3 (RFC 8998): 0x00c7.
    TLS13_SM4_CCM_SM3: CipherSuite::Unknown(0x00c7), Sm3, Sm4Ccm, CCM_LIMIT, None;
}

/// What signs in the suites of ECDSA.
static ECDSA_SCHEMES: &[SignatureScheme] = &[
    SignatureScheme::ED25519,
    SignatureScheme::ECDSA_NISTP256_SHA256,
    SignatureScheme::ECDSA_NISTP384_SHA384,
    SignatureScheme::ECDSA_NISTP521_SHA512,
];

macro_rules! tls12 {
    ($($(#[$doc:meta])* $name:ident: $schemes:ident, $hash:ty, $cipher:ty, $limit:expr;)*) => { $(
        $(#[$doc])*
        pub static $name: SupportedCipherSuite = SupportedCipherSuite::Tls12(&Tls12CipherSuite {
            common: CipherSuiteCommon {
                suite: CipherSuite::$name,
                hash_provider: &Suite::<$hash>::NEW,
                confidentiality_limit: $limit,
            },
            prf_provider: &Suite::<$hash>::NEW,
            kx: KeyExchangeAlgorithm::ECDHE,
            sign: $schemes,
            aead_alg: &tls12::Records::<$cipher>::NEW,
        });
    )* };
}

tls12! {
    /// TLS 1.2, ECDHE, ECDSA or EdDSA, AES-256-GCM with SHA-384 (RFC 5289).
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: ECDSA_SCHEMES, Sha384, Aes256Gcm, GCM_LIMIT;
    /// TLS 1.2, ECDHE, ECDSA or EdDSA, AES-128-GCM with SHA-256 (RFC 5289).
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: ECDSA_SCHEMES, Sha256, Aes128Gcm, GCM_LIMIT;
    /// TLS 1.2, ECDHE, ECDSA or EdDSA, ChaCha20-Poly1305 with SHA-256 (RFC 7905).
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256:
        ECDSA_SCHEMES, Sha256, ChaCha20Poly1305, u64::MAX;
    /// TLS 1.2, ECDHE, RSA, AES-256-GCM with SHA-384 (RFC 5289).
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: RSA_SCHEMES, Sha384, Aes256Gcm, GCM_LIMIT;
    /// TLS 1.2, ECDHE, RSA, AES-128-GCM with SHA-256 (RFC 5289).
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: RSA_SCHEMES, Sha256, Aes128Gcm, GCM_LIMIT;
    /// TLS 1.2, ECDHE, RSA, ChaCha20-Poly1305 with SHA-256 (RFC 7905).
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: RSA_SCHEMES, Sha256, ChaCha20Poly1305, u64::MAX;
}

/// The suites of [`default_provider`](crate::default_provider), in its order.
pub static DEFAULT_CIPHER_SUITES: &[SupportedCipherSuite] = &[
    TLS13_AES_256_GCM_SHA384,
    TLS13_AES_128_GCM_SHA256,
    TLS13_CHACHA20_POLY1305_SHA256,
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
];

/// The suites of [`sm_provider`](crate::sm_provider), in its order.
pub static SM_CIPHER_SUITES: &[SupportedCipherSuite] = &[TLS13_SM4_GCM_SM3, TLS13_SM4_CCM_SM3];
