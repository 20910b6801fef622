//! X25519: keys, agreement.

mod common;

fn main() {
    common::run("x25519");
}
