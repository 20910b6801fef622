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

#[cfg(feature = "alloc")]
pub use batch::{
    generate_batch, sign_batch, sign_batch_into, verify_batch, verify_batch_into,
    verify_batch_strict, verify_batch_strict_into, verify_batch_zip215, verify_batch_zip215_into,
};
pub use batch::{
    generate_batch_into, sign_batch_within, verify_batch_scratch, verify_batch_strict_within,
    verify_batch_within, verify_batch_zip215_within,
};

#[cfg(target_arch = "aarch64")]
use super::arm_mul;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
use super::arm_thumb;
#[cfg(all(target_arch = "aarch64", feature = "simd"))]
use super::arm_umull;
use super::edwards::Affine;
use super::kernel::{Check, Equation};
use super::memory::Table;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", not(feature = "small")))
))]
use super::portable16;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", feature = "small"))
))]
use super::portable32;
#[cfg(target_pointer_width = "64")]
use super::portable64;
use super::scalar::{Scalar, words};
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::x86_avx2;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
use super::x86_ifma;
use adamant_hash::Sha512;

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
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
    x86_ifma if ["avx512f", "avx512ifma", "avx512vl", "bmi2"];
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    x86_avx2 if ["avx2", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    #[cfg(all(target_arch = "aarch64", feature = "simd"))]
    arm_mul if ["neon"; "mul64quick"];
    #[cfg(all(target_arch = "aarch64", feature = "simd"))]
    arm_umull if ["neon"];
    #[cfg(all(target_arch = "aarch64", not(feature = "simd")))]
    arm_mul if ["neon"];
    // ARMv6-M, known by its lack of compare-and-swap, has no long products.
    #[cfg(all(
        target_arch = "arm",
        not(any(target_has_atomic = "ptr", feature = "small"))
    ))]
    arm_thumb if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", feature = "small"))
    ))]
    portable32 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", not(feature = "small")))
    ))]
    portable16 if [];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        not(feature = "small"),
        feature = "lab"
    ))]
    arm_thumb if [];
}

crate::eddsa::eddsa!("ed25519" "5.1" 32 64 128);

const TAG: &[u8] = b"SigEd25519 no Ed25519 collisions";
/// Signatures without a context begin with nothing.
const PURE: Option<[u8; 2]> = None;

/// SHA-512 of all parts.
fn hash(domain: &[&[u8]], parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Sha512::new();
    for part in domain.iter().chain(parts) {
        hash.update(part);
    }
    hash.finalize()
}

/// The secret scalar (RFC 8032, section 5.1.5), mod l.
fn secret(expanded: &[u8; 64]) -> Secret<Scalar> {
    let mut bytes = Secret::new(expanded.as_chunks().0[0]);
    bytes[0] &= 248;
    bytes[31] &= 127;
    bytes[31] |= 64;
    Secret::new(Scalar::reduce(&bytes))
}

fn multiple(backend: Backend, scalar: &Scalar) -> Affine {
    backend.mul_base(&Secret::new(scalar.to_bytes()))
}

impl PrivateKey {
    /// Signs `message` in a context (Ed25519ctx): the signature verifies in no other, and not as
    /// plain Ed25519. The RFC wants a context that is not empty.
    ///
    /// ```
    /// # use adamant_ec::ed25519::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 32]);
    /// let signature = key.sign_with_context(b"message", b"invoice")?;
    /// let public = key.public_key();
    /// assert!(public.verify_with_context(b"message", b"invoice", &signature).is_ok());
    /// assert!(public.verify_with_context(b"message", b"order", &signature).is_err());
    /// assert!(public.verify(b"message", &signature).is_err());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes.
    pub fn sign_with_context(&self, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign_in(&Domain::new(false, context)?, &[], message))
    }

    /// Signs a message given its SHA-512 digest, in a context, which may be empty (Ed25519ph).
    ///
    /// ```
    /// # use adamant_ec::ed25519::PrivateKey;
    /// let key = PrivateKey::from_seed(&[7; 32]);
    /// let digest = adamant_hash::Sha512::digest(b"a long message");
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

impl FromBytesOn<Backend> for PublicKey {
    type Bytes = [u8; 32];

    fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
        let key = Self::read(bytes, backend)?;
        if Affine::is_canonical_vartime(&key.bytes) {
            Ok(key)
        } else {
            Err(Error::BadPublicKey)
        }
    }
}

impl PublicKey {
    /// Reads the 32 bytes of a key, canonical or not, as ZIP 215 does. Only
    /// [`PublicKey::verify_zip215`] verifies with one that is not.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless there is a point with this y, modulo p.
    pub fn from_bytes_zip215(bytes: &[u8; 32]) -> Result<Self, Error> {
        Self::read(bytes, Backend::best())
    }

    /// [`PublicKey::from_bytes_zip215`] on this implementation.
    pub(super) fn read(bytes: &[u8; 32], backend: Backend) -> Result<Self, Error> {
        let point = backend.decompress_vartime(bytes);
        let point = point.ok_or(Error::BadPublicKey)?;
        Ok(PublicKey {
            bytes: *bytes,
            point,
            backend,
        })
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

    /// As [`PublicKey::verify`], by the rule of ZIP 215, which takes encodings that are not
    /// canonical, too: the one under which all that any implementation accepts verifies.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_zip215(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_by(Rule::Zip215, &Domain::PURE, message, signature)
    }

    /// As [`PublicKey::verify`], without the cofactor and without points of small order, so that a
    /// signature binds its key to its message.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_strict(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_by(Rule::Strict, &Domain::PURE, message, signature)
    }

    fn verify_in(
        &self,
        domain: &Domain<'_>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_by(Rule::Rfc8032, domain, message, signature)
    }

    fn verify_by(
        &self,
        rule: Rule,
        domain: &Domain<'_>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let (r_bytes, s) = signature.halves();
        let r = self.backend.decompress_vartime(r_bytes);
        let r = r.ok_or(Error::BadSignature)?;
        let k = domain.hash(&[r_bytes, &self.bytes, message]);
        let check = Check {
            a: self.point,
            k: *Scalar::reduce_wide(&k).words(),
            s: words(s),
            r,
        };
        let valid = rule.admits(&self.bytes, &self.point)
            && rule.admits(r_bytes, &r)
            && self.backend.verify_vartime(rule.equation(), &check);
        verdict(valid)
    }
}
