//! Authenticated encryption.

mod common;

fn main() {
    common::run("aead");
}
