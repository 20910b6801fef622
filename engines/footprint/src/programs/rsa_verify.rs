//! RSA with 2048 bits: verifies a signature (PKCS#1 v1.5, SHA-256) under a modulus, whose exponent is 65537,
//! over a message; they are in its input in this order.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;
#[path = "bare/heap.rs"]
mod heap;

use facade::hash::Sha256;
use facade::rsa::PublicKey;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 256 + 256 + 32];
    bare::input(&mut bytes);
    let (signature, rest) = bytes.split_at(256);
    let (modulus, message) = rest.split_at(256);
    let valid = PublicKey::new(modulus, &[1, 0, 1])
        .is_ok_and(|key| key.verify_pkcs1::<Sha256>(message, signature).is_ok());
    bare::output(&[u8::from(valid)]);
    0
}
