//! Certificates, made.

mod common;

fn main() {
    common::run("pki");
}
