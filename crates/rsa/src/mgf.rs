//! The mask generation function MGF1 (RFC 8017, B.2.1).

use crate::hashes::Hasher;

/// Takes the exclusive or of `data` and the mask of these bytes' length for `seed`.
pub(crate) fn mgf1_xor(hash: Hasher, seed: &[u8], data: &mut [u8]) {
    for (counter, block) in (0u32..).zip(data.chunks_mut(hash.len)) {
        let mask = hash.digest(&[seed, &counter.to_be_bytes()]);
        for (d, m) in block.iter_mut().zip(mask) {
            *d ^= m;
        }
    }
}
