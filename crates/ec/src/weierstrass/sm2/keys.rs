//! Keys of SM2 and their encodings.

use super::{CHUNK, Limbs, NUMBERS, ORDER};
use crate::weierstrass::sm2p256v1::{Backend, Sm2P256v1};
use crate::weierstrass::{self, keys::draw, words};
use adamant_base::ct::{self, Choice};
use adamant_base::hazmat::{FromBytesOn, GenerateOn};
use adamant_base::{Error, Rng, Secret};
use alloc::vec::Vec;

/// A private key: an integer d from 1 to n - 2 (GB/T 32918.1, 6.1), and with it the public key d G.
///
/// n - 1 is a key of ECDSA but not of SM2: signatures divide by 1 + d.
///
/// ```
/// use adamant_ec::sm2::PrivateKey;
/// let mut bytes = [0; 32];
/// assert!(PrivateKey::from_bytes(&bytes).is_err()); // 0 is not a key
/// bytes[31] = 1;
/// let key = PrivateKey::from_bytes(&bytes).unwrap();
/// // The base point.
/// assert_eq!(key.public_key().to_sec1_compressed()[..4], [0x02, 0x32, 0xc4, 0xae]);
/// ```
#[derive(Clone)]
pub struct PrivateKey {
    pub(super) d: Secret<Limbs>,
    /// 1 / (1 + d), in Montgomery's form: what a signature needs of the key.
    pub(super) inverse: Secret<Limbs>,
    pub(super) public: PublicKey,
}

/// A public key: a point of the curve, not the point at infinity.
///
/// ```
/// use adamant_ec::sm2::{PrivateKey, PublicKey};
/// let key = PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
/// assert_eq!(PublicKey::from_sec1(&key.to_sec1()), Ok(key));
/// assert_eq!(PublicKey::from_sec1(&key.to_sec1_compressed()), Ok(key));
/// let mut wrong = key.to_sec1();
/// wrong[64] ^= 1; // no longer on the curve
/// assert!(PublicKey::from_sec1(&wrong).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub(super) weierstrass::PublicKey<Sm2P256v1, 4>);

/// 1 + d mod n, which is 0 for the one d of 1 to n - 1 that is not a key.
fn next(d: &Limbs) -> Secret<Limbs> {
    Secret::new(ORDER.add(d, &words::one()))
}

/// Whether `1 <= d <= n - 2`.
fn is_key(d: &Limbs) -> Choice {
    ORDER
        .is_above_and_not_zero(d)
        .and(!words::is_zero(&next(d)))
}

/// An integer from 1 to n - 2.
fn draw_key(rng: &mut dyn Rng) -> Result<Secret<Limbs>, Error> {
    let d = draw(NUMBERS, rng)?;
    // Nothing more is done with one that is refused; no sound generator gives n - 1.
    if is_key(&d).declassify() {
        Ok(d)
    } else {
        Err(Error::NoEntropy)
    }
}

adamant_base::try_from_slice!(PrivateKey);

impl PrivateKey {
    /// A new key: candidates of 256 bits are drawn until one is from 1 to n - 2.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator, or where it gives nothing usable.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate_on(rng, Backend::best())
    }

    /// The key of an integer from 1 to n - 2.
    fn of(d: &Limbs, backend: Backend) -> Self {
        let inverse = Secret::new(ORDER.divide(&ORDER.one, &next(d)));
        Self::with_parts(d, &inverse, backend.mul_base(d), backend)
    }

    /// The key of an integer from 1 to n - 2 with what belongs to it.
    fn with_parts(d: &Limbs, inverse: &Limbs, mut point: [Limbs; 2], backend: Backend) -> Self {
        // A public key is public.
        ct::mark_public_value(&mut point);
        PrivateKey {
            d: Secret::new(*d),
            inverse: Secret::new(*inverse),
            public: PublicKey(weierstrass::PublicKey { point, backend }),
        }
    }

    /// The key in 32 big-endian bytes; `try_from` reads them in a slice.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] for zero, and for numbers above n - 2.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// The key in 32 big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<[u8; 32]> {
        Secret::new(to_bytes(&self.d))
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// The key on another implementation, and with it the public key that it gives out.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.public.0.backend = backend;
        self
    }
}

impl GenerateOn<Backend> for PrivateKey {
    fn generate_on(rng: &mut impl Rng, backend: Backend) -> Result<Self, Error> {
        let d = draw_key(rng)?;
        Ok(Self::of(&d, backend))
    }
}

impl FromBytesOn<Backend> for PrivateKey {
    type Bytes = [u8; 32];

    fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
        let d = Secret::new(words::from_be_bytes(bytes));
        // Whether a key is accepted is public: nothing more is done with one that is not.
        if !is_key(&d).declassify() {
            return Err(Error::BadPrivateKey);
        }
        Ok(Self::of(&d, backend))
    }
}

impl PublicKey {
    /// The key as GB/T 32918.1, 4.2.9, and SEC 1, 2.3.4, encode a point: 65 bytes with both
    /// coordinates (first byte 4) or 33 bytes with x and the parity of y (first byte 2 or 3).
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for other forms, the point at infinity, a coordinate not below p,
    /// and a point that is not on the curve.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, Error> {
        weierstrass::PublicKey::from_sec1(bytes).map(PublicKey)
    }

    /// The uncompressed encoding: 4, x, y.
    #[must_use]
    pub fn to_sec1(&self) -> [u8; 65] {
        self.0.to_sec1()
    }

    /// The compressed encoding: 2 for an even y or 3 for an odd one, then x.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> [u8; 33] {
        self.0.to_sec1_compressed()
    }

    /// The key on another implementation.
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> Self {
        PublicKey(self.0.with_backend(backend))
    }

    /// x and y, in 32 big-endian bytes each.
    pub(super) fn coordinates(&self) -> [u8; 64] {
        point_bytes(&self.0.point)
    }
}

impl core::fmt::Debug for PublicKey {
    /// The compressed encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// A number in 32 big-endian bytes.
pub(super) fn to_bytes(number: &Limbs) -> [u8; 32] {
    let mut bytes = [0; 32];
    words::to_be_bytes(number, &mut bytes);
    bytes
}

/// x and y of a point, in 32 big-endian bytes each.
pub(super) fn point_bytes([x, y]: &[Limbs; 2]) -> [u8; 64] {
    let mut bytes = [0; 64];
    words::to_be_bytes(x, &mut bytes[..32]);
    words::to_be_bytes(y, &mut bytes[32..]);
    bytes
}

/// `count` new keys, as [`PrivateKey::generate`] makes them.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    generate_in_chunks(count, rng)
}

#[cfg_attr(not(feature = "lab"), inline)]
fn generate_in_chunks(count: usize, rng: &mut dyn Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut ds = Secret::new([[0; 4]; CHUNK]);
        let mut nexts = Secret::new([[0; 4]; CHUNK]);
        for (d, to) in ds[..len].iter_mut().zip(&mut *nexts) {
            *d = *draw_key(rng)?;
            *to = *next(d);
        }
        let mut points = [[[0; 4]; 2]; CHUNK];
        backend.mul_base_batch(&ds[..len], &mut points);
        let mut inverses = Secret::new([[0; 4]; CHUNK]);
        ORDER.invert_all(&nexts[..len], &mut inverses[..len]);
        for (i, d) in ds[..len].iter().enumerate() {
            let key = PrivateKey::with_parts(d, &inverses[i], points[i], backend);
            keys.push(key);
        }
    }
    Ok(keys)
}
