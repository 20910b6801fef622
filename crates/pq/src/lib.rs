//! Post-quantum schemes: ML-KEM (FIPS 203), ML-DSA (FIPS 204) and SLH-DSA (FIPS 205).
//!
//! | module | holds |
//! |---|---|
//! | [`ml_kem`] | key encapsulation: ML-KEM-512, ML-KEM-768, ML-KEM-1024 |
//! | [`ml_dsa`] | signatures: ML-DSA-44, ML-DSA-65, ML-DSA-87 |
//! | [`slh_dsa`] | signatures from nothing but hashes: SLH-DSA, twelve parameter sets |
//! | [`hazmat`] | implementations by name |
//!
//! Keys keep what follows from their bytes, the matrix and the transforms, so that a key that is
//! used again costs less; those that were made in a batch do so when they are asked to. Operations
//! on many keys at once give what single ones give.
//!
//! Without the feature `alloc` no allocator is linked: ML-KEM is then there for single items, and ML-DSA for
//! verification. Keys keep nothing but their bytes, and lie where their owner puts them; what an operation needs
//! is on the stack.
#![cfg_attr(not(test), no_std)]
// Without detection the tables have no rows for most implementations, and code that the schemes share is
// unused without them.
#![cfg_attr(
    not(all(
        feature = "std",
        feature = "ml-kem",
        feature = "ml-dsa",
        feature = "slh-dsa"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bits;
pub mod hazmat;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lattice;
mod list;
#[cfg(any(feature = "ml-dsa", feature = "slh-dsa"))]
mod message;
#[cfg(feature = "ml-dsa")]
pub mod ml_dsa;
#[cfg(feature = "ml-kem")]
pub mod ml_kem;
#[cfg(feature = "slh-dsa")]
pub mod slh_dsa;
mod sponge;

#[cfg(feature = "ml-dsa")]
pub use ml_dsa::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
#[cfg(feature = "ml-kem")]
pub use ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
#[cfg(feature = "slh-dsa")]
pub use slh_dsa::{
    slh_dsa_sha2_128f, slh_dsa_sha2_128s, slh_dsa_sha2_192f, slh_dsa_sha2_192s, slh_dsa_sha2_256f,
    slh_dsa_sha2_256s, slh_dsa_shake_128f, slh_dsa_shake_128s, slh_dsa_shake_192f,
    slh_dsa_shake_192s, slh_dsa_shake_256f, slh_dsa_shake_256s,
};

/// Whether all keys of a batch are prepared for one implementation: what is kept of a key in the domain
/// of the NTT is in that one's order.
#[cfg(any(feature = "ml-dsa", feature = "ml-kem"))]
fn are_alike<B: PartialEq>(mut backends: impl Iterator<Item = B>) -> bool {
    match backends.next() {
        Some(first) => backends.all(|backend| backend == first),
        None => true,
    }
}
