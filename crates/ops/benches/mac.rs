//! Tags of messages under a key.

mod common;

fn main() {
    common::run("mac");
}
