//! One multiplication of a point at a time: what the formulas multiply independently of each other
//! is side by side, in four lanes. Fields of 256 bits take a sixth limb here, for lazy sums.
//!
//! Coordinates are Jacobian, with what their next doubling needs beside them: M = 3 x^2 + a z^4 and
//! W = a z^4 (Cohen, Miyaji, Ono, 1998), whose lanes are free. A doubling is three products of four
//! lanes one after the other, and so is an addition after a doubling that makes z^2 and y2 z on
//! its way. Signs that a formula would have to change are kept: a doubling gives -2P.
//!
//! The table holds odd multiples of the point over a common z, so that they count as affine on the
//! isomorphic curve with a z^4 for a; nothing has to be inverted for it.
//!
//! The digits are those of [`kernel`](crate::weierstrass::kernel), where it is shown that only the
//! last addition can meet an exception.
//!
//! R is at least 2^8 p here, so products are below 2p for factors up to 16p, and the comments count
//! multiples of p.

mod public;

pub(super) use public::product_vartime;

use super::field::{Calls, Eight};
use super::lanes::four::{self, Vector, add, carry, multiply_far, shift_left, splat, sub, zero};
use super::point::{Affine, Jacobian};
use super::prime::{Of, Prime};
use crate::weierstrass::curve::Derived;
use crate::weierstrass::endomorphism::{Endomorphism, HALF_BITS};
use crate::weierstrass::field::Field;
use crate::weierstrass::kernel::Digits;
use crate::weierstrass::modulus::Modulus;
use crate::weierstrass::table::{ENTRIES, WINDOW, digits};
use adamant_base::simd::arch::*;

/// Four elements, or sums of such before their carries.
type Four<const L: usize> = [Vector; L];

/// `a b / R` before its carries: a function of its own for many limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn multiply<F: Prime<L>, const L: usize>(a: &Four<L>, b: &Four<L>) -> Four<L> {
    if const { L > 6 } {
        multiply_far::<F, L>(a, b)
    } else {
        four::multiply::<F, L>(a, b)
    }
}

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
const fn order(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

/// The lanes of `$x` in this order; zero where `$lanes`, if given, has no bit; or else what `$into`
/// has there.
macro_rules! permute {
    ($x:expr, $from:expr) => {
        $crate::weierstrass::x86_ifma512::four::permuted::<{ order($from) }, _>(&$x)
    };
    ($x:expr, $from:expr, $lanes:literal) => {
        permute!($x, $from, $lanes, [zero(); _])
    };
    ($x:expr, $from:expr, $lanes:literal, $into:expr) => {
        permuted_into::<{ order($from) }, $lanes, _>(&$x, &$into)
    };
}
use permute;

// The functions below know nothing of the field, so that there is one of each for a number of limbs:
// loops, as closures would be functions of their own.

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn permuted<const ORDER: i32, const L: usize>(x: &Four<L>) -> Four<L> {
    let mut result = *x;
    for j in 0..L {
        result[j] = _mm256_permute4x64_epi64::<ORDER>(x[j]);
    }
    result
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn permuted_into<const ORDER: i32, const LANES: __mmask8, const L: usize>(
    x: &Four<L>,
    into: &Four<L>,
) -> Four<L> {
    let mut result = *into;
    for j in 0..L {
        result[j] = _mm256_mask_permutex_epi64::<ORDER>(into[j], LANES, x[j]);
    }
    result
}

/// `a`, and `b` in the lanes of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn blend<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = _mm256_mask_blend_epi64(lanes, a[j], b[j]);
    }
    result
}

/// These multiples of p in the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn multiples_of_p<F: Prime<L>, const L: usize>(n: [u64; 4]) -> Four<L> {
    let mut result = [zero(); L];
    for j in 0..L {
        let p = Of::<F, L>::P[j];
        let [a, b, c, d] = n;
        result[j] = _mm256_set_epi64x(
            (d * p) as i64,
            (c * p) as i64,
            (b * p) as i64,
            (a * p) as i64,
        );
    }
    result
}

/// A constant in every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn constant<const L: usize>(x: &[u64; L]) -> Four<L> {
    let mut result = [zero(); L];
    for j in 0..L {
        result[j] = splat(x[j]);
    }
    result
}

/// `a + b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn plus<const L: usize>(a: &Four<L>, b: &Four<L>) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = add(a[j], b[j]);
    }
    result
}

/// `a - b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn minus<const L: usize>(a: &Four<L>, b: &Four<L>) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = sub(a[j], b[j]);
    }
    result
}

/// `a + b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn plus_in<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = _mm256_mask_add_epi64(a[j], lanes, a[j], b[j]);
    }
    result
}

/// `a - b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn minus_in<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = _mm256_mask_sub_epi64(a[j], lanes, a[j], b[j]);
    }
    result
}

/// `2 a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn twice<const L: usize>(a: &Four<L>) -> Four<L> {
    plus(a, a)
}

/// `4 a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn fourfold<const L: usize>(a: &Four<L>) -> Four<L> {
    let mut result = *a;
    for j in 0..L {
        result[j] = shift_left::<2>(a[j]);
    }
    result
}

/// Lane 0 of the argument's eight, which are alike, in all of four.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn narrow<const L: usize>(x: &[__m512i; L]) -> Four<L> {
    let mut result = [zero(); L];
    for j in 0..L {
        result[j] = _mm512_castsi512_si256(x[j]);
    }
    result
}

/// Lane 0 in all of eight.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn widen<const L: usize>(x: &Four<L>) -> [__m512i; L] {
    let mut result = [_mm512_setzero_si512(); L];
    for j in 0..L {
        result[j] = _mm512_broadcastq_epi64(_mm256_castsi256_si128(x[j]));
    }
    result
}

/// A point (x / z^2, y / z^3).
#[derive(Clone, Copy)]
struct Point<const L: usize> {
    /// y, y, M, W: below 6p, 6p, 8p, 2p.
    sides: Four<L>,
    /// Lane 1 is x, below 10p.
    x: Four<L>,
    /// Lane 1 is z, below 4p.
    z: Four<L>,
}

/// An entry of the table: lane 1 is x, lane 3 y, below 2p; lane 2 is the x of lambda times the point,
/// where the curve has that endomorphism.
type Entry<const L: usize> = Four<L>;

/// The first two products of a doubling: y^2, y z, M^2; 2 y^2 and 2 y z in lanes 0 and 1, with
/// carries; 4 y^4, 2 x y^2, and in lanes 2 and 3 the new z times itself and times lane 3 of `q`.
macro_rules! begin {
    ($p:expr, $q:expr) => {{
        let (p, q): (&Point<L>, &Four<L>) = ($p, $q);
        let first = multiply::<F, L>(&p.sides, &blend(&p.sides, &p.z, 0b0010));
        let doubled = carry(twice(&first));
        let left: Four<L> = permute!(doubled, [0, 0, 1, 1]);
        let right = blend(&blend(&left, &p.x, 0b0010), q, 0b1000);
        (first, doubled, multiply::<F, L>(&left, &right))
    }};
}

/// Of the doubled point x - 4 x y^2, x and 16 y^4, from the products of [`begin`]: below 14p, 10p
/// and 8p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn differences<F: Prime<L>, const L: usize>(first: &Four<L>, second: &Four<L>) -> Four<L> {
    let parts: Four<L> = permute!(second, [1, 1, 0, 3]);
    let squares: Four<L> = permute!(first, [2, 2, 2, 2], 0b0011);
    let squares = plus(&squares, &multiples_of_p::<F, L>([12, 8, 0, 0]));
    let four = fourfold(&parts);
    // x = M^2 - 8 x y^2
    let mut sum = four;
    for j in 0..L {
        sum[j] = _mm256_mask_sub_epi64(four[j], 0b0011, squares[j], four[j]);
    }
    minus_in(&sum, &twice(&parts), 0b0001)
}

/// Replaces `p` by `-2^n p`, or `2^n p` for an even n.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn double<F: Prime<L>, const L: usize>(p: &mut Point<L>, n: usize) {
    for _ in 0..n {
        let (first, doubled, second) = begin!(p, &p.sides);
        let halves = carry(differences::<F, L>(&first, &second));
        let right: Four<L> = permute!(p.sides, [2, 2, 3, 3]);
        // M (x - 4 x y^2), x^2, 16 y^4 W
        let third = multiply::<F, L>(&halves, &blend(&right, &halves, 0b0010));
        let sum: Four<L> = permute!(third, [0, 0, 1, 2]);
        let double: Four<L> = permute!(second, [0, 0, 0, 0], 0b0011);
        let double: Four<L> = permute!(third, [1, 1, 1, 1], 0b0100, double);
        let w: Four<L> = permute!(third, [2, 2, 2, 2], 0b0100);
        p.sides = carry(plus(&plus(&sum, &w), &twice(&double)));
        (p.x, p.z) = (halves, doubled);
    }
}

/// Replaces `p` by `q - 2p`; gives the difference of the x of q and -2p over a common z in lane 0:
/// where it is 0 the sum is wrong.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn double_and_add<F: Prime<L>, const L: usize>(p: &mut Point<L>, q: &Entry<L>) -> Four<L> {
    let (first, doubled, second) = begin!(p, q);
    let halves = carry(differences::<F, L>(&first, &second));
    let of_z = carry(second);
    let zz: Four<L> = permute!(of_z, [2, 2, 2, 2]);
    let left = blend(&blend(&halves, &zz, 0b0010), &of_z, 0b1000);
    let right: Four<L> = permute!(p.sides, [2, 2, 3, 3]);
    let right = blend(&blend(&right, q, 0b0010), &zz, 0b1000);
    // M (x - 4 x y^2), x2 z^2, W, y2 z^3
    let third = multiply::<F, L>(&left, &right);
    let double: Four<L> = permute!(second, [0, 0, 0, 0], 0b0001);
    let y = carry(plus(&third, &twice(&double))); // y, -, W
    let ordinate: Four<L> = permute!(third, [0, 0, 0, 0], 0b0100);
    let double: Four<L> = permute!(second, [0, 0, 0, 0], 0b0100);
    let ordinate = plus(&ordinate, &twice(&double));
    let h = carry(slope::<F, L>(&third, &halves, &ordinate));
    complete::<F, L>(p, &h, [&halves, &doubled, &y]);
    h
}

/// Replaces `p` by `p + q`; gives the differences of their x and y over a common z in lanes 0 and 2:
/// where the first is 0 the sum is wrong.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn add_entry<F: Prime<L>, const L: usize>(p: &mut Point<L>, q: &Entry<L>) -> Four<L> {
    let z: Four<L> = permute!(p.z, [1, 1, 1, 1]);
    let of_z = carry(multiply::<F, L>(&z, &blend(&z, q, 0b1000)));
    let zz: Four<L> = permute!(of_z, [0, 0, 0, 0]);
    // x2 z^2 and y2 z^3 in lanes 1 and 3
    let third = multiply::<F, L>(&zz, &blend(&of_z, q, 0b0010));
    let y: Four<L> = permute!(p.sides, [0, 0, 3, 3]);
    let ordinate: Four<L> = permute!(p.sides, [0, 0, 0, 0], 0b0100);
    let h = carry(slope::<F, L>(&third, &p.x, &ordinate));
    let Point { x, z, .. } = *p;
    complete::<F, L>(p, &h, [&x, &z, &y]);
    h
}

/// h = x2 z^2 - x below 12p in lanes 0 and 1, r = y2 z^3 - y below 8p in lane 2: of the products in
/// lanes 1 and 3, x in lane 1 and y in lane 2, 0 beside it.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn slope<F: Prime<L>, const L: usize>(products: &Four<L>, x: &Four<L>, y: &Four<L>) -> Four<L> {
    let sum: Four<L> = permute!(products, [1, 1, 3, 3]);
    let sum = plus(&sum, &multiples_of_p::<F, L>([10, 10, 6, 0]));
    let x: Four<L> = permute!(x, [1, 1, 1, 1], 0b0011);
    minus(&minus(&sum, &x), y)
}

/// The rest of an addition, from h and r as [`slope`] has them, x and z in lane 1, y and W in lanes
/// 0 and 2.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn complete<F: Prime<L>, const L: usize>(p: &mut Point<L>, h: &Four<L>, [x, z, y]: [&Four<L>; 3]) {
    // h^2, h z, r^2
    let fourth = multiply::<F, L>(h, &blend(h, z, 0b0010));
    let of_h = carry(fourth);
    let hh: Four<L> = permute!(of_h, [0, 0, 0, 0]);
    let right = blend(&blend(h, x, 0b0010), &hh, 0b0100);
    // h^3, v = x h^2, h^4
    let fifth = multiply::<F, L>(&hh, &right);
    let powers = carry(fifth);
    // The new x is r^2 - h^3 - 2 v, below 8p in lanes 1 to 3; v less it, below 10p, in lane 0.
    let v: Four<L> = permute!(fifth, [1, 1, 1, 1]);
    let cube: Four<L> = permute!(fifth, [0, 0, 0, 0]);
    let square: Four<L> = permute!(fourth, [2, 2, 2, 2]);
    let less = minus(&plus(&twice(&v), &cube), &square);
    let start = plus_in(&multiples_of_p::<F, L>([2, 6, 6, 6]), &v, 0b0001);
    let sum = minus_in(&plus_in(&start, &less, 0b0001), &less, 0b1110);
    let x = carry(sum);
    let left: Four<L> = permute!(y, [0, 0, 2, 2]);
    let left = blend(&left, &x, 0b0100);
    let left: Four<L> = permute!(h, [2, 2, 2, 2], 0b0001, left);
    let right: Four<L> = permute!(powers, [0, 0, 2, 2]);
    // r (v - x), y h^3, x^2, W
    let sixth = multiply::<F, L>(&left, &blend(&right, &x, 0b0101));
    let sum: Four<L> = permute!(sixth, [0, 0, 2, 3]);
    let sum = plus(&sum, &multiples_of_p::<F, L>([2, 2, 0, 0]));
    let subtrahend: Four<L> = permute!(sixth, [1, 1, 1, 1], 0b0011);
    let xx: Four<L> = permute!(sixth, [2, 2, 2, 2], 0b0100);
    let w: Four<L> = permute!(sixth, [3, 3, 3, 3], 0b0100);
    let sum = plus(&plus(&minus(&sum, &subtrahend), &twice(&xx)), &w);
    p.sides = carry(sum);
    (p.x, p.z) = (x, of_h);
}

/// The odd multiples of a point over a common z, that z, and a z^4.
struct Multiples<const L: usize> {
    entries: [Entry<L>; ENTRIES],
    z: Four<L>,
    w: Four<L>,
}

/// Meloni's additions, of points that share their z: each of the sum before and of 2P, which it
/// brings over the sum's z.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn multiples<C: Field<W> + Prime<L>, const W: usize, const L: usize>(
    p: &Affine<L>,
) -> Multiples<L> {
    let (x, y) = (narrow(&p.x.0), narrow(&p.y.0));
    let has_a = !<C as Field<W>>::A_IS_ZERO;
    // 2P and P over z = 2y, as by `Affine::double`.
    let z = carry(twice(&y));
    let factor = blend(&z, &x, 0b0010);
    let squares = multiply_far::<C, L>(&factor, &factor); // z^2, x^2
    let xx: Four<L> = permute!(squares, [1, 1, 1, 1]);
    let mut m = plus(&xx, &twice(&xx));
    if has_a {
        let one = constant(&Of::<C, L>::ONE);
        m = plus(&m, &multiples_of_p::<C, L>([3; 4]));
        m = minus(&m, &plus(&one, &twice(&one)));
    }
    let m = carry(m); // 3 x^2 + a, below 9p
    let zz = carry(squares);
    let zz: Four<L> = permute!(zz, [0, 0, 0, 0]);
    let left = blend(&zz, &m, 0b0100);
    let right = blend(&blend(&x, &z, 0b0010), &m, 0b0100);
    let second = multiply_far::<C, L>(&left, &right); // s = x z^2, z^3, m^2
    let s: Four<L> = permute!(second, [0, 0, 0, 0]);
    let mm: Four<L> = permute!(second, [2, 2, 2, 2]);
    let threefold = plus(&s, &twice(&s));
    // x2 = m^2 - 2 s, s, and the differences s - x2, x2 - s.
    let sum = minus_in(&multiples_of_p::<C, L>([4, 0, 2, 6]), &twice(&s), 0b0001);
    let sum = plus_in(&plus_in(&sum, &mm, 0b1001), &s, 0b0010);
    let sum = minus_in(&plus_in(&sum, &threefold, 0b0100), &mm, 0b0100);
    let xs = carry(minus_in(&sum, &threefold, 0b1000));
    let cubes = carry(second);
    let left: Four<L> = permute!(xs, [2, 2, 2, 2]);
    let left: Four<L> = permute!(cubes, [1, 1, 1, 1], 0b0001, left);
    let third = multiply_far::<C, L>(&left, &blend(&m, &y, 0b0001)); // t = z^3 y, m (s - x2)
    let t: Four<L> = permute!(third, [0, 0, 0, 0]);
    let u: Four<L> = permute!(third, [1, 1, 1, 1]);
    // y2 = u - t, y2 - t, and t.
    let sum = plus_in(&multiples_of_p::<C, L>([2, 4, 0, 0]), &u, 0b0011);
    let sum = minus_in(&minus_in(&sum, &t, 0b0011), &t, 0b0010);
    let mut ys = carry(plus_in(&sum, &t, 0b1100));

    // h and r, the differences of 2P and the last multiple; x of both; y of 2P.
    let mut difference: Four<L> = permute!(xs, [3, 3, 3, 3]);
    difference = blend(&difference, &ys, 0b0010);
    let first: Four<L> = permute!(xs, [1, 1, 1, 1]);
    let mut entries = [blend(&first, &ys, 0b1000); ENTRIES];
    let mut ratios = [z; ENTRIES];
    let mut xs = xs;
    for i in 1..ENTRIES {
        ratios[i] = difference;
        let first = multiply::<C, L>(&difference, &difference); // h^2, r^2
        let hh = carry(first);
        let hh: Four<L> = permute!(hh, [0, 0, 0, 0]);
        let second = multiply::<C, L>(&hh, &xs);
        let u: Four<L> = permute!(second, [0, 0, 0, 0]);
        let v: Four<L> = permute!(second, [1, 1, 1, 1]);
        let rr: Four<L> = permute!(first, [1, 1, 1, 1]);
        // u - v, u - x, u, x, for x = r^2 - u - v
        let less = minus(&plus(&u, &v), &rr);
        let sum = plus_in(&multiples_of_p::<C, L>([2, 2, 0, 4]), &u, 0b0111);
        let sum = plus_in(&minus_in(&sum, &v, 0b0001), &less, 0b0010);
        let sum = carry(minus_in(&sum, &less, 0b1000));
        let third = multiply::<C, L>(&sum, &blend(&ys, &difference, 0b0010));
        let s: Four<L> = permute!(third, [0, 0, 0, 0]);
        let t: Four<L> = permute!(third, [1, 1, 1, 1]);
        // s, s - y, -, y, for y = t - s
        let next = plus_in(&multiples_of_p::<C, L>([0, 2, 0, 2]), &s, 0b0111);
        let next = minus_in(&plus_in(&next, &s, 0b0010), &t, 0b0010);
        let next = minus_in(&plus_in(&next, &t, 0b1000), &s, 0b1000);
        ys = carry(next);
        difference = permute!(sum, [1, 1, 1, 1]);
        difference = blend(&difference, &ys, 0b0010);
        xs = permute!(sum, [2, 3, 2, 3]);
        let x: Four<L> = permute!(sum, [3, 3, 3, 3]);
        entries[i] = blend(&x, &ys, 0b1000);
    }
    // Over the last z.
    let mut z = constant(&Of::<C, L>::ONE);
    let beta = C::ENDOMORPHISM.map(|it| Calls::of::<C>().elements(&it.beta.map(|word| [word; 8])));
    for (entry, ratio) in entries.iter_mut().zip(&ratios).rev() {
        let mut left = z;
        if let Some(beta) = &beta {
            *entry = permute!(entry, [0, 1, 1, 3]);
            left = blend(&left, &narrow(&beta.0), 0b0100);
        }
        let right = blend(&blend(entry, &z, 0b0010), ratio, 0b0001);
        let products = carry(multiply::<C, L>(&left, &right));
        let square: Four<L> = permute!(products, [1, 1, 1, 1]);
        *entry = carry(multiply::<C, L>(&square, &blend(&products, entry, 0b0010)));
        z = permute!(products, [0, 0, 0, 0]);
    }
    let mut w = [zero(); L];
    if has_a {
        let zz = carry(multiply_far::<C, L>(&z, &z));
        let z4 = multiply_far::<C, L>(&zz, &zz);
        w = minus(&multiples_of_p::<C, L>([6; 4]), &plus(&z4, &twice(&z4)));
    }
    Multiples {
        entries,
        z,
        w: carry(w),
    }
}

/// A curve as data, with the steps of a multiplication that are there for each prime.
pub(in super::super) struct Steps<const W: usize, const L: usize> {
    order: &'static Modulus<W>,
    endomorphism: Option<&'static Endomorphism<W>>,
    pub(super) field: Calls<L>,
    multiply: fn(&Four<L>, &Four<L>) -> Four<L>,
    multiples: fn(&Affine<L>) -> Multiples<L>,
    double: fn(&mut Point<L>, usize),
    double_and_add: fn(&mut Point<L>, &Entry<L>) -> Four<L>,
    add_entry: fn(&mut Point<L>, &Entry<L>) -> Four<L>,
}

impl<const W: usize, const L: usize> Steps<W, L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    pub(in super::super) fn of<C: Field<W> + Prime<L>>() -> Self {
        const { assert!(!Of::<C, L>::FOLDS) };
        Steps {
            order: C::ORDER,
            endomorphism: C::ENDOMORPHISM,
            field: Calls::of::<C>(),
            multiply: multiply_far::<C, L>,
            multiples: multiples::<C, W, L>,
            double: double::<C, L>,
            double_and_add: double_and_add::<C, L>,
            add_entry: add_entry::<C, L>,
        }
    }

    /// The point of an entry, on the curve with `w` for a, below 6p in all lanes.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn point(&self, entry: &Entry<L>, w: &Four<L>) -> Point<L> {
        let squares = (self.multiply)(entry, entry);
        let xx: Four<L> = permute!(squares, [1, 1, 1, 1], 0b0100);
        let y: Four<L> = permute!(entry, [3, 3, 3, 3], 0b0011);
        let sum = plus_in(&plus(&plus(&xx, &twice(&xx)), &y), w, 0b1100);
        Point {
            sides: carry(sum),
            x: *entry,
            z: constant(&self.field.constants.one),
        }
    }

    /// The entry at a secret index, times lambda if that is asked for, negative where the mask is set:
    /// reads all.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn lookup(
        &self,
        entries: &[Entry<L>; ENTRIES],
        index: u64,
        by_lambda: bool,
        negative: u64,
    ) -> Entry<L> {
        let index = splat(index);
        let mut found = entries[0];
        for (i, entry) in (1..).zip(&entries[1..]) {
            found = blend(&found, entry, _mm256_cmpeq_epi64_mask(index, splat(i)));
        }
        if by_lambda {
            found = permute!(found, [2, 2, 2, 3]);
        }
        self.negate_if(&found, negative)
    }

    /// The entry, negative where the mask is set.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn negate_if(&self, entry: &Entry<L>, negative: u64) -> Entry<L> {
        let p = constant(&self.field.constants.p);
        let opposite = carry(minus(&twice(&p), entry));
        blend(entry, &opposite, negative as __mmask8 & 0b1000)
    }

    /// Whether a lane is 0 modulo p.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn is_zero<const LANE: i32>(&self, x: &Four<L>) -> __mmask8 {
        let x = permuted::<LANE, L>(x);
        self.field.is_zero(&Eight::from_limbs(widen(&x)))
    }

    /// The point in every lane, of one on the isomorphic curve of the table; its opposite where the
    /// mask is set.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn jacobian(&self, p: &Point<L>, negated: u64, z: &Four<L>) -> Jacobian<L> {
        let (x, own): (Four<L>, Four<L>) = (permute!(p.x, [1; 4]), permute!(p.z, [1; 4]));
        let z = carry((self.multiply)(&own, z));
        let y = Eight::from_limbs(widen(&p.sides));
        Jacobian {
            x: Eight::from_limbs(widen(&x)),
            y: y.negate_if(negated as __mmask8, &self.field),
            z: Eight::from_limbs(widen(&z)),
        }
    }
}

impl<const L: usize> Point<L> {
    /// Becomes `other` where the mask is set, in all lanes or none.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
    fn assign_if(&mut self, choice: __mmask8, other: &Self) {
        self.sides = blend(&self.sides, &other.sides, choice);
        self.x = blend(&self.x, &other.x, choice);
        self.z = blend(&self.z, &other.z, choice);
    }
}

/// `k P` in every lane, for k from 1 to n - 1.
///
/// With an endomorphism, k is k1 + k2 lambda, whose halves share the doublings. Before the last
/// window both sums of digits are so short that no pair of them, with or without the next digits, is
/// one of the lattice of pairs that give infinity, as none is (0, 0): no addition is an exception. In
/// the last window the first addition may double or give infinity, and the second one double, or add
/// to infinity.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(super) fn product<const W: usize, const L: usize>(
    k: &[u64; W],
    p: &Affine<L>,
    steps: &Steps<W, L>,
) -> Jacobian<L> {
    let order = steps.order;
    let (scalars, count) = match steps.endomorphism {
        None => (
            [Some(Digits::new(k, &order.words)), None],
            digits(order.bits),
        ),
        Some(endomorphism) => {
            let halves = (endomorphism.split_odd)(endomorphism, k, order);
            let halves = halves.map(|(half, negated)| Some(Digits::of_odd(&half, negated)));
            (halves, HALF_BITS.div_ceil(WINDOW))
        }
    };
    let Multiples { entries, z, w } = (steps.multiples)(p);
    let [first, second] = &scalars;
    let sign = |scalar: &Option<Digits<W>>| scalar.as_ref().map_or(0, |s| s.negated.mask());
    let mut sum = steps.point(&steps.negate_if(&entries[0], sign(first)), &w);
    if second.is_some() {
        (steps.add_entry)(&mut sum, &steps.lookup(&entries, 0, true, sign(second)));
    }
    // Each turn negates the sum.
    let mut negated = 0;
    for i in (0..count).rev() {
        negated = !negated;
        for (by_lambda, scalar) in [(false, first), (true, second)] {
            let Some(scalar) = scalar else { continue };
            let (index, negative) = scalar.get(i);
            let negative = negative.mask() ^ negated ^ scalar.negated.mask();
            let entry = steps.lookup(&entries, index, by_lambda, negative);
            let before = sum.z;
            let differences = if by_lambda {
                (steps.add_entry)(&mut sum, &entry)
            } else {
                (steps.double)(&mut sum, WINDOW - 1);
                (steps.double_and_add)(&mut sum, &entry)
            };
            if i == 0 {
                let same = steps.is_zero::<0>(&differences) & steps.is_zero::<2>(&differences);
                let mut other = steps.point(&steps.negate_if(&entry, u64::MAX), &w);
                (steps.double)(&mut other, 1);
                sum.assign_if(same, &other);
                if by_lambda {
                    let infinite = steps.is_zero::<1>(&before);
                    sum.assign_if(infinite, &steps.point(&entry, &w));
                }
            }
        }
    }
    steps.jacobian(&sum, negated, &z)
}
