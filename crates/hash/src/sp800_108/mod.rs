//! Key derivation in counter mode (NIST SP 800-108, 4.1) with HMAC over any hash.
//!
//! The output is K(1) ‖ K(2) ‖ …, cut to its length, with K(i) = HMAC(K_I, …) of the counter and
//! fixed input. [`derive()`] takes the layout that the document shows, with 32 bits of counter and
//! of length: i ‖ Label ‖ 00 ‖ Context ‖ L. [`derive_fixed`] takes any counter among any fixed
//! input.

#[cfg(test)]
mod tests;

use crate::Hmac;
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};

/// r: the width of the counter, which is big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// 8 bits: up to 255 digests.
    R8 = 1,
    /// 16 bits: up to 65,535 digests.
    R16 = 2,
    /// 24 bits: up to 2^24 - 1 digests.
    R24 = 3,
    /// 32 bits: up to 2^32 - 1 digests.
    R32 = 4,
}

/// Derives `out` from `key`: K(i) = HMAC(K_I, i ‖ Label ‖ 00 ‖ Context ‖ L), where L is the
/// output's length in bits; i and L have 32 bits.
///
/// ```
/// use adamant_hash::{Sha256, sp800_108};
/// let mut key = [0; 16];
/// sp800_108::derive::<Sha256>(&[7; 32], b"what it is for", b"whose it is", &mut key).unwrap();
/// ```
///
/// # Errors
/// [`Error::BadLength`] for an output of 2^29 bytes or more, whose length in bits does not fit;
/// `out` is then untouched.
pub fn derive<H: Hash>(
    key: &[u8],
    label: &[u8],
    context: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    derive_with_hash(&H::new(), key, label, context, out)
}

/// As [`derive()`], on the implementation of `hash`, which must not have taken anything in yet.
///
/// # Errors
/// As [`derive()`].
pub fn derive_with_hash<H: Hash>(
    hash: &H,
    key: &[u8],
    label: &[u8],
    context: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    const LIMIT: usize = (1 << 29) - 1;
    if out.len() > LIMIT {
        return Err(Error::BadLength {
            expected: LIMIT,
            actual: out.len(),
        });
    }
    let bits = (out.len() as u32 * 8).to_be_bytes();
    let behind = [label, &[0], context, &bits];
    counter_mode(hash, key, Counter::R32, &[], &behind, out)
}

/// Derives `out` from `key`: K(i) = HMAC(K_I, before ‖ i ‖ behind).
///
/// ```
/// use adamant_hash::{Sha256, sp800_108};
/// use adamant_hash::sp800_108::Counter;
/// let (mut key, mut same) = ([0; 16], [0; 16]);
/// sp800_108::derive::<Sha256>(&[7; 32], b"label", b"context", &mut key).unwrap();
/// let fixed = b"label\0context\0\0\0\x80";
/// sp800_108::derive_fixed::<Sha256>(&[7; 32], Counter::R32, b"", fixed, &mut same).unwrap();
/// assert_eq!(key, same);
/// ```
///
/// # Errors
/// [`Error::BadLength`] for an output of more digests than the counter counts; `out` is then
/// untouched.
pub fn derive_fixed<H: Hash>(
    key: &[u8],
    counter: Counter,
    before: &[u8],
    behind: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    counter_mode(&H::new(), key, counter, &[before], &[behind], out)
}

fn counter_mode<H: Hash>(
    hash: &H,
    key: &[u8],
    counter: Counter,
    before: &[&[u8]],
    behind: &[&[u8]],
    out: &mut [u8],
) -> Result<(), Error> {
    let width = counter as usize;
    let most = (1u64 << (8 * width)) - 1;
    let limit = usize::try_from(most * H::OUTPUT_LEN as u64).unwrap_or(usize::MAX);
    if out.len() > limit {
        return Err(Error::BadLength {
            expected: limit,
            actual: out.len(),
        });
    }
    let mut keyed = Hmac::with_hash(hash, key);
    before.iter().for_each(|piece| keyed.update(piece));
    for (i, chunk) in (1u32..).zip(out.chunks_mut(H::OUTPUT_LEN)) {
        let mut mac = keyed.clone();
        mac.update(&i.to_be_bytes()[4 - width..]);
        behind.iter().for_each(|piece| mac.update(piece));
        let mut block = mac.finalize();
        chunk.copy_from_slice(&block.as_ref()[..chunk.len()]);
        block.as_mut().wipe();
    }
    Ok(())
}
