//! Generators, from one side to the other. A `CryptoRng` is an [`adamant::Rng`] as it is; one that can
//! fail is one as [`FromRandCore`].
//!
//! ```
//! use adamant::ec::ed25519::PrivateKey;
//! use adamant_traits::rng::{FromRandCore, ToRandCore};
//! let mut theirs = ToRandCore(adamant::SystemRng); // any `TryCryptoRng`
//! let key = PrivateKey::generate(&mut FromRandCore::new(&mut theirs))?;
//! let mut theirs = rand_core::UnwrapErr(theirs); // any `CryptoRng`
//! let key = PrivateKey::generate(&mut theirs)?;
//! # Ok::<(), adamant::Error>(())
//! ```

pub use adamant_base::random::{FromRandCore, ToRandCore};
