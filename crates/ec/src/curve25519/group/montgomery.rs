//! Points of Curve25519 by their u-coordinate.

use super::super::edwards::Extended;
use super::super::field::Fe;
use super::super::fields::Field;
use super::super::scalar::Scalar;
use super::super::{roots, x25519};
use super::{Backend, EdwardsPoint};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Secret, Wipe};

/// A u-coordinate of Curve25519 (RFC 7748, section 4.1), in 32 bytes: a point and its opposite.
///
/// ```
/// use adamant_ec::curve25519::Scalar;
/// use adamant_ec::hazmat::group::{EdwardsPoint, MontgomeryPoint};
/// let scalar = Scalar::from(77);
/// let u = MontgomeryPoint::BASE.mul(&scalar);
/// assert_eq!(u, EdwardsPoint::mul_base(&scalar).to_montgomery());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MontgomeryPoint(pub [u8; 32]);

impl MontgomeryPoint {
    /// u = 9.
    pub const BASE: MontgomeryPoint = {
        let mut bytes = [0; 32];
        bytes[0] = 9;
        MontgomeryPoint(bytes)
    };

    /// The 32 bytes.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// `scalar * self`; 0 for the neutral point and for points of small order.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul(&self, scalar: &Scalar) -> Self {
        MontgomeryPoint(x25519::Backend::best().ladder(&Secret::new(scalar.to_bytes()), &self.0))
    }

    /// `scalar * self`, for the scalar of 32 bytes after [`Scalar::clamp`]: X25519.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_clamped(&self, bytes: [u8; 32]) -> Self {
        let scalar = Secret::new(Scalar::clamp(bytes));
        MontgomeryPoint(x25519::Backend::best().ladder(&scalar, &self.0))
    }

    /// The point of edwards25519 with this u-coordinate and the sign of x.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if there is none: on the curve's twist, and for u = -1.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn to_edwards(&self, negative: Choice) -> Result<EdwardsPoint, Error> {
        // y = (u - 1) / (u + 1)
        let u = Fe::from_bytes(&self.0);
        let below = u.add(Fe::ONE).tighten();
        let y = u.sub(Fe::ONE).mul(Backend::best().invert(&below));
        let mut bytes = y.to_bytes();
        bytes[31] |= (negative.bit() as u8) << 7;
        let point = EdwardsPoint::decompress(&bytes)?;
        if below.is_zero().declassify() {
            return Err(Error::BadPublicKey);
        }
        Ok(point)
    }

    /// Whether the u-coordinates are equal modulo p.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn equals(&self, other: &Self) -> Choice {
        ct::eq(&self.canonical(), &other.canonical())
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn canonical(&self) -> [u8; 32] {
        Fe::from_bytes(&self.0).to_bytes()
    }
}

/// In constant time; the result is public.
impl PartialEq for MontgomeryPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn eq(&self, other: &Self) -> bool {
        self.equals(other).declassify()
    }
}

impl Eq for MontgomeryPoint {}

impl Wipe for MontgomeryPoint {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl EdwardsPoint {
    /// The coordinates u and v on Curve25519, v^2 = u^3 + 486662 u^2 + u (RFC 7748, section 4.1);
    /// (0, 0) for the neutral point and for the one of order 2.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn to_montgomery_coordinates(&self) -> ([u8; 32], [u8; 32]) {
        // u = (1 + y) / (1 - y), v = sqrt(-486664) u / x
        let Extended { x, y, z, .. } = self.0;
        let (sum, difference) = (z.add(y).tighten(), z.sub(y).tighten());
        let inverse = Backend::best().invert(&difference.mul(x));
        let u = sum.mul(inverse).mul(x);
        let v = sum.mul(inverse).mul(z).mul(roots::SQRT_MINUS_486664);
        (u.to_bytes(), v.to_bytes())
    }
}
