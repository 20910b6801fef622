//! Ed448 signatures (RFC 8032, section 5.2; FIPS 186-5, section 7).
//!
//! ```
//! use adamant_ec::ed448::{PrivateKey, PublicKey, Signature};
//! let key = PrivateKey::from_seed(&[7; 57]); // 57 random bytes; or PrivateKey::generate(rng)
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
//! A signature (R, S) by the key A over M is accepted, alone and in batches, exactly if
//!
//! * A and R are canonical encodings of points of the curve (RFC 8032, section 5.2.3): y is below
//!   p, the seven bits after it are zero, and x = 0 goes with sign bit 0;
//! * S is below the order l of the base point, in 57 bytes;
//! * `[4][S]B = [4]R + [4][k]A` with k = SHAKE256(dom4 || R || A || M): the cofactored equation of
//!   section 5.2.7;
//! * neither A nor R is one of the four points of small order, as in the strict rule of
//!   [`ed25519`](crate::ed25519). The RFC accepts them, but nobody has such a key, and one signature
//!   would fit every message under it.
//!
//! Every operation on a private key runs in constant time; verification does not, and need not.

mod batch;

pub(crate) use super::Backend;
pub use batch::{generate_batch, sign_batch, sign_batch_into, verify_batch, verify_batch_into};

use super::Check;
use super::edwards::Affine;
use super::kernel;
use super::scalar::Scalar;
use adamant_base::family::{Signer, Verifier};
use adamant_base::{Error, Rng, Secret, ct};
use adamant_hash::Shake256;
use alloc::vec::Vec;
use core::fmt;

/// The bytes of a seed and of a public key.
const KEY_LEN: usize = 57;
/// The bytes of a signature.
const SIGNATURE_LEN: usize = 2 * KEY_LEN;
/// The bytes of a block of SHAKE256.
const BLOCK_LEN: usize = 136;

/// The encodings of the points of small order: (0, 1), (0, -1), (1, 0) and (-1, 0).
const SMALL_ORDER: [[u8; KEY_LEN]; 4] = {
    let mut points = [[0; KEY_LEN]; 4];
    points[0][0] = 1;
    // p - 1 = 2^448 - 2^224 - 2.
    points[1] = [0xff; KEY_LEN];
    (points[1][0], points[1][28], points[1][56]) = (0xfe, 0xfe, 0);
    points[3][56] = 0x80;
    points
};

/// A private key, with its public key.
#[derive(Clone)]
pub struct PrivateKey {
    seed: Secret<[u8; KEY_LEN]>,
    /// The secret scalar, mod l.
    scalar: Secret<Scalar>,
    /// What the nonces are derived from.
    prefix: Secret<[u8; KEY_LEN]>,
    public: PublicKey,
}

/// A public key: a point of the curve.
#[derive(Clone, Copy)]
pub struct PublicKey {
    bytes: [u8; KEY_LEN],
    point: Affine,
    backend: Backend,
}

/// A signature: the encoding of a point R, not yet decoded, and a number S below l.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature([u8; SIGNATURE_LEN]);

/// What a signature is bound to besides its message: dom4(x, y) of RFC 8032, section 2.
#[derive(Clone, Copy)]
struct Domain<'a> {
    header: [u8; 10],
    context: &'a [u8],
}

impl<'a> Domain<'a> {
    /// Ed448 without a context.
    const PURE: Domain<'static> = Domain {
        header: *b"SigEd448\0\0",
        context: &[],
    };

    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes.
    fn new(prehashed: bool, context: &'a [u8]) -> Result<Self, Error> {
        let length = u8::try_from(context.len()).map_err(|_| Error::BadParameter("context"))?;
        let mut header = Domain::PURE.header;
        (header[8], header[9]) = (u8::from(prehashed), length);
        Ok(Domain { header, context })
    }

    /// SHAKE256(dom4 || parts, 114).
    fn hash(&self, parts: &[&[u8]]) -> [u8; 114] {
        let mut hash = Shake256::new();
        hash.update(&self.header);
        hash.update(self.context);
        for part in parts {
            hash.update(part);
        }
        let mut out = [0; 114];
        hash.finalize_xof().read(&mut out);
        out
    }
}

/// The two halves of SHAKE256(seed, 114): the secret scalar, mod l, and the prefix (RFC 8032,
/// section 5.2.5).
fn expand(expanded: &[u8; 114]) -> (Secret<Scalar>, Secret<[u8; KEY_LEN]>) {
    let (halves, _) = expanded.as_chunks::<KEY_LEN>();
    let mut bytes = Secret::new([0; 56]);
    bytes.copy_from_slice(&halves[0][..56]);
    bytes[0] &= 0xfc;
    bytes[55] |= 0x80;
    (Secret::new(Scalar::reduce(&bytes)), Secret::new(halves[1]))
}

impl PrivateKey {
    /// A new key from 57 random bytes.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut seed = Secret::new([0; KEY_LEN]);
        rng.fill(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed (RFC 8032, section 5.2.5, where the seed is called the private key); all
    /// seeds are good. Computes the public key: one multiplication of the base point.
    ///
    /// ```
    /// # use adamant_ec::ed448::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 57]);
    /// assert_eq!(*key.seed(), [7; 57]);
    /// ```
    #[must_use]
    pub fn from_seed(seed: &[u8; 57]) -> Self {
        Self::from_seed_on(seed, Backend::best())
    }

    /// As [`PrivateKey::from_seed`], on the given implementation.
    #[must_use]
    pub fn from_seed_on(seed: &[u8; 57], backend: Backend) -> Self {
        let mut expanded = Secret::new([0; 114]);
        Shake256::digest(seed, &mut *expanded);
        let (scalar, prefix) = expand(&expanded);
        let point = backend.mul_base(scalar.words());
        Self::from_parts(seed, scalar, prefix, point, backend)
    }

    fn from_parts(
        seed: &[u8; KEY_LEN],
        scalar: Secret<Scalar>,
        prefix: Secret<[u8; KEY_LEN]>,
        mut point: Affine,
        backend: Backend,
    ) -> Self {
        ct::mark_public_value(&mut point); // It is to be published.
        PrivateKey {
            seed: Secret::new(*seed),
            scalar,
            prefix,
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
    pub fn seed(&self) -> Secret<[u8; 57]> {
        self.seed.clone()
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// Signs `message` without a context (RFC 8032, section 5.2.6). The same message gives the same
    /// signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_in(&Domain::PURE, &[], message)
    }

    /// Signs `message` in a context, which keeps the uses of one key apart.
    ///
    /// ```
    /// # use adamant_ec::ed448::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 57]);
    /// let signature = key.sign_with_context(b"message", b"letters")?;
    /// let public = key.public_key();
    /// public.verify_with_context(b"message", b"letters", &signature)?;
    /// assert!(public.verify(b"message", &signature).is_err());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes.
    pub fn sign_with_context(&self, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign_in(&Domain::new(false, context)?, &[], message))
    }

    /// Signs a message given the first 64 bytes of its SHAKE256, in a context, which may be empty
    /// (Ed448ph).
    ///
    /// ```
    /// # use adamant_ec::ed448::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 57]);
    /// let mut digest = [0; 64];
    /// adamant_hash::Shake256::digest(b"a long message", &mut digest);
    /// let signature = key.sign_prehashed(&digest, b"")?;
    /// key.public_key().verify_prehashed(&digest, b"", &signature)?;
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes.
    pub fn sign_prehashed(&self, digest: &[u8; 64], context: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign_in(&Domain::new(true, context)?, &[], digest))
    }

    /// Signs `message` with 57 random bytes mixed into the nonce: no fault or measurement repeats,
    /// and a weak generator does no harm. It verifies as any other signature does.
    ///
    /// The nonce is SHAKE256(dom4 || random bytes || prefix || zeros up to a block || message),
    /// after draft-irtf-cfrg-det-sigs-with-noise.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn sign_hedged(&self, message: &[u8], rng: &mut impl Rng) -> Result<Signature, Error> {
        self.sign_hedged_with_context(message, b"", rng)
    }

    /// As [`PrivateKey::sign_hedged`], in a context.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes; [`Error::NoEntropy`] from the
    /// generator.
    pub fn sign_hedged_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Signature, Error> {
        let domain = Domain::new(false, context)?;
        let mut random = Secret::new([0; KEY_LEN]);
        rng.fill(&mut *random)?;
        Ok(self.sign_in(&domain, &*random, message))
    }

    fn sign_in(&self, domain: &Domain<'_>, random: &[u8], message: &[u8]) -> Signature {
        let zeros = match random.len() {
            0 => 0,
            length => {
                let filled = domain.header.len() + domain.context.len() + length + KEY_LEN;
                filled.next_multiple_of(BLOCK_LEN) - filled
            }
        };
        let zeros = &[0; BLOCK_LEN][..zeros];
        let hash = Secret::new(domain.hash(&[random, &*self.prefix, zeros, message]));
        let nonce = Secret::new(Scalar::reduce_wide(&hash));
        let mut point = self.public.backend.mul_base(nonce.words());
        ct::mark_public_value(&mut point); // R is half of the signature.
        let r = point.compress();
        let k = domain.hash(&[&r, &self.public.bytes, message]);
        self.respond(&r, &nonce, &k)
    }

    /// The signature with its second half, S = k a + r.
    fn respond(&self, r: &[u8; KEY_LEN], nonce: &Scalar, k: &[u8; 114]) -> Signature {
        let s = Scalar::reduce_wide(k)
            .mul_add(&self.scalar, nonce)
            .to_bytes();
        ct::mark_public(&s); // S is the other half.
        let mut signature = [0; SIGNATURE_LEN];
        signature[..KEY_LEN].copy_from_slice(r);
        signature[KEY_LEN..].copy_from_slice(&s);
        Signature(signature)
    }
}

impl PublicKey {
    /// Reads the 57 bytes of a key; `try_from` reads them in a slice.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless they are the canonical encoding of a point of the curve.
    pub fn from_bytes(bytes: &[u8; 57]) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// As [`PublicKey::from_bytes`], on the given implementation.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(bytes: &[u8; 57], backend: Backend) -> Result<Self, Error> {
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

    /// The 57 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 57] {
        self.bytes
    }

    /// Whether the point is one of the four of small order, which no private key has, and under
    /// which no signature verifies.
    ///
    /// ```
    /// # use adamant_ec::ed448::PublicKey;
    /// let mut neutral = [0; 57];
    /// neutral[0] = 1;
    /// assert!(PublicKey::from_bytes(&neutral).unwrap().has_small_order());
    /// ```
    #[must_use]
    pub fn has_small_order(&self) -> bool {
        kernel::has_small_order(&self.point.extend()).declassify()
    }

    /// Checks `signature` over `message` without a context (RFC 8032, section 5.2.7, cofactored).
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_in(&Domain::PURE, message, signature)
    }

    /// Checks `signature` over `message` in a context.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes, otherwise
    /// [`Error::BadSignature`].
    pub fn verify_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_in(&Domain::new(false, context)?, message, signature)
    }

    /// Checks a signature of [`PrivateKey::sign_prehashed`].
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes, otherwise
    /// [`Error::BadSignature`].
    pub fn verify_prehashed(
        &self,
        digest: &[u8; 64],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let domain = Domain::new(true, context)?;
        self.verify_in(&domain, digest, signature)
    }

    fn verify_in(
        &self,
        domain: &Domain<'_>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let (r, s) = signature.halves();
        let k = domain.hash(&[r, &self.bytes, message]);
        let check = self.check(r, s, &k);
        verdict(self.admits(r) && self.backend.verify_vartime(&check))
    }

    /// Whether neither the key nor R is of small order.
    fn admits(&self, r: &[u8; KEY_LEN]) -> bool {
        !SMALL_ORDER.contains(&self.bytes) && !SMALL_ORDER.contains(r)
    }

    /// What is to be checked, with the hash that k is made of.
    fn check(&self, r: &[u8; KEY_LEN], s: &[u8; KEY_LEN], k: &[u8; 114]) -> Check {
        let mut words = [0; 7];
        for (word, bytes) in words.iter_mut().zip(s.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Check {
            a: self.point,
            r: *r,
            k: *Scalar::reduce_wide(k).words(),
            s: words,
        }
    }
}

fn verdict(valid: bool) -> Result<(), Error> {
    if valid {
        Ok(())
    } else {
        Err(Error::BadSignature)
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
    /// Reads the 114 bytes of a signature.
    ///
    /// # Errors
    /// [`Error::BadSignature`] unless S is below l.
    pub fn from_bytes(bytes: &[u8; 114]) -> Result<Self, Error> {
        let signature = Signature(*bytes);
        Scalar::from_canonical_vartime(signature.halves().1).ok_or(Error::BadSignature)?;
        Ok(signature)
    }

    /// The 114 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 114] {
        self.0
    }

    /// R and S.
    fn halves(&self) -> (&[u8; KEY_LEN], &[u8; KEY_LEN]) {
        let (halves, _) = self.0.as_chunks();
        (&halves[0], &halves[1])
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
