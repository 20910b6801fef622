//! Values that take a computation to make, on an implementation of the caller's choice.
//!
//! Other functions that make them take the best one. An implementation that is given here does all
//! that is done with the value later, unless its `with_backend` says otherwise.

use crate::{Block, Error, Rng, Secret, Wipe};

/// What is read from an encoding.
pub trait FromBytesOn<Backend>: Sized {
    /// The encoding.
    type Bytes;

    /// `from_bytes` on this implementation.
    ///
    /// # Errors
    /// As there.
    fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error>;
}

/// A private key that is made from a seed, whichever: X25519 and X448 call theirs the key's bytes.
pub trait FromSeedOn<Backend>: Sized {
    /// The seed.
    type Seed: Block + Wipe;

    /// `from_seed`, or `from_bytes` of X25519 and X448, on this implementation.
    fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self;

    /// `generate` on this implementation.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate_on(rng: &mut impl Rng, backend: Backend) -> Result<Self, Error> {
        let mut seed = Secret::new(Self::Seed::ZERO);
        rng.fill(seed.as_mut())?;
        Ok(Self::from_seed_on(&seed, backend))
    }
}

/// A private key that is drawn: one that has no seed.
pub trait GenerateOn<Backend>: Sized {
    /// `generate` on this implementation.
    ///
    /// # Errors
    /// As there.
    fn generate_on(rng: &mut impl Rng, backend: Backend) -> Result<Self, Error>;
}
