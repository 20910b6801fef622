//! Finite-field Diffie-Hellman: key generation and derivation.

mod common;

fn main() {
    common::run("dh");
}
