//! RSA: keys, signatures, encryption.

mod common;

fn main() {
    common::run("rsa");
}
