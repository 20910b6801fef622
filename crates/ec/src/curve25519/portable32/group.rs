//! The group on words of this size: points and tables keep their form on the outside, radix 2^51, and
//! are converted where an operation begins and ends; a multiple of a point takes far longer.

use super::field::Fe;
use super::rows::{self, from_outside, to_outside};
use super::{edwards, roots};
use crate::curve25519::edwards as outside;
use crate::curve25519::field::Fe as OutsideFe;
use crate::curve25519::group::batch;
use adamant_base::Error;
use adamant_base::ct::Choice;

#[cfg_attr(not(feature = "lab"), inline)]
fn read(point: &EdwardsPoint) -> Extended {
    let outside::Extended { x, y, z, t } = point.0;
    let [x, y, z, t] = [x, y, z, t].map(from_outside);
    Extended { x, y, z, t }
}

#[cfg_attr(not(feature = "lab"), inline)]
fn write(point: Extended) -> EdwardsPoint {
    let Extended { x, y, z, t } = point;
    let [x, y, z, t] = [x, y, z, t].map(to_outside);
    EdwardsPoint(outside::Extended { x, y, z, t })
}

#[cfg_attr(not(feature = "lab"), inline)]
fn from_table(entry: &Niels) -> Cached {
    Cached::from_niels(&edwards::Niels {
        y_plus_x: from_outside(entry.y_plus_x),
        y_minus_x: from_outside(entry.y_minus_x),
        xy2d: from_outside(entry.xy2d),
    })
}

#[cfg_attr(not(feature = "lab"), inline)]
fn mul_base_point(scalar: &[u8; 32]) -> EdwardsPoint {
    write(*rows::mul_base_extended(scalar))
}

crate::curve25519::group::words::formulas!([super]);
crate::curve25519::group::algorithms::algorithms!();
crate::curve25519::group::algorithms::one_by_one!();

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn add_points(a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
    write(add(read(a), &right(read(b)), 0))
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn double(a: &EdwardsPoint) -> EdwardsPoint {
    write(double_times(read(a), 1))
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn invert(x: &OutsideFe) -> OutsideFe {
    to_outside(from_outside(*x).invert())
}

#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
fn inside_sqrt_ratio(u: Fe, v: Fe) -> (Choice, Fe) {
    roots::sqrt_ratio(u, v)
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn sqrt_ratio(u: &OutsideFe, v: &OutsideFe) -> (Choice, OutsideFe) {
    let (square, root) = inside_sqrt_ratio(from_outside(*u), from_outside(*v));
    (square, to_outside(root))
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn decompress(bytes: &[u8; 32]) -> Result<EdwardsPoint, Error> {
    let (valid, x, y) = roots::decompress(bytes, inside_sqrt_ratio);
    EdwardsPoint::checked((valid, to_outside(x), to_outside(y)))
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn decompress_batch(
    bytes: &[[u8; 32]],
    out: &mut [Result<EdwardsPoint, Error>],
) {
    for (bytes, out) in bytes.iter().zip(out) {
        *out = decompress(bytes);
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn compress_batch(points: &[EdwardsPoint], out: &mut [[u8; 32]]) {
    batch::compress(points, out);
}
