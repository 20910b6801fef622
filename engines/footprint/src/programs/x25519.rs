//! X25519: the public key of a private one, and the secret shared with a peer.
#![no_std]
#![no_main]

mod bare;

use adamant_ec::x25519::{PrivateKey, PublicKey};

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    let mut key = [0; 32];
    key.copy_from_slice(&bytes[..32]);
    let key = PrivateKey::from_bytes(&key);
    bare::output(&key.public_key().to_bytes());
    let shared = PublicKey::from_bytes(&bytes[32..]).and_then(|peer| key.agree(&peer));
    match shared {
        Ok(shared) => bare::output(&*shared),
        Err(_) => return 1,
    }
    0
}
