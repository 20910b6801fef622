//! RSA (RFC 8017, FIPS 186-5): keys, signatures and encryption.
//!
//! ```
//! use adamant_hash::Sha256;
//! use adamant_rsa::{PrivateKey, PublicKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1);
//! # let der = include_bytes!("../testdata/rsa2048.der");
//! let key = PrivateKey::from_pkcs1_der(der)?;
//! let signature = key.sign_pss::<Sha256>(b"attack at dawn", &mut rng).unwrap();
//!
//! let public = PublicKey::from_pkcs1_der(&key.public_key().to_pkcs1_der())?;
//! assert!(public.verify_pss::<Sha256>(b"attack at dawn", &signature).is_ok());
//!
//! let ciphertext = public.encrypt_oaep::<Sha256>(b"a key", b"label", &mut rng).unwrap();
//! assert_eq!(key.decrypt_oaep::<Sha256>(&ciphertext, b"label", &mut rng).unwrap()[..], *b"a key");
//! # Ok::<(), adamant_rsa::KeyError>(())
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `key` | keys, and what makes them consistent |
//! | `encoding` | PKCS#1 DER |
//! | `generate` | key generation |
//! | `primitive` | the operation on numbers: blinding, two halves, the check |
//! | `pkcs1`, `pss`, `oaep`, `decrypt` | the paddings |
//!
//! **Operations with the private key** take a generator: the input is blinded by a random factor
//! each time, and the exponentiations run in constant time. Both halves of the result (modulo p and
//! q) are put together, and nothing leaves before the public key has confirmed it: a fault in one
//! half would give the factors away.
//!
//! Keys of 2048 to 8192 bits; public ones from 1024 bits on verify signatures, and nothing
//! else.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod decrypt;
mod encoding;
mod generate;
mod hashes;
mod key;
mod mgf;
mod oaep;
mod pkcs1;
mod primitive;
mod pss;
#[cfg(test)]
mod tests;

pub use adamant_base::SecretBytes;
pub use decrypt::decrypt_pkcs1_batch;
pub use hashes::DigestInfo;
pub use key::{Components, KeyError, PrivateKey, PublicKey};
pub use oaep::decrypt_oaep_batch;
pub use pkcs1::{
    sign_pkcs1_batch, sign_pkcs1_batch_into, verify_pkcs1_batch, verify_pkcs1_batch_into,
};
pub use pss::{sign_pss_batch, sign_pss_batch_into, verify_pss_batch, verify_pss_batch_into};

/// Implementations by name, of which `with_backend` and [`generate_on`](hazmat::generate_on) take one.
pub mod hazmat {
    pub use crate::generate::generate_on;
    pub use adamant_bignum::hazmat::Backend;
}

/// Bits of the shortest modulus that a signature is verified with.
pub const MIN_VERIFY_BITS: usize = 1024;
/// Bits of the shortest modulus for everything else.
pub const MIN_BITS: usize = 2048;
/// Bits of the longest modulus.
pub const MAX_BITS: usize = adamant_bignum::MAX_BITS;
