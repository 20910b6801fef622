//! Keys of P-256, their encodings, and key agreement.

use super::ecdsa::check_lengths;
use super::field::{Fe, P};
use super::limbs::{self, Limbs, sub4};
use super::point::{self, Affine};
use super::{Backend, scalar};
use adamant_base::ct::{self, Choice};
use adamant_base::family::KeyAgreement;
use adamant_base::{Error, Rng, Secret, Wipe};
use alloc::vec::Vec;

/// Candidates for a private key that are drawn before the generator is taken to be broken: each
/// is refused with probability 2^-32.
const MAX_CANDIDATES: usize = 16;

/// A private key: an integer d from 1 to n - 1, and with it the public key d G.
///
/// ```
/// use adamant_ec::p256::PrivateKey;
/// let mut bytes = [0; 32];
/// assert!(PrivateKey::from_bytes(&bytes).is_err()); // 0 is not a key
/// bytes[31] = 1;
/// let key = PrivateKey::from_bytes(&bytes).unwrap();
/// // The base point.
/// assert_eq!(key.public_key().to_sec1_compressed()[..4], [0x03, 0x6b, 0x17, 0xd1]);
/// ```
#[derive(Clone)]
pub struct PrivateKey {
    pub(super) d: Secret<Limbs>,
    pub(super) public: PublicKey,
}

/// A public key: a point of the curve, not the point at infinity.
///
/// ```
/// use adamant_ec::p256::{PrivateKey, PublicKey};
/// let key = PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
/// assert_eq!(PublicKey::from_sec1(&key.to_sec1()), Ok(key));
/// assert_eq!(PublicKey::from_sec1(&key.to_sec1_compressed()), Ok(key));
/// let mut wrong = key.to_sec1();
/// wrong[64] ^= 1; // no longer on the curve
/// assert!(PublicKey::from_sec1(&wrong).is_err());
/// ```
#[derive(Clone, Copy)]
pub struct PublicKey {
    /// x and y, below p.
    pub(super) point: [Limbs; 2],
    pub(super) backend: Backend,
}

impl PrivateKey {
    /// A new key: candidates of 256 bits are drawn until one is from 1 to n - 1 (FIPS 186-5,
    /// A.2.2).
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator, or where it gives nothing usable.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate_on(rng, Backend::best())
    }

    /// As [`PrivateKey::generate`], on the given implementation.
    ///
    /// # Errors
    /// As [`PrivateKey::generate`].
    pub fn generate_on(rng: &mut impl Rng, backend: Backend) -> Result<Self, Error> {
        let d = draw(rng)?;
        Ok(Self::of(d, backend))
    }

    /// The key of an integer from 1 to n - 1.
    fn of(d: Secret<Limbs>, backend: Backend) -> Self {
        let mut point = backend.mul_base(&d);
        // A public key is public.
        ct::mark_public_value(&mut point);
        let public = PublicKey { point, backend };
        PrivateKey { d, public }
    }

    /// The key in 32 big-endian bytes.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] for another length, for zero, and for numbers not below n.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, Backend::best())
    }

    /// As [`PrivateKey::from_bytes`], on the given implementation.
    ///
    /// # Errors
    /// As [`PrivateKey::from_bytes`].
    pub fn from_bytes_on(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let bytes: &[u8; 32] = bytes.try_into().map_err(|_| Error::BadPrivateKey)?;
        let d = Secret::new(limbs::from_be_bytes(bytes));
        // Whether a key is accepted is public: nothing more is done with one that is not.
        if !scalar::is_valid(&d).declassify() {
            return Err(Error::BadPrivateKey);
        }
        Ok(Self::of(d, backend))
    }

    /// The key in 32 big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<[u8; 32]> {
        Secret::new(limbs::to_be_bytes(&self.d))
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// The key on another implementation, and with it the public key that it gives out.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.public.backend = backend;
        self
    }

    /// The x coordinate of the point shared with `peer`: the raw secret of SP 800-56A, 5.7.1.2.
    ///
    /// # Errors
    /// None: with a valid key and a group of prime order, every result is as good as another.
    pub fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; 32]>, Error> {
        let mut point = self.public.backend.mul(&self.d, &peer.point);
        let secret = Secret::new(limbs::to_be_bytes(&point[0]));
        point.wipe();
        Ok(secret)
    }
}

impl PublicKey {
    /// The key as SEC 1, 2.3.4, encodes a point: 65 bytes with both coordinates (first byte 4) or
    /// 33 bytes with x and the parity of y (first byte 2 or 3).
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for other forms, the point at infinity, a coordinate not below p,
    /// and a point that is not on the curve.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, Error> {
        let point = match bytes {
            [4, rest @ ..] => match rest.as_chunks::<32>() {
                ([x, y], []) => {
                    let (x, y) = (coordinate(x)?, coordinate(y)?);
                    if !point::right_side(&x).equals(&y.square()).declassify() {
                        return Err(Error::BadPublicKey);
                    }
                    Affine { x, y }
                }
                _ => return Err(Error::BadPublicKey),
            },
            [form @ (2 | 3), x @ ..] => {
                let x = coordinate(x.try_into().map_err(|_| Error::BadPublicKey)?)?;
                let root = point::right_side(&x).sqrt_vartime();
                let y = root.ok_or(Error::BadPublicKey)?;
                // No point has y = 0, so one of ±y has either parity.
                let other = Choice::eq_u64(y.to_integer()[0] & 1, u64::from(form & 1));
                Affine {
                    x,
                    y: y.negate_if(!other),
                }
            }
            _ => return Err(Error::BadPublicKey),
        };
        Ok(PublicKey {
            point: point.to_integers(),
            backend: Backend::best(),
        })
    }

    /// The uncompressed encoding: 4, x, y.
    #[must_use]
    pub fn to_sec1(&self) -> [u8; 65] {
        let mut bytes = [4; 65];
        bytes[1..33].copy_from_slice(&limbs::to_be_bytes(&self.point[0]));
        bytes[33..].copy_from_slice(&limbs::to_be_bytes(&self.point[1]));
        bytes
    }

    /// The compressed encoding: 2 for an even y or 3 for an odd one, then x.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> [u8; 33] {
        let mut bytes = [2 | (self.point[1][0] & 1) as u8; 33];
        bytes[1..].copy_from_slice(&limbs::to_be_bytes(&self.point[0]));
        bytes
    }

    /// The key on another implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }
}

/// An integer from 1 to n - 1: the first of the generator's candidates that is one.
fn draw(rng: &mut impl Rng) -> Result<Secret<Limbs>, Error> {
    let mut bytes = Secret::new([0; 32]);
    for _ in 0..MAX_CANDIDATES {
        rng.fill(&mut *bytes)?;
        let d = Secret::new(limbs::from_be_bytes(&bytes));
        // A candidate that is refused is used for nothing else.
        if scalar::is_valid(&d).declassify() {
            return Ok(d);
        }
    }
    Err(Error::NoEntropy)
}

/// A coordinate, which has to be below p.
fn coordinate(bytes: &[u8; 32]) -> Result<Fe, Error> {
    let x = limbs::from_be_bytes(bytes);
    if sub4(&x, &P).1 {
        Ok(Fe::from_integer(&x))
    } else {
        Err(Error::BadPublicKey)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl Eq for PublicKey {}

impl core::fmt::Debug for PublicKey {
    /// The compressed encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("p256::PublicKey(")?;
        for byte in self.to_sec1_compressed() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl KeyAgreement for PrivateKey {
    type PublicKey = PublicKey;
    type SharedSecret = [u8; 32];

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate(rng)
    }

    fn public_key(&self) -> PublicKey {
        self.public_key()
    }

    fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; 32]>, Error> {
        self.agree(peer)
    }
}

/// Items that a batch takes at once.
pub(super) const CHUNK: usize = 64;

/// `count` new keys, as [`PrivateKey::generate`] makes them.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn keygen_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut scalars = Secret::new([[0; 4]; CHUNK]);
        for d in &mut scalars[..len] {
            *d = *draw(rng)?;
        }
        let mut points = [[[0; 4]; 2]; CHUNK];
        backend.mul_base_batch(&scalars[..len], &mut points);
        for (d, point) in scalars[..len].iter().zip(&mut points) {
            ct::mark_public_value(point); // a public key is public
            let point = *point;
            let public = PublicKey { point, backend };
            let d = Secret::new(*d);
            keys.push(PrivateKey { d, public });
        }
    }
    Ok(keys)
}

/// The secret of each pair of keys, as [`PrivateKey::agree`] gives it. The implementation is that of
/// the first key.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
pub fn agree_batch(
    items: &[(&PrivateKey, &PublicKey)],
    out: &mut [Result<Secret<[u8; 32]>, Error>],
) -> Result<(), Error> {
    check_lengths(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut scalars = Secret::new([[0; 4]; CHUNK]);
        let mut points = Secret::new([[[0; 4]; 2]; CHUNK]);
        for (i, (key, peer)) in items.iter().enumerate() {
            (scalars[i], points[i]) = (*key.d, peer.point);
        }
        let mut shared = Secret::new([[[0; 4]; 2]; CHUNK]);
        let backend = items[0].0.public.backend;
        backend.mul_batch(&scalars[..items.len()], &*points, &mut *shared);
        for (result, [x, _]) in out.iter_mut().zip(&*shared) {
            *result = Ok(Secret::new(limbs::to_be_bytes(x)));
        }
    }
    Ok(())
}
