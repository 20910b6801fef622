//! X448 key agreement (RFC 7748).
//!
//! ```
//! use adamant_base::{Error, Rng};
//! use adamant_ec::x448::{PrivateKey, PublicKey};
//! # struct Fixed(u8);
//! # impl Rng for Fixed {
//! #     fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
//! #         for b in out { self.0 = self.0.wrapping_mul(5).wrapping_add(7); *b = self.0 }
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Fixed(1); // any generator; the program's own is the system's
//! let alice = PrivateKey::generate(&mut rng)?;
//! let bob = PrivateKey::generate(&mut rng)?;
//! // Each side sends 56 bytes.
//! let to_bob = alice.public_key().to_bytes();
//! let to_alice = bob.public_key().to_bytes();
//! let at_alice = alice.agree(&PublicKey::from_bytes(&to_alice))?;
//! let at_bob = bob.agree(&PublicKey::from_bytes(&to_bob))?;
//! assert_eq!(*at_alice, *at_bob);
//! # Ok::<(), Error>(())
//! ```
//!
//! The shared secret is a coordinate of a point, not uniform bytes: feed it, with both public
//! keys, to a key derivation function.
//!
//! Every operation on a private key runs in constant time.

pub(crate) use super::Backend;

use super::scalar::Scalar;
use adamant_base::family::KeyAgreement;
use adamant_base::{Error, Rng, Secret, ct, same_length};
use alloc::vec::Vec;

/// A private key, with its public key.
#[derive(Clone)]
pub struct PrivateKey {
    bytes: Secret<[u8; 56]>,
    public: PublicKey,
    backend: Backend,
}

/// A public key: any 56 bytes. Those that are not canonical stand for their value modulo p, as
/// RFC 7748, section 5 asks.
///
/// ```
/// use adamant_ec::x448::PublicKey;
/// let nine = PublicKey::from_bytes(&[9; 56]);
/// assert_eq!(nine.to_bytes(), [9; 56]);
/// assert_eq!(PublicKey::try_from(&[9; 56][..]), Ok(nine));
/// assert!(PublicKey::try_from(&[9; 55][..]).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey([u8; 56]);

/// The items of a chunk of a batch.
const CHUNK: usize = 64;

/// The scalar of a private key (`decodeScalar448` of RFC 7748, section 5): a multiple of 4 from
/// 2^447 on.
fn clamp(bytes: &[u8; 56]) -> Secret<[u8; 56]> {
    let mut scalar = Secret::new(*bytes);
    scalar[0] &= 252;
    scalar[55] |= 128;
    scalar
}

/// The same modulo the order of the base point.
fn base_scalar(bytes: &[u8; 56]) -> Secret<Scalar> {
    Secret::new(Scalar::reduce(&clamp(bytes)))
}

/// The secret, unless it is zero.
fn checked(shared: Secret<[u8; 56]>) -> Result<Secret<[u8; 56]>, Error> {
    // Public: no clamped scalar but 4l, which nobody has, takes another point than one of small
    // order to zero, and all take those, so it tells about the peer only.
    if ct::eq(&*shared, &[0; 56]).declassify() {
        return Err(Error::WeakSharedSecret);
    }
    Ok(shared)
}

impl PrivateKey {
    /// A new key from 56 random bytes.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut bytes = Secret::new([0; 56]);
        rng.fill(&mut *bytes)?;
        Ok(Self::from_bytes(&bytes))
    }

    /// The key of these 56 bytes; all are keys. Computes the public key: one multiplication of
    /// the base point.
    ///
    /// ```
    /// # use adamant_ec::x448::PrivateKey;
    /// let key = PrivateKey::from_bytes(&[7; 56]);
    /// assert_eq!(*key.to_bytes(), [7; 56]);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 56]) -> Self {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// As [`PrivateKey::from_bytes`], on the given implementation.
    #[must_use]
    pub fn from_bytes_on(bytes: &[u8; 56], backend: Backend) -> Self {
        let public = backend.mul_base_u(base_scalar(bytes).words());
        Self::from_parts(bytes, public, backend)
    }

    fn from_parts(bytes: &[u8; 56], mut public: [u8; 56], backend: Backend) -> Self {
        ct::mark_public_value(&mut public); // It is to be published.
        PrivateKey {
            bytes: Secret::new(*bytes),
            public: PublicKey(public),
            backend,
        }
    }

    /// The same key on the given implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The 56 bytes as they came in, not clamped.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<[u8; 56]> {
        self.bytes.clone()
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// The secret shared with `peer`.
    ///
    /// # Errors
    /// [`Error::WeakSharedSecret`] when it is zero: `peer` is a point of small order, and the
    /// result would be the same for every private key.
    pub fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; 56]>, Error> {
        let scalar = clamp(&self.bytes);
        checked(Secret::new(self.backend.ladder(&scalar, &peer.0)))
    }
}

impl PublicKey {
    /// The key of these 56 bytes; `try_from` reads them in a slice.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; 56]) -> Self {
        PublicKey(*bytes)
    }

    /// The 56 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 56] {
        self.0
    }
}

adamant_base::try_from_slice!(PrivateKey(all), PublicKey(all));

impl AsRef<[u8]> for PublicKey {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl KeyAgreement for PrivateKey {
    type PublicKey = PublicKey;
    type SharedSecret = [u8; 56];

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        PrivateKey::generate(rng)
    }
    fn public_key(&self) -> PublicKey {
        self.public
    }
    fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; 56]>, Error> {
        PrivateKey::agree(self, peer)
    }
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        generate_batch(count, rng)
    }
    #[cfg_attr(not(feature = "lab"), inline)]
    fn agree_batch(items: &[(&Self, &PublicKey)]) -> Vec<Result<Secret<[u8; 56]>, Error>> {
        agree_batch(items)
    }
}

/// Makes `count` keys, those that as many calls of [`PrivateKey::generate`] make.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut all = Secret::new([[0; 56]; CHUNK]);
        let mut scalars = Secret::new([[0; 7]; CHUNK]);
        for (bytes, scalar) in all.iter_mut().zip(&mut *scalars).take(len) {
            rng.fill(bytes)?;
            *scalar = *base_scalar(bytes).words();
        }
        let mut publics = [[0; 56]; CHUNK];
        backend.mul_base_u_batch(&scalars[..len], &mut publics[..len]);
        let made = all.iter().zip(publics).take(len);
        keys.extend(made.map(|(bytes, public)| PrivateKey::from_parts(bytes, public, backend)));
    }
    Ok(keys)
}

/// [`PrivateKey::agree`] for many pairs. The implementation is that of the first key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn agree_batch(items: &[(&PrivateKey, &PublicKey)]) -> Vec<Result<Secret<[u8; 56]>, Error>> {
    let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
    agree_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`PrivateKey::agree`] for many pairs: `out[i]` is what `items[i]` gives. The implementation is
/// that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn agree_batch_into(
    items: &[(&PrivateKey, &PublicKey)],
    out: &mut [Result<Secret<[u8; 56]>, Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        let mut inputs = Secret::new([[[0; 56]; 2]; CHUNK]);
        for (input, (key, peer)) in inputs.iter_mut().zip(items) {
            *input = [*clamp(&key.bytes), peer.0];
        }
        let mut shared = Secret::new([[0; 56]; CHUNK]);
        let backend = items[0].0.backend;
        backend.ladder_batch(&inputs[..len], &mut shared[..len]);
        for (result, shared) in out.iter_mut().zip(&*shared) {
            *result = checked(Secret::new(*shared));
        }
    }
    Ok(())
}
