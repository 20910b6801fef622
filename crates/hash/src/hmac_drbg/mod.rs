//! The generator of deterministic nonces for ECDSA and DSA: HMAC_DRBG as RFC 6979 uses it
//! (3.2 and 3.6; the generator itself is that of NIST SP 800-90A, 10.1.2).

pub(crate) mod batch;
mod lanes;
#[cfg(test)]
mod tests;

pub use batch::{NonceHash, accepted_candidate, accepted_candidates};

use crate::Hmac;
use adamant_base::family::Hash;
use adamant_base::{Secret, Wipe};

/// Room for the digest of any hash.
const MAX_OUTPUT: usize = 64;

/// The candidates for one signature's nonce `k`, in order.
///
/// ```
/// use adamant_hash::{Sha256, hazmat::hmac_drbg::Rfc6979};
/// // The private key x and the message's digest, reduced mod q: int2octets and bits2octets.
/// let (x, h1) = ([1; 32], Sha256::digest(b"sample"));
/// let mut candidates = Rfc6979::<Sha256>::new(&x, &h1, b"");
/// let mut k = [0; 32];
/// candidates.next(&mut k); // and again while k is 0, not below q, or gives r = 0 or s = 0
/// ```
///
/// Everything here is secret and wiped on drop.
pub struct Rfc6979<H: Hash> {
    hash: H,
    /// The key K, as its two midstates.
    k: Hmac<H>,
    /// The value V.
    v: Secret<[u8; MAX_OUTPUT]>,
    /// Whether the last candidate was refused.
    retry: bool,
}

impl<H: Hash> Rfc6979<H> {
    /// Steps a to g of RFC 6979, 3.2.
    ///
    /// `private_key` is int2octets(x) and `digest` is bits2octets(H(m)), both as long as q.
    /// `extra` is the additional data k' of 3.6: empty, or fresh randomness for hedged signatures.
    #[must_use]
    pub fn new(private_key: &[u8], digest: &[u8], extra: &[u8]) -> Self {
        Self::with_hash(H::new(), private_key, digest, extra)
    }

    /// The same on the implementation of `hash`, which must not have taken anything in yet.
    #[must_use]
    pub fn with_hash(hash: H, private_key: &[u8], digest: &[u8], extra: &[u8]) -> Self {
        const { assert!(H::OUTPUT_LEN <= MAX_OUTPUT) };
        // b. and c.
        let k = Hmac::with_hash(&hash, &[0; MAX_OUTPUT][..H::OUTPUT_LEN]);
        let mut generator = Rfc6979 {
            hash,
            k,
            v: Secret::new([1; MAX_OUTPUT]),
            retry: false,
        };
        // d. to g.
        generator.update(0, &[private_key, digest, extra]);
        generator.update(1, &[private_key, digest, extra]);
        generator
    }

    /// K = HMAC(K, V ‖ separator ‖ data), then V = HMAC(K, V).
    fn update(&mut self, separator: u8, data: &[&[u8]]) {
        let mut mac = self.k.clone();
        mac.update(&self.v[..H::OUTPUT_LEN]);
        mac.update(&[separator]);
        for part in data {
            mac.update(part);
        }
        let mut key = mac.finalize();
        self.k = Hmac::with_hash(&self.hash, key.as_ref());
        key.as_mut().wipe();
        self.next_value();
    }

    /// V = HMAC(K, V).
    fn next_value(&mut self) {
        let v = &mut self.v[..H::OUTPUT_LEN];
        let mut mac = self.k.clone();
        mac.update(v);
        let mut value = mac.finalize();
        v.copy_from_slice(value.as_ref());
        value.as_mut().wipe();
    }

    /// Step h: the next candidate, as many bits as `out` has.
    ///
    /// When the length of q is not a multiple of eight bits, ask for whole bytes and drop the
    /// lowest bits (bits2int).
    pub fn next(&mut self, out: &mut [u8]) {
        if self.retry {
            self.update(0, &[]);
        }
        self.retry = true;
        for chunk in out.chunks_mut(H::OUTPUT_LEN) {
            self.next_value();
            chunk.copy_from_slice(&self.v[..chunk.len()]);
        }
    }
}
