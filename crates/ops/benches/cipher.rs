//! Block ciphers in their modes.

mod common;

fn main() {
    common::run("cipher");
}
