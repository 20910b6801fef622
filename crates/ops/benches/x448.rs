//! X448: keys, agreement.

mod common;

fn main() {
    common::run("x448");
}
