//! The hashes at both ends of Argon2.

use super::Argon2;
use crate::blake2b::{self, Blake2b512};
use adamant_base::{Secret, Wipe};

/// RFC 9106, 3.2: H_0, of all inputs.
pub(super) fn h0(argon2: &Argon2, password: &[u8], salt: &[u8], tag: usize) -> Secret<[u8; 64]> {
    let mut hash = Blake2b512::new();
    for number in [
        argon2.lanes,
        tag as u32,
        argon2.memory,
        argon2.passes,
        0x13,
        argon2.variant as u32,
    ] {
        hash.update(&number.to_le_bytes());
    }
    for input in [password, salt, argon2.secret, argon2.associated_data] {
        hash.update(&(input.len() as u32).to_le_bytes());
        hash.update(input);
    }
    Secret::new(hash.finalize())
}

/// RFC 9106, 3.3: H', of the pieces of `input` together, which have 1024 bytes at most.
pub(super) fn h_prime(input: &[&[u8]], out: &mut [u8]) {
    let mut room = Secret::new([0; 4 + 1024]);
    room[..4].copy_from_slice(&(out.len() as u32).to_le_bytes());
    let mut filled = 4;
    for piece in input {
        room[filled..][..piece.len()].copy_from_slice(piece);
        filled += piece.len();
    }
    // From 1 to 64 bytes come at once; the error is for other lengths.
    if out.len() <= 64 {
        let _ = blake2b::digest_into(&room[..filled], out);
        return;
    }
    let mut v = Secret::new(Blake2b512::digest(&room[..filled]));
    let mut rest = out;
    loop {
        let (half, more) = rest.split_at_mut(32);
        half.copy_from_slice(&v[..32]);
        rest = more;
        if rest.len() <= 64 {
            let _ = blake2b::digest_into(&*v, rest);
            return;
        }
        let next = Blake2b512::digest(&*v);
        v.wipe();
        *v = next;
    }
}
