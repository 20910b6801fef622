//! The three ways of ChaCha20 to use a nonce.

use super::{hchacha20, words};
use adamant_base::Secret;

mod sealed {
    use adamant_base::Secret;
    pub trait Start {
        /// Blocks of key stream: the range of the counter.
        const BLOCKS: u128;
        /// The key of the kernels and the words after the counter.
        fn start(&self, key: Secret<[u32; 8]>) -> (Secret<[u32; 8]>, [u32; 3]);
    }
}

/// A nonce; its length says which cipher it belongs to.
///
/// | bytes | cipher | counter | nonces by chance |
/// |---|---|---|---|
/// | 12 | ChaCha20 of RFC 8439 | 32 bits: 256 GiB | no: count them |
/// | 24 | XChaCha20 (draft-irtf-cfrg-xchacha) | 32 bits: 256 GiB | yes |
/// | 8 | ChaCha20 of 2008 | 64 bits | no |
pub trait Nonce: sealed::Start {
    /// The number of a block.
    type Counter: Into<u64>;
}

impl Nonce for [u8; 12] {
    type Counter = u32;
}

impl sealed::Start for [u8; 12] {
    const BLOCKS: u128 = 1 << 32;
    fn start(&self, key: Secret<[u32; 8]>) -> (Secret<[u32; 8]>, [u32; 3]) {
        (key, words(self))
    }
}

impl Nonce for [u8; 24] {
    type Counter = u32;
}

/// The first 16 bytes go into another key, the last 8 after zeros into the nonce.
impl sealed::Start for [u8; 24] {
    const BLOCKS: u128 = 1 << 32;
    fn start(&self, key: Secret<[u32; 8]>) -> (Secret<[u32; 8]>, [u32; 3]) {
        let [n0, n1, n2, n3, n4, n5] = words(self);
        (hchacha20(&key, &[n0, n1, n2, n3]), [0, n4, n5])
    }
}

impl Nonce for [u8; 8] {
    type Counter = u64;
}

/// The first word is the upper half of the counter.
impl sealed::Start for [u8; 8] {
    const BLOCKS: u128 = 1 << 64;
    fn start(&self, key: Secret<[u32; 8]>) -> (Secret<[u32; 8]>, [u32; 3]) {
        let [n0, n1] = words(self);
        (key, [0, n0, n1])
    }
}
