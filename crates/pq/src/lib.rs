//! Post-quantum schemes: ML-KEM (FIPS 203) and ML-DSA (FIPS 204).
//!
//! | module | holds |
//! |---|---|
//! | [`ml_kem`] | key encapsulation: ML-KEM-512, ML-KEM-768, ML-KEM-1024 |
//!
//! Keys keep what follows from their bytes, the matrix and the transforms, so that a key that is
//! used again costs less. Operations on many keys at once give what single ones give.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[cfg(target_arch = "x86_64")]
mod lattice;
pub mod ml_kem;
mod sponge;

pub use ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
