//! ECDSA on P-256 (FIPS 186-5, 6.4), with the nonces of RFC 6979.

use super::keys::CHUNK;
use super::limbs::{self, Limbs};
use super::scalar::{self, Scalar};
use super::{Check, PrivateKey, PublicKey, Signature};
use adamant_base::family::{Hash, Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct};
use adamant_hash::Sha256;
use adamant_hash::hmac_drbg::Rfc6979;

/// The leftmost 256 bits of a digest as an integer (bits2int), modulo n.
fn digest_to_integer(digest: &[u8]) -> Limbs {
    let mut bytes = [0; 32];
    let len = digest.len().min(32);
    bytes[32 - len..].copy_from_slice(&digest[..len]);
    scalar::reduce(&limbs::from_be_bytes(&bytes))
}

impl PrivateKey {
    /// Signs the SHA-256 digest of `message`, with the nonce of RFC 6979: the same message and key
    /// give the same signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_digest(&Sha256::digest(message))
    }

    /// Signs a digest of any length, of which the leftmost 256 bits count. The nonce is that of
    /// RFC 6979 with SHA-256.
    #[must_use]
    pub fn sign_digest(&self, digest: &[u8]) -> Signature {
        self.sign_digest_with::<Sha256>(digest)
    }

    /// Signs a digest with the nonce of RFC 6979 for the hash `H`: for the standard's signatures
    /// where the digest is not SHA-256's.
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
    pub fn sign_digest_with<H: Hash>(&self, digest: &[u8]) -> Signature {
        self.sign_with_extra::<H>(digest, &[])
    }

    /// Signs like [`PrivateKey::sign`] with 32 random bytes mixed into the nonce (RFC 6979, 3.6):
    /// no fault or measurement repeats, and a weak generator does no harm.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged(&self, message: &[u8], rng: &mut impl Rng) -> Result<Signature, Error> {
        let mut extra = Secret::new([0; 32]);
        rng.fill(&mut *extra)?;
        Ok(self.sign_with_extra::<Sha256>(&Sha256::digest(message), &*extra))
    }

    /// The nonces of RFC 6979 for the integer `e` of a digest.
    fn nonces<H: Hash>(&self, e: &Limbs, extra: &[u8]) -> Rfc6979<H> {
        Rfc6979::new(&*self.to_bytes(), &limbs::to_be_bytes(e), extra)
    }

    /// FIPS 186-5, 6.4.1.
    fn sign_with_extra<H: Hash>(&self, digest: &[u8], extra: &[u8]) -> Signature {
        let e = digest_to_integer(digest);
        let mut nonces = self.nonces::<H>(&e, extra);
        let mut bytes = Secret::new([0; 32]);
        loop {
            nonces.next(&mut *bytes);
            let k = Secret::new(limbs::from_be_bytes(&bytes));
            // A candidate that is refused is used for nothing else.
            if !scalar::is_valid(&k).declassify() {
                continue;
            }
            let [x, _] = self.public.backend.mul_base(&k);
            // As above; this happens once in 2^255 signatures.
            if let Some(signature) = self.signature(&e, &x, &Scalar::inverse_of(&k)) {
                return signature;
            }
        }
    }

    /// The signature of `e` for a nonce's multiple of G, of which this is x, and the inverse of
    /// the nonce; none where r or s is zero.
    fn signature(&self, e: &Limbs, x: &Limbs, inverse: &Scalar) -> Option<Signature> {
        let inverse = Secret::new(inverse.0);
        let d = Secret::new(Scalar::from_integer(&self.d).0);
        let mut r = scalar::reduce(x);
        let rd = Secret::new(Scalar(*d).mul_integer(&r));
        let sum = Secret::new(scalar::add(e, &rd));
        let mut s = Scalar(*inverse).mul_integer(&sum);
        if scalar::is_zero(&r).or(scalar::is_zero(&s)).declassify() {
            return None;
        }
        // A signature is public.
        ct::mark_public_value(&mut r);
        ct::mark_public_value(&mut s);
        Some(Signature::from_integers(&r, &s))
    }
}

impl PublicKey {
    /// Checks a signature over the SHA-256 digest of `message`.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_digest(&Sha256::digest(message), signature)
    }

    /// Checks a signature over a digest of any length, of which the leftmost 256 bits count
    /// (FIPS 186-5, 6.4.2).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_digest(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        let (r, s) = signature.integers();
        let w = Scalar::inverse_of_vartime(&s);
        let u1 = w.mul_integer(&digest_to_integer(digest));
        let u2 = w.mul_integer(&r);
        if self.backend.has_x_vartime(&u1, &u2, &self.point, &r) {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
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
}

impl Verifier for PublicKey {
    type Signature = Signature;

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify(message, &Signature::from_bytes(signature)?)
    }
}

/// The signature of each message with its key, as [`PrivateKey::sign`] makes it. The implementation
/// is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
pub fn sign_batch(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
    check_lengths(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut digests = [[0; 32]; CHUNK];
        let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (to, (_, message)) in messages.iter_mut().zip(items) {
            *to = message;
        }
        Sha256::digest_batch(&messages[..items.len()], &mut digests[..items.len()])?;
        let mut es = [[0; 4]; CHUNK];
        let mut ks = Secret::new([[0; 4]; CHUNK]);
        let mut valid = [true; CHUNK];
        for (i, (key, _)) in items.iter().enumerate() {
            es[i] = digest_to_integer(&digests[i]);
            let mut bytes = Secret::new([0; 32]);
            key.nonces::<Sha256>(&es[i], &[]).next(&mut *bytes);
            ks[i] = limbs::from_be_bytes(&bytes);
            // A candidate that is refused is used for nothing else.
            valid[i] = scalar::is_valid(&ks[i]).declassify();
            if !valid[i] {
                ks[i] = [1, 0, 0, 0];
            }
        }
        let mut points = Secret::new([[[0; 4]; 2]; CHUNK]);
        let backend = items[0].0.public.backend;
        backend.mul_base_batch(&ks[..items.len()], &mut *points);
        let mut inverses = Secret::new([[0; 4]; CHUNK]);
        scalar::invert_all(&ks[..items.len()], &mut inverses[..items.len()]);
        for (i, ((key, message), signature)) in items.iter().zip(out).enumerate() {
            let k_inverse = Scalar(inverses[i]);
            let made = key.signature(&es[i], &points[i][0], &k_inverse);
            // Once in 2^32 signatures there is another candidate to try.
            let made = made.filter(|_| valid[i]);
            *signature = made.unwrap_or_else(|| key.sign(message));
        }
    }
    Ok(())
}

/// The verdict on each signature, as [`PublicKey::verify`] gives it. The implementation is that of
/// the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`; the verdicts are in `out`.
pub fn verify_batch(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    check_lengths(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        let mut digests = [[0; 32]; CHUNK];
        let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
        let mut ss = [[0; 4]; CHUNK];
        for (i, (_, message, signature)) in items.iter().enumerate() {
            messages[i] = message;
            ss[i] = signature.integers().1;
        }
        Sha256::digest_batch(&messages[..len], &mut digests[..len])?;
        let mut ws = [[0; 4]; CHUNK];
        scalar::invert_all(&ss[..len], &mut ws[..len]);
        let mut checks: [Check; CHUNK] = [Default::default(); CHUNK];
        for (i, (key, _, signature)) in items.iter().enumerate() {
            let (w, (r, _)) = (Scalar(ws[i]), signature.integers());
            let u1 = w.mul_integer(&digest_to_integer(&digests[i]));
            checks[i] = (u1, w.mul_integer(&r), key.point, r);
        }
        let mut verdicts = [false; CHUNK];
        let backend = items[0].0.backend;
        backend.has_x_batch_vartime(&checks[..len], &mut verdicts);
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

/// Whether a batch has room for each result.
pub(super) fn check_lengths(expected: usize, actual: usize) -> Result<(), Error> {
    if expected == actual {
        Ok(())
    } else {
        Err(Error::BadLength { expected, actual })
    }
}
