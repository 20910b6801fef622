//! The encodings of SP 800-185, 2.3, straight into a sponge.

use crate::keccak::Sponge;

/// left_encode(x): the bytes of x, big-endian, preceded by their number.
pub(crate) fn left_encode<const RATE: usize>(sponge: &mut Sponge<RATE>, x: u128) {
    let (bytes, start) = bytes(x);
    sponge.absorb(&[(16 - start) as u8]);
    sponge.absorb(&bytes[start..]);
}

/// right_encode(x): the bytes of x, big-endian, before their number.
pub(crate) fn right_encode<const RATE: usize>(sponge: &mut Sponge<RATE>, x: u128) {
    let (bytes, start) = bytes(x);
    sponge.absorb(&bytes[start..]);
    sponge.absorb(&[(16 - start) as u8]);
}

/// encode_string(S): S after its length in bits.
pub(crate) fn encode_string<const RATE: usize>(sponge: &mut Sponge<RATE>, string: &[u8]) {
    left_encode(sponge, 8 * string.len() as u128);
    sponge.absorb(string);
}

/// The bytes of `x`, and where the first one that counts is; zero has one byte.
fn bytes(x: u128) -> ([u8; 16], usize) {
    (
        x.to_be_bytes(),
        x.leading_zeros() as usize / 8 - usize::from(x == 0),
    )
}
