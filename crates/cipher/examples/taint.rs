//! The operations of this crate on secrets, for the taint check (`tests/taint.rs`).

use adamant_cipher::chacha20::{Backend, ChaCha20};
use adamant_testkit::taint::{self, Operation, public, secret};

fn main() {
    taint::main(&[Operation {
        name: "chacha20",
        run: chacha20,
    }]);
}

fn chacha20() {
    for backend in Backend::available() {
        let key = secret([7u8; 32]);
        let mut message = secret([9u8; 1500]);
        let (first, second) = message.split_at_mut(100);
        let mut cipher = ChaCha20::with_backend(backend, &key, &[1; 12], 0);
        cipher.apply_keystream(first).unwrap();
        cipher.apply_keystream(second).unwrap();
        public(message);
    }
}
