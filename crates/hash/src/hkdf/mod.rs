//! HKDF (RFC 5869): a key derivation function over any hash, in two steps.
//!
//! *Extract* concentrates input key material into a pseudorandom key; *expand* makes output key
//! material of any length up to 255 digests from it.

#[cfg(test)]
mod tests;

use crate::Hmac;
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe};
use core::ops::Deref;

/// A pseudorandom key: one digest, wiped on drop. It is read as bytes.
pub struct Prk<H: Hash>(H::Output);

impl<H: Hash> Deref for Prk<H> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<H: Hash> Drop for Prk<H> {
    fn drop(&mut self) {
        self.0.as_mut().wipe();
    }
}

/// HKDF-Extract: PRK = HMAC(salt, IKM).
///
/// ```
/// use adamant_hash::{Sha256, hkdf};
/// let prk = hkdf::extract::<Sha256>(b"salt", b"input key material");
/// let mut key = [0; 16];
/// hkdf::expand::<Sha256>(&prk, b"what it is for", &mut key).unwrap();
/// ```
///
/// Without a salt, give an empty one: it stands for a digest's length of zeros.
#[must_use]
pub fn extract<H: Hash>(salt: &[u8], ikm: &[u8]) -> Prk<H> {
    extract_with(&H::new(), salt, ikm)
}

fn extract_with<H: Hash>(fresh: &H, salt: &[u8], ikm: &[u8]) -> Prk<H> {
    Prk(Hmac::mac_with(fresh, salt, &[ikm]))
}

/// HKDF-Expand: T(1) ‖ T(2) ‖ …, cut to the length of `out`, with
/// T(i) = HMAC(PRK, T(i - 1) ‖ info ‖ i).
///
/// # Errors
/// [`Error::BadLength`] for an output of more than 255 digests; `out` is then untouched.
pub fn expand<H: Hash>(prk: &[u8], info: &[u8], out: &mut [u8]) -> Result<(), Error> {
    expand_with(&H::new(), prk, info, out)
}

fn expand_with<H: Hash>(fresh: &H, prk: &[u8], info: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let limit = 255 * H::OUTPUT_LEN;
    if out.len() > limit {
        return Err(Error::BadLength {
            expected: limit,
            actual: out.len(),
        });
    }
    if out.len() <= H::OUTPUT_LEN {
        let t = Prk::<H>(Hmac::mac_with(fresh, prk, &[info, &[1]]));
        out.copy_from_slice(&t[..out.len()]);
        return Ok(());
    }
    let keyed = Hmac::with_hash(fresh, prk);
    let mut previous: Option<Prk<H>> = None;
    for (i, chunk) in (1..=255).zip(out.chunks_mut(H::OUTPUT_LEN)) {
        let before = previous.as_deref().unwrap_or_default();
        let t = Prk::<H>(keyed.tag(&[before, info, &[i]]));
        chunk.copy_from_slice(&t[..chunk.len()]);
        previous = Some(t);
    }
    Ok(())
}

/// Both steps: output key material from input key material.
///
/// ```
/// use adamant_hash::{Sha256, hkdf};
/// let mut key = [0; 42];
/// hkdf::derive::<Sha256>(b"salt", b"input key material", b"info", &mut key).unwrap();
/// ```
///
/// # Errors
/// [`Error::BadLength`] for an output of more than 255 digests; `out` is then untouched.
pub fn derive<H: Hash>(salt: &[u8], ikm: &[u8], info: &[u8], out: &mut [u8]) -> Result<(), Error> {
    expand::<H>(&extract::<H>(salt, ikm), info, out)
}
