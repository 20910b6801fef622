//! The formulas of points whose coordinates are in the lanes: see [`point`](super::point) and, for two
//! at once, [`pair`](super::pair).

use super::four::*;
use super::vector::*;
use crate::curve25519::edwards::D2;
use crate::curve25519::field::Fe;

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn zeros() -> Four {
    [zero(); 5]
}

/// Four constants.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn constants(elements: [Fe; 4]) -> Four {
    core::array::from_fn(|j| lanes_of(elements.map(|x| x.limbs()[j] as i64)))
}

/// The neutral point.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn neutral() -> Four {
    constants([Fe::ZERO, Fe::ONE, Fe::ONE, Fe::ZERO])
}

/// Y - X, Y + X, Z, T
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn turned(p: Four) -> Four {
    add_or_subtract(
        permute!(p, [1, 1, 2, 3]),
        insert!(zeros(), 0b0011, p, [0, 0, 0, 0]),
        lanes_of([-1, 0, 0, 0]),
    )
}

/// `p` as the right side of a sum.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn cache(p: Four) -> Four {
    let factors = constants([Fe::ONE, Fe::ONE, Fe::small(2), D2]);
    multiply!(zeros(), turned(p), factors)
}

/// `p + q`, or `p - q` where `sign` is all ones.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add(mut p: Four, q: Four, sign: Vector) -> Four {
    add_to(&mut p, &q, sign);
    p
}

/// Adds `q` to `p`, or subtracts it where `sign` is all ones: then the first two coordinates of `q`
/// change places, and what the last one is added to and subtracted from.
///
/// In its place, as [`double`]: a result that is copied is waited for where registers of another
/// width copy it.
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add_to(p: &mut Four, q: &Four, sign: Vector) {
    let exchange = and(sign, lanes_of([1, 1, 0, 0]));
    let from = xor(exchange, identity());
    let q = q.map(|q| permute_by(from, q));
    // A, B, D, C
    let products = multiply!(zeros(), turned(*p), q);
    // E = B - A, H = B + A, F = D - C, G = D + C
    let minus = lanes_of([-1, 0, -1, 0]);
    let high = lanes_of([0, 0, -1, -1]);
    let ehfg = add_or_subtract(
        permute!(products, [1, 1, 2, 2]),
        permute!(products, [0, 0, 3, 3]),
        xor(minus, and(sign, high)),
    );
    *p = multiply!(
        zeros(),
        permute!(ehfg, [0, 3, 2, 0]),
        permute!(ehfg, [2, 1, 3, 1])
    );
}

/// `2^n p`.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn double_times(mut p: Four, n: u32) -> Four {
    double(&mut p, n);
    p
}

/// Doubles a point so many times: a loop inside, as points pass through memory.
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn double(point: &mut Four, n: u32) {
    let mut p = *point;
    for _ in 0..n {
        // XX, YY, ZZ, XY
        let products = multiply!(
            zeros(),
            permute!(p, [0, 1, 2, 0]),
            permute!(p, [0, 1, 2, 1])
        );
        // E = 2 XY, H = XX + YY, G = YY - XX, F = 2 ZZ + XX - YY
        let twice = insert!(zeros(), 0b1001, products, [3, 0, 0, 2]);
        let ehgf = add_or_subtract_two(
            core::array::from_fn(|j| add64(twice[j], twice[j])),
            insert!(zeros(), 0b1110, products, [0, 0, 0, 0]),
            lanes_of([0, 0, -1, 0]),
            insert!(zeros(), 0b1110, products, [0, 1, 1, 1]),
            lanes_of([0, 0, 0, -1]),
        );
        p = multiply!(
            zeros(),
            permute!(ehgf, [0, 1, 2, 0]),
            permute!(ehgf, [3, 2, 3, 1])
        );
    }
    *point = p;
}
