//! The SHA-256 of what is in its input, a piece at a time.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

#[cfg(feature = "aws-lc-rs")]
use aws_lc_rs as ring;

#[cfg(feature = "facade")]
fn sha256(first: &[u8], rest: &[u8]) -> impl AsRef<[u8]> {
    let mut hash = facade::hash::Sha256::new();
    hash.update(first);
    hash.update(rest);
    hash.finalize()
}

#[cfg(feature = "rustcrypto-sha2")]
fn sha256(first: &[u8], rest: &[u8]) -> impl AsRef<[u8]> {
    use rustcrypto_sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    hash.update(first);
    hash.update(rest);
    hash.finalize()
}

#[cfg(feature = "graviola")]
fn sha256(first: &[u8], rest: &[u8]) -> impl AsRef<[u8]> {
    use graviola::hashing::{Hash, HashContext, Sha256};
    let mut hash = Sha256::new();
    hash.update(first);
    hash.update(rest);
    hash.finish()
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
fn sha256(first: &[u8], rest: &[u8]) -> impl AsRef<[u8]> {
    use ring::digest::{Context, SHA256};
    let mut hash = Context::new(&SHA256);
    hash.update(first);
    hash.update(rest);
    hash.finish()
}

#[cfg(feature = "libsodium")]
fn sha256(first: &[u8], rest: &[u8]) -> impl AsRef<[u8]> {
    use libsodium_sys as sodium;
    let mut hash = core::mem::MaybeUninit::uninit();
    let (state, mut digest) = (hash.as_mut_ptr(), [0; 32]);
    // SAFETY: the first call makes the state that the others use, which are told how long the parts
    // are; the place has the bytes that the last writes. None fails.
    unsafe {
        sodium::sodium_init();
        sodium::crypto_hash_sha256_init(state);
        sodium::crypto_hash_sha256_update(state, first.as_ptr(), first.len() as u64);
        sodium::crypto_hash_sha256_update(state, rest.as_ptr(), rest.len() as u64);
        sodium::crypto_hash_sha256_final(state, digest.as_mut_ptr());
    }
    digest
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    bare::output(sha256(&bytes[..7], &bytes[7..]).as_ref());
    0
}
