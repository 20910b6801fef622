//! Ed25519: signs the message of its input with the seed before it, and verifies the signature.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

#[cfg(feature = "aws-lc-rs")]
use aws_lc_rs as ring;

/// The signature, and whether the public key verifies it.
type Signed = Option<([u8; 64], bool)>;

#[cfg(feature = "facade")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8]) -> Signed {
    let key = facade::ec::ed25519::PrivateKey::from_seed(seed);
    let signature = key.sign(message);
    let valid = key.public_key().verify(message, &signature).is_ok();
    Some((signature.to_bytes(), valid))
}

#[cfg(feature = "dalek-ed25519")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8]) -> Signed {
    use ed25519_dalek::{Signer, SigningKey, Verifier};
    let key = SigningKey::from_bytes(seed);
    let signature = key.sign(message);
    let valid = key.verifying_key().verify(message, &signature).is_ok();
    Some((signature.to_bytes(), valid))
}

#[cfg(feature = "graviola")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8]) -> Signed {
    let key = graviola::signing::eddsa::Ed25519SigningKey::from_bytes(seed).ok()?;
    let signature = key.sign(message);
    Some((
        signature,
        key.public_key().verify(&signature, message).is_ok(),
    ))
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
fn sign_and_verify(seed: &[u8; 32], message: &[u8]) -> Signed {
    use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
    let key = Ed25519KeyPair::from_seed_unchecked(seed).ok()?;
    let signature = key.sign(message);
    let public = UnparsedPublicKey::new(&ED25519, key.public_key());
    let valid = public.verify(message, signature.as_ref()).is_ok();
    Some((signature.as_ref().try_into().ok()?, valid))
}

#[cfg(feature = "libsodium")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8]) -> Signed {
    use libsodium_sys as sodium;
    let (mut public, mut key, mut signature) = ([0; 32], [0; 64], [0; 64]);
    let (to, none) = (signature.as_mut_ptr(), core::ptr::null_mut());
    let (from, length) = (message.as_ptr(), message.len() as u64);
    // SAFETY: all have the bytes that the functions read and write, which are told the message's.
    unsafe {
        let done = sodium::sodium_init() >= 0
            && sodium::crypto_sign_seed_keypair(
                public.as_mut_ptr(),
                key.as_mut_ptr(),
                seed.as_ptr(),
            ) == 0
            && sodium::crypto_sign_detached(to, none, from, length, key.as_ptr()) == 0;
        let valid = sodium::crypto_sign_verify_detached(to, from, length, public.as_ptr()) == 0;
        done.then_some((signature, valid))
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut seed, mut message) = ([0; 32], [0; 32]);
    bare::input(&mut seed);
    bare::input(&mut message);
    let Some((signature, valid)) = sign_and_verify(&seed, &message) else {
        return 1;
    };
    bare::output(&signature);
    bare::output(&[u8::from(valid)]);
    0
}
