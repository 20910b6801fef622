//! Ed25519: keys, signing, verifying.

mod common;

fn main() {
    common::run("ed25519");
}
