//! The operations in plain Rust, for CPUs with a 64-bit multiplication.
//!
//! On x86-64, where CPUs without `mulx` are those before 2013, verification calls its formulas.

#[cfg(target_arch = "x86_64")]
super::kernel::row!(super::field::Fe, kernel::Called::new(double, add););
#[cfg(not(target_arch = "x86_64"))]
super::kernel::row!(super::field::Fe, super::edwards::Completed::NEUTRAL;);
