//! Ciphers, modes and AEADs.
//!
//! | module | holds |
//! |---|---|
//! | [`aes`] | AES (FIPS 197) |
//! | [`ccm`], [`cmac`] | CCM (NIST SP 800-38C) and CMAC (SP 800-38B) over any block cipher |
//! | [`gcm`] | GCM (NIST SP 800-38D) over AES and over any block cipher |
//! | [`ghash`] | its universal hash |
//! | [`modes`] | ECB, CBC, CTR, CFB, OFB (NIST SP 800-38A) |
//! | [`chacha20`] | the stream ciphers ChaCha20 (RFC 8439) and XChaCha20 |
//! | [`poly1305`] | the one-time authenticator Poly1305 (RFC 8439) |
//! | [`chacha20_poly1305`] | the AEADs of these two |
//! | [`stream`] | long messages in sealed segments, over any AEAD (STREAM) |
#![cfg_attr(not(test), no_std)]

pub mod aes;
pub mod ccm;
pub mod chacha20;
pub mod chacha20_poly1305;
pub mod cmac;
pub mod gcm;
pub mod ghash;
pub mod modes;
pub mod poly1305;
pub mod stream;
