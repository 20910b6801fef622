//! Implementations by name: the tables of which the functions whose names end in `_on` take one.
//!
//! Their own functions are the arithmetic below the schemes, and nothing for other uses.

use adamant_base::{Block, Error, Rng, Secret, Wipe};

/// A public key on an implementation of the caller's choice; `from_bytes` takes the best one.
pub trait PublicKeyOn: Sized {
    /// The implementations.
    type Backend;
    /// The encoded key.
    type Bytes;

    /// `from_bytes` on this implementation.
    ///
    /// # Errors
    /// As there.
    fn from_bytes_on(bytes: &Self::Bytes, backend: Self::Backend) -> Result<Self, Error>;
}

/// A private key on an implementation of the caller's choice, which then does all that is done with
/// the key and with its public key.
///
/// ```
/// use adamant_pq::hazmat::{PrivateKeyOn, ml_dsa::Backend};
/// use adamant_pq::ml_dsa_65::PrivateKey;
/// let key = PrivateKey::from_seed_on(&[7; 32], Backend::portable());
/// assert_eq!(key.sign(b"message"), PrivateKey::from_seed(&[7; 32]).sign(b"message"));
/// ```
pub trait PrivateKeyOn: Sized {
    /// The implementations.
    type Backend;
    /// What the key is made from.
    type Seed: Block + Wipe;
    /// The encoded key.
    type Bytes;

    /// `from_seed` on this implementation.
    fn from_seed_on(seed: &Self::Seed, backend: Self::Backend) -> Self;

    /// `from_bytes` on this implementation.
    ///
    /// # Errors
    /// As there.
    fn from_bytes_on(bytes: &Self::Bytes, backend: Self::Backend) -> Result<Self, Error>;

    /// `generate` on this implementation.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate_on(rng: &mut impl Rng, backend: Self::Backend) -> Result<Self, Error> {
        let mut seed = Secret::new(Self::Seed::ZERO);
        rng.fill(seed.as_mut())?;
        Ok(Self::from_seed_on(&seed, backend))
    }
}

/// ML-KEM.
#[cfg(feature = "ml-kem")]
pub mod ml_kem {
    use super::{Error, PrivateKeyOn};
    use crate::ml_kem::SharedSecret;
    pub use crate::ml_kem::arithmetic::backend::Backend;

    /// A decapsulation key that is used once.
    pub trait DecapsulateOn: PrivateKeyOn {
        /// A ciphertext of its parameter set.
        type Ciphertext;

        /// `decapsulate_encoded` on this implementation.
        ///
        /// # Errors
        /// As there.
        fn decapsulate_encoded_on(
            key: &Self::Bytes,
            ciphertext: &Self::Ciphertext,
            backend: Backend,
        ) -> Result<SharedSecret, Error>;
    }
}

/// ML-DSA.
#[cfg(feature = "ml-dsa")]
pub mod ml_dsa {
    pub use crate::ml_dsa::arithmetic::backend::Backend;
}

/// SLH-DSA.
#[cfg(feature = "slh-dsa")]
pub mod slh_dsa {
    pub use crate::slh_dsa::hash::backend::Backend;
}
