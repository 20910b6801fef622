//! SM2: signatures, encryption and key exchange on the curve sm2p256v1 (GB/T 32918, parts 1 to 5;
//! signatures also in ISO/IEC 14888-3 and RFC 8998; encodings of GM/T 0009).
//!
//! ```
//! use adamant_ec::sm2::{PrivateKey, PublicKey, Signature};
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
//! // The bytes to send:
//! let (key, signature) = (alice.public_key().to_sec1(), signature.to_bytes());
//! // The other side:
//! let key = PublicKey::from_sec1(&key)?;
//! key.verify(b"a message", &Signature::from_bytes(&signature)?)?;
//!
//! // Only Alice can read this:
//! let ciphertext = key.encrypt(b"an answer", &mut rng)?;
//! assert_eq!(alice.decrypt(&ciphertext)?[..], *b"an answer");
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Signatures are of a digest over the signer's identity, the public key and the message. A signer
//! without an identity signs under [`DEFAULT_IDENTITY`]. For key exchange see [`Initiator`].
//! The curve itself, with ECDH on it
//! (`curveSM2` of RFC 8998), is [`sm2p256v1`](super::sm2p256v1).
//!
//! Work on a private key, a nonce, a message to be encrypted or an agreed secret takes the
//! same time for every value. Verification does not: all that it reads is public. So are, once
//! made, public keys, signatures and ciphertexts. How often a nonce had to be drawn again shows,
//! and tells nothing of the one taken.

mod ciphertext;
mod encryption;
mod exchange;
mod keys;
mod signing;
#[cfg(test)]
mod tests;

pub use super::DerSignature;
pub use ciphertext::Ciphertext;
pub use encryption::{Decryption, decrypt_batch, decrypt_batch_into, encrypt_batch};
pub use exchange::{Initiator, Party, Responder};
pub use keys::{PrivateKey, PublicKey, generate_batch};
pub use signing::{
    DEFAULT_IDENTITY, MAX_IDENTITY_LEN, sign_batch, sign_batch_into, verify_batch,
    verify_batch_into,
};

use super::curve::{Derived, Numbers};
use super::keys::{CHECKS, CHUNK};
use super::modulus::Modulus;
use super::sm2p256v1::Sm2P256v1;

/// A signature: r and s from 1 to n - 1.
pub type Signature = super::Signature<Sm2P256v1, 4>;

/// A number below 2^256.
type Limbs = [u64; 4];

/// The curve's numbers.
const NUMBERS: &Numbers<4> = <Sm2P256v1 as Derived<4>>::NUMBERS;
/// Arithmetic modulo n.
const ORDER: &Modulus<4> = &NUMBERS.order;
