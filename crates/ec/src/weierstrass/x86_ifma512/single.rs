//! One multiplication of the base point with all eight lanes: a lane adds up every eighth digit, and
//! three additions across the lanes make the product.
//!
//! No addition but the last meets an exception. Before it, the sums that are added have digits in
//! different rows, and all rows of both are at least two apart. As integers the two are neither
//! equal nor opposite, as their lowest digits have different places. Both together are less than
//! 3n, so modulo n they could be if their sum or difference were ±n or ±2n. With the lowest row it
//! is odd, and less that row's digit a multiple of 2^(2 w), which n less a digit is not
//! ([`is_no_sum`]); without, it is a multiple of 2^w. The last sum, of even and odd rows, is not 0;
//! where both are equal it is a double, chosen by mask.

use super::Row;
use super::batch::{finish, has_x, is_twofold};
use super::digits::{Digits, windows};
use super::field::{Calls, Eight};
use super::four::{self, Steps};
use super::groups::{invert, points, transpose};
use super::point::{Affine, Extended, Jacobian};
use super::table::{BaseTable, Secrecy, width};
use adamant_base::Secret;
use adamant_base::simd::arch::{__mmask8, _mm512_castsi512_si128};
use adamant_base::simd::first_word;

/// Whether n is not a sum of digits for windows at least two apart: see above.
pub(in super::super) const fn is_no_sum<const W: usize>(n: &[u64; W], limbs: usize) -> bool {
    let width = width(limbs);
    let digits = 1 << width;
    let lowest = n[0] % (1 << (2 * width));
    // From -(2^w - 1) to 2^w - 1, modulo 2^(2 w).
    lowest >= digits && lowest <= (1 << (2 * width)) - digits
}

/// `k G`, for a curve of which [`is_no_sum`] holds.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_base<const W: usize, const L: usize>(
    k: &[u64; W],
    row: &Row<W, L>,
) -> [[u64; W]; 2] {
    let f = &row.field;
    let sum = product(k, Secrecy::Secret, row);
    let cube = invert(&sum.zzz, row);
    // z^-2 = z^4 z^-6
    let square = f.square(&f.mul(&sum.zz, &cube));
    let mut product = [[[0; W]; 2]];
    finish(&mut product, [&sum.x, &sum.y], [square, cube], row);
    product[0]
}

/// `k P`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(in super::super) fn mul<const W: usize, const L: usize, const M: usize>(
    k: &[u64; W],
    point: &[[u64; W]; 2],
    row: &Row<W, L>,
    steps: &Steps<W, M>,
) -> [[u64; W]; 2] {
    let f = &row.field;
    let product = four::product(k, &there(point, row, steps), steps);
    let sum = back(&product, row, steps);
    let inverse = invert(&sum.z, row);
    let square = f.square(&inverse);
    let cube = f.mul(&square, &inverse);
    let mut product = [[[0; W]; 2]];
    finish(&mut product, [&sum.x, &sum.y], [square, cube], row);
    product[0]
}

/// The point in every lane, on the curve that is computed on, in M limbs.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn there<const W: usize, const L: usize, const M: usize>(
    point: &[[u64; W]; 2],
    row: &Row<W, L>,
    steps: &Steps<W, M>,
) -> Affine<M> {
    let point = points(&[*point; 8], row);
    Affine {
        x: convert::<W, L, M>(&point.x, &row.field, &steps.field),
        y: convert::<W, L, M>(&point.y, &row.field, &steps.field),
    }
}

/// The points in L limbs again.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn back<const W: usize, const L: usize, const M: usize>(
    p: &Jacobian<M>,
    row: &Row<W, L>,
    steps: &Steps<W, M>,
) -> Jacobian<L> {
    Jacobian {
        x: convert::<W, M, L>(&p.x, &steps.field, &row.field),
        y: convert::<W, M, L>(&p.y, &steps.field, &row.field),
        z: convert::<W, M, L>(&p.z, &steps.field, &row.field),
    }
}

/// The same elements in other limbs.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn convert<const W: usize, const FROM: usize, const TO: usize>(
    x: &Eight<FROM>,
    from: &Calls<FROM>,
    to: &Calls<TO>,
) -> Eight<TO> {
    to.elements(&Secret::new(from.integers::<W>(x)))
}

/// Whether the x coordinate of `u1 G + u2 Q`, taken modulo n, is `r`: both products and their sum.
/// Nothing where an addition is an exception, or a scalar is zero, or r may stand for two.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(in super::super) fn has_x_vartime<const W: usize, const L: usize, const M: usize>(
    u1: &[u64; W],
    u2: &[u64; W],
    q: &[[u64; W]; 2],
    r: &[u64; W],
    row: &Row<W, L>,
    steps: &Steps<W, M>,
) -> Option<bool> {
    if *u1 == [0; W] || *u2 == [0; W] {
        return None;
    }
    let f = &row.field;
    let mut sum = product(u1, Secrecy::Public, row);
    let q = there(q, row, steps);
    let other = back(&four::product_vartime(u2, &q, steps), row, steps);
    let difference = (row.add)(&mut sum, &Extended::from_jacobian(&other, f), f);
    let matches = has_x(&sum, &transpose(&[], r), row) != 0;
    let exceptions = f.is_zero(&other.z) | f.is_zero(&difference);
    (exceptions == 0 && (matches || !is_twofold(r, row))).then_some(matches)
}

/// `k G` in every lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn product<const W: usize, const L: usize>(
    k: &[u64; W],
    secrecy: Secrecy,
    row: &Row<W, L>,
) -> Extended<L> {
    let ks = Secret::new(transpose(&[], k));
    sum_of(&Digits::new(&ks, &row.numbers.order.words), secrecy, row)
}

/// The sum of the digits' multiples of G in every lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum_of<const W: usize, const L: usize>(
    digits: &Digits<L>,
    secrecy: Secrecy,
    row: &Row<W, L>,
) -> Extended<L> {
    let f = &row.field;
    let count = windows(row.numbers.order.bits, width(L));
    let mut sum = Extended::from_affine(&entries(digits, 0, secrecy, row), f);
    for from in (8..count).step_by(8) {
        let mut next = sum;
        (row.add_affine)(&mut next, &entries(digits, from, secrecy, row));
        let lanes = 8.min(count - from);
        sum.assign_if((0xff_u16 >> (8 - lanes)) as __mmask8, &next);
    }
    for distance in [4, 2] {
        let other = swap(&sum, distance);
        (row.add)(&mut sum, &other, f);
    }
    let other = swap(&sum, 1);
    let twice = sum.double(f);
    let difference = (row.add)(&mut sum, &other, f);
    sum.assign_if(f.is_zero(&difference), &twice);
    sum.y = sum.y.negate_if(digits.negated, f);
    sum
}

/// The entries of eight digits, as many as there are, from this one on: one a lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn entries<const W: usize, const L: usize>(
    digits: &Digits<L>,
    from: usize,
    secrecy: Secrecy,
    row: &Row<W, L>,
) -> Affine<L> {
    let (table, width) = (BaseTable::get(row), width(L));
    let count = windows(row.numbers.order.bits, width);
    let mut points = Affine {
        x: Eight::zero(),
        y: Eight::zero(),
    };
    let mut negated = 0;
    for i in from..count.min(from + 8) {
        let lane = 1 << (i - from);
        let (index, negative) = if i + 1 == count {
            (digits.highest(width, i), 0)
        } else {
            digits.get(width, i)
        };
        negated |= negative & lane;
        match secrecy {
            Secrecy::Secret => table.pick_in(i, index, lane, &mut points),
            Secrecy::Public => {
                let index = first_word(_mm512_castsi512_si128(index));
                let entry = table.entry(i, index as usize);
                points.x = points.x.blend(&entry.x, lane);
                points.y = points.y.blend(&entry.y, lane);
            }
        }
    }
    points.negate_if(negated, &row.field)
}

/// The points of the other lanes: those whose numbers differ in this bit.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn swap<const L: usize>(p: &Extended<L>, bit: i64) -> Extended<L> {
    Extended {
        x: p.x.swap(bit),
        y: p.y.swap(bit),
        zz: p.zz.swap(bit),
        zzz: p.zzz.swap(bit),
    }
}

#[cfg(test)]
mod tests {
    use crate::weierstrass::curve::Derived;
    use crate::weierstrass::p256::{self, P256};
    use crate::weierstrass::sm2p256v1::{self, Sm2P256v1};
    use crate::weierstrass::words;

    /// The scalar for which even and odd rows have the same sum: with the digits of n, the
    /// difference of both is n.
    fn exception<C: Derived<4>>(width: usize) -> [u64; 4] {
        let (mut k, mut place) = ([0; 4], C::ORDER.to_residue(&words::one()));
        let rest = words::shift_right(&C::N, 1);
        let count = 255 / width + 1;
        for i in 0..count {
            let bit = |b: usize| (b < 256 && rest[b / 64] >> (b % 64) & 1 == 1) as i64;
            let window: i64 = (0..width).map(|b| bit(width * i + b) << b).sum();
            let highest = i + 1 == count;
            let digit = 2 * window + 1 - if highest { 0 } else { 1 << width };
            let part = C::ORDER.mul(&place, &[digit.unsigned_abs(), 0, 0, 0]);
            k = if (digit < 0) == (i % 2 == 0) {
                C::ORDER.sub(&k, &part)
            } else {
                C::ORDER.add(&k, &part)
            };
            place = C::ORDER.mul(&place, &C::ORDER.to_residue(&[1 << width, 0, 0, 0]));
        }
        k
    }

    #[test]
    fn the_last_addition_doubles() {
        let k = exception::<P256>(7);
        let negative = P256::ORDER.sub(&[0; 4], &k);
        let portable = p256::Backend::portable();
        for backend in p256::Backend::available() {
            for k in [&k, &negative] {
                assert_eq!(backend.mul_base(k), portable.mul_base(k));
            }
        }
        let k = exception::<Sm2P256v1>(7);
        let negative = Sm2P256v1::ORDER.sub(&[0; 4], &k);
        let portable = sm2p256v1::Backend::portable();
        for backend in sm2p256v1::Backend::available() {
            for k in [&k, &negative] {
                assert_eq!(backend.mul_base(k), portable.mul_base(k));
            }
        }
    }
}
