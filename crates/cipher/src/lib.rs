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
//! | [`ghash`] | its universal hash |
//! | [`key_wrap`] | AES Key Wrap (RFC 3394, RFC 5649, SP 800-38F) |
//! | [`modes`] | ECB, CBC, CTR, CFB, OFB (NIST SP 800-38A) |
//! | [`chacha20`] | the stream ciphers ChaCha20 (RFC 8439) and XChaCha20 |
//! | [`poly1305`] | the one-time authenticator Poly1305 (RFC 8439) |
//! | [`chacha20_poly1305`] | the AEADs of these two |
//! | [`stream`] | long messages in sealed segments, over any AEAD (STREAM) |
//! | [`hazmat`] | nonces and tags of lengths that AEADs do not have by default |
#![cfg_attr(not(test), no_std)]
// Without detection the tables have no rows for most implementations.
#![cfg_attr(not(feature = "std"), allow(dead_code, unused_imports))]

#[cfg(feature = "std")]
extern crate alloc;

mod aead;
pub mod aes;
#[cfg(test)]
mod boundaries;
pub mod ccm;
pub mod chacha20;
pub mod chacha20_poly1305;
pub mod cmac;
pub mod des;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
pub mod ghash;
pub mod gmac;
pub mod hazmat;
pub mod key_wrap;
mod loops;
pub mod modes;
pub mod poly1305;
#[cfg(test)]
mod reference;
pub mod sm4;
pub mod stream;
#[cfg(test)]
mod testing;
