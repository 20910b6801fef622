//! Ed25519 signatures (RFC 8032, section 5.1; FIPS 186-5, section 7).
//!
//! ```
//! use adamant_ec::ed25519::{PrivateKey, PublicKey, Signature};
//! let key = PrivateKey::from_seed(&[7; 32]); // 32 random bytes; or PrivateKey::generate(rng)
//! let signature = key.sign(b"attack at dawn");
//!
//! let public = PublicKey::from_bytes(&key.public_key().to_bytes())?;
//! let received = Signature::from_bytes(&signature.to_bytes())?;
//! public.verify(b"attack at dawn", &received)?;
//! assert!(public.verify(b"attack at dusk", &received).is_err());
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! # What verifies
//!
//! Implementations of Ed25519 differ on signatures that no honest signer makes. This one, alone
//! and in batches, accepts a signature (R, S) by the key A over M exactly if
//!
//! * A and R are canonical encodings of points of the curve (RFC 8032, section 5.1.3): y is below
//!   p, and x = 0 goes with sign bit 0;
//! * S is below the order l of the base point;
//! * `[8][S]B = [8]R + [8][k]A` with k = SHA-512(R || A || M): the cofactored equation of
//!   section 5.1.7, the only one for which a batch can be checked at once with the same outcome.
//!
//! Points of small order are accepted as A and R, as the RFC says. Under such a key one signature
//! fits many messages: where a key must bind its owner to a message, refuse keys for which
//! [`PublicKey::has_small_order`] holds.
//!
//! Every operation on a private key runs in constant time; verification does not, and need not.

use super::edwards::Affine;
use super::portable64;
use super::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use super::{x86_bmi2, x86_ifma};
use adamant_base::family::{Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct};
use adamant_hash::Sha512;
use alloc::vec::Vec;
use core::fmt;

adamant_base::backends! {
    /// An implementation of the operations of edwards25519 that Ed25519 needs.
    pub struct Backend {
        /// The scalar, which must be below 2^255, times the base point.
        fn mul_base(scalar: &[u8; 32]) -> Affine;
        /// The point of a canonical encoding. Variable time.
        fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine>;
        /// Whether `[8]([s]B - [k]A - R)` is the neutral point; scalars below 2^253 in words,
        /// least significant first. Variable time.
        fn verify_vartime(a: &Affine, k: &[u64; 4], s: &[u64; 4], r: &Affine) -> bool;
    }
    #[cfg(target_arch = "x86_64")]
    x86_ifma if ["avx512ifma", "avx512vl", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    _ => portable64;
}

/// A private key, with its public key.
#[derive(Clone)]
pub struct PrivateKey {
    seed: Secret<[u8; 32]>,
    /// The secret scalar, mod l.
    scalar: Secret<Scalar>,
    /// What the nonces are derived from.
    prefix: Secret<[u8; 32]>,
    public: PublicKey,
}

/// A public key: a point of the curve.
#[derive(Clone, Copy)]
pub struct PublicKey {
    bytes: [u8; 32],
    point: Affine,
    backend: Backend,
}

/// A signature: the encoding of a point R, not yet decoded, and a number S below l.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature([u8; 64]);

/// SHA-512 of the parts in a row.
fn sha512(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Sha512::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize()
}

impl PrivateKey {
    /// A new key from 32 random bytes.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut seed = Secret::new([0; 32]);
        rng.fill(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed (RFC 8032, section 5.1.5, where the seed is called the private key); all
    /// seeds are good. Computes the public key: one multiplication of the base point.
    ///
    /// ```
    /// # use adamant_ec::ed25519::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 32]);
    /// assert_eq!(*key.seed(), [7; 32]);
    /// ```
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self::from_seed_on(seed, Backend::best())
    }

    /// As [`PrivateKey::from_seed`], on the given implementation.
    #[must_use]
    pub fn from_seed_on(seed: &[u8; 32], backend: Backend) -> Self {
        let mut expanded = Secret::new(sha512(&[seed]));
        expanded[0] &= 248;
        expanded[31] &= 127;
        expanded[31] |= 64;
        let (halves, _) = expanded.as_chunks::<32>();
        let mut point = backend.mul_base(&halves[0]);
        ct::mark_public_value(&mut point); // It is to be published.
        PrivateKey {
            seed: Secret::new(*seed),
            scalar: Secret::new(Scalar::reduce(&halves[0])),
            prefix: Secret::new(halves[1]),
            public: PublicKey {
                bytes: point.compress(),
                point,
                backend,
            },
        }
    }

    /// The same key on the given implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.public.backend = backend;
        self
    }

    /// The seed that the key comes from.
    #[must_use]
    pub fn seed(&self) -> Secret<[u8; 32]> {
        self.seed.clone()
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// Signs `message` (RFC 8032, section 5.1.6). The same message gives the same signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        let nonce_hash = Secret::new(sha512(&[&*self.prefix, message]));
        let nonce = Secret::new(Scalar::reduce_wide(&nonce_hash));
        let nonce_bytes = Secret::new(nonce.to_bytes());
        let mut point = self.public.backend.mul_base(&nonce_bytes);
        ct::mark_public_value(&mut point); // R is half of the signature.
        let r = point.compress();
        let k = Scalar::reduce_wide(&sha512(&[&r, &self.public.bytes, message]));
        let s = k.mul_add(&self.scalar, &nonce).to_bytes();
        ct::mark_public(&s); // S is the other half.
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&r);
        signature[32..].copy_from_slice(&s);
        Signature(signature)
    }
}

impl PublicKey {
    /// Reads the 32 bytes of a key.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for another length, and unless they are the canonical encoding of
    /// a point of the curve.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// As [`PublicKey::from_bytes`], on the given implementation.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let bytes = bytes.try_into().map_err(|_| Error::BadPublicKey)?;
        let point = backend.decompress_vartime(&bytes);
        let point = point.ok_or(Error::BadPublicKey)?;
        Ok(PublicKey {
            bytes,
            point,
            backend,
        })
    }

    /// The same key on the given implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The 32 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// Whether the point is one of the eight of small order, which no private key has.
    ///
    /// ```
    /// # use adamant_ec::ed25519::PublicKey;
    /// let mut neutral = [0; 32];
    /// neutral[0] = 1;
    /// assert!(PublicKey::from_bytes(&neutral).unwrap().has_small_order());
    /// ```
    #[must_use]
    pub fn has_small_order(&self) -> bool {
        self.point.has_small_order_vartime()
    }

    /// Checks `signature` over `message` (RFC 8032, section 5.1.7, cofactored).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        let (halves, _) = signature.0.as_chunks::<32>();
        let s = Scalar::from_canonical_vartime(&halves[1]).ok_or(Error::BadSignature)?;
        let r = self.backend.decompress_vartime(&halves[0]);
        let r = r.ok_or(Error::BadSignature)?;
        let k = Scalar::reduce_wide(&sha512(&[&halves[0], &self.bytes, message]));
        if self
            .backend
            .verify_vartime(&self.point, k.words(), s.words(), &r)
        {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKey").field(&self.bytes).finish()
    }
}

impl AsRef<[u8]> for PublicKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Signature {
    /// Reads the 64 bytes of a signature.
    ///
    /// # Errors
    /// [`Error::BadSignature`] for another length, and unless S is below l.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes: [u8; 64] = bytes.try_into().map_err(|_| Error::BadSignature)?;
        let (halves, _) = bytes.as_chunks::<32>();
        Scalar::from_canonical_vartime(&halves[1]).ok_or(Error::BadSignature)?;
        Ok(Signature(bytes))
    }

    /// The 64 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 64] {
        self.0
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Signer for PrivateKey {
    type Verifier = PublicKey;

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        PrivateKey::generate(rng)
    }
    fn verifier(&self) -> PublicKey {
        self.public
    }
    fn sign(&self, message: &[u8]) -> Signature {
        PrivateKey::sign(self, message)
    }
}

impl Verifier for PublicKey {
    type Signature = Signature;

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        PublicKey::verify(self, message, &Signature::from_bytes(signature)?)
    }
}

/// Makes `count` keys.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn keygen_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    (0..count).map(|_| PrivateKey::generate(rng)).collect()
}

/// [`PrivateKey::sign`] for many messages: `out[i]` is the signature of `items[i]`.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn sign_batch(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
    super::same_length(items.len(), out.len())?;
    for ((key, message), signature) in items.iter().zip(out) {
        *signature = key.sign(message);
    }
    Ok(())
}

/// [`PublicKey::verify`] for many signatures: `out[i]` is what `items[i]` gives.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn verify_batch(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    super::same_length(items.len(), out.len())?;
    for ((key, message, signature), result) in items.iter().zip(out) {
        *result = key.verify(message, signature);
    }
    Ok(())
}
