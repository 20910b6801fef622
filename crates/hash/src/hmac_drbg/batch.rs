//! The first candidates for many nonces, all generators in step.

use super::{MAX_OUTPUT, Rfc6979};
use crate::Hmac;
use crate::hmac::BatchHash;
use adamant_base::{Error, Secret, Wipe};

/// Generators in step: as many as the widest implementations of the hashes have lanes for, a few
/// times over.
const CHUNK: usize = 32;
/// The most bytes of a private key or of a digest: those of numbers of 576 bits.
const MAX_LEN: usize = 72;
/// The most bytes of a message: V, the separator, the private key and the digest.
const MAX_MESSAGE: usize = MAX_OUTPUT + 1 + 2 * MAX_LEN;

/// The first candidate of each `Rfc6979::<H>::new(private_key, digest, b"")`, for the pairs of
/// `items`: as many bytes as the place in `out` has. Many at once take a fraction of the time.
///
/// ```
/// use adamant_hash::{Sha256, hmac_drbg::{Rfc6979, first_candidates}};
/// let (x, h1) = ([1; 32], Sha256::digest(b"sample"));
/// let mut ks = [[0; 32]; 1];
/// first_candidates::<Sha256, _>(&[(&x, &h1)], &mut ks).unwrap();
/// let mut k = [0; 32];
/// Rfc6979::<Sha256>::new(&x, &h1, b"").next(&mut k);
/// assert_eq!(ks[0], k);
/// ```
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; it is then untouched.
pub fn first_candidates<H: BatchHash, O: AsMut<[u8]>>(
    items: &[(&[u8], &[u8])],
    out: &mut [O],
) -> Result<(), Error> {
    if items.len() != out.len() {
        return Err(Error::BadLength {
            expected: items.len(),
            actual: out.len(),
        });
    }
    if items.iter().any(|(x, h)| x.len().max(h.len()) > MAX_LEN) {
        for ((private_key, digest), out) in items.iter().zip(out) {
            Rfc6979::<H>::new(private_key, digest, b"").next(out.as_mut());
        }
        return Ok(());
    }
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        chunk::<H, O>(items, out)?;
    }
    Ok(())
}

/// The values K or V of the generators.
type Values = Secret<[[u8; MAX_OUTPUT]; CHUNK]>;

/// `to` = HMAC(K, message) of each.
fn mac<H: BatchHash>(k: &Values, messages: &[&[u8]], to: &mut Values) -> Result<(), Error> {
    let count = messages.len();
    let mut tags = [Hmac::<H>::mac(&[], &[]); CHUNK];
    let keys: [&[u8]; CHUNK] = core::array::from_fn(|i| &k[i][..H::OUTPUT_LEN]);
    Hmac::<H>::mac_batch(&keys[..count], messages, &mut tags[..count])?;
    for (value, tag) in to.iter_mut().zip(&mut tags[..count]) {
        value[..H::OUTPUT_LEN].copy_from_slice(tag.as_ref());
        tag.as_mut().wipe();
    }
    Ok(())
}

/// V = HMAC(K, V) of each of the first `count`.
fn next_values<H: BatchHash>(k: &Values, v: &mut Values, count: usize) -> Result<(), Error> {
    let before = Secret::new(**v);
    let messages: [&[u8]; CHUNK] = core::array::from_fn(|i| &before[i][..H::OUTPUT_LEN]);
    mac::<H>(k, &messages[..count], v)
}

/// [`first_candidates`] of a chunk.
fn chunk<H: BatchHash, O: AsMut<[u8]>>(
    items: &[(&[u8], &[u8])],
    out: &mut [O],
) -> Result<(), Error> {
    let count = items.len();
    let mut k = Secret::new([[0; MAX_OUTPUT]; CHUNK]);
    let mut v = Secret::new([[1; MAX_OUTPUT]; CHUNK]);
    let mut buffers = Secret::new([[0; MAX_MESSAGE]; CHUNK]);
    // Steps d to g of RFC 6979, 3.2.
    for separator in [0, 1] {
        let mut ends = [0; CHUNK];
        for (i, (private_key, digest)) in items.iter().enumerate() {
            let parts = [&v[i][..H::OUTPUT_LEN], &[separator], private_key, digest];
            for part in parts {
                buffers[i][ends[i]..][..part.len()].copy_from_slice(part);
                ends[i] += part.len();
            }
        }
        let messages: [&[u8]; CHUNK] = core::array::from_fn(|i| &buffers[i][..ends[i]]);
        let before = Secret::new(*k);
        mac::<H>(&before, &messages[..count], &mut k)?;
        next_values::<H>(&k, &mut v, count)?;
    }
    // Step h.
    let len = out.iter_mut().map(|out| out.as_mut().len()).max();
    for at in (0..len.unwrap_or(0)).step_by(H::OUTPUT_LEN) {
        next_values::<H>(&k, &mut v, count)?;
        for (out, value) in out.iter_mut().zip(v.iter()) {
            let Some(out) = out.as_mut().get_mut(at..) else {
                continue;
            };
            let len = out.len().min(H::OUTPUT_LEN);
            out[..len].copy_from_slice(&value[..len]);
        }
    }
    Ok(())
}
