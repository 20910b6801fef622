//! Ciphers, modes and AEADs.
//!
//! | module | holds |
//! |---|---|
//! | [`aes`] | AES (FIPS 197) |
//! | [`sm4`] | SM4 (GB/T 32907) with its GCM, CCM and CMAC |
//! | [`des`] | DES and triple DES (FIPS 46-3, NIST SP 800-67), legacy |
//! | [`ccm`], [`cmac`] | CCM (NIST SP 800-38C) and CMAC (SP 800-38B) over any block cipher |
//! | [`eax`] | EAX over any block cipher |
//! | [`gcm`] | GCM (NIST SP 800-38D) over AES and over any block cipher |
//! | [`gcm_siv`] | AES-GCM-SIV (RFC 8452) |
//! | [`gmac`] | GMAC (NIST SP 800-38D) over any block cipher |
//! | [`key_wrap`] | AES Key Wrap (RFC 3394, RFC 5649, SP 800-38F) |
//! | [`modes`] | ECB, CBC, CTR, CFB, OFB (NIST SP 800-38A) |
//! | [`chacha20`] | the stream ciphers ChaCha20 (RFC 8439) and XChaCha20 |
//! | [`poly1305`] | the one-time authenticator Poly1305 (RFC 8439) |
//! | [`chacha20_poly1305`] | the AEADs of these two |
//! | [`stream`] | long messages in sealed segments, over any AEAD (STREAM) |
//! | [`hazmat`] | implementations by name, what modes are made of, other lengths of nonces and tags |
//!
//! | feature | brings, beside [`stream`] |
//! |---|---|
//! | `aes` | [`aes`], and the modes over it |
//! | `chacha20` | [`chacha20`], [`poly1305`], [`chacha20_poly1305`] |
//! | `sm4` | [`sm4`], with the modes of `aes` |
//! | `des` | [`des`], with the modes of `aes` |
//! | `own` | a GHASH of one's own, and checks of it and of block ciphers ([`hazmat`]) |
#![cfg_attr(not(test), no_std)]
// Code that several of them share is unused without them, and without detection the tables have no
// rows for most implementations.
#![cfg_attr(
    not(all(
        feature = "aes",
        feature = "chacha20",
        feature = "sm4",
        feature = "des",
        feature = "std",
        not(feature = "small")
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(feature = "std")]
extern crate alloc;

mod aead;
#[cfg(feature = "aes")]
pub mod aes;
#[cfg(test)]
mod boundaries;
#[cfg(feature = "aes")]
pub mod ccm;
#[cfg(feature = "chacha20")]
pub mod chacha20;
#[cfg(feature = "chacha20")]
pub mod chacha20_poly1305;
#[cfg(feature = "aes")]
pub mod cmac;
#[cfg(feature = "des")]
pub mod des;
#[cfg(feature = "aes")]
pub mod eax;
#[cfg(feature = "aes")]
pub mod gcm;
#[cfg(feature = "aes")]
pub mod gcm_siv;
#[cfg(feature = "aes")]
mod ghash;
#[cfg(feature = "aes")]
pub mod gmac;
pub mod hazmat;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "aes")]
pub mod key_wrap;
#[cfg(feature = "aes")]
mod loops;
#[cfg(feature = "aes")]
pub mod modes;
#[cfg(all(feature = "own", feature = "aes"))]
mod own;
#[cfg(feature = "chacha20")]
pub mod poly1305;
#[cfg(test)]
mod reference;
#[cfg(feature = "sm4")]
pub mod sm4;
pub mod stream;
#[cfg(test)]
mod testing;
