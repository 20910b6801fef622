//! The algorithms of this crate as their standards write them, for tests: one message, one block
//! after the other, at any speed, and no code of an implementation (constants apart, which the
//! vectors check). The vectors of the standards are in `tests.rs`.

pub(crate) mod blake;
pub(crate) mod kdf;
pub(crate) mod keccak;
pub(crate) mod merkle_damgard;
pub(crate) mod passwords;
mod tests;

pub(crate) use blake::{BLAKE2B, BLAKE2S, Blake3};
pub(crate) use merkle_damgard::{MD5, SHA1, SHA224, SHA256, SHA384, SHA512, SHA512_256, SM3};
