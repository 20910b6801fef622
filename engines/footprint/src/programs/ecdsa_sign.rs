//! ECDSA on P-256: signs the SHA-256 of the message of its input with the key before it (RFC 6979).
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

use facade::ec::p256::PrivateKey;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut key, mut message) = ([0; 32], [0; 32]);
    bare::input(&mut key);
    bare::input(&mut message);
    let Ok(key) = PrivateKey::from_bytes(&key) else {
        return 1;
    };
    bare::output(key.sign(&message).to_bytes().as_ref());
    0
}
