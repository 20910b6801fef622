//! SM2: keys, signatures, encryption.

mod common;

fn main() {
    common::run("sm2");
}
