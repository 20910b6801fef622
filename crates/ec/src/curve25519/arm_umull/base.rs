//! Multiples of the base point: points as pairs, digits of five bits.

use super::pair::{Limbs, Pair, bits};
use crate::curve25519::arm_mul;
use crate::curve25519::arm_mul::base::{MULTIPLES, pick};
use crate::curve25519::edwards::{Extended, Niels};
use crate::curve25519::field::Words;
use crate::curve25519::rows::{DIGITS, WINDOW, odd_digits};
use crate::curve25519::scalar::odd_digit;
use crate::limbs::bits_at;
use adamant_base::Secret;

/// X and Y, and T and Z, carried.
#[derive(Clone, Copy)]
struct Point {
    xy: Pair,
    tz: Pair,
}

/// The limbs of a number below 2^256.
fn limbs(words: &Words) -> Limbs {
    let at = |i: usize| 51 * (i / 2) + 26 * (i % 2);
    core::array::from_fn(|i| {
        let bits = if i == 9 { 26 } else { bits(i) };
        bits_at(words, at(i), bits as usize) as u32
    })
}

impl Point {
    #[inline]
    #[target_feature(enable = "neon")]
    fn new(point: &Extended<arm_mul::field::Fe>) -> Point {
        let [x, y, z, t] = [point.x, point.y, point.z, point.t].map(|x| limbs(x.words()));
        Point {
            xy: Pair::new(&x, &y),
            tz: Pair::new(&t, &z),
        }
    }

    /// The coordinates, one by one.
    #[inline]
    #[target_feature(enable = "neon")]
    fn extended(self) -> Extended {
        let ([x, y], [t, z]) = (self.xy.split(), self.tz.split());
        Extended { x, y, z, t }
    }

    /// `self + other`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn add(self, other: &Niels<arm_mul::field::Fe>) -> Point {
        let sides = [other.y_minus_x, other.y_plus_x, other.xy2d].map(|x| limbs(x.words()));
        let two = core::array::from_fn(|i| if i == 0 { 2 } else { 0 });
        let ab = self
            .xy
            .difference_and_sum()
            .mul(Pair::new(&sides[0], &sides[1]));
        let cd = self.tz.mul(Pair::new(&sides[2], &two));
        // E = B - A, H = B + A, F = D - C, G = D + C
        let (eh, fg) = (ab.difference_and_sum(), cd.difference_and_sum());
        Point {
            xy: eh.mul(fg),
            tz: eh.firsts(fg).mul(eh.seconds(fg)),
        }
    }
}

/// `scalar * B` for a scalar below 2^255: as [`arm_mul`]'s, with additions in pairs.
#[inline(never)]
#[target_feature(enable = "neon")]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Secret<Extended> {
    let digits = odd_digits(scalar);
    let mut sum = Point::new(&Extended::NEUTRAL);
    for odd in [1, 0] {
        if odd == 0 {
            let mut point = Secret::new(sum.extended().inside());
            arm_mul::double(&mut point, WINDOW as u32);
            sum = Point::new(&point);
        }
        for (row, i) in MULTIPLES.iter().zip((odd..DIGITS).step_by(2)) {
            let (place, sign) = odd_digit(&digits[..], WINDOW, i);
            let mut entry = pick(row, place + 1);
            entry.neg_masked(sign);
            sum = sum.add(&entry);
        }
    }
    Secret::new(sum.extended())
}
