//! Ed448: keys, signing, verifying.

mod common;

fn main() {
    common::run("ed448");
}
