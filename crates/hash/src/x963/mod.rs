//! The key derivation function of ANSI X9.63, also in SEC 1 (3.6.1): keys from the shared secret of
//! a key agreement, with any hash.
//!
//! The output is H(Z ‖ 1 ‖ SharedInfo) ‖ H(Z ‖ 2 ‖ SharedInfo) ‖ …, cut to its length; counters
//! are 32 bits, big-endian. CMS uses it with elliptic curves (RFC 5753). SM2 takes it with SM3 and
//! no SharedInfo.

#[cfg(test)]
mod tests;

use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

/// Derives `out` from the shared secret `z`.
///
/// ```
/// use adamant_hash::{Sha256, x963};
/// let z = [7; 32]; // of a key agreement
/// let mut key = [0; 48];
/// x963::derive::<Sha256>(&z, b"shared info", &mut key).unwrap();
/// ```
///
/// # Errors
/// [`Error::BadLength`] for an output of more than 2^32 - 1 digests; `out` is then untouched.
pub fn derive<H: Hash>(z: &[u8], shared_info: &[u8], out: &mut [u8]) -> Result<(), Error> {
    derive_with_hash(&H::new(), z, shared_info, out)
}

/// As [`derive()`], on the implementation of `hash`, which must not have taken anything in yet.
///
/// # Errors
/// As [`derive()`].
pub fn derive_with_hash<H: Hash>(
    hash: &H,
    z: &[u8],
    shared_info: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let limit = usize::try_from(u64::from(u32::MAX) * H::OUTPUT_LEN as u64).unwrap_or(usize::MAX);
    if out.len() > limit {
        return Err(Error::BadLength {
            expected: limit,
            actual: out.len(),
        });
    }
    // A short secret goes with each counter, in one call; a long one is taken in once.
    let (mut hash, mut z) = (hash.clone(), z);
    if z.len() >= H::BLOCK_LEN {
        hash.update(z);
        z = &[];
    }
    for (counter, chunk) in (1u32..).zip(out.chunks_mut(H::OUTPUT_LEN)) {
        let mut digest = hash.finish_with(&[z, &counter.to_be_bytes(), shared_info]);
        chunk.copy_from_slice(&digest.as_ref()[..chunk.len()]);
        digest.as_mut().wipe();
    }
    Ok(())
}
