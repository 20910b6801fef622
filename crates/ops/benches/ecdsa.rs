//! ECDSA: keys, signing, verifying.

mod common;

fn main() {
    common::run("ecdsa");
}
