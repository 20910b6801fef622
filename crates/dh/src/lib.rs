//! Finite-field Diffie-Hellman (SP 800-56A Rev. 3, RFC 7919): two keys of one group give a shared
//! secret.
//!
//! ```
//! use adamant_dh::{Group, Named, PrivateKey, PublicKey};
//! # let mut rng = adamant_testkit::TestRng::new(1);
//! let group = Group::named(Named::Ffdhe2048);
//! let alice = PrivateKey::generate(&group, &mut rng)?;
//! let bob = PrivateKey::generate(&group, &mut rng)?;
//!
//! // Public keys are sent as many bytes as the prime has.
//! let from_bob = PublicKey::from_bytes(&group, &bob.public_key().to_bytes())?;
//! let shared = alice.agree(&from_bob)?;
//! assert_eq!(shared.len(), 256);
//! # assert_eq!(shared[..], bob.agree(&alice.public_key())?[..]);
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `group` | the groups of the standards, and custom ones, whose primes must be safe |
//! | `constants` | the primes, by their definition |
//! | `key` | keys, agreement, batches |
//!
//! The shared secret is as long as the prime, zeros in front included (TLS 1.3, SP 800-56A): TLS
//! 1.2 wants none, so its users strip them. It is not a key yet: a derivation function makes keys
//! from it.
//!
//! **Private keys** are of the lengths that RFC 7919 allows, 225 bits for 2048 to 400 bits for
//! 8192, which is what makes them fast; imported ones may be of any length below the order. No time
//! depends on them, only on which of the two they are. Elements are checked when they are read
//! (2 <= y <= p - 2), and [`PublicKey::check_subgroup`] checks the rest.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod constants;
mod group;
mod key;
#[cfg(test)]
mod tests;

pub use group::{Group, Named};
pub use key::{PrivateKey, PublicKey, SharedSecret, agree_batch, agree_batch_into, generate_batch};

/// Implementations by name, of which `with_backend` takes one.
pub mod hazmat {
    pub use adamant_bignum::hazmat::Backend;
}

/// Bits of the shortest prime of a custom group.
pub const MIN_BITS: usize = 2048;
/// Bits of the longest prime.
pub const MAX_BITS: usize = adamant_bignum::MAX_BITS;
