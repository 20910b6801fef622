//! The operations in plain Rust, for CPUs with a 64-bit multiplication.
//!
//! Compiled for `mulx` they gain one to two parts in a hundred, which is no row.

super::kernel::row!(super::field::Fe);
