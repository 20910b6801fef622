//! Numbers modulo a prime.

mod common;

fn main() {
    common::run("field_arithmetic");
}
