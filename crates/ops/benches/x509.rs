//! Certificates, read.

mod common;

fn main() {
    common::run("x509");
}
