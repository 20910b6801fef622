//! Memory-safe cryptography and PKI toolkit: the facade users depend on.
#![no_std]

extern crate alloc;

pub use adamant_base as base;
pub use adamant_cipher as cipher;
pub use adamant_der as der;
pub use adamant_ec as ec;
pub use adamant_hash as hash;
pub use adamant_rand as rand;
pub use adamant_x509 as x509;

pub mod catalog;

pub use base::{Error, Rng, Secret};
