//! The generators of `rand_core` (feature `rand_core`): a `CryptoRng` is an [`Rng`] as it is, and one
//! that can fail is one as [`FromRandCore`].
//!
//! ```
//! use adamant_base::Rng;
//! fn key(rng: &mut impl rand_core::CryptoRng) -> [u8; 32] {
//!     let mut key = [0; 32];
//!     rng.fill(&mut key).expect("such a generator cannot fail");
//!     key
//! }
//! ```

use crate::{Error, Rng};
use rand_core::{CryptoRng, TryCryptoRng, TryRng};

impl<R: CryptoRng> Rng for R {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

/// A generator of `rand_core` that can fail, as an [`Rng`].
pub struct FromRandCore<'a, R: TryRng + ?Sized> {
    rng: &'a mut R,
    error: Option<R::Error>,
}

impl<'a, R: TryCryptoRng + ?Sized> FromRandCore<'a, R> {
    /// Draws from this generator.
    pub fn new(rng: &'a mut R) -> Self {
        FromRandCore { rng, error: None }
    }

    /// The generator's error, if it failed.
    pub fn into_error(self) -> Option<R::Error> {
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

/// A generator of this project, for what asks for one of `rand_core`.
///
/// ```
/// use adamant_base::random::ToRandCore;
/// use adamant_base::{Error, Rng};
/// use rand_core::TryRng;
/// struct Zeros; // for the example only: not random at all
/// impl Rng for Zeros {
///     fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
///         out.fill(0);
///         Ok(())
///     }
/// }
/// assert_eq!(ToRandCore(Zeros).try_next_u64(), Ok(0));
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
