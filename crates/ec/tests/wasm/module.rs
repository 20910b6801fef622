//! The crate as a WebAssembly module: bytes in, bytes out.
//!
//! Whoever calls writes an item to the buffer, says what to do with how many bytes, and reads as
//! many bytes as the answer counts; -1 is a refusal. Fields follow each other, the message last.

use adamant_ec::{ed448, ed25519, x448, x25519};
use adamant_hash::hazmat::{blake2b, keccak, sha512};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const SIZE: usize = 1 << 17;
static BUFFER: [AtomicU8; SIZE] = [const { AtomicU8::new(0) }; SIZE];

/// Where the buffer is.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *const u8 {
    BUFFER.as_ptr().cast()
}

/// Does an operation, this many times.
#[unsafe(no_mangle)]
pub extern "C" fn run(operation: u32, length: usize, times: u32) -> i32 {
    let input: Vec<u8> = BUFFER[..length]
        .iter()
        .map(|byte| byte.load(Relaxed))
        .collect();
    let mut output = None;
    for _ in 0..times {
        output = std::hint::black_box(answer(operation, std::hint::black_box(&input)));
    }
    let Some(output) = output else {
        return -1;
    };
    for (to, byte) in BUFFER.iter().zip(&output) {
        to.store(*byte, Relaxed);
    }
    output.len() as i32
}

fn answer(operation: u32, input: &[u8]) -> Option<Vec<u8>> {
    match operation {
        0 => {
            let (key, peer) = input.split_first_chunk::<32>()?;
            let key = x25519::PrivateKey::from_bytes(key);
            let shared = key.agree(&x25519::PublicKey::try_from(peer).ok()?).ok()?;
            Some(shared.to_vec())
        }
        1 => {
            let (seed, message) = input.split_first_chunk::<32>()?;
            let key = ed25519::PrivateKey::from_seed(seed);
            Some(key.sign(message).to_bytes().to_vec())
        }
        2 => {
            let (key, rest) = input.split_first_chunk::<32>()?;
            let (signature, message) = rest.split_first_chunk::<64>()?;
            let key = ed25519::PublicKey::from_bytes(key).ok()?;
            let signature = ed25519::Signature::from_bytes(signature).ok()?;
            key.verify(message, &signature).ok()?;
            Some(Vec::new())
        }
        3 => {
            let (key, peer) = input.split_first_chunk::<56>()?;
            let key = x448::PrivateKey::from_bytes(key);
            let shared = key.agree(&x448::PublicKey::try_from(peer).ok()?).ok()?;
            Some(shared.to_vec())
        }
        4 => {
            let (seed, message) = input.split_first_chunk::<57>()?;
            let key = ed448::PrivateKey::from_seed(seed);
            Some(key.sign(message).to_bytes().to_vec())
        }
        5 => {
            let (key, rest) = input.split_first_chunk::<57>()?;
            let (signature, message) = rest.split_first_chunk::<114>()?;
            let key = ed448::PublicKey::from_bytes(key).ok()?;
            let signature = ed448::Signature::from_bytes(signature).ok()?;
            key.verify(message, &signature).ok()?;
            Some(Vec::new())
        }
        6 => {
            let rows = (
                sha512::Backend::best(),
                keccak::Backend::best(),
                blake2b::Backend::best(),
            );
            Some(format!("{rows:?}").into_bytes())
        }
        _ => None,
    }
}
