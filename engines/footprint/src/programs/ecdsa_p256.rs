//! ECDSA on P-256: verifies the signature (r and s) under a key (an uncompressed point) over the
//! SHA-256 of a message; they are in its input in this order.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

#[cfg(feature = "aws-lc-rs")]
use aws_lc_rs as ring;

#[cfg(feature = "facade")]
fn is_valid(signature: &[u8], key: &[u8], message: &[u8]) -> bool {
    use facade::ec::p256::{PublicKey, Signature};
    match (PublicKey::from_sec1(key), Signature::try_from(signature)) {
        (Ok(key), Ok(signature)) => key.verify(message, &signature).is_ok(),
        _ => false,
    }
}

#[cfg(feature = "rustcrypto-p256")]
fn is_valid(signature: &[u8], key: &[u8], message: &[u8]) -> bool {
    use rustcrypto_p256::ecdsa::signature::Verifier;
    use rustcrypto_p256::ecdsa::{Signature, VerifyingKey};
    match (
        VerifyingKey::from_sec1_bytes(key),
        Signature::from_slice(signature),
    ) {
        (Ok(key), Ok(signature)) => key.verify(message, &signature).is_ok(),
        _ => false,
    }
}

#[cfg(feature = "graviola")]
fn is_valid(signature: &[u8], key: &[u8], message: &[u8]) -> bool {
    use graviola::hashing::Sha256;
    use graviola::signing::ecdsa::{P256, VerifyingKey};
    VerifyingKey::<P256>::from_x962_uncompressed(key)
        .is_ok_and(|key| key.verify::<Sha256>(&[message], signature).is_ok())
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
fn is_valid(signature: &[u8], key: &[u8], message: &[u8]) -> bool {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key);
    key.verify(message, signature).is_ok()
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64 + 65 + 32];
    bare::input(&mut bytes);
    let (signature, rest) = bytes.split_at(64);
    let (key, message) = rest.split_at(65);
    bare::output(&[u8::from(is_valid(signature, key, message))]);
    0
}
