//! Modes of operation (NIST SP 800-38A) over any [`BlockCipher`].
//!
//! None of them detects a change of the ciphertext: use an AEAD unless a protocol dictates one.
//!
//! | module | holds |
//! |---|---|
//! | [`ecb`] | electronic codebook: each block by itself |
//! | [`cbc`] | cipher block chaining, with and without the padding of PKCS #7 |
//! | [`ctr`] | counter mode, with counters of any width |
//! | [`cfb`] | cipher feedback, of whole blocks |
//! | [`ofb`] | output feedback |
//! | [`xts`] | for sectors of storage (IEEE 1619, SP 800-38E), with ciphertext stealing |
//!
//! [`BlockCipher`]: adamant_base::BlockCipher

pub mod cbc;
pub mod cfb;
pub mod ctr;
pub mod ecb;
pub mod ofb;
#[cfg(test)]
mod tests;
pub mod xts;

pub use crate::aes::lanes::Message;

use adamant_base::{Block, Error};

/// The blocks of data that has to consist of whole ones.
fn whole_blocks<B: Block>(data: &mut [u8]) -> Result<&mut [B], Error> {
    let actual = data.len();
    let (blocks, rest) = B::split_mut(data);
    if rest.is_empty() {
        Ok(blocks)
    } else {
        let expected = actual - rest.len();
        Err(Error::BadLength { expected, actual })
    }
}

/// Takes the exclusive or of data and as much of the stream.
#[inline]
fn xor(data: &mut [u8], stream: &[u8]) {
    for (byte, s) in data.iter_mut().zip(stream) {
        *byte ^= s;
    }
}
