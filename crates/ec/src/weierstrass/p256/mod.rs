//! ECDSA and ECDH on P-256, also called secp256r1 and prime256v1: FIPS 186-5 (signatures),
//! SP 800-186 (curve), SP 800-56A (key agreement, 5.7.1.2), RFC 6979 (nonces), SEC 1 (encodings).
//!
//! ```
//! use adamant_ec::p256::{PrivateKey, PublicKey, Signature};
//! # struct Counter(u8);
//! # impl adamant_base::Rng for Counter {
//! #     fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
//! #         out.fill_with(|| { self.0 = self.0.wrapping_add(1); self.0 });
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Counter(0); // a real program takes a generator fit for keys
//! let alice = PrivateKey::generate(&mut rng)?;
//! let signature = alice.sign(b"a message");
//! // What travels:
//! let (key, signature) = (alice.public_key().to_sec1(), signature.to_bytes());
//! // The other side:
//! let key = PublicKey::from_sec1(&key)?;
//! key.verify(b"a message", &Signature::from_bytes(&signature)?)?;
//!
//! // Key agreement: both sides get the same secret. Feed it to a KDF.
//! let bob = PrivateKey::generate(&mut rng)?;
//! assert_eq!(*alice.agree(&bob.public_key())?, *bob.agree(&key)?);
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! What depends on a private key, a nonce or an agreed secret takes the same time for every value.
//! Verification does not: all that it reads is public. So are, once made, public keys and
//! signatures. The number of candidates that a generator of keys or nonces has to be asked for
//! shows (2^-32 of them are refused), and tells nothing of the one taken.

mod ecdsa;
mod field;
mod invert;
mod kernel;
mod keys;
mod limbs;
mod point;
mod portable64;
mod scalar;
mod signature;
mod table;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_adx;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
#[cfg(target_arch = "x86_64")]
mod x86_ifma512;

pub use ecdsa::{sign_batch, verify_batch};
pub use keys::{PrivateKey, PublicKey, agree_batch, keygen_batch};
pub use signature::{DerSignature, Signature};

/// A check of a signature: `u1`, `u2`, the coordinates of Q, and `r`.
pub type Check = ([u64; 4], [u64; 4], [[u64; 4]; 2], [u64; 4]);

adamant_base::backends! {
    /// Multiplication of points.
    ///
    /// Scalars and coordinates are integers of four 64-bit words, the lowest first. These functions
    /// trust their caller: with a scalar that is zero or not below n, or with coordinates that
    /// are not those of a point, the result means nothing. The keys of this module check. Batches
    /// ask for as much room as there are items, and panic for less.
    pub struct Backend {
        /// `k G`: x and y, for a secret `k` from 1 to n - 1.
        fn mul_base(k: &[u64; 4]) -> [[u64; 4]; 2];
        /// `k P`: x and y, for a secret `k` from 1 to n - 1.
        fn mul(k: &[u64; 4], point: &[[u64; 4]; 2]) -> [[u64; 4]; 2];
        /// Whether the x coordinate of `u1 G + u2 Q`, taken modulo n, is `r`, for public numbers
        /// below n.
        fn has_x_vartime(u1: &[u64; 4], u2: &[u64; 4], q: &[[u64; 4]; 2], r: &[u64; 4]) -> bool;
        /// `mul_base` of each.
        fn mul_base_batch(ks: &[[u64; 4]], out: &mut [[[u64; 4]; 2]]);
        /// `mul` of each scalar and its point.
        fn mul_batch(ks: &[[u64; 4]], points: &[[[u64; 4]; 2]], out: &mut [[[u64; 4]; 2]]);
        /// `has_x_vartime` of each.
        fn has_x_batch_vartime(items: &[Check], out: &mut [bool]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_ifma512 if ["avx512f", "avx512ifma", "bmi2", "adx"];
    #[cfg(target_arch = "x86_64")]
    x86_adx if ["bmi2", "adx"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    _ => portable64;
}
