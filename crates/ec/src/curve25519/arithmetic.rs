//! The arithmetic below the curve, opened in [`hazmat`](crate::hazmat).
//!
//! [`FieldElement`] is what `portable64` and `x86_bmi2` compute with. Sums and differences are not
//! reduced, as within the curve's formulas, so that only results of products may be operands of
//! them.

// The names are those of the functions that they open.
#![allow(clippy::should_implement_trait)]

pub(crate) mod lanes;

use super::field::Fe;
use super::fields::Field;

/// An integer modulo 2^255 - 19.
#[derive(Clone, Copy)]
pub struct FieldElement(pub(super) Fe);

/// Elements side by side, in the form of the implementation that loaded them: word `k` of lane `i`
/// is `[k][i]`.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub struct Lanes<const N: usize>(pub(in crate::curve25519) [[u64; N]; 5]);

impl FieldElement {
    /// The value of 32 bytes, least significant first, without their highest bit.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        FieldElement(Fe::from_bytes(bytes))
    }
    /// The value, reduced, least significant byte first.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        self.0.tighten().to_bytes()
    }
    /// `self + other`.
    #[inline]
    #[must_use]
    pub fn add(self, other: Self) -> Self {
        FieldElement(self.0.add(other.0))
    }
    /// `self - other`.
    #[inline]
    #[must_use]
    pub fn sub(self, other: Self) -> Self {
        FieldElement(self.0.sub(other.0))
    }
    /// `self * other`.
    #[inline]
    #[must_use]
    pub fn mul(self, other: Self) -> Self {
        FieldElement(self.0.mul(other.0))
    }
    /// `self * self`.
    #[inline]
    #[must_use]
    pub fn square(self) -> Self {
        FieldElement(self.0.square())
    }
    /// `1 / self`, and 0 for 0.
    #[inline]
    #[must_use]
    pub fn invert(self) -> Self {
        FieldElement(self.0.invert())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(seed: u8) -> [u8; 32] {
        core::array::from_fn(|i| {
            if i == 31 {
                0x0f
            } else {
                seed ^ (i as u8).wrapping_mul(37)
            }
        })
    }

    const ONE: [u8; 32] = {
        let mut one = [0; 32];
        one[0] = 1;
        one
    };

    #[test]
    fn field() {
        let (a, b) = (
            FieldElement::from_bytes(&bytes(3)),
            FieldElement::from_bytes(&bytes(77)),
        );
        assert_eq!(a.mul(a.invert()).to_bytes(), ONE);
        assert_eq!(a.square().to_bytes(), a.mul(a).to_bytes());
        // (a + b)(a - b) = a^2 - b^2
        let product = a.add(b).mul(a.sub(b));
        assert_eq!(product.to_bytes(), a.square().sub(b.square()).to_bytes());
    }
}
