//! Signs, verifies and agrees with the key and the message of its input.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;
#[path = "../curve25519/mod.rs"]
mod curve25519;
#[path = "bare/heap.rs"]
mod heap;

use curve25519::Keys;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    let (mut seed, mut message) = ([0; 32], [0; 32]);
    seed.copy_from_slice(&bytes[..32]);
    message.copy_from_slice(&bytes[32..]);
    let keys = Keys::new(&seed, &message);
    bare::output(&keys.sign(&message));
    bare::output(&[u8::from(keys.verify(&message))]);
    bare::output(&keys.derive());
    0
}
