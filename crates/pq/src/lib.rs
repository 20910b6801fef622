//! Post-quantum schemes: ML-KEM (FIPS 203) and ML-DSA (FIPS 204).
//!
//! | module | holds |
//! |---|---|
//! | [`ml_kem`] | key encapsulation: ML-KEM-512, ML-KEM-768, ML-KEM-1024 |
//! | [`ml_dsa`] | signatures: ML-DSA-44, ML-DSA-65, ML-DSA-87 |
//!
//! Keys keep what follows from their bytes, the matrix and the transforms, so that a key that is
//! used again costs less. Operations on many keys at once give what single ones give.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod bits;
#[cfg(target_arch = "x86_64")]
mod lattice;
pub mod ml_dsa;
pub mod ml_kem;
mod sponge;

pub use ml_dsa::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
pub use ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
