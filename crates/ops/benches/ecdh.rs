//! ECDH: keys, agreement.

mod common;

fn main() {
    common::run("ecdh");
}
