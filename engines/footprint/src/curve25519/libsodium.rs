//! Signatures and agreements by libsodium.

use core::ptr::null_mut;
use libsodium_sys as sodium;

/// The library's name.
#[allow(dead_code)] // Not of the programs without the standard library.
pub(crate) const NAME: &str = "libsodium";

/// Keys, and a signature to verify.
pub(crate) struct Keys {
    key: [u8; 64],
    public: [u8; 32],
    signature: [u8; 64],
    exchange: [u8; 32],
    peer: [u8; 32],
}

impl Keys {
    /// Keys of a seed; the signature is of this message.
    pub(crate) fn new(seed: &[u8; 32], message: &[u8]) -> Self {
        let mut keys = Keys {
            key: [0; 64],
            public: [0; 32],
            signature: [0; 64],
            exchange: *seed,
            peer: [0; 32],
        };
        let (key, public) = (keys.key.as_mut_ptr(), keys.public.as_mut_ptr());
        // SAFETY: all have the bytes that the functions read and write.
        let done = unsafe {
            sodium::sodium_init() >= 0
                && sodium::crypto_sign_seed_keypair(public, key, seed.as_ptr()) == 0
                && sodium::crypto_scalarmult_base(keys.peer.as_mut_ptr(), seed.as_ptr()) == 0
        };
        assert!(done, "libsodium does not start");
        keys.signature = keys.sign(message);
        keys
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0; 64];
        let (from, length) = (message.as_ptr(), message.len() as u64);
        let (to, key) = (signature.as_mut_ptr(), self.key.as_ptr());
        // SAFETY: the place has the bytes that the function writes, the key those that it reads, and
        // it is told the message's. It does not fail.
        unsafe { sodium::crypto_sign_detached(to, null_mut(), from, length, key) };
        signature
    }

    pub(crate) fn verify(&self, message: &[u8]) -> bool {
        let (from, length) = (message.as_ptr(), message.len() as u64);
        let (signature, public) = (self.signature.as_ptr(), self.public.as_ptr());
        // SAFETY: signature and key have the bytes that the function reads, and it is told the
        // message's.
        unsafe { sodium::crypto_sign_verify_detached(signature, from, length, public) == 0 }
    }

    pub(crate) fn derive(&self) -> [u8; 32] {
        let mut shared = [0; 32];
        let (key, peer) = (self.exchange.as_ptr(), self.peer.as_ptr());
        // SAFETY: all three have the 32 bytes that the function reads and writes.
        match unsafe { sodium::crypto_scalarmult(shared.as_mut_ptr(), key, peer) } {
            0 => shared,
            _ => [0; 32],
        }
    }
}
