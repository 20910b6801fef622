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
#[inline]
pub(crate) fn xor<const LEN: usize>(mut a: [u8; LEN], b: &[u8]) -> [u8; LEN] {
    add(&mut a, b);
    a
}

/// Adds, by exclusive or, as many bytes as both strings have.
#[inline]
pub(crate) fn add(to: &mut [u8], bytes: &[u8]) {
    for (to, byte) in to.iter_mut().zip(bytes) {
        *to ^= byte;
    }
}
