//! Keys from other key material.

mod common;

fn main() {
    common::run("kdf");
}
