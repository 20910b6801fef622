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

#[cfg(feature = "alloc")]
mod batch;

pub(crate) use super::Backend;
#[cfg(feature = "alloc")]
pub use batch::{generate_batch, sign_batch, sign_batch_into, verify_batch, verify_batch_into};

use super::Check;
use super::edwards::Affine;
use super::kernel;
use super::scalar::Scalar;
use adamant_hash::Shake256;

crate::eddsa::eddsa!("ed448" "5.2" 57 114 136);

const TAG: &[u8] = b"SigEd448";
/// Signatures without a context have an empty one.
const PURE: Option<[u8; 2]> = Some([0, 0]);

/// The encodings of the points of small order: (0, 1), (0, -1), (1, 0) and (-1, 0).
const SMALL_ORDER: [[u8; 57]; 4] = {
    let mut points = [[0; 57]; 4];
    points[0][0] = 1;
    // p - 1 = 2^448 - 2^224 - 2.
    points[1] = [0xff; 57];
    (points[1][0], points[1][28], points[1][56]) = (0xfe, 0xfe, 0);
    points[3][56] = 0x80;
    points
};

/// SHAKE256 of all parts.
fn hash(domain: &[&[u8]], parts: &[&[u8]]) -> [u8; 114] {
    let mut hash = Shake256::new();
    for part in domain.iter().chain(parts) {
        hash.update(part);
    }
    let mut out = [0; 114];
    hash.finalize_xof().read(&mut out);
    out
}

/// The secret scalar (RFC 8032, section 5.2.5), mod l.
fn secret(expanded: &[u8; 114]) -> Secret<Scalar> {
    let mut bytes = Secret::new([0; 56]);
    bytes.copy_from_slice(&expanded[..56]);
    bytes[0] &= 0xfc;
    bytes[55] |= 0x80;
    Secret::new(Scalar::reduce(&bytes))
}

fn multiple(backend: Backend, scalar: &Scalar) -> Affine {
    backend.mul_base(scalar.words())
}

impl PrivateKey {
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
}

impl FromBytesOn<Backend> for PublicKey {
    type Bytes = [u8; 57];

    fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
        let point = backend.decompress_vartime(bytes);
        let point = point.ok_or(Error::BadPublicKey)?;
        Ok(PublicKey {
            bytes: *bytes,
            point,
            backend,
        })
    }
}

impl PublicKey {
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
    fn admits(&self, r: &[u8; 57]) -> bool {
        !SMALL_ORDER.contains(&self.bytes) && !SMALL_ORDER.contains(r)
    }

    /// What is to be checked, with the hash that k is made of.
    fn check(&self, r: &[u8; 57], s: &[u8; 57], k: &[u8; 114]) -> Check {
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
