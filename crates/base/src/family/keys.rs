//! The families with pairs of keys: each scheme is defined once, by these traits of its keys, and
//! whatever works with any scheme is generic over them.
//!
//! A batch (feature `alloc`) gives what single calls would, in the order of its items, but that schemes
//! of two halves may draw for one half of all items first. One by one is
//! these defaults; schemes with kernels for many items replace it.
//!
//! `check_pair` is the pair-wise consistency test of FIPS 140-3 (implementation guidance, 10.3.A): it
//! finds a public key that is not the private one's, which a file may bring or a fault leave behind.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::{Error, Rng, Secret, Wipe};

/// Makes signatures: implemented by the private key.
///
/// ```
/// use adamant_base::family::{Signer, Verifier};
/// use adamant_base::{Error, Rng};
///
/// fn signs<K: Signer>(rng: &mut impl Rng) -> Result<(), Error> {
///     let keys = K::generate_batch(2, rng)?;
///     keys[0].check_pair()?;
///     let signatures = K::sign_batch(&[(&keys[0], b"one"), (&keys[1], b"two")]);
///     keys[0].verifier().verify(b"one", &signatures[0])
/// }
/// ```
pub trait Signer: Sized + Send + Sync {
    /// The key that verifies.
    type Verifier: Verifier;

    /// A new private key.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate(rng: &mut impl Rng) -> Result<Self, Error>;
    /// The public half.
    fn verifier(&self) -> Self::Verifier;
    /// Signs `message` in the algorithm's default, deterministic way.
    fn sign(&self, message: &[u8]) -> <Self::Verifier as Verifier>::Signature;

    /// Signs a message and has the public half verify it, unless the scheme has a cheaper test.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit.
    fn check_pair(&self) -> Result<(), Error> {
        let message = b"pair-wise consistency";
        let verified = self.verifier().verify(message, &self.sign(message));
        verified.map_err(|_| Error::BadPrivateKey)
    }

    /// So many new keys.
    ///
    /// # Errors
    /// As [`Self::generate`].
    #[cfg(feature = "alloc")]
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        (0..count).map(|_| Self::generate(rng)).collect()
    }
    /// The signature of each message with its key.
    #[cfg(feature = "alloc")]
    fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<<Self::Verifier as Verifier>::Signature> {
        items
            .iter()
            .map(|(key, message)| key.sign(message))
            .collect()
    }
}

/// Checks signatures: implemented by the public key.
pub trait Verifier: Sized + Send + Sync {
    /// A signature. Its octets have the length of all.
    type Signature: AsRef<[u8]> + Clone + Send + Sync;

    /// A signature of these octets.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if no signature has them.
    fn signature(octets: &[u8]) -> Result<Self::Signature, Error>;
    /// Checks `signature` over `message`.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever the reason.
    fn verify(&self, message: &[u8], signature: &Self::Signature) -> Result<(), Error>;

    /// A signature as it is in certificates: its octets, unless the scheme says otherwise.
    ///
    /// # Errors
    /// As [`Self::signature`].
    fn signature_from_x509(bits: &[u8]) -> Result<Self::Signature, Error> {
        Self::signature(bits)
    }
    /// The signature as it is in certificates.
    #[cfg(feature = "alloc")]
    fn signature_to_x509(signature: &Self::Signature) -> Vec<u8> {
        signature.as_ref().to_vec()
    }
    /// The verdict on each signature.
    #[cfg(feature = "alloc")]
    fn verify_batch(items: &[(&Self, &[u8], &Self::Signature)]) -> Vec<Result<(), Error>> {
        let each = items.iter();
        each.map(|(key, message, signature)| key.verify(message, signature))
            .collect()
    }
}

/// Diffie-Hellman key agreement: implemented by the private key.
pub trait KeyAgreement: Sized + Send + Sync {
    /// The other side's key.
    type PublicKey: Send + Sync;
    /// The raw agreed secret; feed it to a KDF.
    type SharedSecret: AsRef<[u8]> + AsMut<[u8]> + Wipe + Clone + Send + Sync;

    /// A new private key.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate(rng: &mut impl Rng) -> Result<Self, Error>;
    /// The public half.
    fn public_key(&self) -> Self::PublicKey;
    /// The secret shared with `peer`.
    ///
    /// # Errors
    /// [`Error::WeakSharedSecret`] when `peer` forces the result.
    fn agree(&self, peer: &Self::PublicKey) -> Result<Secret<Self::SharedSecret>, Error>;
    /// Computes the public half anew (SP 800-56A Rev. 3, 5.6.2.1.4), or has it verify a signature.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit.
    fn check_pair(&self) -> Result<(), Error>;

    /// So many new keys.
    ///
    /// # Errors
    /// As [`Self::generate`].
    #[cfg(feature = "alloc")]
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        (0..count).map(|_| Self::generate(rng)).collect()
    }
    /// The secret of each pair.
    #[cfg(feature = "alloc")]
    fn agree_batch(
        items: &[(&Self, &Self::PublicKey)],
    ) -> Vec<Result<Secret<Self::SharedSecret>, Error>> {
        items.iter().map(|(key, peer)| key.agree(peer)).collect()
    }
}

/// A key encapsulation mechanism.
pub trait Kem {
    /// The key that decapsulates.
    type DecapsulationKey: Send + Sync;
    /// The key that encapsulates.
    type EncapsulationKey: Send + Sync;
    /// What travels.
    type Ciphertext: AsRef<[u8]> + Clone + Send + Sync;
    /// What both sides then share.
    type SharedSecret: AsRef<[u8]> + Clone + Send + Sync;

    /// A new private key.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate(rng: &mut impl Rng) -> Result<Self::DecapsulationKey, Error>;
    /// The public half.
    fn encapsulation_key(key: &Self::DecapsulationKey) -> Self::EncapsulationKey;
    /// A ciphertext and the fresh shared secret in it.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn encapsulate(
        key: &Self::EncapsulationKey,
        rng: &mut impl Rng,
    ) -> Result<(Self::Ciphertext, Self::SharedSecret), Error>;
    /// A ciphertext of these octets.
    ///
    /// # Errors
    /// [`Error::BadLength`].
    fn ciphertext(octets: &[u8]) -> Result<Self::Ciphertext, Error>;
    /// The shared secret of a ciphertext.
    ///
    /// # Errors
    /// Those of the mechanism; with implicit rejection a wrong ciphertext is never told.
    fn decapsulate(
        key: &Self::DecapsulationKey,
        ciphertext: &Self::Ciphertext,
    ) -> Result<Self::SharedSecret, Error>;
    /// Checks that a key opens what its public half encapsulates.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit.
    fn check_pair(key: &Self::DecapsulationKey) -> Result<(), Error>;

    /// So many new keys.
    ///
    /// # Errors
    /// As [`Self::generate`].
    #[cfg(feature = "alloc")]
    fn generate_batch(
        count: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<Self::DecapsulationKey>, Error> {
        (0..count).map(|_| Self::generate(rng)).collect()
    }
    /// A ciphertext and its fresh secret for each key.
    #[cfg(feature = "alloc")]
    fn encapsulate_batch(
        keys: &[&Self::EncapsulationKey],
        rng: &mut impl Rng,
    ) -> Vec<Result<(Self::Ciphertext, Self::SharedSecret), Error>> {
        keys.iter().map(|key| Self::encapsulate(key, rng)).collect()
    }
    /// The secret of each ciphertext.
    #[cfg(feature = "alloc")]
    fn decapsulate_batch(
        items: &[(&Self::DecapsulationKey, &Self::Ciphertext)],
    ) -> Vec<Result<Self::SharedSecret, Error>> {
        let each = items.iter();
        each.map(|(key, ciphertext)| Self::decapsulate(key, ciphertext))
            .collect()
    }
}
