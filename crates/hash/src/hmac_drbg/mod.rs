//! HMAC_DRBG (NIST SP 800-90A, 10.1.2): a generator of random bits over any hash, seeded by the caller; and
//! as RFC 6979 seeds it, the generator of deterministic nonces for ECDSA and DSA.

pub(crate) mod batch;
mod lanes;
#[cfg(test)]
mod tests;

pub use batch::{NonceHash, accepted_candidate, accepted_candidates};

use crate::Hmac;
use adamant_base::family::{Hash, Rng};
use adamant_base::{Error, Secret, Wipe};

/// Room for the digest of any hash.
const MAX_OUTPUT: usize = 64;
/// Bytes that one call may ask for.
const MAX_REQUEST: usize = 1 << 16;
/// Calls after which the generator wants to be seeded anew.
const RESEED_INTERVAL: u64 = 1 << 48;
/// What the least strength of the standard needs, 112 bits, in bytes.
const MIN_ENTROPY: usize = 14;

/// A generator of random bytes (SP 800-90A): the same from the same seed.
///
/// ```
/// use adamant_base::Rng;
/// use adamant_hash::{HmacDrbg, Sha256};
/// # struct Noise;
/// # impl Noise { fn sample(&self) -> [u8; 32] { [0x5a; 32] } }
/// # let noise = Noise;
/// // From a source of noise, which has 256 bits of entropy in these bytes, and a number used once.
/// let mut generator = HmacDrbg::<Sha256>::new(&noise.sample(), b"boot 1234", b"thermostat").unwrap();
/// let mut key = [0; 16];
/// generator.fill(&mut key).unwrap();
/// generator.reseed(&noise.sample(), b"").unwrap();
/// ```
///
/// Everything here is secret and wiped on drop.
pub struct HmacDrbg<H: Hash> {
    hash: H,
    /// The key K, as its two midstates.
    k: Hmac<H>,
    /// The value V.
    v: Secret<[u8; MAX_OUTPUT]>,
    /// Calls since the last seed.
    requests: u64,
}

impl<H: Hash> HmacDrbg<H> {
    /// A generator with a seed of `entropy`, which nobody else can know, `nonce`, half as long and never the
    /// same twice, and `personalization`, which tells its user from others: the last may be empty, and the
    /// nonce where `entropy` is half as long again.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `entropy` is shorter than 14 bytes, the 112 bits of the least strength that
    /// the standard has.
    pub fn new(entropy: &[u8], nonce: &[u8], personalization: &[u8]) -> Result<Self, Error> {
        enough(entropy)?;
        Ok(Self::seeded(H::new(), &[entropy, nonce, personalization]))
    }

    /// The same with entropy and nonce from another generator: for SHA-256, 48 bytes of it.
    ///
    /// # Errors
    /// What `rng` says.
    pub fn from_rng(rng: &mut impl Rng, personalization: &[u8]) -> Result<Self, Error> {
        let mut seed = Secret::new([0; MAX_OUTPUT + MAX_OUTPUT / 2]);
        let seed = &mut seed[..H::OUTPUT_LEN + H::OUTPUT_LEN / 2];
        rng.fill(seed)?;
        Ok(Self::seeded(H::new(), &[seed, personalization]))
    }

    /// The state after Instantiate with these parts of the seed.
    fn seeded(hash: H, seed: &[&[u8]]) -> Self {
        const { assert!(H::OUTPUT_LEN <= MAX_OUTPUT) };
        let k = Hmac::with_hash(&hash, &[0; MAX_OUTPUT][..H::OUTPUT_LEN]);
        let mut generator = HmacDrbg {
            hash,
            k,
            v: Secret::new([1; MAX_OUTPUT]),
            requests: 0,
        };
        generator.update(seed);
        generator
    }

    /// Mixes fresh entropy in, and what the caller has besides, or nothing.
    ///
    /// # Errors
    /// [`Error::BadLength`] as [`HmacDrbg::new`]; the generator is then as before.
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), Error> {
        enough(entropy)?;
        self.update(&[entropy, additional]);
        self.requests = 0;
        Ok(())
    }

    /// Fills `out`, at most 65,536 bytes, with random ones, after it has mixed in what the caller has
    /// besides, or nothing.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `out` is longer, [`Error::NoEntropy`] after 2⁴⁸ calls without a new seed;
    /// `out` is then untouched.
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        if out.len() > MAX_REQUEST {
            let (expected, actual) = (MAX_REQUEST, out.len());
            return Err(Error::BadLength { expected, actual });
        }
        if self.requests == RESEED_INTERVAL {
            return Err(Error::NoEntropy);
        }
        if !additional.is_empty() {
            self.update(&[additional]);
        }
        self.write(out);
        self.update(&[additional]);
        self.requests += 1;
        Ok(())
    }

    /// HMAC_DRBG_Update with the parts of what is provided.
    fn update(&mut self, provided: &[&[u8]]) {
        self.mix(0, provided);
        if provided.iter().any(|part| !part.is_empty()) {
            self.mix(1, provided);
        }
    }

    /// K = HMAC(K, V ‖ separator ‖ provided), then V = HMAC(K, V).
    fn mix(&mut self, separator: u8, provided: &[&[u8]]) {
        let mut key = self.mac_of_value(&[separator], provided);
        self.k = Hmac::with_hash(&self.hash, key.as_ref());
        key.as_mut().wipe();
        self.next_value();
    }

    /// V = HMAC(K, V).
    fn next_value(&mut self) {
        let mut value = self.mac_of_value(&[], &[]);
        self.v[..H::OUTPUT_LEN].copy_from_slice(value.as_ref());
        value.as_mut().wipe();
    }

    /// HMAC(K, V ‖ separator ‖ provided).
    fn mac_of_value(&self, separator: &[u8], provided: &[&[u8]]) -> H::Output {
        let mut mac = self.k.clone();
        mac.update(&self.v[..H::OUTPUT_LEN]);
        mac.update(separator);
        for part in provided {
            mac.update(part);
        }
        mac.finalize()
    }

    /// One value after the other.
    fn write(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(H::OUTPUT_LEN) {
            self.next_value();
            chunk.copy_from_slice(&self.v[..chunk.len()]);
        }
    }
}

/// Whether a seed can have the strength that the standard asks for.
fn enough(entropy: &[u8]) -> Result<(), Error> {
    match entropy.len() {
        MIN_ENTROPY.. => Ok(()),
        actual => Err(Error::BadLength {
            expected: MIN_ENTROPY,
            actual,
        }),
    }
}

/// Without anything additional; of more than 65,536 bytes, so many at a time.
impl<H: Hash> Rng for HmacDrbg<H> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        (out.chunks_mut(MAX_REQUEST)).try_for_each(|part| self.generate(part, b""))
    }
}

/// The candidates for one signature's nonce `k`, in order (RFC 6979, 3.2 and 3.6).
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
    generator: HmacDrbg<H>,
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
        Rfc6979 {
            generator: HmacDrbg::seeded(hash, &[private_key, digest, extra]),
            retry: false,
        }
    }

    /// Step h: the next candidate, as many bits as `out` has.
    ///
    /// When the length of q is not a multiple of eight bits, ask for whole bytes and drop the
    /// lowest bits (bits2int).
    pub fn next(&mut self, out: &mut [u8]) {
        if self.retry {
            self.generator.update(&[]);
        }
        self.retry = true;
        self.generator.write(out);
    }
}
