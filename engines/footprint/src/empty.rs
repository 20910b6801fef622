//! Nothing: building it builds the library.

fn main() {}
