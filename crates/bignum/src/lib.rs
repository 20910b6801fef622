//! Big integers for cryptography, up to 8192 bits: the arithmetic below RSA and Diffie-Hellman.
//!
//! | module | holds |
//! |---|---|
//! | [`limbs`] | addition, subtraction, comparison, reduction of numbers in 64-bit limbs |
//! | [`Uint`] | numbers of a length that is known when the program is compiled |
//! | [`Number`] | a number of fixed capacity, wiped when dropped |
//! | [`Modulus`] | an odd modulus and what Montgomery multiplication needs of it |
//! | [`hazmat`] | implementations of products and modular exponentiation |
//! | [`invert`] | modular inverses |
//! | [`jacobi_vartime`] | whether a public number is a square |
//! | [`prime`] | the test of Miller and Rabin, the search for primes |
//!
//! Numbers are little-endian slices of 64-bit limbs. How many limbs there are is public; their
//! values are secret, and no time depends on them, except in functions with `_vartime` in the name.
//! Nothing allocates.
#![cfg_attr(not(test), no_std)]
// Without detection the tables have no rows for most implementations.
#![cfg_attr(not(feature = "std"), allow(dead_code, unused_imports))]

pub mod hazmat;
pub mod invert;
mod jacobi;
pub mod limbs;
mod modulus;
mod number;
mod power;
pub mod prime;
mod uint;

#[cfg(test)]
mod tests;

pub use jacobi::jacobi_vartime;
pub use modulus::Modulus;
pub use number::Number;
pub(crate) use power::{Backend, Task};
pub use uint::Uint;

/// The most bits of a number.
pub const MAX_BITS: usize = 8192;
/// The most limbs of a number.
pub const MAX_LIMBS: usize = MAX_BITS / 64;
