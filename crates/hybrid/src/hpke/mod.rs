//! Hybrid public key encryption (RFC 9180): messages to the holder of a private key.
//!
//! ```
//! use adamant_hybrid::hpke::{Aead, Kdf, Kem, Mode, PrivateKey, PublicKey, Suite};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let suite = Suite::new(Kem::X25519, Kdf::HkdfSha256, Aead::Aes128Gcm);
//! let key = PrivateKey::generate(suite.kem(), &mut rng)?;
//! // The sender's side, and what it sends:
//! let public = PublicKey::from_bytes(suite.kem(), &key.public_key().to_bytes())?;
//! let (enc, mut sender) = suite.sender(&public, b"info", Mode::Base, &mut rng)?;
//! let sealed = sender.seal(b"aad", b"a message")?;
//! // The other side:
//! let mut receiver = suite.receiver(&enc, &key, b"info", Mode::Base)?;
//! assert_eq!(receiver.open(b"aad", &sealed)?, b"a message");
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Both sides have to agree on the suite, the mode and `info`. Messages are opened in the order in
//! which they were sealed. X-Wing as the KEM resists quantum computers.
//!
//! | file | holds |
//! |---|---|
//! | `kem` | keys; encapsulation to them, with and without a sender's key |
//! | `labeled` | HKDF with the labels of the RFC |
//! | `context` | the key schedule; sealing, opening, exporting |

mod context;
mod kem;
mod labeled;
#[cfg(test)]
mod tests;

pub use context::{Context, Mode, Psk, Receiver, Sender};
pub use kem::{PrivateKey, PublicKey};

use adamant_base::{Error, Rng};
use alloc::vec::Vec;

/// A KEM, by its registered number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u16)]
pub enum Kem {
    /// DHKEM(P-256, HKDF-SHA256).
    P256 = 0x0010,
    /// DHKEM(P-384, HKDF-SHA384).
    P384 = 0x0011,
    /// DHKEM(P-521, HKDF-SHA512).
    P521 = 0x0012,
    /// DHKEM(X25519, HKDF-SHA256).
    X25519 = 0x0020,
    /// DHKEM(X448, HKDF-SHA512).
    X448 = 0x0021,
    /// X-Wing, which has no modes with a sender's key.
    XWing = 0x647a,
}

/// A key derivation function, by its registered number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Kdf {
    /// HKDF-SHA256.
    HkdfSha256 = 1,
    /// HKDF-SHA384.
    HkdfSha384 = 2,
    /// HKDF-SHA512.
    HkdfSha512 = 3,
}

/// An AEAD, by its registered number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Aead {
    /// AES-128-GCM.
    Aes128Gcm = 1,
    /// AES-256-GCM.
    Aes256Gcm = 2,
    /// ChaCha20-Poly1305.
    ChaCha20Poly1305 = 3,
    /// None: contexts export secrets, and seal nothing.
    ExportOnly = 0xffff,
}

/// Which KEM, key derivation function and AEAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    kem: Kem,
    kdf: Kdf,
    aead: Aead,
}

impl Suite {
    /// The suite of these three.
    #[must_use]
    pub const fn new(kem: Kem, kdf: Kdf, aead: Aead) -> Self {
        Suite { kem, kdf, aead }
    }

    /// Its KEM, of which the keys have to be.
    #[must_use]
    pub const fn kem(&self) -> Kem {
        self.kem
    }

    /// Its identifier in the key schedule.
    fn id(&self) -> [u8; 10] {
        let [k0, k1] = (self.kem as u16).to_be_bytes();
        let [d0, d1] = (self.kdf as u16).to_be_bytes();
        let [a0, a1] = (self.aead as u16).to_be_bytes();
        [b'H', b'P', b'K', b'E', k0, k1, d0, d1, a0, a1]
    }

    /// Sets a sender up: the encapsulated key, which the receiver needs, and the context to seal
    /// with (section 5.1). `info` binds the context to its use.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a key of another KEM; [`Error::BadPrivateKey`] for a sender's
    /// key of another KEM, and for any with X-Wing; [`Error::BadParameter`] for a pre-shared key
    /// shorter than 32 bytes, and for one without a name; [`Error::WeakSharedSecret`];
    /// [`Error::NoEntropy`] from the generator.
    pub fn sender(
        &self,
        to: &PublicKey,
        info: &[u8],
        mode: Mode<'_, PrivateKey>,
        rng: &mut impl Rng,
    ) -> Result<(Vec<u8>, Sender), Error> {
        if to.kem() != self.kem {
            return Err(Error::BadPublicKey);
        }
        let (secret, enc) = to.encapsulate(mode.key(), rng)?;
        let context = Context::new(self, &secret, info, mode.number(), mode.psk())?;
        Ok((enc, Sender(context)))
    }

    /// Sets up the receiver, who holds `key`.
    ///
    /// # Errors
    /// As [`Self::sender`]; [`Error::BadPublicKey`] for an `enc` that is none;
    /// [`Error::BadPrivateKey`] for a key of another KEM.
    pub fn receiver(
        &self,
        enc: &[u8],
        key: &PrivateKey,
        info: &[u8],
        mode: Mode<'_, PublicKey>,
    ) -> Result<Receiver, Error> {
        if key.kem() != self.kem {
            return Err(Error::BadPrivateKey);
        }
        let secret = key.decapsulate(enc, mode.key())?;
        let context = Context::new(self, &secret, info, mode.number(), mode.psk())?;
        Ok(Receiver(context))
    }

    /// Seals one message: the encapsulated key and the ciphertext (section 6.1).
    ///
    /// # Errors
    /// As [`Self::sender`]; [`Error::BadParameter`] in a suite that seals nothing.
    pub fn seal(
        &self,
        to: &PublicKey,
        info: &[u8],
        mode: Mode<'_, PrivateKey>,
        aad: &[u8],
        message: &[u8],
        rng: &mut impl Rng,
    ) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let (enc, mut sender) = self.sender(to, info, mode, rng)?;
        Ok((enc, sender.seal(aad, message)?))
    }

    /// Opens what [`Self::seal`] made.
    ///
    /// # Errors
    /// As [`Self::receiver`]; [`Error::BadTag`].
    pub fn open(
        &self,
        enc: &[u8],
        key: &PrivateKey,
        info: &[u8],
        mode: Mode<'_, PublicKey>,
        aad: &[u8],
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        self.receiver(enc, key, info, mode)?.open(aad, sealed)
    }
}
