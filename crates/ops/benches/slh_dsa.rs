//! SLH-DSA: keys, signing, verifying.

mod common;

fn main() {
    common::run("slh_dsa");
}
