//! The operations as a WebAssembly module, which `wasm.js` times under Node.

mod curve25519;

use curve25519::{Keys, NAME};
use std::hint::black_box;
use std::sync::OnceLock;

const MESSAGE: [u8; 32] = [5; 32];

fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| Keys::new(&[7; 32], &MESSAGE))
}

/// Whether it works: 1 where it does. It makes the keys.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> u32 {
    // RFC 8032, section 7.1, test 1 has the empty message.
    let seed = [
        0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c,
        0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae,
        0x7f, 0x60,
    ];
    let signature = Keys::new(&seed, b"").sign(b"");
    let known = [0xe5, 0x56, 0x43, 0x00, 0xc3, 0x60, 0xac, 0x72];
    let works = !NAME.is_empty()
        && signature[..8] == known
        && keys().verify(&MESSAGE)
        && !keys().verify(b"another")
        && keys().derive() != [0; 32];
    u32::from(works)
}

/// Signs, this many times.
#[unsafe(no_mangle)]
pub extern "C" fn sign(times: u32) {
    for _ in 0..times {
        black_box(keys().sign(black_box(&MESSAGE)));
    }
}

/// Verifies, this many times.
#[unsafe(no_mangle)]
pub extern "C" fn verify(times: u32) {
    for _ in 0..times {
        black_box(keys().verify(black_box(&MESSAGE)));
    }
}

/// Agrees, this many times.
#[unsafe(no_mangle)]
pub extern "C" fn derive(times: u32) {
    for _ in 0..times {
        black_box(keys().derive());
    }
}
