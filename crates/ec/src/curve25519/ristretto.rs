//! ristretto255 (RFC 9496): a group of prime order over edwards25519, with one encoding for each
//! element.
//!
//! An element is four points of the curve that differ by points of small order: [`RistrettoPoint`]
//! holds one of them, and everything here gives the same for each.

use super::edwards::{D, Extended, SQRT_M1};
use super::field::Fe;
use super::fields::Field;
use super::group::{Backend, EdwardsPoint, FixedBase, TableSize};
use super::roots::{absolute, is_canonical, is_negative, negate_if, select};
use super::scalar::Scalar;
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, Secret, Wipe, same_length};
use alloc::vec::Vec;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The constants of RFC 9496, section 4.1.
const SQRT_AD_MINUS_ONE: Fe = Fe::from_bytes(&[
    0x1b, 0x2e, 0x7b, 0x49, 0xa0, 0xf6, 0x97, 0x7e, 0xbd, 0x54, 0x78, 0x1b, 0x0c, 0x8e, 0x9d, 0xaf,
    0xfd, 0xd1, 0xf5, 0x31, 0xc9, 0xfc, 0x3c, 0x0f, 0xac, 0x48, 0x83, 0x2b, 0xbf, 0x31, 0x69, 0x37,
]);
const INVSQRT_A_MINUS_D: Fe = Fe::from_bytes(&[
    0xea, 0x40, 0x5d, 0x80, 0xaa, 0xfd, 0xc8, 0x99, 0xbe, 0x72, 0x41, 0x5a, 0x17, 0x16, 0x2f, 0x9d,
    0x40, 0xd8, 0x01, 0xfe, 0x91, 0x7b, 0xc2, 0x16, 0xa2, 0xfc, 0xaf, 0xcf, 0x05, 0x89, 0x6c, 0x78,
]);
const ONE_MINUS_D_SQ: Fe = Fe::ONE.sub(D.const_square()).tighten();
const D_MINUS_ONE_SQ: Fe = D.sub(Fe::ONE).const_square();
const MINUS_ONE: Fe = Fe::ONE.neg();

const fn is_zero(x: Fe) -> bool {
    let bytes = x.to_bytes();
    let mut i = 0;
    while i < 32 {
        if bytes[i] != 0 {
            return false;
        }
        i += 1;
    }
    true
}
const _: () = {
    let minus_d_minus_one = MINUS_ONE.sub(D).tighten();
    assert!(is_zero(
        SQRT_AD_MINUS_ONE.const_square().sub(minus_d_minus_one)
    ));
    let square = INVSQRT_A_MINUS_D.const_square();
    assert!(is_zero(square.const_mul(minus_d_minus_one).sub(Fe::ONE)));
};

/// An element of ristretto255 (RFC 9496).
///
/// Everything runs in constant time but what is named `_vartime`. As with points, the encoding is made
/// by `compress` and read by `decompress`, or by `try_from` where it is a slice: either takes a square
/// root, which `to_bytes` and `from_bytes` of other types do not.
///
/// ```
/// use adamant_ec::curve25519::{RistrettoPoint, Scalar};
/// let (a, b) = (Scalar::from(3), Scalar::from(5));
/// let sum = RistrettoPoint::mul_base(&a) + RistrettoPoint::BASE * b;
/// let sent = sum.compress();
/// let received = RistrettoPoint::decompress(&sent)?;
/// assert_eq!(received, RistrettoPoint::mul_base(&(a + b)));
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RistrettoPoint(EdwardsPoint);

impl RistrettoPoint {
    /// The neutral element.
    pub const NEUTRAL: RistrettoPoint = RistrettoPoint(EdwardsPoint::NEUTRAL);
    /// The generator.
    pub const BASE: RistrettoPoint = RistrettoPoint(EdwardsPoint::BASE);

    /// The element of 32 bytes (RFC 9496, section 4.3.1).
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless they are the encoding of an element.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn decompress(bytes: &[u8; 32]) -> Result<Self, Error> {
        let s = Fe::from_bytes(bytes);
        let ss = s.square();
        let (u1, u2) = (Fe::ONE.sub(ss).tighten(), Fe::ONE.add(ss).tighten());
        let u2u2 = u2.square();
        let v = D.mul(u1.square()).neg().sub(u2u2).tighten();
        let (square, root) = Backend::best().sqrt_ratio(&Fe::ONE, &v.mul(u2u2));
        let den_x = root.mul(u2);
        let den_y = root.mul(den_x).mul(v);
        let x = absolute(s.add(s).mul(den_x));
        let y = u1.mul(den_y);
        let t = x.mul(y);
        let wrong = is_negative(s).or(is_negative(t)).or(y.is_zero());
        let valid = is_canonical(bytes).and(square).and(!wrong);
        // Public: the caller learns it from the error.
        if !valid.declassify() {
            return Err(Error::BadPublicKey);
        }
        Ok(Self::from_coordinates(x, y, Fe::ONE, t))
    }

    /// The element that a point stands for: the double of a point of the curve.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[cfg(test)]
    pub(super) fn of(point: EdwardsPoint) -> Self {
        RistrettoPoint(point)
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn from_coordinates(x: Fe, y: Fe, z: Fe, t: Fe) -> Self {
        RistrettoPoint(EdwardsPoint(Extended { x, y, z, t }))
    }

    /// The encoding of 32 bytes (RFC 9496, section 4.3.2).
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn compress(&self) -> [u8; 32] {
        let Extended { x, y, z, t } = self.0.0;
        let u1 = z.add(y).mul(z.sub(y));
        let u2 = x.mul(y);
        let (_, root) = Backend::best().sqrt_ratio(&Fe::ONE, &u1.mul(u2.square()));
        let (den1, den2) = (root.mul(u1), root.mul(u2));
        let inverse = den1.mul(den2).mul(t);
        let rotate = is_negative(t.mul(inverse));
        let turned_x = select(rotate, y.mul(SQRT_M1), x);
        let turned_y = select(rotate, x.mul(SQRT_M1), y);
        let den = select(rotate, den1.mul(INVSQRT_A_MINUS_D), den2);
        let y = negate_if(is_negative(turned_x.mul(inverse)), turned_y);
        absolute(den.mul(z.sub(y))).to_bytes()
    }

    /// The elements of many encodings, as [`RistrettoPoint::decompress`] gives them.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn decompress_batch(bytes: &[[u8; 32]]) -> Vec<Result<RistrettoPoint, Error>> {
        bytes.iter().map(Self::decompress).collect()
    }

    /// [`Self::decompress_batch`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `out` has another length; it is then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn decompress_batch_into(
        bytes: &[[u8; 32]],
        out: &mut [Result<RistrettoPoint, Error>],
    ) -> Result<(), Error> {
        same_length(bytes.len(), out.len())?;
        for (bytes, out) in bytes.iter().zip(out) {
            *out = Self::decompress(bytes);
        }
        Ok(())
    }

    /// The encodings of many elements.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn compress_batch(points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
        points.iter().map(Self::compress).collect()
    }

    /// [`Self::compress_batch`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `out` has another length; it is then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn compress_batch_into(
        points: &[RistrettoPoint],
        out: &mut [[u8; 32]],
    ) -> Result<(), Error> {
        same_length(points.len(), out.len())?;
        for (point, out) in points.iter().zip(out) {
            *out = point.compress();
        }
        Ok(())
    }

    /// The element that 64 bytes are mapped to (RFC 9496, section 4.3.4): uniform for uniform
    /// bytes, and no one knows its discrete logarithm.
    ///
    /// ```
    /// # use adamant_ec::curve25519::RistrettoPoint;
    /// use adamant_hash::Sha512;
    /// let element = RistrettoPoint::from_uniform_bytes(&Sha512::digest(b"any label"));
    /// assert_ne!(element, RistrettoPoint::NEUTRAL);
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
        let (halves, _) = bytes.as_chunks::<32>();
        let [a, b] = [0, 1].map(|i| Self::map(Fe::from_bytes(&halves[i])));
        a + b
    }

    /// The function MAP of RFC 9496, section 4.3.4.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn map(t: Fe) -> Self {
        let r = SQRT_M1.mul(t.square());
        let u = r.add(Fe::ONE).mul(ONE_MINUS_D_SQ);
        let v = MINUS_ONE.sub(r.mul(D)).mul(r.add(D));
        let (square, root) = Backend::best().sqrt_ratio(&u, &v);
        let s = select(square, root, absolute(root.mul(t)).neg());
        let c = select(square, MINUS_ONE, r);
        let n = c.mul(r.sub(Fe::ONE)).mul(D_MINUS_ONE_SQ).sub(v).tighten();
        let ss = s.square();
        let w0 = s.add(s).mul(v);
        let w1 = n.mul(SQRT_AD_MINUS_ONE);
        let (w2, w3) = (Fe::ONE.sub(ss), Fe::ONE.add(ss));
        Self::from_coordinates(w0.mul(w3), w2.mul(w1), w1.mul(w3), w0.mul(w2))
    }

    /// A uniform element.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn random(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut bytes = Secret::new([0; 64]);
        rng.fill(&mut *bytes)?;
        Ok(Self::from_uniform_bytes(&bytes))
    }

    /// `scalar` times the generator, by a table of 30 KB.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_base(scalar: &Scalar) -> Self {
        RistrettoPoint(EdwardsPoint::mul_base(scalar))
    }

    /// `2 self`.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn double(&self) -> Self {
        RistrettoPoint(self.0.double())
    }

    /// `a * point + b * generator`. Variable time, only for public values.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn double_base_mul_vartime(a: &Scalar, point: &Self, b: &Scalar) -> Self {
        RistrettoPoint(EdwardsPoint::double_base_mul_vartime(a, &point.0, b))
    }

    /// The sum of all `scalars[i] * points[i]`, in constant time.
    ///
    /// # Errors
    /// [`Error::BadLength`] unless there are as many points as scalars.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn multiscalar_mul(scalars: &[Scalar], points: &[Self]) -> Result<Self, Error> {
        EdwardsPoint::multiscalar_mul(scalars, &inner(points)).map(RistrettoPoint)
    }

    /// The sum of all `scalars[i] * points[i]`. Variable time, only for public values.
    ///
    /// # Errors
    /// [`Error::BadLength`] unless there are as many points as scalars.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn multiscalar_mul_vartime(scalars: &[Scalar], points: &[Self]) -> Result<Self, Error> {
        EdwardsPoint::multiscalar_mul_vartime(scalars, &inner(points)).map(RistrettoPoint)
    }

    /// A table of multiples, for an element that is used often.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn table(&self, size: TableSize) -> RistrettoTable {
        RistrettoTable(FixedBase::new(&self.0, size))
    }

    /// Whether the elements are equal.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn equals(&self, other: &Self) -> Choice {
        let (a, b) = (&self.0.0, &other.0.0);
        let straight = a.x.mul(b.y).equals(a.y.mul(b.x));
        straight.or(a.y.mul(b.y).equals(a.x.mul(b.x)))
    }

    /// `a` where `choice` is true, else `b`.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn select(choice: Choice, a: &Self, b: &Self) -> Self {
        RistrettoPoint(EdwardsPoint::select(choice, &a.0, &b.0))
    }

    /// One of the four points of the curve that stand for this element: which one tells about the
    /// computation that it came from.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn representative(&self) -> EdwardsPoint {
        self.0
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
fn inner(points: &[RistrettoPoint]) -> Vec<EdwardsPoint> {
    points.iter().map(|point| point.0).collect()
}

/// A table of multiples of an element ([`RistrettoPoint::table`]).
#[derive(Clone)]
pub struct RistrettoTable(FixedBase);

impl RistrettoTable {
    /// `scalar` times the element.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul(&self, scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint(self.0.mul(scalar))
    }
}

/// In constant time; the result is public.
impl PartialEq for RistrettoPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn eq(&self, other: &Self) -> bool {
        self.equals(other).declassify()
    }
}

impl Eq for RistrettoPoint {}

/// Says nothing of the value.
impl fmt::Debug for RistrettoPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RistrettoPoint")
    }
}

impl Wipe for RistrettoPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Neg for RistrettoPoint {
    type Output = RistrettoPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn neg(self) -> RistrettoPoint {
        RistrettoPoint(-self.0)
    }
}

impl Add for RistrettoPoint {
    type Output = RistrettoPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn add(self, other: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self.0 + other.0)
    }
}

impl Mul<Scalar> for RistrettoPoint {
    type Output = RistrettoPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn mul(self, scalar: Scalar) -> RistrettoPoint {
        RistrettoPoint(self.0 * scalar)
    }
}

super::group::operators!(RistrettoPoint);
