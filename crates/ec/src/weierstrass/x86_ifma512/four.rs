//! One multiplication of a point at a time, on the curves of more than 256 bits: what the formulas
//! multiply independently of each other stands side by side, in four lanes.
//!
//! Coordinates are Jacobian, with what their next doubling needs beside them: M = 3 x^2 + a z^4 and
//! W = a z^4 (Cohen, Miyaji, Ono, 1998), whose lanes are free. A doubling is three products of four
//! lanes one after the other, and so is an addition behind a doubling that makes z^2 and y2 z on
//! its way. Signs that a formula would have to change are kept: a doubling gives -2P.
//!
//! The table holds odd multiples of the point over a common z, so that they count as affine on the
//! isomorphic curve with a z^4 for a; nothing has to be inverted for it.
//!
//! The digits are those of [`kernel`](crate::weierstrass::kernel), where it is shown that the last
//! addition alone can meet an exception.
//!
//! R is at least 2^8 p here, so products are below 2p for factors up to 16p, and the comments count
//! multiples of p.

use super::Lanes;
use super::field::Eight;
use super::lanes::four::{Vector, add, carry, multiply, shift_left, splat, sub, zero};
use super::point::{A, Affine, Jacobian};
use super::prime::{Of, Prime};
use crate::weierstrass::kernel::Digits;
use crate::weierstrass::table::{ENTRIES, WINDOW, digits};
use core::arch::x86_64::*;

/// Four elements, or sums of such before their carries.
type Four<const L: usize> = [Vector; L];

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
const fn order(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

/// The lanes of `$x` in this order; zero where `$lanes`, if given, has no bit; or else what `$into`
/// has there.
macro_rules! permute {
    ($x:expr, $from:expr) => {
        core::array::from_fn(|j| _mm256_permute4x64_epi64::<{ order($from) }>($x[j]))
    };
    ($x:expr, $from:expr, $lanes:literal) => {
        core::array::from_fn(|j| _mm256_maskz_permutex_epi64::<{ order($from) }>($lanes, $x[j]))
    };
    ($x:expr, $from:expr, $lanes:literal, $into:expr) => {
        core::array::from_fn(|j| {
            _mm256_mask_permutex_epi64::<{ order($from) }>($into[j], $lanes, $x[j])
        })
    };
}

/// `a`, and `b` in the lanes of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn blend<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    core::array::from_fn(|j| _mm256_mask_blend_epi64(lanes, a[j], b[j]))
}

/// These multiples of p in the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn multiples_of_p<F: Prime<L>, const L: usize>(n: [u64; 4]) -> Four<L> {
    core::array::from_fn(|j| {
        let [a, b, c, d] = n.map(|n| (n * Of::<F, L>::P[j]) as i64);
        _mm256_set_epi64x(d, c, b, a)
    })
}

/// A constant in every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn constant<const L: usize>(x: &[u64; L]) -> Four<L> {
    core::array::from_fn(|j| splat(x[j]))
}

/// `a + b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn plus<const L: usize>(a: &Four<L>, b: &Four<L>) -> Four<L> {
    core::array::from_fn(|j| add(a[j], b[j]))
}

/// `a - b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn minus<const L: usize>(a: &Four<L>, b: &Four<L>) -> Four<L> {
    core::array::from_fn(|j| sub(a[j], b[j]))
}

/// `a + b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn plus_in<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    core::array::from_fn(|j| _mm256_mask_add_epi64(a[j], lanes, a[j], b[j]))
}

/// `a - b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn minus_in<const L: usize>(a: &Four<L>, b: &Four<L>, lanes: __mmask8) -> Four<L> {
    core::array::from_fn(|j| _mm256_mask_sub_epi64(a[j], lanes, a[j], b[j]))
}

/// `2 a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn twice<const L: usize>(a: &Four<L>) -> Four<L> {
    core::array::from_fn(|j| add(a[j], a[j]))
}

/// `4 a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn fourfold<const L: usize>(a: &Four<L>) -> Four<L> {
    core::array::from_fn(|j| shift_left::<2>(a[j]))
}

/// Lane 0 of the argument's eight, which are alike, in all of four.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn narrow<F: Prime<L>, const L: usize>(x: &Eight<F, L>) -> Four<L> {
    x.0.map(|limb| _mm512_castsi512_si256(limb))
}

/// Lane 0 in all of eight.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn widen<F: Prime<L>, const L: usize>(x: Four<L>) -> Eight<F, L> {
    Eight::from_limbs(x.map(|limb| _mm512_broadcastq_epi64(_mm256_castsi256_si128(limb))))
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

/// An entry of the table: lane 1 is x, lane 3 y, below 2p.
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
    let sum: Four<L> =
        core::array::from_fn(|j| _mm256_mask_sub_epi64(four[j], 0b0011, squares[j], four[j]));
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
    // h = x2 z^2 - x below 12p in lanes 0 and 1, r = y2 z^3 - y below 8p in lane 2
    let minuend: Four<L> = permute!(third, [1, 1, 3, 3]);
    let minuend = plus(&minuend, &multiples_of_p::<F, L>([10, 10, 6, 10]));
    let subtrahend: Four<L> = permute!(halves, [1, 1, 1, 1]);
    let subtrahend: Four<L> = permute!(third, [0, 0, 0, 0], 0b0100, subtrahend);
    let double: Four<L> = permute!(second, [0, 0, 0, 0], 0b0100);
    let h = carry(minus(&minus(&minuend, &subtrahend), &twice(&double)));
    // h^2, h z, r^2
    let fourth = multiply::<F, L>(&h, &blend(&h, &doubled, 0b0010));
    let of_h = carry(fourth);
    let hh: Four<L> = permute!(of_h, [0, 0, 0, 0]);
    let right = blend(&blend(&h, &halves, 0b0010), &hh, 0b0100);
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
    h
}

/// The point of an entry, on the curve with `w` for a, below 6p in all lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn point<F: Prime<L>, const L: usize>(entry: &Entry<L>, w: &Four<L>) -> Point<L> {
    let squares = multiply::<F, L>(entry, entry);
    let xx: Four<L> = permute!(squares, [1, 1, 1, 1], 0b0100);
    let y: Four<L> = permute!(entry, [3, 3, 3, 3], 0b0011);
    let sum = plus_in(&plus(&plus(&xx, &twice(&xx)), &y), w, 0b1100);
    Point {
        sides: carry(sum),
        x: *entry,
        z: constant(&Of::<F, L>::ONE),
    }
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
fn multiples<F: super::point::Form<L>, const L: usize>(p: &Affine<F, L>) -> Multiples<L> {
    let (x, y) = (narrow(&p.x), narrow(&p.y));
    let has_a = F::A == A::Minus3;
    // 2P and P over z = 2y, as by `Affine::double`.
    let z = carry(twice(&y));
    let factor = blend(&z, &x, 0b0010);
    let squares = multiply::<F, L>(&factor, &factor); // z^2, x^2
    let xx: Four<L> = permute!(squares, [1, 1, 1, 1]);
    let mut m = plus(&xx, &twice(&xx));
    if has_a {
        let one = constant(&Of::<F, L>::ONE);
        m = plus(&m, &multiples_of_p::<F, L>([3; 4]));
        m = minus(&m, &plus(&one, &twice(&one)));
    }
    let m = carry(m); // 3 x^2 + a, below 9p
    let zz = carry(squares);
    let zz: Four<L> = permute!(zz, [0, 0, 0, 0]);
    let left = blend(&zz, &m, 0b0100);
    let right = blend(&blend(&x, &z, 0b0010), &m, 0b0100);
    let second = multiply::<F, L>(&left, &right); // s = x z^2, z^3, m^2
    let s: Four<L> = permute!(second, [0, 0, 0, 0]);
    let mm: Four<L> = permute!(second, [2, 2, 2, 2]);
    let threefold = plus(&s, &twice(&s));
    // x2 = m^2 - 2 s, s, and the differences s - x2, x2 - s.
    let sum = minus_in(&multiples_of_p::<F, L>([4, 0, 2, 6]), &twice(&s), 0b0001);
    let sum = plus_in(&plus_in(&sum, &mm, 0b1001), &s, 0b0010);
    let sum = minus_in(&plus_in(&sum, &threefold, 0b0100), &mm, 0b0100);
    let xs = carry(minus_in(&sum, &threefold, 0b1000));
    let cubes = carry(second);
    let left: Four<L> = permute!(xs, [2, 2, 2, 2]);
    let left: Four<L> = permute!(cubes, [1, 1, 1, 1], 0b0001, left);
    let third = multiply::<F, L>(&left, &blend(&m, &y, 0b0001)); // t = z^3 y, m (s - x2)
    let t: Four<L> = permute!(third, [0, 0, 0, 0]);
    let u: Four<L> = permute!(third, [1, 1, 1, 1]);
    // y2 = u - t, y2 - t, and t.
    let sum = plus_in(&multiples_of_p::<F, L>([2, 4, 0, 0]), &u, 0b0011);
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
        let first = multiply::<F, L>(&difference, &difference); // h^2, r^2
        let hh = carry(first);
        let hh: Four<L> = permute!(hh, [0, 0, 0, 0]);
        let second = multiply::<F, L>(&hh, &xs);
        let u: Four<L> = permute!(second, [0, 0, 0, 0]);
        let v: Four<L> = permute!(second, [1, 1, 1, 1]);
        let rr: Four<L> = permute!(first, [1, 1, 1, 1]);
        // u - v, u - x, u, x, for x = r^2 - u - v
        let less = minus(&plus(&u, &v), &rr);
        let sum = plus_in(&multiples_of_p::<F, L>([2, 2, 0, 4]), &u, 0b0111);
        let sum = plus_in(&minus_in(&sum, &v, 0b0001), &less, 0b0010);
        let sum = carry(minus_in(&sum, &less, 0b1000));
        let third = multiply::<F, L>(&sum, &blend(&ys, &difference, 0b0010));
        let s: Four<L> = permute!(third, [0, 0, 0, 0]);
        let t: Four<L> = permute!(third, [1, 1, 1, 1]);
        // s, s - y, -, y, for y = t - s
        let next = plus_in(&multiples_of_p::<F, L>([0, 2, 0, 2]), &s, 0b0111);
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
    let mut z = constant(&Of::<F, L>::ONE);
    for (entry, ratio) in entries.iter_mut().zip(&ratios).rev() {
        let right = blend(&blend(entry, &z, 0b0010), ratio, 0b0001);
        let products = carry(multiply::<F, L>(&z, &right));
        let square: Four<L> = permute!(products, [1, 1, 1, 1]);
        *entry = carry(multiply::<F, L>(&square, &blend(&products, entry, 0b0010)));
        z = permute!(products, [0, 0, 0, 0]);
    }
    let mut w = [zero(); L];
    if has_a {
        let zz = carry(multiply::<F, L>(&z, &z));
        let z4 = multiply::<F, L>(&zz, &zz);
        w = minus(&multiples_of_p::<F, L>([6; 4]), &plus(&z4, &twice(&z4)));
    }
    Multiples {
        entries,
        z,
        w: carry(w),
    }
}

/// The entry at a secret index, negative where the choice is true: reads all.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
fn lookup<F: Prime<L>, const L: usize>(
    entries: &[Entry<L>; ENTRIES],
    index: u64,
    negative: u64,
) -> Entry<L> {
    let index = splat(index);
    let mut found = entries[0];
    for (i, entry) in (1..).zip(&entries[1..]) {
        found = blend(&found, entry, _mm256_cmpeq_epi64_mask(index, splat(i)));
    }
    let opposite = minus(&multiples_of_p::<F, L>([0, 0, 0, 2]), &found);
    blend(&found, &carry(opposite), negative as __mmask8 & 0b1000)
}

/// `k P` in every lane, for k from 1 to n - 1.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(super) fn product<C: Lanes<W, L>, const W: usize, const L: usize>(
    k: &[u64; W],
    p: &Affine<C, L>,
) -> Jacobian<C, L> {
    const { assert!(!Of::<C, L>::FOLDS) };
    let scalar = Digits::new(k, &C::N);
    let Multiples { entries, z, w } = multiples(p);
    let mut sum = point::<C, L>(&entries[0], &w);
    // Each turn negates the sum.
    let mut negated = 0;
    for i in (0..digits::<C, W>()).rev() {
        negated = !negated;
        let (index, negative) = scalar.get(i);
        let entry = lookup::<C, L>(&entries, index, negative.mask() ^ negated);
        double::<C, L>(&mut sum, WINDOW - 1);
        let difference = double_and_add::<C, L>(&mut sum, &entry);
        if i == 0 {
            let same = widen::<C, L>(difference).is_zero();
            let opposite = minus(&multiples_of_p::<C, L>([0, 0, 0, 2]), &entry);
            let mut other = point::<C, L>(&blend(&entry, &carry(opposite), 0b1000), &w);
            double::<C, L>(&mut other, 1);
            sum.sides = blend(&sum.sides, &other.sides, same);
            sum.x = blend(&sum.x, &other.x, same);
            sum.z = blend(&sum.z, &other.z, same);
        }
    }
    let negated = (negated ^ scalar.negated.mask()) as __mmask8;
    let lane = |x: &Four<L>| -> Four<L> { permute!(x, [1, 1, 1, 1]) };
    let y = widen::<C, L>(sum.sides).negate_if(negated);
    Jacobian {
        x: widen(lane(&sum.x)),
        y,
        z: widen(carry(multiply::<C, L>(&lane(&sum.z), &z))),
    }
}
