//! Signatures and agreements by dalek's crates.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use x25519_dalek::{PublicKey, StaticSecret};

/// The library's name.
#[allow(dead_code)] // Not of the programs without the standard library.
pub(crate) const NAME: &str = "curve25519-dalek";

/// Keys, and a signature to verify.
pub(crate) struct Keys {
    key: SigningKey,
    public: VerifyingKey,
    signature: Signature,
    exchange: StaticSecret,
    peer: PublicKey,
}

impl Keys {
    /// Keys of a seed; the signature is of this message.
    pub(crate) fn new(seed: &[u8; 32], message: &[u8]) -> Self {
        let key = SigningKey::from_bytes(seed);
        let exchange = StaticSecret::from(*seed);
        Keys {
            public: key.verifying_key(),
            signature: key.sign(message),
            peer: PublicKey::from(&exchange),
            key,
            exchange,
        }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }

    pub(crate) fn verify(&self, message: &[u8]) -> bool {
        self.public.verify(message, &self.signature).is_ok()
    }

    pub(crate) fn derive(&self) -> [u8; 32] {
        self.exchange.diffie_hellman(&self.peer).to_bytes()
    }
}
