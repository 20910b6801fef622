//! The pseudorandom function of TLS 1.2 (RFC 5246, 5), with HMAC over any hash.
//!
//! PRF(secret, label, seed) = HMAC(secret, A(1) ‖ label ‖ seed) ‖ HMAC(secret, A(2) ‖ label ‖ seed)
//! ‖ …, with A(0) = label ‖ seed and A(i) = HMAC(secret, A(i - 1)).

#[cfg(test)]
mod tests;

use crate::Hmac;
use adamant_base::Wipe;
use adamant_base::family::Hash;

/// Fills `out` from `secret`.
///
/// ```
/// use adamant_hash::{Sha256, tls_prf};
/// let (premaster, randoms) = ([7; 48], [9; 64]);
/// let mut master = [0; 48];
/// tls_prf::derive::<Sha256>(&premaster, b"master secret", &randoms, &mut master);
/// ```
pub fn derive<H: Hash>(secret: &[u8], label: &[u8], seed: &[u8], out: &mut [u8]) {
    derive_with_hash(&H::new(), secret, label, seed, out);
}

/// As [`derive()`], on the implementation of `hash`, which must not have taken anything in yet.
pub fn derive_with_hash<H: Hash>(
    hash: &H,
    secret: &[u8],
    label: &[u8],
    seed: &[u8],
    out: &mut [u8],
) {
    let keyed = Hmac::with_hash(hash, secret);
    let mac = |pieces: &[&[u8]]| {
        let mut mac = keyed.clone();
        pieces.iter().for_each(|piece| mac.update(piece));
        mac.finalize()
    };
    let mut a = mac(&[label, seed]);
    for chunk in out.chunks_mut(H::OUTPUT_LEN) {
        let mut block = mac(&[a.as_ref(), label, seed]);
        chunk.copy_from_slice(&block.as_ref()[..chunk.len()]);
        block.as_mut().wipe();
        a = mac(&[a.as_ref()]);
    }
    a.as_mut().wipe();
}
