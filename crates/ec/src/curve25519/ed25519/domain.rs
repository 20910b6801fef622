//! Ed25519ctx and Ed25519ph (RFC 8032, section 5.1): signatures that are bound to a context.

use super::super::scalar::Scalar;
use super::{PrivateKey, PublicKey, Rule, Signature};
use adamant_base::Error;
use adamant_hash::Sha512;

/// What both hashes of a signature begin with: `dom2` of RFC 8032, section 2.
pub(super) enum Domain<'a> {
    /// Ed25519: nothing.
    Pure,
    /// Ed25519ctx with a context of at most 255 bytes.
    Context(&'a [u8]),
    /// Ed25519ph with a context of at most 255 bytes.
    Prehashed(&'a [u8]),
}

impl<'a> Domain<'a> {
    fn context(context: &'a [u8]) -> Result<Self, Error> {
        check(context).map(Domain::Context)
    }

    fn prehashed(context: &'a [u8]) -> Result<Self, Error> {
        check(context).map(Domain::Prehashed)
    }

    /// A hash that has taken `dom2` in.
    pub(super) fn start(&self) -> Sha512 {
        let mut hash = Sha512::new();
        let (flag, context) = match self {
            Domain::Pure => return hash,
            Domain::Context(context) => (0, context),
            Domain::Prehashed(context) => (1, context),
        };
        hash.update(b"SigEd25519 no Ed25519 collisions");
        hash.update(&[flag, context.len() as u8]);
        hash.update(context);
        hash
    }

    /// k: the hash of R, A and the message, mod l.
    #[inline(never)]
    pub(super) fn challenge(&self, r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> Scalar {
        let mut hash = self.start();
        hash.update(r);
        hash.update(a);
        hash.update(message);
        Scalar::reduce_wide(&hash.finalize())
    }
}

/// A context has at most 255 bytes.
fn check(context: &[u8]) -> Result<&[u8], Error> {
    if context.len() <= 255 {
        Ok(context)
    } else {
        Err(Error::BadParameter("context"))
    }
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
        Ok(self.sign_in(&Domain::context(context)?, None, message))
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
        Ok(self.sign_in(&Domain::prehashed(context)?, None, digest))
    }
}

impl PublicKey {
    /// Checks a signature of [`PrivateKey::sign_with_context`], by the rule of
    /// [`PublicKey::verify`].
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes, and
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let domain = Domain::context(context)?;
        self.verify_in(&domain, Rule::Rfc8032, message, signature)
    }

    /// Checks a signature of [`PrivateKey::sign_prehashed`], by the rule of [`PublicKey::verify`].
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a context of more than 255 bytes, and
    /// [`Error::BadSignature`], whatever the reason.
    pub fn verify_prehashed(
        &self,
        digest: &[u8; 64],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let domain = Domain::prehashed(context)?;
        self.verify_in(&domain, Rule::Rfc8032, digest, signature)
    }
}
