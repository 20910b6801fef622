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

use super::Lanes;
use super::batch::{finish, has_x, invert, is_twofold, points, transpose};
use super::digits::{Digits, windows};
use super::field::Eight;
use super::four;
use super::point::{Affine, Extended, Form, Jacobian};
use super::prime::{Prime, bit_length};
use super::table::{BaseTable, Secrecy};
use crate::weierstrass::curve::Group;
use adamant_base::Secret;
use core::arch::x86_64::{__mmask8, _mm_cvtsi128_si64, _mm512_castsi512_si128};

/// Whether n is not a sum of digits for windows at least two apart: see above.
const fn is_no_sum<const W: usize>(n: &[u64; W], width: usize) -> bool {
    let digits = 1 << width;
    let lowest = n[0] % (1 << (2 * width));
    // From -(2^w - 1) to 2^w - 1, modulo 2^(2 w).
    lowest >= digits && lowest <= (1 << (2 * width)) - digits
}

/// `k G`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_base<C: Lanes<W, L>, const W: usize, const L: usize>(
    k: &[u64; W],
) -> [[u64; W]; 2] {
    const { assert!(is_no_sum(&C::N, C::WIDTH)) };
    let sum = product::<C, W, L>(k, Secrecy::Secret);
    let cube = invert::<C, W, L>(&sum.zzz);
    // z^-2 = z^4 z^-6
    let square = sum.zz.mul_once(&cube).square_once();
    let mut product = [[[0; W]; 2]];
    finish(&mut product, [&sum.x, &sum.y], [square, cube]);
    product[0]
}

/// `k P`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(in super::super) fn mul<C, const W: usize, const L: usize, const M: usize>(
    k: &[u64; W],
    point: &[[u64; W]; 2],
) -> [[u64; W]; 2]
where
    C: Lanes<W, L> + Form<M>,
{
    let sum = back::<C, W, L, M>(&four::product::<C, W, M>(k, &there::<C, W, L, M>(point)));
    let inverse = invert::<C, W, L>(&sum.z);
    let square = inverse.square_once();
    let cube = square.mul_once(&inverse);
    let mut product = [[[0; W]; 2]];
    finish(&mut product, [&sum.x, &sum.y], [square, cube]);
    product[0]
}

/// The point in every lane, on the curve that is computed on, in M limbs.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn there<C, const W: usize, const L: usize, const M: usize>(point: &[[u64; W]; 2]) -> Affine<C, M>
where
    C: Lanes<W, L> + Form<M>,
{
    let point = points::<C, W, L>(&[*point; 8]);
    Affine {
        x: convert::<C, W, L, M>(&point.x),
        y: convert::<C, W, L, M>(&point.y),
    }
}

/// The points in L limbs again.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn back<C, const W: usize, const L: usize, const M: usize>(p: &Jacobian<C, M>) -> Jacobian<C, L>
where
    C: Lanes<W, L> + Form<M>,
{
    Jacobian {
        x: convert::<C, W, M, L>(&p.x),
        y: convert::<C, W, M, L>(&p.y),
        z: convert::<C, W, M, L>(&p.z),
    }
}

/// The same elements in other limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn convert<C, const W: usize, const FROM: usize, const TO: usize>(
    x: &Eight<C, FROM>,
) -> Eight<C, TO>
where
    C: Prime<FROM> + Prime<TO>,
{
    Eight::from_integers(&Secret::new(x.to_integers::<W>()))
}

/// Whether the x coordinate of `u1 G + u2 Q`, taken modulo n, is `r`: both products and their sum.
/// Where an addition is an exception, or a scalar is zero, or r may stand for two, the portable
/// implementation decides.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(in super::super) fn has_x_vartime<C, const W: usize, const L: usize, const M: usize>(
    u1: &[u64; W],
    u2: &[u64; W],
    q: &[[u64; W]; 2],
    r: &[u64; W],
) -> bool
where
    C: Lanes<W, L> + Form<M>,
{
    let is_zero = |u: &[u64; W]| *u == [0; W];
    if !is_zero(u1) && !is_zero(u2) {
        let mut sum = product::<C, W, L>(u1, Secrecy::Public);
        let q = there::<C, W, L, M>(q);
        let other = back::<C, W, L, M>(&four::product_vartime::<C, W, M>(u2, &q));
        let difference = sum.add(&Extended::from_jacobian(&other));
        let matches = has_x::<C, W, L>(&sum, &transpose(&[], r));
        let exceptions = other.z.is_zero() | difference.is_zero();
        if exceptions == 0 && (matches != 0 || !is_twofold::<C, W, L>(r)) {
            return matches != 0;
        }
    }
    C::Group::portable().has_x_vartime(u1, u2, q, r)
}

/// `k G` in every lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn product<C: Lanes<W, L>, const W: usize, const L: usize>(
    k: &[u64; W],
    secrecy: Secrecy,
) -> Extended<C, L> {
    let ks = Secret::new(transpose(&[], k));
    sum_of::<C, W, L>(&Digits::new(&ks, &C::N), secrecy)
}

/// The sum of the digits' multiples of G in every lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum_of<C: Lanes<W, L>, const W: usize, const L: usize>(
    digits: &Digits<L>,
    secrecy: Secrecy,
) -> Extended<C, L> {
    let count = windows(bit_length(&C::N), C::WIDTH);
    let mut sum = Extended::from_affine(&entries::<C, W, L>(digits, 0, secrecy));
    for from in (8..count).step_by(8) {
        let mut next = sum;
        next.add_affine(&entries::<C, W, L>(digits, from, secrecy));
        let lanes = 8.min(count - from);
        sum.assign_if((0xff_u16 >> (8 - lanes)) as __mmask8, &next);
    }
    for distance in [4, 2] {
        let other = swap::<C, W, L>(&sum, distance);
        sum.add(&other);
    }
    let other = swap::<C, W, L>(&sum, 1);
    let twice = sum.double();
    let difference = sum.add(&other);
    sum.assign_if(difference.is_zero(), &twice);
    sum.y = sum.y.negate_if(digits.negated);
    sum
}

/// The entries of eight digits, as many as there are, from this one on: one a lane.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn entries<C: Lanes<W, L>, const W: usize, const L: usize>(
    digits: &Digits<L>,
    from: usize,
    secrecy: Secrecy,
) -> Affine<C, L> {
    let table = BaseTable::get::<C, W, L>();
    let count = windows(bit_length(&C::N), C::WIDTH);
    let mut points = Affine {
        x: Eight::zero(),
        y: Eight::zero(),
    };
    let mut negated = 0;
    for row in from..count.min(from + 8) {
        let lane = 1 << (row - from);
        let (index, negative) = if row + 1 == count {
            (digits.highest(C::WIDTH, row), 0)
        } else {
            digits.get(C::WIDTH, row)
        };
        negated |= negative & lane;
        match secrecy {
            Secrecy::Secret => table.pick_in::<C, W, L>(row, index, lane, &mut points),
            Secrecy::Public => {
                let index = _mm_cvtsi128_si64(_mm512_castsi512_si128(index));
                let entry = table.entry::<C, W, L>(row, index as usize);
                points.x = points.x.blend(&entry.x, lane);
                points.y = points.y.blend(&entry.y, lane);
            }
        }
    }
    points.negate_if(negated)
}

/// The points of the other lanes: those whose numbers differ in this bit.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn swap<C: Lanes<W, L>, const W: usize, const L: usize>(
    p: &Extended<C, L>,
    bit: i64,
) -> Extended<C, L> {
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
