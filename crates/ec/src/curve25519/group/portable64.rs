//! The group in plain Rust, for CPUs with a 64-bit multiplication.

crate::curve25519::group::words::words!(portable64, crate::curve25519::field::Fe, 5;);
