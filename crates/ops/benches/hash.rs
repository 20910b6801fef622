//! Digests of messages, one and many at once.

mod common;

fn main() {
    common::run("hash");
}
