//! The reference on this curve.

use crate::weierstrass::Curve;
use crate::weierstrass::p256::P256;
use crate::weierstrass::tests::reference;
pub(super) use crate::weierstrass::tests::reference::{Modular, field, scalars};

pub(super) type Limbs = [u64; 4];
pub(super) const FIELD: Modular<4> = field::<P256, 4>();
pub(super) const SCALARS: Modular<4> = scalars::<P256, 4>();
pub(super) const G: [Limbs; 2] = P256::G;
pub(super) type Doublings = reference::Doublings<P256, 4>;
type Point = reference::Point<4>;

pub(super) fn add(p: Point, q: Point) -> Point {
    reference::add::<P256, 4>(p, q)
}
