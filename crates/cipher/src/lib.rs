//! Ciphers, modes and AEADs.
//!
//! | module | holds |
//! |---|---|
//! | [`aes`] | AES (FIPS 197) |
//! | [`chacha20`] | the ChaCha20 stream cipher (RFC 8439) |
#![cfg_attr(not(test), no_std)]

pub mod aes;
pub mod chacha20;
