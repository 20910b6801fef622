//! The operations in plain Rust, for CPUs with a 64-bit multiplication.

super::kernel::row!();
