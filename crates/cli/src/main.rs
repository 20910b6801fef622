//! The `adamant` program.
fn main() {}
