//! Numbers and points in groups of eight, a lane for each: loaded, and inverted together.

use super::super::Curve;
use super::field::{Eight, Words};
use super::point::Affine;
use super::prime::{BITS, Of, join, split};
use super::{Lanes, Row};
use adamant_base::Secret;

/// Eight numbers a word at a time, with `rest` in the lanes without one.
#[inline(never)]
pub(super) fn transpose<const W: usize>(numbers: &[[u64; W]], rest: &[u64; W]) -> Words<W> {
    let mut words = [[0; 8]; W];
    for lane in 0..8 {
        let number = numbers.get(lane).unwrap_or(rest);
        for (word, x) in words.iter_mut().zip(number) {
            word[lane] = *x;
        }
    }
    words
}

/// The coordinates of eight points, with `rest` in the lanes without one.
#[inline(never)]
fn coordinates<const W: usize>(points: &[[[u64; W]; 2]], rest: &[[u64; W]; 2]) -> [Words<W>; 2] {
    let mut coordinates = [[[0; 8]; W]; 2];
    for lane in 0..8 {
        let point = points.get(lane).unwrap_or(rest);
        for (words, coordinate) in coordinates.iter_mut().zip(point) {
            for (word, x) in words.iter_mut().zip(coordinate) {
                word[lane] = *x;
            }
        }
    }
    coordinates
}

/// The number in a lane.
#[inline]
pub(super) fn lane<const W: usize>(words: &Words<W>, lane: usize) -> [u64; W] {
    let mut number = [0; W];
    for (x, word) in number.iter_mut().zip(words) {
        *x = word[lane];
    }
    number
}

/// The factors between the coordinates of the curve's points, x and y as integers, and those on the
/// curve that is computed on, in Montgomery's form.
pub(super) trait Factors<const W: usize, const L: usize>: Lanes<W, L> {
    /// From integers: R^2, times the square and the cube of the twist's z where there is one.
    const FROM: [[u64; L]; 2] = if Self::IS_TWISTED {
        let z = split(&Self::TWIST);
        let square = Of::<Self, L>::product(&z, &z);
        let cube = Of::<Self, L>::product(&square, &z);
        let n = 2 * BITS * L;
        [
            Of::<Self, L>::shift(square, n),
            Of::<Self, L>::shift(cube, n),
        ]
    } else {
        [Of::<Self, L>::R2; 2]
    };
    /// To integers: 1, over the same square and cube. As a z^4 is -3, 1 / z^4 is -a / 3.
    const TO: [[u64; L]; 2] = if Self::IS_TWISTED {
        let z = split(&Self::TWIST);
        let square = Of::<Self, L>::product(&z, &z);
        let inverse = Of::<Self, L>::minus_third(&split(&<Self as Curve<W>>::A));
        [
            Of::<Self, L>::product(&square, &inverse),
            Of::<Self, L>::product(&z, &inverse),
        ]
    } else {
        [Of::<Self, L>::PLAIN_ONE; 2]
    };
}

impl<C: Lanes<W, L>, const W: usize, const L: usize> Factors<W, L> for C {}

/// The points, with G in the lanes without one, on the curve that is computed on.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn points<const W: usize, const L: usize>(
    points: &[[[u64; W]; 2]],
    row: &Row<W, L>,
) -> Affine<L> {
    let [x, y] = coordinates(points, row.g);
    let [x_factor, y_factor] = row.from;
    Affine {
        x: row.field.elements_times(&x, x_factor),
        y: row.field.elements_times(&y, y_factor),
    }
}

/// The inverse of what all lanes hold, a number below 2p; 0 for 0.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn invert<const W: usize, const L: usize>(x: &Eight<L>, row: &Row<W, L>) -> Eight<L> {
    let residues = Secret::new(row.field.residues::<W>(x));
    let residue = Secret::new(lane(&residues, 0));
    // R^2 / (x R) is the inverse's residue.
    let scale = join(&row.field.constants.r2);
    let inverse = Secret::new(row.numbers.field.divide(&scale, &residue));
    Eight::from_residues(&Secret::new(transpose(&[], &inverse)))
}

/// Replaces each element by its inverse, with one inversion for all; none may be 0.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn invert_all<const W: usize, const L: usize>(
    elements: &mut [Eight<L>],
    row: &Row<W, L>,
) {
    invert_with(elements, &mut elements.to_vec(), row);
}

/// [`invert_all`], with room for as many elements.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn invert_with<const W: usize, const L: usize>(
    elements: &mut [Eight<L>],
    before: &mut [Eight<L>],
    row: &Row<W, L>,
) {
    let f = &row.field;
    let mut all = f.one();
    for (element, before) in elements.iter().zip(&mut *before) {
        *before = all;
        all = f.mul(&all, element);
    }
    // The same across the lanes: the other one of each pair, the other pair, the other four.
    let other = all.swap(1);
    let pair = f.mul(&all, &other);
    let other_pair = pair.swap(2);
    let four = f.mul(&pair, &other_pair);
    let other_four = four.swap(4);
    let inverse = f.mul(&invert(&f.mul(&four, &other_four), row), &other_four);
    let mut inverse = f.mul(&f.mul(&inverse, &other_pair), &other);
    for (element, before) in elements.iter_mut().zip(before).rev() {
        let next = f.mul(&inverse, element);
        *element = f.mul(&inverse, before);
        inverse = next;
    }
}
