//! The operations in plain Rust, for CPUs with a 64-bit multiplication.

super::kernel::implementation!(Fe::mul_inline, Fe::square_inline);
