//! ML-DSA: keys, signing, verifying.

mod common;

fn main() {
    common::run("ml_dsa");
}
