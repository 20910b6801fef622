//! The mask generation function MGF1 (RFC 8017, B.2.1).

use adamant_base::family::Hash;

/// Takes the exclusive or of `data` and the mask of these bytes' length for `seed`.
pub(crate) fn mgf1_xor<M: Hash>(seed: &[u8], data: &mut [u8]) {
    let mut start = M::new();
    start.update(seed);
    for (counter, block) in (0u32..).zip(data.chunks_mut(M::OUTPUT_LEN)) {
        let mask = start.finish_with(&[&counter.to_be_bytes()]);
        for (d, m) in block.iter_mut().zip(mask.as_ref()) {
            *d ^= m;
        }
    }
}
