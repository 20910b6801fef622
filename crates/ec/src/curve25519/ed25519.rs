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
//! [`PublicKey::has_small_order`] holds, or take the last of the three rules:
//!
//! | rule | encodings of A and R | small order | equation |
//! |---|---|---|---|
//! | [`PublicKey::verify`], [`verify_batch`] | canonical | accepted | cofactored |
//! | [`PublicKey::verify_zip215`], [`verify_batch_zip215`] (ZIP 215) | any | accepted | cofactored |
//! | [`PublicKey::verify_strict`], [`verify_batch_strict`] | canonical | refused | `[S]B = R + [k]A` |
//!
//! S is below l under each, and each says the same of a signature alone and in a batch.
//!
//! # Variants
//!
//! [`PrivateKey::sign_with_context`] and [`PrivateKey::sign_prehashed`] are Ed25519ctx and Ed25519ph
//! (RFC 8032, section 5.1); [`PrivateKey::sign_hedged`] mixes fresh randomness into the nonce.
//!
//! Every operation on a private key runs in constant time; verification does not, and need not.

mod batch;
mod domain;

use domain::Domain;

pub use batch::{
    generate_batch, generate_batch_into, sign_batch, sign_batch_into, sign_batch_within,
    verify_batch, verify_batch_into, verify_batch_scratch, verify_batch_strict,
    verify_batch_strict_into, verify_batch_strict_within, verify_batch_within, verify_batch_zip215,
    verify_batch_zip215_into, verify_batch_zip215_within,
};

use super::edwards::Affine;
use super::kernel::{Check, Equation};
use super::memory::Table;
#[cfg(feature = "lab")]
use super::portable16;
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
use super::portable32;
#[cfg(target_pointer_width = "64")]
use super::portable64;
use super::scalar::Scalar;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::x86_avx2;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::x86_ifma;
use adamant_base::family::{Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct};
use adamant_hash::Sha512;
use alloc::vec::Vec;
use core::fmt;

adamant_base::backends! {
    /// An implementation of the operations of edwards25519 that Ed25519 needs.
    pub(crate) struct Backend {
        /// The scalar, which must be below 2^255, times the base point.
        fn mul_base(scalar: &[u8; 32]) -> Affine;
        /// The point of an encoding, canonical or not: a y from p on is taken modulo p, and the
        /// sign of x = 0 does not matter. Variable time.
        fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine>;
        /// Whether a signature fulfils the equation. Variable time.
        fn verify_vartime(equation: Equation, item: &Check) -> bool;
        batch {
            /// `mul_base` of each; there is as much room as there are scalars, here and below.
            fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]);
            /// `decompress_vartime` of each.
            fn decompress_batch_vartime(bytes: &[[u8; 32]], out: &mut [Option<Affine>]);
            /// `verify_vartime` of each.
            fn verify_batch_vartime(equation: Equation, items: &[Check], out: &mut [bool]);
            /// Whether `[8]([base]B - sum)` is the neutral point, where the sum is that of k A + s R
            /// over all terms, for odd k below 2^254 and odd s below 2^128. There are two tables for
            /// each eight terms. Variable time.
            fn sum_is_small_vartime(base: &[u64; 4], terms: &[Check], tables: &mut [Table]) -> bool;
        }
    }
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    x86_ifma if ["avx512f", "avx512ifma", "avx512vl", "bmi2"];
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    x86_avx2 if ["avx2", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    portable32 if [];
    #[cfg(feature = "lab")]
    portable16 if [];
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

/// Makes the first half of a seed's hash the secret scalar (RFC 8032, section 5.1.5).
fn clamp(expanded: &mut [u8; 64]) {
    expanded[0] &= 248;
    expanded[31] &= 127;
    expanded[31] |= 64;
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
        let mut expanded = Secret::new(Sha512::digest(seed));
        clamp(&mut expanded);
        let (halves, _) = expanded.as_chunks::<32>();
        let point = backend.mul_base(&halves[0]);
        Self::from_parts(seed, &expanded, point, backend)
    }

    /// The key of a seed, given its hash, clamped, and the public key.
    fn from_parts(
        seed: &[u8; 32],
        expanded: &[u8; 64],
        mut point: Affine,
        backend: Backend,
    ) -> Self {
        let (halves, _) = expanded.as_chunks::<32>();
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
        self.sign_in(&Domain::Pure, None, message)
    }

    /// As [`PrivateKey::sign`], with 32 fresh random bytes in the nonce besides the key and the
    /// message: a fault in one of two computations of the same signature, or a side channel over
    /// many, then tells less. The nonce is the hash of the random bytes, the prefix, zeros up to a
    /// whole block of 128 bytes, and the message; the signature verifies like any other.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged(&self, message: &[u8], rng: &mut impl Rng) -> Result<Signature, Error> {
        let mut random = Secret::new([0; 32]);
        rng.fill(&mut *random)?;
        Ok(self.sign_in(&Domain::Pure, Some(&random), message))
    }

    /// The nonce. Not inlined, as the challenge is not: hashing and multiplication take the same
    /// stack, one after the other.
    #[inline(never)]
    fn nonce(&self, domain: &Domain, random: Option<&[u8; 32]>, message: &[u8]) -> Secret<Scalar> {
        let mut hash = domain.start();
        if let Some(random) = random {
            hash.update(random);
        }
        hash.update(&*self.prefix);
        if random.is_some() {
            hash.update(&[0; 64]);
        }
        hash.update(message);
        let nonce_hash = Secret::new(hash.finalize());
        Secret::new(Scalar::reduce_wide(&nonce_hash))
    }

    fn sign_in(&self, domain: &Domain, random: Option<&[u8; 32]>, message: &[u8]) -> Signature {
        let nonce = self.nonce(domain, random, message);
        let nonce_bytes = Secret::new(nonce.to_bytes());
        let mut point = self.public.backend.mul_base(&nonce_bytes);
        ct::mark_public_value(&mut point); // R is half of the signature.
        let r = point.compress();
        let k = domain.challenge(&r, &self.public.bytes, message);
        self.signature(&r, &k, &nonce)
    }

    /// The signature with the encoding of the nonce's point and k.
    fn signature(&self, r: &[u8; 32], k: &Scalar, nonce: &Scalar) -> Signature {
        let s = k.mul_add(&self.scalar, nonce).to_bytes();
        ct::mark_public(&s); // S is the other half.
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(r);
        signature[32..].copy_from_slice(&s);
        Signature(signature)
    }
}

/// Which signatures verify: see the table of this module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Rfc8032,
    Zip215,
    Strict,
}

impl Rule {
    fn equation(self) -> Equation {
        match self {
            Rule::Rfc8032 | Rule::Zip215 => Equation::Cofactored,
            Rule::Strict => Equation::Cofactorless,
        }
    }

    /// Whether A or R may be this point, of this encoding.
    fn admits(self, bytes: &[u8; 32], point: &Affine) -> bool {
        match self {
            Rule::Rfc8032 => Affine::is_canonical_vartime(bytes),
            Rule::Zip215 => true,
            Rule::Strict => Affine::is_canonical_vartime(bytes) && !point.has_small_order_vartime(),
        }
    }
}

impl PublicKey {
    /// Reads the 32 bytes of a key; `try_from` reads them in a slice.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless they are the canonical encoding of a point of the curve.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// As [`PublicKey::from_bytes`], on the given implementation.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(bytes: &[u8; 32], backend: Backend) -> Result<Self, Error> {
        let key = Self::from_bytes_zip215_on(bytes, backend)?;
        if Affine::is_canonical_vartime(&key.bytes) {
            Ok(key)
        } else {
            Err(Error::BadPublicKey)
        }
    }

    /// Reads the 32 bytes of a key, canonical or not, as ZIP 215 does. Only
    /// [`PublicKey::verify_zip215`] verifies with one that is not.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless there is a point with this y, modulo p.
    pub fn from_bytes_zip215(bytes: &[u8; 32]) -> Result<Self, Error> {
        Self::from_bytes_zip215_on(bytes, Backend::best())
    }

    /// As [`PublicKey::from_bytes_zip215`], on the given implementation.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_zip215_on(bytes: &[u8; 32], backend: Backend) -> Result<Self, Error> {
        let point = backend.decompress_vartime(bytes);
        let point = point.ok_or(Error::BadPublicKey)?;
        Ok(PublicKey {
            bytes: *bytes,
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
        self.verify_in(&Domain::Pure, Rule::Rfc8032, message, signature)
    }

    /// As [`PublicKey::verify`], by the rule of ZIP 215, which takes encodings that are not
    /// canonical, too: the one under which all that any implementation accepts verifies.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_zip215(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_in(&Domain::Pure, Rule::Zip215, message, signature)
    }

    /// As [`PublicKey::verify`], without the cofactor and without points of small order, so that a
    /// signature binds its key to its message.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_strict(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_in(&Domain::Pure, Rule::Strict, message, signature)
    }

    fn verify_in(
        &self,
        domain: &Domain,
        rule: Rule,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let (r_bytes, s) = signature.halves();
        let r = self.backend.decompress_vartime(r_bytes);
        let r = r.ok_or(Error::BadSignature)?;
        let k = domain.challenge(r_bytes, &self.bytes, message);
        let check = Check {
            a: self.point,
            k: *k.words(),
            s: *s.words(),
            r,
        };
        let valid = rule.admits(&self.bytes, &self.point)
            && rule.admits(r_bytes, &r)
            && self.backend.verify_vartime(rule.equation(), &check);
        if valid {
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
    /// [`Error::BadSignature`] unless S is below l.
    pub fn from_bytes(bytes: &[u8; 64]) -> Result<Self, Error> {
        let (halves, _) = bytes.as_chunks::<32>();
        Scalar::from_canonical_vartime(&halves[1]).ok_or(Error::BadSignature)?;
        Ok(Signature(*bytes))
    }

    /// R, not yet decoded, and S.
    fn halves(&self) -> (&[u8; 32], Scalar) {
        let (halves, _) = self.0.as_chunks::<32>();
        let s = Scalar::from_canonical_vartime(&halves[1]);
        (&halves[0], s.expect("checked where the signature was read"))
    }

    /// The 64 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 64] {
        self.0
    }
}

adamant_base::try_from_slice!(PublicKey, Signature);

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
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        generate_batch(count, rng)
    }
    #[cfg_attr(not(feature = "lab"), inline)]
    fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<Signature> {
        sign_batch(items)
    }
}

impl Verifier for PublicKey {
    type Signature = Signature;

    fn signature(octets: &[u8]) -> Result<Signature, Error> {
        Signature::try_from(octets).map_err(|_| Error::BadSignature)
    }
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        PublicKey::verify(self, message, signature)
    }
    #[cfg_attr(not(feature = "lab"), inline)]
    fn verify_batch(items: &[(&Self, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
        verify_batch(items)
    }
}
