//! The algorithms of `adamant` under the traits of the RustCrypto project: programs written for
//! `digest`, `aead`, `cipher`, `signature`, `kem` and `rand_core` run on them by changing an import.
//!
//! ```
//! use adamant_traits::hash::Sha256; // was: use sha2::Sha256;
//! use digest::Digest;
//!
//! fn fingerprint<D: Digest>(data: &[u8]) -> Vec<u8> {
//!     D::new().chain_update(data).finalize().to_vec()
//! }
//! assert_eq!(fingerprint::<Sha256>(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! | module | traits | for |
//! |---|---|---|
//! | [`hash`] | `digest` 0.11 | hash functions, and those with output of any length |
//! | [`mac`] | `digest` 0.11, `Mac` | HMAC, CMAC, SipHash, BLAKE2 with a key |
//! | [`aead`](mod@aead) | `aead` 0.6 | AES-GCM and its relatives, (X)ChaCha20-Poly1305, SM4 |
//! | [`cipher`](mod@cipher) | `cipher` 0.5 | block ciphers, CTR, ChaCha20 |
//! | [`modes`] | `cipher` 0.5 | CBC, CFB, OFB, XTS |
//! | [`password`] | `password-hash` 0.6 | Argon2, scrypt, PBKDF2 |
//! | [`signature`](mod@signature) | `signature` 3 | ECDSA, EdDSA, SM2, RSA, ML-DSA |
//! | [`kem`](mod@kem) | `kem` 0.3 | ML-KEM, X-Wing |
//! | [`rng`] | `rand_core` 0.10 | generators, both ways |
//!
//! Each type wraps one of `adamant`, which is public in it as `.0` where it has one, so that what
//! the traits do not offer (batches, contexts, other encodings) stays within reach.
#![no_std]

extern crate alloc;

pub mod aead;
pub mod cipher;
pub mod hash;
pub mod kem;
pub mod mac;
pub mod modes;
pub mod password;
pub mod rng;
pub mod signature;

/// The example of the chapter for those who come from RustCrypto runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rustcrypto.md")]
struct RustCrypto;
