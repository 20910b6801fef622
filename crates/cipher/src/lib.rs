//! Ciphers, modes and AEADs.
//!
//! | module | holds |
//! |---|---|
//! | [`chacha20`] | the ChaCha20 stream cipher (RFC 8439) |
#![cfg_attr(not(test), no_std)]

pub mod chacha20;
