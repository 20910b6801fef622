//! ML-KEM: keys, encapsulation, decapsulation.

mod common;

fn main() {
    common::run("ml_kem");
}
