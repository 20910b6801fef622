//! SM2 signatures (GB/T 32918.2), with deterministic nonces.
//!
//! The signature is of e = SM3(Z ‖ M): Z is a digest of the signer's identity, the curve and the
//! public key. The nonce is that of RFC 6979 with SM3, for e.

use super::keys::to_bytes;
use super::{CHECKS, CHUNK, Limbs, ORDER, PrivateKey, PublicKey, Signature};
use crate::weierstrass::sm2p256v1::{Check, Sm2P256v1};
use crate::weierstrass::{Curve, words};
use adamant_base::family::{Signer, Verifier};
use adamant_base::lazy::Lazy;
use adamant_base::simd::{from_fn, map};
use adamant_base::{Error, Rng, Secret, ct, same_length};
use adamant_hash::Sm3;
use adamant_hash::hazmat::hmac_drbg::{Rfc6979, accepted_candidates};
use alloc::vec;
use alloc::vec::Vec;

/// The identity of a signer who has none (GM/T 0009, 10).
pub const DEFAULT_IDENTITY: &[u8] = b"1234567812345678";

/// The longest identity in bytes: its length in bits has to fit 16 of them.
pub const MAX_IDENTITY_LEN: usize = 8191;

/// What Z is the digest of between the identity and the key: a, b and G.
static CURVE: [u8; 128] = {
    let mut bytes = [0; 128];
    let [x, y] = Sm2P256v1::G;
    let numbers = [Sm2P256v1::A, Sm2P256v1::B, x, y];
    let mut i = 0;
    while i < 128 {
        bytes[i] = (numbers[i / 32][3 - i % 32 / 8] >> (56 - i % 8 * 8)) as u8;
        i += 1;
    }
    bytes
};

/// The digest modulo n.
fn digest_to_integer(digest: &[u8; 32]) -> Limbs {
    ORDER.reduce(&words::from_be_bytes(digest))
}

/// Whether a nonce is from 1 to n - 1. One that is refused is used for nothing else.
fn is_valid(nonce: &Limbs) -> bool {
    ORDER.is_above_and_not_zero(nonce).declassify()
}

/// The identity's length in bits, as Z begins with it.
fn entl(identity: &[u8]) -> Result<[u8; 2], Error> {
    if identity.len() > MAX_IDENTITY_LEN {
        return Err(Error::BadLength {
            expected: MAX_IDENTITY_LEN,
            actual: identity.len(),
        });
    }
    Ok((8 * identity.len() as u16).to_be_bytes())
}

impl PublicKey {
    /// Z, the digest of an identity, the curve and this key (GB/T 32918.2, 5.5).
    ///
    /// # Errors
    /// [`Error::BadLength`] for an identity of more than [`MAX_IDENTITY_LEN`] bytes.
    pub fn identity_digest(&self, identity: &[u8]) -> Result<[u8; 32], Error> {
        let mut hash = Sm3::new();
        hash.update(&entl(identity)?);
        hash.update(identity);
        hash.update(&CURVE);
        hash.update(&self.coordinates());
        Ok(hash.finalize())
    }

    /// e, the digest that is signed: of Z and the message.
    ///
    /// # Errors
    /// As [`PublicKey::identity_digest`].
    pub fn message_digest(&self, message: &[u8], identity: &[u8]) -> Result<[u8; 32], Error> {
        let mut hash = Sm3::new();
        hash.update(&self.identity_digest(identity)?);
        hash.update(message);
        Ok(hash.finalize())
    }

    /// Z of the default identity, laid out for hashing.
    fn default_preimage(&self) -> [u8; 210] {
        let mut bytes = [0; 210];
        bytes[1] = 8 * DEFAULT_IDENTITY.len() as u8;
        bytes[2..18].copy_from_slice(DEFAULT_IDENTITY);
        bytes[18..146].copy_from_slice(&CURVE);
        bytes[146..].copy_from_slice(&self.coordinates());
        bytes
    }

    /// e for the default identity.
    fn default_digest(&self, message: &[u8]) -> [u8; 32] {
        // The blocks that all keys share.
        static SHARED: Lazy<Sm3> = Lazy::new();
        const LEN: usize = 128;
        let preimage = self.default_preimage();
        let hash = SHARED.get_or_make(|| {
            let mut hash = Sm3::new();
            hash.update(&preimage[..LEN]);
            hash
        });
        let mut hash = hash.clone();
        hash.update(&preimage[LEN..]);
        let z = hash.finalize();
        let mut hash = Sm3::new();
        hash.update(&z);
        hash.update(message);
        hash.finalize()
    }

    /// Checks a signature over `message` under the default identity.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_prehashed(&self.default_digest(message), signature)
    }

    /// Checks a signature over `message` under the identity of its signer.
    ///
    /// # Errors
    /// [`Error::BadLength`] for an identity of more than [`MAX_IDENTITY_LEN`] bytes,
    /// [`Error::BadSignature`] for every other reason.
    pub fn verify_with_identity(
        &self,
        message: &[u8],
        identity: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_prehashed(&self.message_digest(message, identity)?, signature)
    }

    /// Checks a signature over e, the digest of Z and the message (GB/T 32918.2, 7.1, from B5 on).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_prehashed(&self, digest: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        let (s, t, q, x) = self.check(digest, signature).ok_or(Error::BadSignature)?;
        if self.0.backend.has_x_vartime(&s, &t, &q, &x) {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
    }

    /// What is to be checked: that s G + t P has the x coordinate r - e modulo n, for t = r + s,
    /// which must not be 0.
    fn check(&self, digest: &[u8; 32], signature: &Signature) -> Option<Check> {
        let (r, s) = signature.integers();
        let t = ORDER.add(&r, &s);
        if words::is_zero(&t).declassify() {
            return None;
        }
        let x = ORDER.sub(&r, &digest_to_integer(digest));
        Some((s, t, self.0.point, x))
    }
}

impl PrivateKey {
    /// Signs `message` under the default identity. The same message and key give the same
    /// signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_prehashed(&self.public.default_digest(message))
    }

    /// Signs `message` under an identity, which verifiers have to know.
    ///
    /// # Errors
    /// [`Error::BadLength`] for an identity of more than [`MAX_IDENTITY_LEN`] bytes.
    pub fn sign_with_identity(&self, message: &[u8], identity: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign_prehashed(&self.public.message_digest(message, identity)?))
    }

    /// Signs e, the digest of Z and a message ([`PublicKey::message_digest`]).
    #[must_use]
    pub fn sign_prehashed(&self, digest: &[u8; 32]) -> Signature {
        self.sign_with_extra(digest, &[])
    }

    /// Signs like [`PrivateKey::sign`] with 32 random bytes mixed into the nonce (RFC 6979, 3.6): no
    /// fault or measurement repeats, and a weak generator does no harm.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged(&self, message: &[u8], rng: &mut impl Rng) -> Result<Signature, Error> {
        self.sign_hedged_prehashed(&self.public.default_digest(message), rng)
    }

    /// Signs `message` under an identity, hedged like [`PrivateKey::sign_hedged`].
    ///
    /// # Errors
    /// As [`PrivateKey::sign_hedged`] and [`PrivateKey::sign_with_identity`].
    pub fn sign_hedged_with_identity(
        &self,
        message: &[u8],
        identity: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Signature, Error> {
        self.sign_hedged_prehashed(&self.public.message_digest(message, identity)?, rng)
    }

    /// Signs e like [`PrivateKey::sign_prehashed`], hedged like [`PrivateKey::sign_hedged`].
    ///
    /// ```
    /// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
    /// use adamant_ec::sm2::PrivateKey;
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let public = key.public_key();
    /// let digest = public.message_digest(b"a message", b"an identity")?;
    /// let signature = key.sign_hedged_prehashed(&digest, &mut rng)?;
    /// public.verify_with_identity(b"a message", b"an identity", &signature)?;
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged_prehashed(
        &self,
        digest: &[u8; 32],
        rng: &mut impl Rng,
    ) -> Result<Signature, Error> {
        let mut extra = Secret::new([0; 32]);
        rng.fill(&mut *extra)?;
        Ok(self.sign_with_extra(digest, &*extra))
    }

    /// The pair-wise consistency test: signs a message, which the public key has to verify.
    ///
    /// ```
    /// use adamant_ec::sm2::PrivateKey;
    /// assert!(PrivateKey::from_bytes(&[7; 32])?.check_pair().is_ok());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit.
    pub fn check_pair(&self) -> Result<(), Error> {
        Signer::check_pair(self)
    }

    fn sign_with_extra(&self, digest: &[u8; 32], extra: &[u8]) -> Signature {
        let e = digest_to_integer(digest);
        let mut nonces = Rfc6979::<Sm3>::new(&*self.to_bytes(), &to_bytes(&e), extra);
        let mut bytes = Secret::new([0; 32]);
        loop {
            nonces.next(&mut *bytes);
            let k = Secret::new(words::from_be_bytes(&*bytes));
            if !is_valid(&k) {
                continue;
            }
            let [x, _] = self.public.0.backend.mul_base(&k);
            // One without is used for nothing else; it happens once in 2^254 signatures.
            if let Some(signature) = self.signature(&e, &k, &x) {
                return signature;
            }
        }
    }

    /// The signature with this nonce.
    #[cfg(test)]
    pub(super) fn sign_with_nonce(&self, digest: &[u8; 32], k: &Limbs) -> Option<Signature> {
        let [x, _] = self.public.0.backend.mul_base(k);
        self.signature(&digest_to_integer(digest), k, &x)
    }

    /// The signature of e for a nonce k and x of k G; none where a number is 0 that must not be
    /// (GB/T 32918.2, 6.1, A5 and A6).
    fn signature(&self, e: &Limbs, k: &Limbs, x: &Limbs) -> Option<Signature> {
        let mut r = ORDER.add(e, &ORDER.reduce(x));
        let sum = Secret::new(ORDER.add(&r, k));
        // (k - r d) / (1 + d) = (k + r) / (1 + d) - r
        let quotient = Secret::new(ORDER.mul(&self.inverse, &sum));
        let mut s = ORDER.sub(&quotient, &r);
        let zero = words::is_zero(&r)
            .or(words::is_zero(&sum))
            .or(words::is_zero(&s));
        // A nonce that is refused is used for nothing else.
        if zero.declassify() {
            return None;
        }
        // A signature is public.
        ct::mark_public_value(&mut r);
        ct::mark_public_value(&mut s);
        Some(Signature::from_integers(&r, &s))
    }
}

impl Signer for PrivateKey {
    type Verifier = PublicKey;

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate(rng)
    }

    fn verifier(&self) -> PublicKey {
        self.public_key()
    }

    fn sign(&self, message: &[u8]) -> Signature {
        self.sign(message)
    }

    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        super::generate_batch(count, rng)
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<Signature> {
        super::sign_batch(items)
    }
}

impl Verifier for PublicKey {
    type Signature = Signature;

    fn signature(octets: &[u8]) -> Result<Signature, Error> {
        Signature::try_from(octets).map_err(|_| Error::BadSignature)
    }

    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify(message, signature)
    }

    fn signature_from_x509(bits: &[u8]) -> Result<Signature, Error> {
        Signature::from_der(bits)
    }

    fn signature_to_x509(signature: &Signature) -> Vec<u8> {
        signature.to_der().as_ref().to_vec()
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn verify_batch(items: &[(&Self, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
        super::verify_batch(items)
    }
}

/// e of each message under the default identity, for at most a chunk of them.
#[cfg_attr(not(feature = "lab"), inline)]
fn digests<'a>(
    items: impl ExactSizeIterator<Item = (&'a PublicKey, &'a [u8])> + Clone,
) -> Result<[[u8; 32]; CHUNK], Error> {
    let len = items.len();
    let mut preimages = [[0; 210]; CHUNK];
    for (preimage, (key, _)) in preimages.iter_mut().zip(items.clone()) {
        *preimage = key.default_preimage();
    }
    let mut zs = [[0; 32]; CHUNK];
    let parts = preimages.each_ref().map(|preimage| &preimage[..]);
    Sm3::digest_batch_into(&parts[..len], &mut zs[..len])?;
    let mut digests = [[0; 32]; CHUNK];
    // Room for Z and a message after it, for messages so short that copies do not matter.
    const SHORT: usize = 96;
    if items.clone().all(|(_, message)| message.len() <= SHORT) {
        let mut inputs = [[0; 32 + SHORT]; CHUNK];
        let mut parts: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (((part, input), z), (_, message)) in
            parts.iter_mut().zip(&mut inputs).zip(&zs).zip(items)
        {
            input[..32].copy_from_slice(z);
            input[32..][..message.len()].copy_from_slice(message);
            *part = &input[..32 + message.len()];
        }
        Sm3::digest_batch_into(&parts[..len], &mut digests[..len])?;
    } else {
        for ((digest, z), (_, message)) in digests.iter_mut().zip(&zs).zip(items) {
            let mut hash = Sm3::new();
            hash.update(z);
            hash.update(message);
            *digest = hash.finalize();
        }
    }
    Ok(digests)
}

/// The nonce that RFC 6979 gives for each key and e, for at most a chunk of them.
#[cfg_attr(not(feature = "lab"), inline)]
fn nonces(
    items: &[(&PrivateKey, &[u8])],
    es: &[Limbs; CHUNK],
) -> Result<Secret<[Limbs; CHUNK]>, Error> {
    let len = items.len();
    let mut keys = Secret::new([[0; 32]; CHUNK]);
    for (bytes, (key, _)) in keys.iter_mut().zip(items) {
        words::to_be_bytes(&key.d, bytes);
    }
    let es = map(*es, |e| to_bytes(&e));
    let seeds: [(&[u8], &[u8]); CHUNK] = from_fn(|i| (&keys[i][..], &es[i][..]));
    let mut candidates = Secret::new([[0; 32]; CHUNK]);
    accepted_candidates::<Sm3, _>(&seeds[..len], &mut candidates[..len], |candidate| {
        is_valid(&Secret::new(words::from_be_bytes(candidate)))
    })?;
    let mut nonces = Secret::new([[0; 4]; CHUNK]);
    for (nonce, bytes) in nonces.iter_mut().zip(&*candidates) {
        *nonce = words::from_be_bytes(bytes);
    }
    Ok(nonces)
}

/// [`PrivateKey::sign`] for many messages under the default identity. The implementation is that of the first key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn sign_batch(items: &[(&PrivateKey, &[u8])]) -> Vec<Signature> {
    let mut out = vec![Signature::from_integers(&[0; 4], &[0; 4]); items.len()];
    sign_batch_into(items, &mut out).expect("as many places");
    out
}

/// The signature of each message with its key under the default identity, as [`PrivateKey::sign`]
/// makes it. The implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn sign_batch_into(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        if let [(key, message)] = items {
            out[0] = key.sign(message);
            continue;
        }
        let len = items.len();
        let digests = digests(items.iter().map(|(key, message)| (&key.public, *message)))?;
        let es = map(digests, |digest| digest_to_integer(&digest));
        let ks = nonces(items, &es)?;
        let mut points = Secret::new([[[0; 4]; 2]; CHUNK]);
        let backend = items[0].0.public.0.backend;
        backend.mul_base_batch(&ks[..len], &mut *points);
        for (i, ((key, message), signature)) in items.iter().zip(out).enumerate() {
            let made = key.signature(&es[i], &ks[i], &points[i][0]);
            *signature = made.unwrap_or_else(|| key.sign(message));
        }
    }
    Ok(())
}

/// [`PublicKey::verify`] for many signatures: a verdict on each. The implementation is that of the first
/// key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn verify_batch(items: &[(&PublicKey, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_batch_into(items, &mut out).expect("as many places");
    out
}

/// The verdict on each signature under the default identity, as [`PublicKey::verify`] gives it. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; the verdicts are in `out`.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_into(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHECKS).zip(out.chunks_mut(CHECKS)) {
        let mut checks: Vec<Check> = Vec::with_capacity(items.len());
        let mut possible = Vec::with_capacity(items.len());
        for items in items.chunks(CHUNK) {
            let digests = digests(items.iter().map(|(key, message, _)| (*key, *message)))?;
            for ((key, _, signature), digest) in items.iter().zip(&digests) {
                let check = key.check(digest, signature);
                possible.push(check.is_some());
                // In the place of none, anything that has an answer.
                let any = (words::one(), words::one(), key.0.point, [0; 4]);
                checks.push(check.unwrap_or(any));
            }
        }
        let mut verdicts = vec![false; items.len()];
        let backend = items[0].0.0.backend;
        backend.has_x_batch_vartime(&checks, &mut verdicts);
        for (verdict, valid) in out.iter_mut().zip(verdicts.iter().zip(possible)) {
            *verdict = if valid == (&true, true) {
                Ok(())
            } else {
                Err(Error::BadSignature)
            };
        }
    }
    Ok(())
}
