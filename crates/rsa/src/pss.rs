//! Signatures RSASSA-PSS (RFC 8017, 8.1), with MGF1.

use crate::hashes::Hasher;
use crate::key::{bytes, public_bytes};
use crate::pkcs1::{check_places, digests, made, open_batch, sign_encoded, verdict};
use crate::primitive::{self, number_below};
use crate::{DigestInfo, PrivateKey, PublicKey};
use adamant_base::family::Hash;
use adamant_base::{Error, Rng, same_length};
use adamant_bignum::Number;
use alloc::vec;
use alloc::vec::Vec;

/// The hash of messages and that of the mask.
#[derive(Clone, Copy)]
struct Hashes {
    message: Hasher,
    mask: Hasher,
}

impl Hashes {
    const fn of<H: Hash, M: Hash>() -> Self {
        Self {
            message: Hasher::of::<H>(),
            mask: Hasher::of::<M>(),
        }
    }
}

/// EMSA-PSS-ENCODE (RFC 8017, 9.1.1) as a number: `00 … 00 01 salt` under its mask, H, `bc`.
fn encode(hashes: Hashes, key: &PublicKey, digest: &[u8], salt: &[u8]) -> Result<Number, Error> {
    let bits = key.bits() - 1;
    let len = bits.div_ceil(8);
    let end = len.checked_sub(hashes.message.len + 1);
    let end = end.filter(|end| *end > salt.len());
    let end = end.ok_or(Error::BadParameter("salt length"))?;
    let h = hashes.message.digest(&[&[0; 8], digest, salt]);
    let h = &h[..hashes.message.len];
    let mut message = vec![0; len];
    message[end - salt.len() - 1] = 1;
    message[end - salt.len()..end].copy_from_slice(salt);
    (hashes.mask.mask)(h, &mut message[..end]);
    message[0] &= 0xff >> (8 * len - bits);
    message[end..len - 1].copy_from_slice(h);
    message[len - 1] = 0xbc;
    number_below(key, &message).ok_or(Error::BadPublicKey)
}

/// EMSA-PSS-VERIFY (RFC 8017, 9.1.2), with a salt of this length, or whatever its length.
fn verify(
    hashes: Hashes,
    key: &PublicKey,
    digest: &[u8],
    salt_len: Option<usize>,
    opened: &Number,
) -> Result<(), Error> {
    let bits = key.bits() - 1;
    let len = bits.div_ceil(8);
    let mut message = bytes(opened, key.size());
    // One byte more than `len` where the modulus has 8 k + 1 bits.
    let (extra, message) = message.split_at_mut(key.size() - len);
    let end = len.checked_sub(hashes.message.len + 1);
    let end = end
        .filter(|end| *end > salt_len.unwrap_or(0))
        .ok_or(Error::BadSignature)?;
    let (masked, rest) = message.split_at_mut(end);
    let (h, trailer) = rest.split_at(hashes.message.len);
    let unused = !(0xffu8 >> (8 * len - bits));
    if extra.iter().any(|b| *b != 0) || trailer != [0xbc] || masked[0] & unused != 0 {
        return Err(Error::BadSignature);
    }
    (hashes.mask.mask)(h, masked);
    masked[0] &= !unused;
    // The salt begins after the first byte that is not zero.
    let any = || masked.iter().take_while(|byte| **byte == 0).count() + 1;
    let padding = salt_len.map_or_else(any, |salt_len| end - salt_len);
    let (padding, salt) = masked
        .split_at_checked(padding)
        .ok_or(Error::BadSignature)?;
    let (one, zeros) = padding.split_last().ok_or(Error::BadSignature)?;
    let expected = hashes.message.digest(&[&[0; 8], digest, salt]);
    // All of them, as a loop that may end early takes one at a time.
    let not_zero = zeros.iter().fold(0, |any, b| any | b);
    verdict(*one == 1 && not_zero == 0 && expected[..h.len()] == *h)
}

impl PrivateKey {
    /// Signs the digest of `message` with a random salt as long as the digest, and the mask of the
    /// same hash: [`PublicKey::size`] bytes.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator; [`Error::BadPrivateKey`] where the public key does
    /// not confirm the result, after a fault or with primes that are none.
    pub fn sign_pss<H: Hash>(&self, message: &[u8], rng: &mut impl Rng) -> Result<Vec<u8>, Error> {
        self.sign_pss_prehashed::<H, H>(H::digest(message).as_ref(), H::OUTPUT_LEN, rng)
    }

    /// As [`PrivateKey::sign_pss`], from the digest, with a salt of `salt_len` bytes and the mask
    /// of the hash `M`.
    ///
    /// # Errors
    /// As there; [`Error::BadParameter`] for a salt for which there is no room.
    pub fn sign_pss_prehashed<H: Hash, M: Hash>(
        &self,
        digest: &[u8],
        salt_len: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        self.sign_pss_by(Hashes::of::<H, M>(), digest, salt_len, rng)
    }

    fn sign_pss_by(
        &self,
        hashes: Hashes,
        digest: &[u8],
        salt_len: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        let mut salt = vec![0; salt_len.min(self.public().size())];
        rng.fill(&mut salt)?;
        let message = encode(hashes, self.public(), digest, &salt)?;
        let signature = primitive::private(&[self], &[message], rng)?;
        Ok(public_bytes(&signature[0], self.public()))
    }
}

impl PublicKey {
    /// Checks a signature over the digest of `message` that was made as [`PrivateKey::sign_pss`]
    /// makes it.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_pss<H: Hash>(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let salt_len = Some(H::OUTPUT_LEN);
        self.verify_pss_prehashed::<H, H>(H::digest(message).as_ref(), salt_len, signature)
    }

    /// As [`PublicKey::verify_pss`], from the digest, with a salt of `salt_len` bytes, or of any
    /// length where none is given, and the mask of the hash `M`.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_pss_prehashed<H: Hash, M: Hash>(
        &self,
        digest: &[u8],
        salt_len: Option<usize>,
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify_pss_by(Hashes::of::<H, M>(), digest, salt_len, signature)
    }

    fn verify_pss_by(
        &self,
        hashes: Hashes,
        digest: &[u8],
        salt_len: Option<usize>,
        signature: &[u8],
    ) -> Result<(), Error> {
        let opened = primitive::public(&[self], &[self.signature(signature)?]);
        verify(hashes, self, digest, salt_len, &opened[0])
    }
}

/// A signature of each message with its key, as [`PrivateKey::sign_pss`] makes it. The
/// implementation is that of the first key.
///
/// # Errors
/// As there, for all of them.
pub fn sign_pss_batch<H: DigestInfo>(
    items: &[(&PrivateKey, &[u8])],
    rng: &mut impl Rng,
) -> Result<Vec<Vec<u8>>, Error> {
    made(items, |out| sign_pss_batch_into::<H>(items, out, rng))
}

/// As [`sign_pss_batch`], to memory of the caller's: `out[i]` is the signature of `items[i]`, as
/// long as the modulus of its key.
///
/// # Errors
/// As there, for all of them; [`Error::BadLength`] where there are not as many places as items, or
/// one of another length than [`PublicKey::size`]. `out` is then untouched.
pub fn sign_pss_batch_into<H: DigestInfo>(
    items: &[(&PrivateKey, &[u8])],
    out: &mut [&mut [u8]],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    check_places(items, out)?;
    let messages: Vec<_> = items.iter().map(|(_, message)| *message).collect();
    let keys: Vec<_> = items.iter().map(|(key, _)| *key).collect();
    let mut salts = vec![0; items.len() * H::OUTPUT_LEN];
    rng.fill(&mut salts)?;
    let hashes = Hashes::of::<H, H>();
    let encoded = keys
        .iter()
        .zip(digests::<H>(&messages))
        .zip(salts.chunks(H::OUTPUT_LEN))
        .map(|((key, digest), salt)| encode(hashes, key.public(), digest.as_ref(), salt))
        .collect::<Result<Vec<_>, _>>()?;
    sign_encoded(&keys, &encoded, out, rng)
}

/// The verdict on each signature, as [`PublicKey::verify_pss`] gives it. The implementation is
/// that of the first key.
#[must_use]
pub fn verify_pss_batch<H: DigestInfo>(
    items: &[(&PublicKey, &[u8], &[u8])],
) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_pss_batch_into::<H>(items, &mut out).expect("as many places");
    out
}

/// As [`verify_pss_batch`], to memory of the caller's: `out[i]` is the verdict on `items[i]`.
///
/// # Errors
/// [`Error::BadLength`] where there are not as many places as items; `out` is then untouched.
pub fn verify_pss_batch_into<H: DigestInfo>(
    items: &[(&PublicKey, &[u8], &[u8])],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let messages: Vec<_> = items.iter().map(|(_, message, _)| *message).collect();
    let digests = digests::<H>(&messages);
    let (hashes, salt_len) = (Hashes::of::<H, H>(), Some(H::OUTPUT_LEN));
    open_batch(items, out, |i, opened| {
        verify(hashes, items[i].0, digests[i].as_ref(), salt_len, opened)
    });
    Ok(())
}
