//! ECDSA on P-256: verifies the signature (r and s) under a key (an uncompressed point) over the
//! SHA-256 of a message; they stand in its input in this order.
#![no_std]
#![no_main]

mod bare;

use adamant_ec::p256::{PublicKey, Signature};

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64 + 65 + 32];
    bare::input(&mut bytes);
    let (signature, rest) = bytes.split_at(64);
    let (key, message) = rest.split_at(65);
    let valid = match (PublicKey::from_sec1(key), Signature::from_bytes(signature)) {
        (Ok(key), Ok(signature)) => key.verify(message, &signature).is_ok(),
        _ => false,
    };
    bare::output(&[u8::from(valid)]);
    0
}
