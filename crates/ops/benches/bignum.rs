//! Sums and products of big integers.

mod common;

fn main() {
    common::run("bignum");
}
