//! Hashes and MACs.

use adamant_engine::family;
use adamant_engine::op::exactly;
use adamant_engine::serve::Engine;

use crate::ffi::{self, Digest, Hmac, LongDigest, Mac};

pub(crate) fn register(engine: &mut Engine) {
    digest::<32>(engine, "sha256", ffi::kctsb_sha256);
    digest::<64>(engine, "sha512", ffi::kctsb_sha512);
    digest::<32>(engine, "sha3-256", ffi::kctsb_sha3_256);
    digest::<64>(engine, "sha3-512", ffi::kctsb_sha3_512);
    digest::<32>(engine, "sm3", ffi::kctsb_sm3);
    long_digest::<32>(engine, "shake128", ffi::kctsb_shake128);
    long_digest::<64>(engine, "shake256", ffi::kctsb_shake256);
    long_digest::<32>(engine, "blake2b-256", ffi::kctsb_blake2b);
    long_digest::<64>(engine, "blake2b-512", ffi::kctsb_blake2b);
    hmac::<32>(engine, "hmac-sha256", ffi::kctsb_hmac_sha256);
    hmac::<64>(engine, "hmac-sha512", ffi::kctsb_hmac_sha512);
    mac::<32>(engine, "poly1305", ffi::kctsb_poly1305);
    family::nonced_mac(
        engine,
        "gmac-aes-128",
        exactly::<16>,
        |key, nonce, message| {
            let (nonce, message) = (
                (nonce.as_ptr(), nonce.len()),
                (message.as_ptr(), message.len()),
            );
            let mut tag = [0; 16];
            // SAFETY: 16 bytes of key and of tag, as many of the rest as said.
            unsafe {
                ffi::kctsb_gmac(
                    key.as_ptr(),
                    nonce.0,
                    nonce.1,
                    message.0,
                    message.1,
                    tag.as_mut_ptr(),
                );
            }
            Ok(tag)
        },
    );
}

pub(crate) fn cmac(engine: &mut Engine) {
    mac::<16>(engine, "cmac-aes-128", ffi::kctsb_cmac_aes);
}

fn digest<const N: usize>(engine: &mut Engine, name: &str, hash: Digest) {
    family::digest(engine, name, move |message| {
        let mut digest = [0; N];
        // SAFETY: as many bytes of message as said, and of digest as the hash has.
        unsafe { hash(message.as_ptr(), message.len(), digest.as_mut_ptr()) };
        digest
    });
}

fn long_digest<const N: usize>(engine: &mut Engine, name: &str, hash: LongDigest) {
    family::digest(engine, name, move |message| {
        let mut digest = [0; N];
        // SAFETY: as many bytes as said.
        unsafe { hash(message.as_ptr(), message.len(), digest.as_mut_ptr(), N) };
        digest
    });
}

fn hmac<const N: usize>(engine: &mut Engine, name: &str, hmac: Hmac) {
    family::mac(
        engine,
        name,
        |key| Ok(key.to_vec()),
        move |key: &mut Vec<u8>, message| {
            let mut tag = [0; N];
            let (start, len) = (message.as_ptr(), message.len());
            // SAFETY: as many bytes as said, and of tag as the hash has.
            unsafe { hmac(key.as_ptr(), key.len(), start, len, tag.as_mut_ptr()) };
            tag
        },
    );
}

/// A MAC with a tag of 16 bytes and keys of `N`.
fn mac<const N: usize>(engine: &mut Engine, name: &str, mac: Mac) {
    family::mac(engine, name, exactly::<N>, move |key, message| {
        let mut tag = [0; 16];
        // SAFETY: as many bytes of key and tag as the MAC has, of message as said.
        unsafe {
            mac(
                key.as_ptr(),
                message.as_ptr(),
                message.len(),
                tag.as_mut_ptr(),
            )
        };
        tag
    });
}
