//! RSA: signs the message of its input (PKCS#1 v1.5, SHA-256) with the key of 2048 bits after it,
//! which is in PKCS#1 form, and verifies the signature.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

extern crate alloc;

mod bare;
#[path = "bare/heap.rs"]
mod heap;

use alloc::vec;
use alloc::vec::Vec;

#[cfg(feature = "aws-lc-rs")]
use aws_lc_rs as ring;

/// The signature, and whether the public key verifies it.
type Signed = Option<(Vec<u8>, bool)>;

#[cfg(feature = "facade")]
fn sign_and_verify(key: &[u8], message: &[u8]) -> Signed {
    use facade::hash::Sha256;
    let key = facade::rsa::PrivateKey::from_pkcs1_der(key).ok()?;
    let signature = key
        .sign_pkcs1::<Sha256>(message, &mut bare::Generator)
        .ok()?;
    let valid = key.public_key().verify_pkcs1::<Sha256>(message, &signature);
    let valid = valid.is_ok();
    Some((signature, valid))
}

#[cfg(feature = "rustcrypto-rsa")]
fn sign_and_verify(key: &[u8], message: &[u8]) -> Signed {
    use rustcrypto_rsa::RsaPrivateKey;
    use rustcrypto_rsa::pkcs1::DecodeRsaPrivateKey;
    use rustcrypto_rsa::pkcs1v15::SigningKey;
    use rustcrypto_rsa::sha2::Sha256;
    use rustcrypto_rsa::signature::{Keypair, SignatureEncoding, Signer, Verifier};
    let key = SigningKey::<Sha256>::new(RsaPrivateKey::from_pkcs1_der(key).ok()?);
    let signature = key.try_sign(message).ok()?;
    let valid = key.verifying_key().verify(message, &signature).is_ok();
    Some((signature.to_vec(), valid))
}

#[cfg(feature = "graviola")]
fn sign_and_verify(key: &[u8], message: &[u8]) -> Signed {
    let key = graviola::signing::rsa::SigningKey::from_pkcs1_der(key).ok()?;
    let mut signature = [0; 256];
    let signature = key.sign_pkcs1_sha256(&mut signature, message).ok()?;
    let valid = key.public_key().verify_pkcs1_sha256(signature, message);
    Some((signature.to_vec(), valid.is_ok()))
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
fn sign_and_verify(key: &[u8], message: &[u8]) -> Signed {
    use ring::signature::{
        KeyPair, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
    };
    let key = RsaKeyPair::from_der(key).ok()?;
    let mut signature = vec![0; 256];
    let random = ring::rand::SystemRandom::new();
    key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
        .ok()?;
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key());
    let valid = public.verify(message, &signature).is_ok();
    Some((signature, valid))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut message, mut length) = ([0; 32], [0; 2]);
    bare::input(&mut message);
    bare::input(&mut length);
    let mut key = vec![0; usize::from(u16::from_be_bytes(length))];
    bare::input(&mut key);
    let Some((signature, valid)) = sign_and_verify(&key, &message) else {
        return 1;
    };
    bare::output(&signature);
    bare::output(&[u8::from(valid)]);
    0
}
