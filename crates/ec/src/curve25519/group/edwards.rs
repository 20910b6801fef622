//! Points of edwards25519 as users see them.

use super::super::edwards::{BASE, Extended};
use super::super::field::Fe;
use super::super::fields::Field;
use super::super::roots;
use super::super::scalar::Scalar;
use super::{Backend, MontgomeryPoint};
use adamant_base::ct::Choice;
use adamant_base::{Error, Secret, Wipe, same_length};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A point of edwards25519 (RFC 8032, section 5.1; RFC 7748, section 4.1): of the whole group,
/// whose order is 8 l. Protocols that need a group of prime order take
/// [`RistrettoPoint`](crate::curve25519::RistrettoPoint).
///
/// Everything runs in constant time but what is named `_vartime`. The encoding, of y and a bit of x, is
/// made by `compress` and read by `decompress`: that takes an inversion and a square root, which
/// `to_bytes` and `from_bytes` of other types do not.
///
/// ```
/// use adamant_ec::{curve25519::Scalar, hazmat::group::EdwardsPoint};
/// let p = EdwardsPoint::mul_base(&Scalar::from(2));
/// let q = p * Scalar::from(3) - EdwardsPoint::BASE;
/// assert_eq!(q, EdwardsPoint::mul_base(&Scalar::from(5)));
/// let sent = q.compress();
/// assert_eq!(EdwardsPoint::decompress(&sent)?, q);
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EdwardsPoint(pub(in super::super) Extended);

impl EdwardsPoint {
    /// The neutral point, (0, 1).
    pub const NEUTRAL: EdwardsPoint = EdwardsPoint(Extended::NEUTRAL);
    /// The base point B, of order l.
    pub const BASE: EdwardsPoint = EdwardsPoint(Extended {
        x: BASE.x,
        y: BASE.y,
        z: Fe::ONE,
        t: BASE.x.const_mul(BASE.y),
    });

    /// The point of 32 bytes (RFC 8032, section 5.1.3).
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] unless they are the canonical encoding of a point of the curve.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn decompress(bytes: &[u8; 32]) -> Result<Self, Error> {
        Backend::best().decompress(bytes)
    }

    /// What [`roots::decompress`] gives, as a point.
    #[inline(always)]
    pub(in super::super) fn checked((valid, x, y): (Choice, Fe, Fe)) -> Result<Self, Error> {
        // Public: the caller learns it from the error.
        if !valid.declassify() {
            return Err(Error::BadPublicKey);
        }
        Ok(EdwardsPoint(Extended {
            x,
            y,
            z: Fe::ONE,
            t: x.mul(y),
        }))
    }

    /// The encoding of 32 bytes: y, and the lowest bit of x (RFC 8032, section 5.1.2).
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn compress(&self) -> [u8; 32] {
        self.0.scale(Backend::best().invert(&self.0.z)).compress()
    }

    /// The points of many encodings: `out[i]` is what [`EdwardsPoint::decompress`] gives for
    /// `bytes[i]`. Variable time, for encodings are public.
    ///
    /// ```
    /// # use adamant_ec::hazmat::group::EdwardsPoint;
    /// let points = EdwardsPoint::decompress_batch(&[EdwardsPoint::BASE.compress(), [0xff; 32]]);
    /// assert_eq!(points[0], Ok(EdwardsPoint::BASE));
    /// assert!(points[1].is_err());
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn decompress_batch(bytes: &[[u8; 32]]) -> Vec<Result<EdwardsPoint, Error>> {
        let mut out = vec![Err(Error::BadPublicKey); bytes.len()];
        Backend::best().decompress_batch(bytes, &mut out);
        out
    }

    /// [`Self::decompress_batch`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `out` has another length; it is then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn decompress_batch_into(
        bytes: &[[u8; 32]],
        out: &mut [Result<EdwardsPoint, Error>],
    ) -> Result<(), Error> {
        same_length(bytes.len(), out.len())?;
        Backend::best().decompress_batch(bytes, out);
        Ok(())
    }

    /// The encodings of many points, with one inversion for many.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn compress_batch(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
        let mut out = vec![[0; 32]; points.len()];
        Backend::best().compress_batch(points, &mut out);
        out
    }

    /// [`Self::compress_batch`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `out` has another length; it is then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn compress_batch_into(points: &[EdwardsPoint], out: &mut [[u8; 32]]) -> Result<(), Error> {
        same_length(points.len(), out.len())?;
        Backend::best().compress_batch(points, out);
        Ok(())
    }

    /// `scalar * B`, by a table of 30 KB.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_base(scalar: &Scalar) -> Self {
        Backend::best().mul_base(&Secret::new(scalar.to_bytes()))
    }

    /// `scalar * self`, for the scalar of 32 bytes after [`Scalar::clamp`].
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_clamped(&self, bytes: [u8; 32]) -> Self {
        Backend::best().mul(&Secret::new(Scalar::clamp(bytes)), self)
    }

    /// `2 self`.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn double(&self) -> Self {
        Backend::best().double(self)
    }

    /// `8 self`: of the group of prime order, whatever `self` is.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_by_cofactor(&self) -> Self {
        self.double().double().double()
    }

    /// `a * point + b * B`. Variable time, only for public values: the equation of a signature.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn double_base_mul_vartime(a: &Scalar, point: &Self, b: &Scalar) -> Self {
        Backend::best().double_base_vartime(a, point, b)
    }

    /// The sum of all `scalars[i] * points[i]`, in constant time (Straus).
    ///
    /// # Errors
    /// [`Error::BadLength`] unless there are as many points as scalars.
    ///
    /// ```
    /// # use adamant_ec::{curve25519::Scalar, hazmat::group::EdwardsPoint};
    /// let scalars = [Scalar::from(2), Scalar::from(3)];
    /// let points = [EdwardsPoint::BASE, EdwardsPoint::BASE.double()];
    /// let sum = EdwardsPoint::multiscalar_mul(&scalars, &points)?;
    /// assert_eq!(sum, EdwardsPoint::mul_base(&Scalar::from(8)));
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn multiscalar_mul(scalars: &[Scalar], points: &[Self]) -> Result<Self, Error> {
        same_length(scalars.len(), points.len())?;
        Ok(Backend::best().multiscalar_mul(scalars, points))
    }

    /// The sum of all `scalars[i] * points[i]`. Variable time, only for public values (Straus,
    /// and Pippenger for many).
    ///
    /// # Errors
    /// [`Error::BadLength`] unless there are as many points as scalars.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn multiscalar_mul_vartime(scalars: &[Scalar], points: &[Self]) -> Result<Self, Error> {
        same_length(scalars.len(), points.len())?;
        Ok(Backend::best().multiscalar_mul_vartime(scalars, points))
    }

    /// The point's u-coordinate on Curve25519.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        // u = (1 + y) / (1 - y), and 0 for the neutral point.
        let inverse = Backend::best().invert(&self.0.z.sub(self.0.y).tighten());
        MontgomeryPoint(self.0.z.add(self.0.y).mul(inverse).to_bytes())
    }

    /// Whether the points are equal.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn equals(&self, other: &Self) -> Choice {
        let (a, b) = (&self.0, &other.0);
        let x = a.x.mul(b.z).equals(b.x.mul(a.z));
        x.and(a.y.mul(b.z).equals(b.y.mul(a.z)))
    }

    /// Whether this is the neutral point.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn is_neutral(&self) -> Choice {
        self.equals(&Self::NEUTRAL)
    }

    /// Whether this is one of the eight points whose order divides 8.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn has_small_order(&self) -> Choice {
        self.0.projective().has_small_order()
    }

    /// Whether the point is of the group of prime order, generated by B.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn is_torsion_free(&self) -> Choice {
        // [l] self = [l - 1] self + self
        let minus_one = (-Scalar::ONE).to_bytes();
        (Backend::best().mul(&minus_one, self) + *self).is_neutral()
    }

    /// `a` where `choice` is true, else `b`.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn select(choice: Choice, a: &Self, b: &Self) -> Self {
        let each = |a: Fe, b: Fe| roots::select(choice, a, b);
        EdwardsPoint(Extended {
            x: each(a.0.x, b.0.x),
            y: each(a.0.y, b.0.y),
            z: each(a.0.z, b.0.z),
            t: each(a.0.t, b.0.t),
        })
    }
}

/// In constant time; the result is public.
impl PartialEq for EdwardsPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn eq(&self, other: &Self) -> bool {
        self.equals(other).declassify()
    }
}

impl Eq for EdwardsPoint {}

/// Says nothing of the value.
impl fmt::Debug for EdwardsPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EdwardsPoint")
    }
}

impl Wipe for EdwardsPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Neg for EdwardsPoint {
    type Output = EdwardsPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn neg(self) -> EdwardsPoint {
        EdwardsPoint(Extended {
            x: self.0.x.neg(),
            t: self.0.t.neg(),
            ..self.0
        })
    }
}

impl Add for EdwardsPoint {
    type Output = EdwardsPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn add(self, other: EdwardsPoint) -> EdwardsPoint {
        Backend::best().add_points(&self, &other)
    }
}

impl Mul<Scalar> for EdwardsPoint {
    type Output = EdwardsPoint;
    #[cfg_attr(not(feature = "lab"), inline)]
    fn mul(self, scalar: Scalar) -> EdwardsPoint {
        Backend::best().mul(&Secret::new(scalar.to_bytes()), &self)
    }
}

/// What follows from sums, differences, multiples and the encoding, for each type of point.
macro_rules! operators {
    ($point:ident) => {
        /// By `decompress`, with [`Error::BadLength`] for another length.
        impl TryFrom<&[u8]> for $point {
            type Error = Error;
            #[cfg_attr(not(feature = "lab"), inline)]
            fn try_from(bytes: &[u8]) -> Result<Self, Error> {
                Self::decompress(adamant_base::exactly(bytes)?)
            }
        }
        impl Sub for $point {
            type Output = $point;
            #[cfg_attr(not(feature = "lab"), inline)]
            fn sub(self, other: $point) -> $point {
                self + -other
            }
        }
        impl Mul<$point> for Scalar {
            type Output = $point;
            #[cfg_attr(not(feature = "lab"), inline)]
            fn mul(self, point: $point) -> $point {
                point * self
            }
        }
        impl AddAssign for $point {
            #[cfg_attr(not(feature = "lab"), inline)]
            fn add_assign(&mut self, other: $point) {
                *self = *self + other;
            }
        }
        impl SubAssign for $point {
            #[cfg_attr(not(feature = "lab"), inline)]
            fn sub_assign(&mut self, other: $point) {
                *self = *self - other;
            }
        }
        impl Sum for $point {
            fn sum<I: Iterator<Item = $point>>(points: I) -> $point {
                points.fold($point::NEUTRAL, |sum, point| sum + point)
            }
        }
    };
}
pub(in super::super) use operators;
operators!(EdwardsPoint);
