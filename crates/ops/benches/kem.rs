//! ML-KEM and its hybrids: keys, encapsulation, decapsulation.

mod common;

fn main() {
    common::run("kem");
}
