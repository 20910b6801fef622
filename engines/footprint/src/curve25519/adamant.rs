//! Signatures and agreements by adamant.

use adamant_ec::{ed25519, x25519};

/// The library's name.
#[allow(dead_code)] // Not of the programs without the standard library.
pub(crate) const NAME: &str = "adamant";

/// Keys, and a signature to verify.
pub(crate) struct Keys {
    key: ed25519::PrivateKey,
    public: ed25519::PublicKey,
    signature: ed25519::Signature,
    exchange: x25519::PrivateKey,
    peer: x25519::PublicKey,
}

impl Keys {
    /// Keys of a seed; the signature is of this message.
    pub(crate) fn new(seed: &[u8; 32], message: &[u8]) -> Self {
        let key = ed25519::PrivateKey::from_seed(seed);
        let exchange = x25519::PrivateKey::from_bytes(seed);
        Keys {
            public: key.public_key(),
            signature: key.sign(message),
            peer: exchange.public_key(),
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
        self.exchange
            .agree(&self.peer)
            .map_or([0; 32], |shared| *shared)
    }
}
