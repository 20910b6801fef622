//! Signatures RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).

use crate::hashes::{DigestInfo, Named, prefix};
use crate::key::{bytes, public_bytes, write_public};
use crate::primitive::{self, number_below};
use crate::{PrivateKey, PublicKey};
use adamant_base::{Block, Error, Rng, same_length};
use adamant_bignum::Number;
use alloc::vec;
use alloc::vec::Vec;

/// EMSA-PKCS1-v1_5 (RFC 8017, 9.2): `00 01 ff … ff 00`, the name of the hash, the digest.
fn encode(hash: Named, digest: &[u8], size: usize) -> Result<Vec<u8>, Error> {
    same_length(hash.len, digest.len())?;
    let (prefix, prefix_len) = prefix(hash);
    let start = (size - digest.len())
        .checked_sub(prefix_len)
        .filter(|s| *s >= 11);
    let start = start.ok_or(Error::BadPublicKey)?;
    let mut message = vec![0xff; size];
    message[..2].copy_from_slice(&[0, 1]);
    message[start - 1] = 0;
    message[start..start + prefix_len].copy_from_slice(&prefix[..prefix_len]);
    message[start + prefix_len..].copy_from_slice(digest);
    Ok(message)
}

/// The encoded digest as a number.
fn encoded(hash: Named, digest: &[u8], key: &PublicKey) -> Result<Number, Error> {
    let message = encode(hash, digest, key.size())?;
    number_below(key, &message).ok_or(Error::BadPublicKey)
}

/// Whether an opened signature is that of this digest.
fn verify(hash: Named, key: &PublicKey, digest: &[u8], opened: &Number) -> Result<(), Error> {
    let expected = encode(hash, digest, key.size());
    verdict(expected.is_ok_and(|expected| bytes(opened, key.size()) == expected))
}

impl PrivateKey {
    /// Signs the digest of `message`: [`PublicKey::size`] bytes. There is one such signature; the
    /// generator serves the blinding.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator; [`Error::BadPrivateKey`] where the public key does
    /// not confirm the result, after a fault or with primes that are none.
    pub fn sign_pkcs1<H: DigestInfo>(
        &self,
        message: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        self.sign_pkcs1_prehashed::<H>(H::digest(message).as_ref(), rng)
    }

    /// As [`PrivateKey::sign_pkcs1`], from the digest.
    ///
    /// # Errors
    /// As there; [`Error::BadLength`] for a digest that the hash does not give.
    pub fn sign_pkcs1_prehashed<H: DigestInfo>(
        &self,
        digest: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        self.sign_named(Named::of::<H>(), digest, rng)
    }

    fn sign_named(&self, hash: Named, digest: &[u8], rng: &mut impl Rng) -> Result<Vec<u8>, Error> {
        let message = encoded(hash, digest, self.public())?;
        let signature = primitive::private(&[self], &[message], rng)?;
        Ok(public_bytes(&signature[0], self.public()))
    }
}

impl PublicKey {
    /// Checks a signature over the digest of `message`.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_pkcs1<H: DigestInfo>(
        &self,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify_pkcs1_prehashed::<H>(H::digest(message).as_ref(), signature)
    }

    /// As [`PublicKey::verify_pkcs1`], from the digest.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_pkcs1_prehashed<H: DigestInfo>(
        &self,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify_named(Named::of::<H>(), digest, signature)
    }

    fn verify_named(&self, hash: Named, digest: &[u8], signature: &[u8]) -> Result<(), Error> {
        let opened = primitive::public(&[self], &[self.signature(signature)?]);
        verify(hash, self, digest, &opened[0])
    }

    /// A signature's number.
    pub(crate) fn signature(&self, signature: &[u8]) -> Result<Number, Error> {
        if signature.len() != self.size() {
            return Err(Error::BadSignature);
        }
        number_below(self, signature).ok_or(Error::BadSignature)
    }
}

pub(crate) fn verdict(valid: bool) -> Result<(), Error> {
    if valid {
        Ok(())
    } else {
        Err(Error::BadSignature)
    }
}

/// The digest of each message.
pub(crate) fn digests<H: DigestInfo>(messages: &[&[u8]]) -> Vec<H::Output> {
    let mut digests = vec![H::Output::ZERO; messages.len()];
    let done = H::digest_batch_into(messages, &mut digests);
    debug_assert_eq!(done, Ok(()));
    digests
}

/// The signature of each message with its key, as [`PrivateKey::sign_pkcs1`] makes it. The
/// implementation is that of the first key.
///
/// # Errors
/// As there, for all of them.
pub fn sign_pkcs1_batch<H: DigestInfo>(
    items: &[(&PrivateKey, &[u8])],
    rng: &mut impl Rng,
) -> Result<Vec<Vec<u8>>, Error> {
    made(items, |out| sign_pkcs1_batch_into::<H>(items, out, rng))
}

/// As [`sign_pkcs1_batch`], to memory of the caller's: `out[i]` is the signature of `items[i]`, as
/// long as the modulus of its key.
///
/// ```
/// use adamant_hash::Sha256;
/// use adamant_rsa::{PrivateKey, sign_pkcs1_batch_into, verify_pkcs1_batch_into};
/// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
/// # let der = include_bytes!("../testdata/rsa2048.der");
/// let key = PrivateKey::from_pkcs1_der(der)?;
/// let (mut first, mut second) = ([0; 256], [0; 256]);
/// let items = [(&key, &b"one"[..]), (&key, b"two")];
/// sign_pkcs1_batch_into::<Sha256>(&items, &mut [&mut first, &mut second], &mut rng)?;
///
/// let public = key.public_key();
/// let items = [(&public, &b"one"[..], &first[..]), (&public, b"two", &first)];
/// let mut verdicts = [Ok(()); 2];
/// verify_pkcs1_batch_into::<Sha256>(&items, &mut verdicts)?;
/// assert!(verdicts[0].is_ok() && verdicts[1].is_err());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// As there, for all of them; [`Error::BadLength`] where there are not as many places as items, or
/// one of another length than [`PublicKey::size`]. `out` is then untouched.
pub fn sign_pkcs1_batch_into<H: DigestInfo>(
    items: &[(&PrivateKey, &[u8])],
    out: &mut [&mut [u8]],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    check_places(items, out)?;
    let messages: Vec<_> = items.iter().map(|(_, message)| *message).collect();
    let keys: Vec<_> = items.iter().map(|(key, _)| *key).collect();
    let encoded = keys
        .iter()
        .zip(digests::<H>(&messages))
        .map(|(key, digest)| encoded(Named::of::<H>(), digest.as_ref(), key.public()))
        .collect::<Result<Vec<_>, _>>()?;
    sign_encoded(&keys, &encoded, out, rng)
}

/// The signatures that `sign` writes to places of the right lengths.
pub(crate) fn made(
    items: &[(&PrivateKey, &[u8])],
    sign: impl FnOnce(&mut [&mut [u8]]) -> Result<(), Error>,
) -> Result<Vec<Vec<u8>>, Error> {
    let each = items.iter();
    let mut signatures: Vec<_> = each.map(|(key, _)| vec![0; key.public().size()]).collect();
    let mut places: Vec<_> = signatures.iter_mut().map(Vec::as_mut_slice).collect();
    sign(&mut places)?;
    Ok(signatures)
}

/// Whether there is a place of the right length for each signature.
pub(crate) fn check_places(items: &[(&PrivateKey, &[u8])], out: &[&mut [u8]]) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let mut places = items.iter().zip(out);
    places.try_for_each(|((key, _), place)| same_length(key.public().size(), place.len()))
}

/// The signatures of messages that are encoded as numbers.
pub(crate) fn sign_encoded(
    keys: &[&PrivateKey],
    encoded: &[Number],
    out: &mut [&mut [u8]],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    let signatures = primitive::private(keys, encoded, rng)?;
    for (signature, out) in signatures.iter().zip(out) {
        write_public(signature, out);
    }
    Ok(())
}

/// The verdict on each signature, as [`PublicKey::verify_pkcs1`] gives it. The implementation is
/// that of the first key.
#[must_use]
pub fn verify_pkcs1_batch<H: DigestInfo>(
    items: &[(&PublicKey, &[u8], &[u8])],
) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_pkcs1_batch_into::<H>(items, &mut out).expect("as many places");
    out
}

/// As [`verify_pkcs1_batch`], to memory of the caller's: `out[i]` is the verdict on `items[i]`.
///
/// # Errors
/// [`Error::BadLength`] where there are not as many places as items; `out` is then untouched.
pub fn verify_pkcs1_batch_into<H: DigestInfo>(
    items: &[(&PublicKey, &[u8], &[u8])],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let messages: Vec<_> = items.iter().map(|(_, message, _)| *message).collect();
    let digests = digests::<H>(&messages);
    open_batch(items, out, |i, opened| {
        verify(Named::of::<H>(), items[i].0, digests[i].as_ref(), opened)
    });
    Ok(())
}

/// Opens every signature that is a number below its modulus, and gives what `judge` says to that.
pub(crate) fn open_batch(
    items: &[(&PublicKey, &[u8], &[u8])],
    out: &mut [Result<(), Error>],
    judge: impl Fn(usize, &Number) -> Result<(), Error>,
) {
    out.fill(Err(Error::BadSignature));
    let mut indices = Vec::with_capacity(items.len());
    let mut keys = Vec::with_capacity(items.len());
    let mut numbers = Vec::with_capacity(items.len());
    for (i, (key, _, signature)) in items.iter().enumerate() {
        if let Ok(number) = key.signature(signature) {
            indices.push(i);
            keys.push(*key);
            numbers.push(number);
        }
    }
    for (i, opened) in indices.into_iter().zip(primitive::public(&keys, &numbers)) {
        out[i] = judge(i, &opened);
    }
}
