//! Keys, their encodings, and key agreement.

use super::curve::{Curve, Derived, Group, MAX_LEN, Numbers};
use super::{square_root, words};
use adamant_base::ct;
use adamant_base::family::{Block, KeyAgreement};
use adamant_base::hazmat::{FromBytesOn, GenerateOn};
use adamant_base::{Error, Rng, Secret, Wipe, same_length};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Candidates for a private key that are drawn before the generator is taken to be broken: each
/// is refused with probability 2^-32 on P-256, and close to 1/2 at worst.
const MAX_CANDIDATES: usize = 128;

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
pub struct PrivateKey<C: Curve<W>, const W: usize> {
    pub(super) d: Secret<[u64; W]>,
    pub(super) public: PublicKey<C, W>,
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
pub struct PublicKey<C: Curve<W>, const W: usize> {
    /// x and y, below p.
    pub(super) point: [[u64; W]; 2],
    pub(super) backend: C::Group,
}

impl<C: Curve<W>, const W: usize> PrivateKey<C, W> {
    /// A new key: candidates as long as n are drawn until one is from 1 to n - 1 (FIPS 186-5,
    /// A.2.2).
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator, or where it gives nothing usable.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate_on(rng, C::Group::best())
    }

    /// The key of an integer from 1 to n - 1.
    fn of(d: Secret<[u64; W]>, backend: C::Group) -> Self {
        let mut point = backend.mul_base(&d);
        // A public key is public.
        ct::mark_public_value(&mut point);
        let public = PublicKey { point, backend };
        PrivateKey { d, public }
    }

    /// The key in big-endian bytes, as many as p has; `try_from` reads them in a slice.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] for zero, and for numbers not below n.
    pub fn from_bytes(bytes: &C::Scalar) -> Result<Self, Error> {
        Self::from_bytes_on(bytes, C::Group::best())
    }

    /// The key in big-endian bytes, as many as p has.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<C::Scalar> {
        encode::<C, W>(&self.d)
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey<C, W> {
        self.public
    }

    /// The key on another implementation, and with it the public key that it gives out.
    #[must_use]
    pub fn with_backend(mut self, backend: C::Group) -> Self {
        self.public.backend = backend;
        self
    }

    /// The x coordinate of the point shared with `peer`: the raw secret of SP 800-56A, 5.7.1.2.
    ///
    /// # Errors
    /// None: with a valid key and a group of prime order, every result is as good as another.
    pub fn agree(&self, peer: &PublicKey<C, W>) -> Result<Secret<C::Scalar>, Error> {
        Ok(C::agree(self, peer))
    }
}

impl<C: Curve<W>, const W: usize> GenerateOn<C::Group> for PrivateKey<C, W> {
    fn generate_on(rng: &mut impl Rng, backend: C::Group) -> Result<Self, Error> {
        C::generate(rng, backend)
    }
}

impl<C: Curve<W>, const W: usize> FromBytesOn<C::Group> for PrivateKey<C, W> {
    type Bytes = C::Scalar;

    fn from_bytes_on(bytes: &C::Scalar, backend: C::Group) -> Result<Self, Error> {
        C::from_bytes(bytes.as_ref(), backend)
    }
}

/// By [`PrivateKey::from_bytes`], with [`Error::BadLength`] for another length.
impl<C: Curve<W>, const W: usize> TryFrom<&[u8]> for PrivateKey<C, W> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        C::from_bytes(bytes, C::Group::best())
    }
}

impl<C: Curve<W>, const W: usize> PublicKey<C, W> {
    /// The key as SEC 1, 2.3.4, encodes a point: both coordinates (first byte 4), or x and the
    /// parity of y (first byte 2 or 3). On P-256 that is 65 bytes or 33.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for other forms, the point at infinity, a coordinate not below p,
    /// and a point that is not on the curve.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, Error> {
        C::from_sec1(bytes)
    }

    /// The uncompressed encoding: 4, x, y.
    #[must_use]
    pub fn to_sec1(&self) -> C::Uncompressed {
        let mut encoding = C::Uncompressed::ZERO;
        if let Some((form, rest)) = encoding.as_mut().split_first_mut() {
            *form = 4;
            let (x, y) = rest.split_at_mut(C::LEN);
            words::to_be_bytes(&self.point[0], x);
            words::to_be_bytes(&self.point[1], y);
        }
        encoding
    }

    /// The compressed encoding: 2 for an even y or 3 for an odd one, then x.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> C::Compressed {
        let mut encoding = C::Compressed::ZERO;
        if let Some((form, x)) = encoding.as_mut().split_first_mut() {
            *form = 2 | (self.point[1][0] & 1) as u8;
            words::to_be_bytes(&self.point[0], x);
        }
        encoding
    }

    /// The key on another implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: C::Group) -> Self {
        self.backend = backend;
        self
    }
}

/// [`PrivateKey::generate_on`].
pub(super) fn generate<C: Curve<W>, const W: usize>(
    rng: &mut dyn Rng,
    backend: C::Group,
) -> Result<PrivateKey<C, W>, Error> {
    Ok(PrivateKey::of(draw(C::NUMBERS, rng)?, backend))
}

/// [`PrivateKey::from_bytes_on`].
pub(super) fn read_private<C: Curve<W>, const W: usize>(
    bytes: &[u8],
    backend: C::Group,
) -> Result<PrivateKey<C, W>, Error> {
    same_length(C::LEN, bytes.len())?;
    let d = Secret::new(words::from_be_bytes(bytes));
    // Whether a key is accepted is public: nothing more is done with one that is not.
    if !C::ORDER.is_above_and_not_zero(&d).declassify() {
        return Err(Error::BadPrivateKey);
    }
    Ok(PrivateKey::of(d, backend))
}

/// [`PublicKey::from_sec1`].
pub(super) fn read_public<C: Curve<W>, const W: usize>(
    bytes: &[u8],
) -> Result<PublicKey<C, W>, Error> {
    Ok(PublicKey {
        point: read_point(C::NUMBERS, bytes)?,
        backend: C::Group::best(),
    })
}

/// [`PrivateKey::agree`].
pub(super) fn agree<C: Curve<W>, const W: usize>(
    key: &PrivateKey<C, W>,
    peer: &PublicKey<C, W>,
) -> Secret<C::Scalar> {
    let mut point = key.public.backend.mul(&key.d, &peer.point);
    let secret = encode::<C, W>(&point[0]);
    point.wipe();
    secret
}

/// An integer from 1 to n - 1: the first of the generator's candidates that is one.
pub(super) fn draw<const W: usize>(
    curve: &Numbers<W>,
    rng: &mut dyn Rng,
) -> Result<Secret<[u64; W]>, Error> {
    let mut room = Secret::new([0; MAX_LEN]);
    let bytes = &mut room[..curve.len];
    for _ in 0..MAX_CANDIDATES {
        rng.fill(bytes)?;
        bytes[0] &= 0xff >> curve.spare_bits;
        let d = Secret::new(words::from_be_bytes(bytes));
        // A candidate that is refused is used for nothing else.
        if curve.order.is_above_and_not_zero(&d).declassify() {
            return Ok(d);
        }
    }
    Err(Error::NoEntropy)
}

/// The point that SEC 1 encodes so.
fn read_point<const W: usize>(curve: &Numbers<W>, bytes: &[u8]) -> Result<[[u64; W]; 2], Error> {
    let f = &curve.field;
    match bytes.split_first() {
        Some((4, rest)) if rest.len() == 2 * curve.len => {
            let (x, y) = rest.split_at(curve.len);
            let (x, y) = (coordinate(curve, x)?, coordinate(curve, y)?);
            if right_side(curve, &x) != f.square(&f.to_residue(&y)) {
                return Err(Error::BadPublicKey);
            }
            Ok([x, y])
        }
        Some((form @ (2 | 3), x)) if x.len() == curve.len => {
            let x = coordinate(curve, x)?;
            let root = square_root::vartime(&right_side(curve, &x), f);
            let y = f.to_integer(&root.ok_or(Error::BadPublicKey)?);
            // No point has y = 0, so one of ±y has either parity.
            Ok(if y[0] & 1 == u64::from(form & 1) {
                [x, y]
            } else {
                [x, f.sub(&[0; W], &y)]
            })
        }
        _ => Err(Error::BadPublicKey),
    }
}

/// A coordinate, which has to be below p.
fn coordinate<const W: usize>(curve: &Numbers<W>, bytes: &[u8]) -> Result<[u64; W], Error> {
    let x = words::from_be_bytes(bytes);
    // Public keys are public.
    if curve.field.is_above(&x).declassify() {
        Ok(x)
    } else {
        Err(Error::BadPublicKey)
    }
}

/// The right side of the equation of the curve, x^3 + a x + b, as a residue, for the integer x.
fn right_side<const W: usize>(curve: &Numbers<W>, x: &[u64; W]) -> [u64; W] {
    let f = &curve.field;
    let x = f.to_residue(x);
    let [a, b] = &curve.coefficients;
    let sum = f.add(&f.square(&x), &f.to_residue(a));
    f.add(&f.mul(&sum, &x), &f.to_residue(b))
}

/// A number in bytes.
fn encode<C: Curve<W>, const W: usize>(x: &[u64; W]) -> Secret<C::Scalar> {
    let mut bytes = Secret::new(C::Scalar::ZERO);
    words::to_be_bytes(x, bytes.as_mut());
    bytes
}

impl<C: Curve<W>, const W: usize> PartialEq for PublicKey<C, W> {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl<C: Curve<W>, const W: usize> Eq for PublicKey<C, W> {}

impl<C: Curve<W>, const W: usize> core::fmt::Debug for PublicKey<C, W> {
    /// The compressed encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(C::NAME)?;
        f.write_str("::PublicKey(")?;
        for byte in self.to_sec1_compressed().as_ref() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl<C: Curve<W>, const W: usize> KeyAgreement for PrivateKey<C, W> {
    type PublicKey = PublicKey<C, W>;
    type SharedSecret = C::Scalar;

    fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        Self::generate(rng)
    }

    fn public_key(&self) -> PublicKey<C, W> {
        self.public_key()
    }

    fn agree(&self, peer: &PublicKey<C, W>) -> Result<Secret<C::Scalar>, Error> {
        self.agree(peer)
    }

    fn check_pair(&self) -> Result<(), Error> {
        self.check_pair()
    }

    #[cfg(feature = "alloc")]
    fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
        C::generate_batch(count, rng)
    }

    #[cfg(feature = "alloc")]
    fn agree_batch(items: &[(&Self, &PublicKey<C, W>)]) -> Vec<Result<Secret<C::Scalar>, Error>> {
        agree_batch(items)
    }
}

/// Items that a batch takes at once.
pub(super) const CHUNK: usize = 64;

/// Signatures that are checked at once: what their key costs to prepare is shared by all.
pub(super) const CHECKS: usize = 64 * CHUNK;

/// `count` new keys, as [`PrivateKey::generate`] makes them.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
#[cfg(feature = "alloc")]
pub fn generate_batch<C: Curve<W>, const W: usize>(
    count: usize,
    rng: &mut impl Rng,
) -> Result<Vec<PrivateKey<C, W>>, Error> {
    C::generate_batch(count, rng)
}

/// [`generate_batch`].
#[cfg(feature = "alloc")]
pub(super) fn generate_in_chunks<C: Curve<W>, const W: usize>(
    count: usize,
    rng: &mut dyn Rng,
) -> Result<Vec<PrivateKey<C, W>>, Error> {
    let backend = C::Group::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut scalars = Secret::new([[0; W]; CHUNK]);
        for d in &mut scalars[..len] {
            *d = *draw(C::NUMBERS, rng)?;
        }
        let mut points = [[[0; W]; 2]; CHUNK];
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
#[cfg(feature = "alloc")]
#[must_use]
pub fn agree_batch<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &PublicKey<C, W>)],
) -> Vec<Result<Secret<C::Scalar>, Error>> {
    let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
    agree_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`agree_batch`] into memory that is there.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`.
pub fn agree_batch_into<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &PublicKey<C, W>)],
    out: &mut [Result<Secret<C::Scalar>, Error>],
) -> Result<(), Error> {
    C::agree_batch_into(items, out)
}

/// [`agree_batch_into`].
pub(super) fn agree_in_chunks<C: Curve<W>, const W: usize>(
    items: &[(&PrivateKey<C, W>, &PublicKey<C, W>)],
    out: &mut [Result<Secret<C::Scalar>, Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut scalars = Secret::new([[0; W]; CHUNK]);
        let mut points = Secret::new([[[0; W]; 2]; CHUNK]);
        for (i, (key, peer)) in items.iter().enumerate() {
            (scalars[i], points[i]) = (*key.d, peer.point);
        }
        let mut shared = Secret::new([[[0; W]; 2]; CHUNK]);
        let backend = items[0].0.public.backend;
        backend.mul_batch(&scalars[..items.len()], &*points, &mut *shared);
        for (result, [x, _]) in out.iter_mut().zip(&*shared) {
            *result = Ok(encode::<C, W>(x));
        }
    }
    Ok(())
}
