//! ECDSA (FIPS 186-5, 6.4), with the nonces of RFC 6979.

use super::curve::{Check, Curve, Derived, Group, MAX_LEN, Numbers};
use super::keys::{CHECKS, CHUNK};
use super::{PrivateKey, PublicKey, Signature, words};
use adamant_base::family::{Hash, Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct, same_length};
use adamant_hash::hazmat::hmac_drbg::{NonceHash, accepted_candidate, accepted_candidates};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::cell::Cell;

/// Finds the nonce of a signature: the first candidate of RFC 6979 that is accepted, for the private
/// key, the digest and extra data, written into a place as long as the order.
/// [`accepted_candidate`] for a hash.
#[doc(hidden)]
pub type Nonces = fn(&[u8], &[u8], &[u8], &mut [u8], &dyn Fn(&[u8]) -> bool);

/// r and s.
type Integers<const W: usize> = [[u64; W]; 2];

impl<const W: usize> Numbers<W> {
    /// The leftmost bits of a digest, as many as n has, as an integer (bits2int), modulo n.
    fn digest_to_integer(&self, digest: &[u8]) -> [u64; W] {
        let integer = match digest.get(..self.len) {
            Some(bytes) => words::shift_right(&words::from_be_bytes(bytes), self.spare_bits),
            None => words::from_be_bytes(digest),
        };
        self.order.reduce(&integer)
    }

    /// The leftmost bits of a candidate for a nonce, as many as n has, as an integer.
    fn nonce(&self, candidate: &[u8]) -> Secret<[u64; W]> {
        let k = Secret::new(words::from_be_bytes(candidate));
        Secret::new(words::shift_right(&k, self.spare_bits))
    }

    /// Whether a nonce is from 1 to n - 1. One that is refused is used for nothing else.
    fn is_accepted(&self, k: &[u64; W]) -> bool {
        self.order.is_above_and_not_zero(k).declassify()
    }

    /// A number in bytes, the first of the room.
    fn encode(&self, x: &[u64; W]) -> Secret<[u8; MAX_LEN]> {
        let mut bytes = Secret::new([0; MAX_LEN]);
        words::to_be_bytes(x, &mut bytes[..self.len]);
        bytes
    }

    /// FIPS 186-5, 6.4.1, with the multiplication of G by a nonce.
    fn sign(
        &self,
        d: &[u64; W],
        digest: &[u8],
        extra: &[u8],
        nonces: Nonces,
        mul_base: &dyn Fn(&[u64; W]) -> [[u64; W]; 2],
    ) -> Integers<W> {
        let e = self.digest_to_integer(digest);
        let (private_key, octets) = (self.encode(d), self.encode(&e));
        let mut candidate = Secret::new([0; MAX_LEN]);
        let made = Cell::new([[0; W]; 2]);
        let sign = |candidate: &[u8]| {
            let k = self.nonce(candidate);
            if !self.is_accepted(&k) {
                return false;
            }
            let [x, _] = mul_base(&k);
            let inverse = Secret::new(self.order.divide(&self.order.one, &k));
            // None happens once in 2^(bits of n - 1) signatures.
            let signature = self.signature(d, &e, &x, &inverse);
            if let Some(integers) = signature {
                made.set(integers);
            }
            signature.is_some()
        };
        let len = self.len;
        let place = &mut candidate[..len];
        nonces(&private_key[..len], &octets[..len], extra, place, &sign);
        made.get()
    }

    /// The signature of `e` for a nonce's multiple of G, of which this is x, and the residue of the
    /// inverse of the nonce; none where r or s is zero. That nonce is used for nothing else.
    fn signature(
        &self,
        d: &[u64; W],
        e: &[u64; W],
        x: &[u64; W],
        inverse: &[u64; W],
    ) -> Option<Integers<W>> {
        let order = &self.order;
        let d = Secret::new(order.to_residue(d));
        let r = order.reduce(x);
        let rd = Secret::new(order.mul(&d, &r));
        let sum = Secret::new(order.add(e, &rd));
        let s = order.mul(inverse, &sum);
        if words::is_zero(&r).or(words::is_zero(&s)).declassify() {
            return None;
        }
        Some([r, s])
    }

    /// Signs at most a chunk of messages, each with its private key, with the multiplication of G by
    /// many nonces.
    fn sign_chunk<H: NonceHash>(
        &self,
        items: &[(&[u64; W], &[u8])],
        mul_base_batch: &dyn Fn(&[[u64; W]], &mut [[[u64; W]; 2]]),
        out: &mut [Option<Integers<W>>; CHUNK],
    ) -> Result<(), Error> {
        let n = items.len();
        let digests = digests::<H>(items.iter().map(|(_, message)| *message))?;
        let mut es = [[0; W]; CHUNK];
        let mut private_keys = Secret::new([[0; MAX_LEN]; CHUNK]);
        let mut octets = [[0; MAX_LEN]; CHUNK];
        for (i, (d, _)) in items.iter().enumerate() {
            es[i] = self.digest_to_integer(digests[i].as_ref());
            words::to_be_bytes(&es[i], &mut octets[i][..self.len]);
            words::to_be_bytes(d, &mut private_keys[i][..self.len]);
        }
        let seeds: [(&[u8], &[u8]); CHUNK] =
            core::array::from_fn(|i| (&private_keys[i][..self.len], &octets[i][..self.len]));
        let mut candidates = Secret::new([[0; MAX_LEN]; CHUNK]);
        let mut places: [&mut [u8]; CHUNK] =
            candidates.each_mut().map(|place| &mut place[..self.len]);
        accepted_candidates::<H, _>(&seeds[..n], &mut places[..n], |candidate| {
            self.is_accepted(&self.nonce(candidate))
        })?;
        let mut ks = Secret::new([[0; W]; CHUNK]);
        for (k, candidate) in ks[..n].iter_mut().zip(&*candidates) {
            *k = *self.nonce(&candidate[..self.len]);
        }
        let mut points = Secret::new([[[0; W]; 2]; CHUNK]);
        mul_base_batch(&ks[..n], &mut *points);
        let mut inverses = Secret::new([[0; W]; CHUNK]);
        self.order.invert_all(&ks[..n], &mut inverses[..n]);
        for (i, (d, _)) in items.iter().enumerate() {
            out[i] = self.signature(d, &es[i], &points[i][0], &inverses[i]);
        }
        Ok(())
    }

    /// FIPS 186-5, 6.4.2, up to the multiplications: e / s and r / s.
    fn scalars(&self, digest: &[u8], [r, s]: &Integers<W>) -> [[u64; W]; 2] {
        let w = self.order.divide_vartime(&self.order.one, s);
        self.scalars_of(digest, r, &w)
    }

    /// The same for the residue w of 1 / s.
    fn scalars_of(&self, digest: &[u8], r: &[u64; W], w: &[u64; W]) -> [[u64; W]; 2] {
        let e = self.digest_to_integer(digest);
        [self.order.mul(w, &e), self.order.mul(w, r)]
    }

    /// The scalars of at most a chunk of messages and their signatures, with one inversion for all.
    fn scalars_batch<H: NonceHash>(
        &self,
        items: &[(&[u8], Integers<W>)],
        out: &mut [[[u64; W]; 2]; CHUNK],
    ) -> Result<(), Error> {
        let n = items.len();
        let digests = digests::<H>(items.iter().map(|(message, _)| *message))?;
        let (mut ss, mut ws) = ([[0; W]; CHUNK], [[0; W]; CHUNK]);
        for (to, (_, [_, s])) in ss.iter_mut().zip(items) {
            *to = *s;
        }
        self.order.invert_all(&ss[..n], &mut ws[..n]);
        for (i, (_, [r, _])) in items.iter().enumerate() {
            out[i] = self.scalars_of(digests[i].as_ref(), r, &ws[i]);
        }
        Ok(())
    }
}

/// The digests of at most a chunk of messages.
fn digests<'a, H: NonceHash>(
    messages: impl ExactSizeIterator<Item = &'a [u8]>,
) -> Result<[H::Output; CHUNK], Error> {
    let n = messages.len();
    let mut parts: [&[u8]; CHUNK] = [&[]; CHUNK];
    for (part, message) in parts.iter_mut().zip(messages) {
        *part = message;
    }
    // To be written over.
    let mut digests = [H::digest(&[]); CHUNK];
    H::digest_batch_into(&parts[..n], &mut digests[..n])?;
    Ok(digests)
}

/// [`PrivateKey::sign_prehashed`], with nonces of any hash and extra data.
pub(super) fn sign<C: Curve<W>, const W: usize>(
    key: &PrivateKey<C, W>,
    digest: &[u8],
    extra: &[u8],
    nonces: Nonces,
) -> Signature<C, W> {
    let mul_base = |k: &[u64; W]| key.public.backend.mul_base(k);
    from_integers(&C::NUMBERS.sign(&key.d, digest, extra, nonces, &mul_base))
}

/// [`PrivateKey::sign`], with extra data for the nonce.
pub(super) fn sign_message<C: Curve<W>, const W: usize>(
    key: &PrivateKey<C, W>,
    message: &[u8],
    extra: &[u8],
) -> Signature<C, W> {
    let digest = C::Hash::digest(message);
    sign(key, digest.as_ref(), extra, accepted_candidate::<C::Hash>)
}

/// A signature as the curve has them.
fn from_integers<C: Curve<W>, const W: usize>([r, s]: &Integers<W>) -> Signature<C, W> {
    let s = if C::LOW_S {
        Signature::<C, W>::low(s)
    } else {
        *s
    };
    let mut signature = [*r, s];
    ct::mark_public_value(&mut signature); // but not which s was the signer's
    Signature::from_integers(&signature[0], &signature[1])
}

/// [`PublicKey::verify_prehashed`]. That r and s are in range, a [`Signature`] has been checked for.
pub(super) fn verify<C: Curve<W>, const W: usize>(
    key: &PublicKey<C, W>,
    digest: &[u8],
    signature: &Signature<C, W>,
) -> Result<(), Error> {
    let (r, s) = signature.integers();
    let [u1, u2] = C::NUMBERS.scalars(digest, &[r, s]);
    if key.backend.has_x_vartime(&u1, &u2, &key.point, &r) {
        Ok(())
    } else {
        Err(Error::BadSignature)
    }
}

/// [`sign_batch_into`].
pub(super) fn sign_in_chunks<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &[u8])],
    out: &mut [Signature<C, W>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        if let [(key, message)] = items {
            out[0] = sign_message(key, message, &[]);
            continue;
        }
        let (first, _) = items[0];
        let parts: [(&[u64; W], &[u8]); CHUNK] = core::array::from_fn(|i| {
            let (key, message) = items.get(i).unwrap_or(&items[0]);
            (&*key.d, *message)
        });
        let mut made = [None; CHUNK];
        let mul_base_batch =
            |ks: &[[u64; W]], out: &mut [_]| first.public.backend.mul_base_batch(ks, out);
        let parts = &parts[..items.len()];
        C::NUMBERS.sign_chunk::<C::Hash>(parts, &mul_base_batch, &mut made)?;
        for ((signature, made), (key, message)) in out.iter_mut().zip(&made).zip(items) {
            *signature = match made {
                Some(integers) => from_integers(integers),
                None => sign_message(key, message, &[]),
            };
        }
    }
    Ok(())
}

/// [`verify_batch_into`].
#[cfg(feature = "alloc")]
pub(super) fn verify_in_chunks<C: Curve<W>, const W: usize>(
    items: &[(&PublicKey<C, W>, &[u8], &Signature<C, W>)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHECKS).zip(out.chunks_mut(CHECKS)) {
        let mut checks: Vec<Check<W>> = Vec::with_capacity(items.len());
        for items in items.chunks(CHUNK) {
            let parts: [(&[u8], Integers<W>); CHUNK] = core::array::from_fn(|i| {
                let (_, message, signature) = items.get(i).unwrap_or(&items[0]);
                let (r, s) = signature.integers();
                (*message, [r, s])
            });
            let parts = &parts[..items.len()];
            let mut scalars = [[[0; W]; 2]; CHUNK];
            C::NUMBERS.scalars_batch::<C::Hash>(parts, &mut scalars)?;
            for (((key, ..), (_, [r, _])), [u1, u2]) in items.iter().zip(parts).zip(scalars) {
                checks.push((u1, u2, key.point, *r));
            }
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

impl<C: Curve<W>, const W: usize> PrivateKey<C, W> {
    /// Signs the digest of `message` by the curve's hash ([`Curve::Hash`]), with the nonce of RFC 6979: the same message and key
    /// give the same signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature<C, W> {
        C::sign_message(self, message, &[])
    }

    /// Signs a digest of any length, of which as many bits count as n has, the leftmost. The nonce is
    /// that of RFC 6979 with the curve's hash.
    #[must_use]
    pub fn sign_prehashed(&self, digest: &[u8]) -> Signature<C, W> {
        self.sign_prehashed_with::<C::Hash>(digest)
    }

    /// Signs a digest with the nonce of RFC 6979 for the hash `H`: for the standard's signatures
    /// where the digest is not that of the curve's hash.
    ///
    /// ```
    /// use adamant_ec::p256::PrivateKey;
    /// use adamant_hash::Sha384;
    /// let key = PrivateKey::from_bytes(&[7; 32]).unwrap();
    /// let digest = Sha384::digest(b"a message");
    /// let signature = key.sign_prehashed_with::<Sha384>(&digest);
    /// key.public_key().verify_prehashed(&digest, &signature).unwrap();
    /// ```
    #[must_use]
    pub fn sign_prehashed_with<H: Hash>(&self, digest: &[u8]) -> Signature<C, W> {
        self.sign_prehashed_by(digest, accepted_candidate::<H>)
    }

    /// [`PrivateKey::sign_prehashed_with`] where the hash is chosen at run time.
    #[doc(hidden)]
    #[must_use]
    pub fn sign_prehashed_by(&self, digest: &[u8], nonces: Nonces) -> Signature<C, W> {
        C::sign(self, digest, &[], nonces)
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
        Ok(C::sign_message(self, message, &*extra))
    }

    /// Signs a digest like [`PrivateKey::sign_prehashed`], hedged like [`PrivateKey::sign_hedged`].
    ///
    /// ```
    /// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
    /// use adamant_ec::p256::PrivateKey;
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let digest = adamant_hash::Sha256::digest(b"a message");
    /// let signature = key.sign_hedged_prehashed(&digest, &mut rng)?;
    /// key.public_key().verify(b"a message", &signature)?;
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged_prehashed(
        &self,
        digest: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Signature<C, W>, Error> {
        let mut extra = Secret::new([0; 32]);
        rng.fill(&mut *extra)?;
        Ok(C::sign(
            self,
            digest,
            &*extra,
            accepted_candidate::<C::Hash>,
        ))
    }

    /// The pair-wise consistency test: signs a message, which the public key has to verify.
    ///
    /// ```
    /// use adamant_ec::p256::PrivateKey;
    /// assert!(PrivateKey::from_bytes(&[7; 32])?.check_pair().is_ok());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit.
    pub fn check_pair(&self) -> Result<(), Error> {
        Signer::check_pair(self)
    }
}

impl<C: Curve<W>, const W: usize> PublicKey<C, W> {
    /// Checks a signature over the digest of `message` by the curve's hash ([`Curve::Hash`]).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature<C, W>) -> Result<(), Error> {
        self.verify_prehashed(C::Hash::digest(message).as_ref(), signature)
    }

    /// Checks a signature over a digest of any length, of which as many bits count as n has, the
    /// leftmost (FIPS 186-5, 6.4.2).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_prehashed(
        &self,
        digest: &[u8],
        signature: &Signature<C, W>,
    ) -> Result<(), Error> {
        C::verify_prehashed(self, digest, signature)
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

    #[cfg(feature = "alloc")]
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        C::generate_batch(count, rng)
    }

    #[cfg(feature = "alloc")]
    fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<Signature<C, W>> {
        sign_batch(items)
    }
}

impl<C: Curve<W>, const W: usize> Verifier for PublicKey<C, W> {
    type Signature = Signature<C, W>;

    fn signature(octets: &[u8]) -> Result<Signature<C, W>, Error> {
        Signature::try_from(octets).map_err(|_| Error::BadSignature)
    }

    fn verify(&self, message: &[u8], signature: &Signature<C, W>) -> Result<(), Error> {
        self.verify(message, signature)
    }

    fn signature_from_x509(bits: &[u8]) -> Result<Signature<C, W>, Error> {
        Signature::from_der(bits)
    }

    #[cfg(feature = "alloc")]
    fn signature_to_x509(signature: &Signature<C, W>) -> Vec<u8> {
        signature.to_der().as_ref().to_vec()
    }

    #[cfg(feature = "alloc")]
    fn verify_batch(items: &[(&Self, &[u8], &Signature<C, W>)]) -> Vec<Result<(), Error>> {
        verify_batch(items)
    }
}

/// The signature of each message with its key, as [`PrivateKey::sign`] makes it. The implementation
/// is that of the first key.
///
/// ```
/// use adamant_ec::p256::{PrivateKey, sign_batch};
/// let key = PrivateKey::from_bytes(&[7; 32])?;
/// let signatures = sign_batch(&[(&key, b"one"), (&key, b"two")]);
/// assert_eq!(signatures, [key.sign(b"one"), key.sign(b"two")]);
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn sign_batch<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &[u8])],
) -> Vec<Signature<C, W>> {
    let mut out = vec![Signature::from_integers(&[0; W], &[0; W]); items.len()];
    sign_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`sign_batch`] into memory that is there.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
pub fn sign_batch_into<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &[u8])],
    out: &mut [Signature<C, W>],
) -> Result<(), Error> {
    C::sign_batch_into(items, out)
}

/// The verdict on each signature, as [`PublicKey::verify`] gives it. The implementation is that of
/// the first key. Many signatures of a single key are checked sooner than those of several.
#[cfg(feature = "alloc")]
#[must_use]
pub fn verify_batch<C: Curve<W>, const W: usize>(
    items: &[(&PublicKey<C, W>, &[u8], &Signature<C, W>)],
) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`verify_batch`] into memory that is there.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; the verdicts are in `out`.
#[cfg(feature = "alloc")]
pub fn verify_batch_into<C: Curve<W>, const W: usize>(
    items: &[(&PublicKey<C, W>, &[u8], &Signature<C, W>)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    C::verify_batch_into(items, out)
}
