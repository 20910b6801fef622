//! The algorithms as their documents write them, for the tests: one block, one bit, one number
//! after the other, with nothing of what the rows of the tables are made of. Each is checked by
//! the vectors of its document.

pub(crate) mod aead;
pub(crate) mod aes;
pub(crate) mod chacha20;
pub(crate) mod des;
pub(crate) mod field;
pub(crate) mod modes;
pub(crate) mod poly1305;
pub(crate) mod sm4;

/// A permutation of blocks.
pub(crate) type Map<'a, const LEN: usize> = &'a dyn Fn([u8; LEN]) -> [u8; LEN];

/// The exclusive or of two strings, as long as the first.
pub(crate) fn xor<const LEN: usize>(a: [u8; LEN], b: &[u8]) -> [u8; LEN] {
    core::array::from_fn(|i| a[i] ^ b.get(i).copied().unwrap_or(0))
}
