//! ECDSA (FIPS 186-5, 6.4), with the nonces of RFC 6979.

use super::curve::{Check, Curve, Derived, Group};
use super::keys::{CHECKS, CHUNK};
use super::{PrivateKey, PublicKey, Signature, words};
use adamant_base::family::{Block, Hash, Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct};
use adamant_hash::hmac_drbg::{Rfc6979, accepted_candidates};
use alloc::vec;
use alloc::vec::Vec;

/// The leftmost bits of a digest, as many as n has, as an integer (bits2int), modulo n.
fn digest_to_integer<C: Curve<W>, const W: usize>(digest: &[u8]) -> [u64; W] {
    let integer = match digest.get(..C::LEN) {
        Some(bytes) => words::shift_right(&words::from_be_bytes(bytes), C::SPARE_BITS),
        None => words::from_be_bytes(digest),
    };
    C::ORDER.reduce(&integer)
}

/// A candidate for a nonce; it may be out of range.
fn candidate<C: Curve<W>, const W: usize, H: Hash>(nonces: &mut Rfc6979<H>) -> Secret<[u64; W]> {
    let mut bytes = Secret::new(C::Scalar::ZERO);
    nonces.next(bytes.as_mut());
    nonce::<C, W>(bytes.as_ref())
}

/// The leftmost bits of a candidate, as many as n has, as an integer.
fn nonce<C: Curve<W>, const W: usize>(candidate: &[u8]) -> Secret<[u64; W]> {
    let k = Secret::new(words::from_be_bytes(candidate));
    Secret::new(words::shift_right(&k, C::SPARE_BITS))
}

/// Whether a nonce is from 1 to n - 1. One that is refused is used for nothing else.
fn is_valid<C: Curve<W>, const W: usize>(nonce: &[u64; W]) -> bool {
    C::ORDER.is_above_and_not_zero(nonce).declassify()
}

impl<C: Curve<W>, const W: usize> PrivateKey<C, W> {
    /// Signs the digest of `message` by the curve's hash ([`Curve::Hash`]), with the nonce of RFC 6979: the same message and key
    /// give the same signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature<C, W> {
        self.sign_digest(C::Hash::digest(message).as_ref())
    }

    /// Signs a digest of any length, of which as many bits count as n has, the leftmost. The nonce is
    /// that of RFC 6979 with the curve's hash.
    #[must_use]
    pub fn sign_digest(&self, digest: &[u8]) -> Signature<C, W> {
        self.sign_digest_with::<C::Hash>(digest)
    }

    /// Signs a digest with the nonce of RFC 6979 for the hash `H`: for the standard's signatures
    /// where the digest is not that of the curve's hash.
    ///
    /// ```
    /// use adamant_ec::p256::PrivateKey;
    /// use adamant_hash::Sha384;
    /// let key = PrivateKey::from_bytes(&[7; 32]).unwrap();
    /// let digest = Sha384::digest(b"a message");
    /// let signature = key.sign_digest_with::<Sha384>(&digest);
    /// key.public_key().verify_digest(&digest, &signature).unwrap();
    /// ```
    #[must_use]
    pub fn sign_digest_with<H: Hash>(&self, digest: &[u8]) -> Signature<C, W> {
        self.sign_with_extra::<H>(digest, &[])
    }

    /// Signs like [`PrivateKey::sign`] with 32 random bytes mixed into the nonce (RFC 6979, 3.6):
    /// no fault or measurement repeats, and a weak generator does no harm.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged(
        &self,
        message: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Signature<C, W>, Error> {
        let mut extra = Secret::new([0; 32]);
        rng.fill(&mut *extra)?;
        let digest = C::Hash::digest(message);
        Ok(self.sign_with_extra::<C::Hash>(digest.as_ref(), &*extra))
    }

    /// The nonces of RFC 6979 for the integer `e` of a digest.
    fn nonces<H: Hash>(&self, e: &[u64; W], extra: &[u8]) -> Rfc6979<H> {
        let mut octets = C::Scalar::ZERO;
        words::to_be_bytes(e, octets.as_mut());
        Rfc6979::new((*self.to_bytes()).as_ref(), octets.as_ref(), extra)
    }

    /// FIPS 186-5, 6.4.1.
    fn sign_with_extra<H: Hash>(&self, digest: &[u8], extra: &[u8]) -> Signature<C, W> {
        let e = digest_to_integer::<C, W>(digest);
        let mut nonces = self.nonces::<H>(&e, extra);
        loop {
            let k = candidate::<C, W, H>(&mut nonces);
            if !is_valid::<C, W>(&k) {
                continue;
            }
            let [x, _] = self.public.backend.mul_base(&k);
            let inverse = Secret::new(C::ORDER.divide(&C::ORDER.one, &k));
            // One without is used for nothing else; it happens once in 2^(bits of n - 1) signatures.
            if let Some(signature) = self.signature(&e, &x, &inverse) {
                return signature;
            }
        }
    }

    /// The signature of `e` for a nonce's multiple of G, of which this is x, and the residue of the
    /// inverse of the nonce; none where r or s is zero.
    fn signature(&self, e: &[u64; W], x: &[u64; W], inverse: &[u64; W]) -> Option<Signature<C, W>> {
        let order = C::ORDER;
        let d = Secret::new(order.to_residue(&self.d));
        let mut r = order.reduce(x);
        let rd = Secret::new(order.mul(&d, &r));
        let sum = Secret::new(order.add(e, &rd));
        let mut s = order.mul(inverse, &sum);
        if words::is_zero(&r).or(words::is_zero(&s)).declassify() {
            return None;
        }
        // A signature is public.
        ct::mark_public_value(&mut r);
        ct::mark_public_value(&mut s);
        let signature = Signature::from_integers(&r, &s);
        Some(if C::LOW_S {
            signature.normalize_s()
        } else {
            signature
        })
    }
}

impl<C: Curve<W>, const W: usize> PublicKey<C, W> {
    /// Checks a signature over the digest of `message` by the curve's hash ([`Curve::Hash`]).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature<C, W>) -> Result<(), Error> {
        self.verify_digest(C::Hash::digest(message).as_ref(), signature)
    }

    /// Checks a signature over a digest of any length, of which as many bits count as n has, the
    /// leftmost (FIPS 186-5, 6.4.2).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_digest(&self, digest: &[u8], signature: &Signature<C, W>) -> Result<(), Error> {
        let order = C::ORDER;
        let (r, s) = signature.integers();
        let w = order.divide_vartime(&order.one, &s);
        let u1 = order.mul(&w, &digest_to_integer::<C, W>(digest));
        let u2 = order.mul(&w, &r);
        if self.backend.has_x_vartime(&u1, &u2, &self.point, &r) {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
    }
}

impl<C: Curve<W>, const W: usize> Signer for PrivateKey<C, W> {
    type Verifier = PublicKey<C, W>;

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate(rng)
    }

    fn verifier(&self) -> PublicKey<C, W> {
        self.public_key()
    }

    fn sign(&self, message: &[u8]) -> Signature<C, W> {
        self.sign(message)
    }
}

impl<C: Curve<W>, const W: usize> Verifier for PublicKey<C, W> {
    type Signature = Signature<C, W>;

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify(message, &Signature::from_bytes(signature)?)
    }
}

/// The signature of each message with its key, as [`PrivateKey::sign`] makes it. The implementation
/// is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
pub fn sign_batch<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &[u8])],
    out: &mut [Signature<C, W>],
) -> Result<(), Error> {
    check_lengths(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        if let [(key, message)] = items {
            out[0] = key.sign(message);
            continue;
        }
        let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (to, (_, message)) in messages.iter_mut().zip(items) {
            *to = message;
        }
        let digests = digests::<C, W>(&messages[..items.len()])?;
        let mut es = [[0; W]; CHUNK];
        let mut private_keys = Secret::new([C::Scalar::ZERO; CHUNK]);
        let mut octets = [C::Scalar::ZERO; CHUNK];
        for (i, (key, _)) in items.iter().enumerate() {
            es[i] = digest_to_integer::<C, W>(digests[i].as_ref());
            words::to_be_bytes(&es[i], octets[i].as_mut());
            words::to_be_bytes(&key.d, private_keys[i].as_mut());
        }
        let mut candidates = Secret::new([C::Scalar::ZERO; CHUNK]);
        let seeds: [(&[u8], &[u8]); CHUNK] =
            core::array::from_fn(|i| (private_keys[i].as_ref(), octets[i].as_ref()));
        let len = items.len();
        accepted_candidates::<C::Hash, _>(&seeds[..len], &mut candidates[..len], |candidate| {
            is_valid::<C, W>(&nonce::<C, W>(candidate))
        })?;
        let mut ks = Secret::new([[0; W]; CHUNK]);
        for (k, candidate) in ks[..len].iter_mut().zip(&*candidates) {
            *k = *nonce::<C, W>(candidate.as_ref());
        }
        let mut points = Secret::new([[[0; W]; 2]; CHUNK]);
        let backend = items[0].0.public.backend;
        backend.mul_base_batch(&ks[..len], &mut *points);
        let mut inverses = Secret::new([[0; W]; CHUNK]);
        C::ORDER.invert_all(&ks[..len], &mut inverses[..len]);
        for (i, ((key, message), signature)) in items.iter().zip(out).enumerate() {
            let made = key.signature(&es[i], &points[i][0], &inverses[i]);
            *signature = made.unwrap_or_else(|| key.sign(message));
        }
    }
    Ok(())
}

/// The verdict on each signature, as [`PublicKey::verify`] gives it. The implementation is that of
/// the first key. Many signatures of one key alone are checked sooner than those of several.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; the verdicts are in `out`.
pub fn verify_batch<C: Curve<W>, const W: usize>(
    items: &[(&PublicKey<C, W>, &[u8], &Signature<C, W>)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    check_lengths(items.len(), out.len())?;
    for (items, out) in items.chunks(CHECKS).zip(out.chunks_mut(CHECKS)) {
        let mut checks: Vec<Check<W>> = Vec::with_capacity(items.len());
        for items in items.chunks(CHUNK) {
            add_checks(items, &mut checks)?;
        }
        let mut verdicts = vec![false; items.len()];
        let backend = items[0].0.backend;
        backend.has_x_batch_vartime(&checks, &mut verdicts);
        for (verdict, valid) in out.iter_mut().zip(verdicts) {
            *verdict = if valid {
                Ok(())
            } else {
                Err(Error::BadSignature)
            };
        }
    }
    Ok(())
}

/// Adds the checks of at most a chunk of signatures, with one inversion for all.
fn add_checks<C: Curve<W>, const W: usize>(
    items: &[(&PublicKey<C, W>, &[u8], &Signature<C, W>)],
    checks: &mut Vec<Check<W>>,
) -> Result<(), Error> {
    let len = items.len();
    let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
    let mut ss = [[0; W]; CHUNK];
    for (i, (_, message, signature)) in items.iter().enumerate() {
        messages[i] = message;
        ss[i] = signature.integers().1;
    }
    let digests = digests::<C, W>(&messages[..len])?;
    let mut ws = [[0; W]; CHUNK];
    C::ORDER.invert_all(&ss[..len], &mut ws[..len]);
    for (i, (key, _, signature)) in items.iter().enumerate() {
        let (w, (r, _)) = (ws[i], signature.integers());
        let e = digest_to_integer::<C, W>(digests[i].as_ref());
        let (u1, u2) = (C::ORDER.mul(&w, &e), C::ORDER.mul(&w, &r));
        checks.push((u1, u2, key.point, r));
    }
    Ok(())
}

/// The digests of at most a chunk of messages, and of at least one.
fn digests<C: Curve<W>, const W: usize>(
    messages: &[&[u8]],
) -> Result<[<C::Hash as Hash>::Output; CHUNK], Error> {
    // To be written over.
    let mut digests = [C::Hash::digest(&[]); CHUNK];
    C::Hash::digest_batch(messages, &mut digests[..messages.len()])?;
    Ok(digests)
}

/// Whether a batch has room for each result.
pub(super) fn check_lengths(expected: usize, actual: usize) -> Result<(), Error> {
    if expected == actual {
        Ok(())
    } else {
        Err(Error::BadLength { expected, actual })
    }
}
