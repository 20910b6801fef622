//! The nonces of many signatures, all generators in step.

use super::Rfc6979;
use super::lanes::{self, CHUNK};
use crate::merkle_damgard::MerkleDamgard;
use adamant_base::family::Hash;
use adamant_base::{Error, same_length};

/// Hashes whose generators run in step. Every hash can have it: what is given here takes one after
/// the other.
pub trait NonceHash: Hash {
    /// [`accepted_candidates`] of at most 32 items and as many places, which have one length.
    fn in_step(items: &[(&[u8], &[u8])], out: &mut [&mut [u8]], accept: &dyn Fn(&[u8]) -> bool) {
        one_by_one::<Self>(items, out, accept);
    }
}

/// [`NonceHash::in_step`] of a hash of the MD4 family, where the items fit its lanes.
#[cfg_attr(not(feature = "lab"), inline)]
pub(crate) fn in_step<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    items: &[(&[u8], &[u8])],
    out: &mut [&mut [u8]],
    accept: &dyn Fn(&[u8]) -> bool,
) {
    if lanes::fits::<H, N>(items) {
        lanes::accepted_candidates::<H, N>(backend, items, out, accept);
    } else {
        one_by_one::<H>(items, out, accept);
    }
}

#[cfg(feature = "blake")]
impl NonceHash for crate::Blake3 {}
#[cfg(feature = "blake")]
impl<const N: usize> NonceHash for crate::Blake2b<N> {}
#[cfg(feature = "blake")]
impl<const N: usize> NonceHash for crate::Blake2s<N> {}

/// The first candidate that `accept` takes of each `Rfc6979::<H>::new(private_key, digest, b"")`, for
/// the pairs of `items`: as many bytes as the place in `out` has. Many at once, of the same lengths
/// and with places of one length, take a fraction of the time. Which candidates are refused shows in the time.
///
/// ```
/// use adamant_hash::{Sha256, hazmat::hmac_drbg::{Rfc6979, accepted_candidates}};
/// let (x, h1) = ([1; 32], Sha256::digest(b"sample"));
/// let mut ks = [[0; 32]; 1];
/// // Stands for the order of the group.
/// let accept = |k: &[u8]| k[0] < 0x10;
/// accepted_candidates::<Sha256, _>(&[(&x, &h1)], &mut ks, accept).unwrap();
/// let (mut candidates, mut k) = (Rfc6979::<Sha256>::new(&x, &h1, b""), [0xff; 32]);
/// while !accept(&k) {
///     candidates.next(&mut k);
/// }
/// assert_eq!(ks[0], k);
/// ```
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; it is then untouched.
pub fn accepted_candidates<H: NonceHash, O: AsMut<[u8]>>(
    items: &[(&[u8], &[u8])],
    out: &mut [O],
    accept: impl Fn(&[u8]) -> bool,
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut places: [&mut [u8]; CHUNK] = core::array::from_fn(|_| &mut [][..]);
        for (place, out) in places.iter_mut().zip(out) {
            *place = out.as_mut();
        }
        let places = &mut places[..items.len()];
        // In step, all draw as many bytes.
        if places.iter().all(|place| place.len() == places[0].len()) {
            H::in_step(items, places, &accept);
        } else {
            one_by_one::<H>(items, places, &accept);
        }
    }
    Ok(())
}

/// The first candidate that `accept` takes of `Rfc6979::<H>::new(private_key, digest, extra)`: as
/// many bytes as `out` has. Which candidates are refused shows in the time.
///
/// ```
/// use adamant_hash::{Sha256, hazmat::hmac_drbg::{Rfc6979, accepted_candidate}};
/// let (x, h1) = ([1; 32], Sha256::digest(b"sample"));
/// let mut k = [0; 32];
/// accepted_candidate::<Sha256>(&x, &h1, b"", &mut k, &|_| true);
/// let mut first = [0; 32];
/// Rfc6979::<Sha256>::new(&x, &h1, b"").next(&mut first);
/// assert_eq!(k, first);
/// ```
pub fn accepted_candidate<H: Hash>(
    private_key: &[u8],
    digest: &[u8],
    extra: &[u8],
    out: &mut [u8],
    accept: &dyn Fn(&[u8]) -> bool,
) {
    let mut candidates = Rfc6979::<H>::new(private_key, digest, extra);
    candidates.next(out);
    while !accept(out) {
        candidates.next(out);
    }
}

/// [`accepted_candidates`] one by one, for as many items as places.
fn one_by_one<H: Hash>(
    items: &[(&[u8], &[u8])],
    out: &mut [&mut [u8]],
    accept: &dyn Fn(&[u8]) -> bool,
) {
    for ((private_key, digest), out) in items.iter().zip(out) {
        accepted_candidate::<H>(private_key, digest, b"", out, accept);
    }
}
