//! The group on 32-bit words, for CPUs without a 64-bit multiplication: the formulas, roots and
//! algorithms of the parent, compiled over another field.
//!
//! Points and tables keep their form on the outside, radix 2^51, and are converted where an
//! operation begins and ends; a multiple of a point takes far longer.

// The same files, over another field; the group does not need all of them.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
#[allow(dead_code, unreachable_pub)]
mod field;
#[path = "../roots.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod roots;
#[cfg(test)]
mod tests;

use super::edwards as outside;
use super::field::Fe as OutsideFe;
use super::group::batch;
use super::table::COMB;
use adamant_base::Error;
use adamant_base::ct::Choice;
use field::Fe;

fn from_outside(x: OutsideFe) -> Fe {
    Fe::from_bytes(&x.to_bytes())
}

fn to_outside(x: Fe) -> OutsideFe {
    OutsideFe::from_bytes(&x.to_bytes())
}

fn read(point: &EdwardsPoint) -> Extended {
    let outside::Extended { x, y, z, t } = point.0;
    let [x, y, z, t] = [x, y, z, t].map(from_outside);
    Extended { x, y, z, t }
}

fn write(point: Extended) -> EdwardsPoint {
    let Extended { x, y, z, t } = point;
    let [x, y, z, t] = [x, y, z, t].map(to_outside);
    EdwardsPoint(outside::Extended { x, y, z, t })
}

fn from_table(entry: &Niels) -> Cached {
    Cached::from_niels(&edwards::Niels {
        y_plus_x: from_outside(entry.y_plus_x),
        y_minus_x: from_outside(entry.y_minus_x),
        xy2d: from_outside(entry.xy2d),
    })
}

/// The sum over the odd digits, times 16, plus the sum over the even ones.
fn mul_base_point(scalar: &[u8; 32]) -> EdwardsPoint {
    let digits = Secret::new(radix16(scalar));
    let (pairs, _) = digits.as_chunks::<2>();
    let mut sum = neutral();
    for odd in [true, false] {
        if !odd {
            sum = double_times(sum, 4);
        }
        for ([low, high], row) in pairs.iter().zip(COMB.chunks_exact(8)) {
            let (entry, sign) = kernel::select(row, if odd { *high } else { *low });
            sum = add(sum, &from_table(&entry), sign);
        }
    }
    write(sum)
}

super::group::words::formulas!([self]);
super::group::algorithms::algorithms!();

pub(super) fn add_points(a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
    write(add(read(a), &right(read(b)), 0))
}

pub(super) fn double(a: &EdwardsPoint) -> EdwardsPoint {
    write(double_times(read(a), 1))
}

pub(super) fn invert(x: &OutsideFe) -> OutsideFe {
    to_outside(from_outside(*x).invert())
}

pub(super) fn sqrt_ratio(u: &OutsideFe, v: &OutsideFe) -> (Choice, OutsideFe) {
    let (square, root) = roots::sqrt_ratio(from_outside(*u), from_outside(*v));
    (square, to_outside(root))
}

pub(super) fn decompress(bytes: &[u8; 32]) -> Result<EdwardsPoint, Error> {
    let (valid, x, y) = roots::decompress(bytes);
    EdwardsPoint::checked((valid, to_outside(x), to_outside(y)))
}

pub(super) fn decompress_batch(bytes: &[[u8; 32]], out: &mut [Result<EdwardsPoint, Error>]) {
    for (bytes, out) in bytes.iter().zip(out) {
        *out = decompress(bytes);
    }
}

pub(super) fn compress_batch(points: &[EdwardsPoint], out: &mut [[u8; 32]]) {
    batch::compress(points, out);
}
