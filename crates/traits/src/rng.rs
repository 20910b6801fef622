//! Generators, from one side to the other.

use adamant::{Error, Rng};
use rand_core::{TryCryptoRng, TryRng};

/// A generator of the other side, for `adamant`.
///
/// ```
/// use adamant::ec::ed25519::PrivateKey;
/// use adamant_traits::rng::{FromRandCore, ToRandCore};
/// let mut theirs = ToRandCore(adamant::SystemRng); // any `TryCryptoRng`
/// let key = PrivateKey::generate(&mut FromRandCore::new(&mut theirs))?;
/// # Ok::<(), adamant::Error>(())
/// ```
pub struct FromRandCore<'a, R: TryRng + ?Sized> {
    rng: &'a mut R,
    error: Option<R::Error>,
}

impl<'a, R: TryCryptoRng + ?Sized> FromRandCore<'a, R> {
    /// Draws from this generator.
    pub fn new(rng: &'a mut R) -> Self {
        FromRandCore { rng, error: None }
    }

    /// What the generator said when it failed.
    pub(crate) fn into_error(self) -> Option<R::Error> {
        self.error
    }
}

impl<R: TryCryptoRng + ?Sized> Rng for FromRandCore<'_, R> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.rng.try_fill_bytes(out).map_err(|error| {
            self.error = Some(error);
            Error::NoEntropy
        })
    }
}

/// A generator of `adamant`, for the other side.
///
/// ```
/// use adamant_traits::rng::ToRandCore;
/// use rand_core::TryRng;
/// let mut rng = ToRandCore(adamant::SystemRng);
/// assert_ne!(rng.try_next_u64()?, rng.try_next_u64()?);
/// # Ok::<(), adamant::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ToRandCore<R>(pub R);

impl<R: Rng> TryRng for ToRandCore<R> {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.0.fill(out)
    }
}

impl<R: Rng> TryCryptoRng for ToRandCore<R> {}
