//! The formulas of points whose coordinates are in the lanes: see [`point`](super::point) and, for
//! two at once, [`pair`](super::pair).

use super::four::*;
use super::vector::*;

/// Adds `q` to `*p`: a macro as `multiply!` is.
macro_rules! sum {
    ($p:expr, $q:expr) => {{
        // B, D, C, A
        let products = multiply!(turned(*$p), $q);
        // E = B - A, F = D - C, G = D + C, H = B + A
        let efgh = carry(add_or_subtract(
            products,
            permute!(products, [3, 2, 1, 0]),
            lanes_of([-1, -1, 0, 0]),
        ));
        *$p = multiply!(efgh, permute!(efgh, [1, 2, 3, 0]));
    }};
}
pub(super) use sum;

/// Makes the formulas over the registers of the module that asks.
macro_rules! formulas {
    () => {
        use crate::curve25519::edwards::D2;
        use crate::curve25519::field::Fe;
        use adamant_base::simd::{from_fn, map};

        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        fn zeros() -> Four {
            [zero(); 5]
        }

        /// Four constants.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn constants(elements: [Fe; 4]) -> Four {
            from_fn(|j| lanes_of(map(elements, |x| x.limbs()[j] as i64)))
        }

        /// The neutral point.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn neutral() -> Columns {
            constants([Fe::ZERO, Fe::ONE, Fe::ONE, Fe::ZERO])
        }

        /// The neutral point as the right side of a sum.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn neutral_right() -> Four {
            constants([Fe::ONE, Fe::small(2), Fe::ZERO, Fe::ONE])
        }

        /// Y + X, Z, T, Y - X
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        fn turned(p: Columns) -> Four {
            carry(add_or_subtract(
                permute!(p, [2, 1, 3, 2]),
                insert!(zeros(), 0b1001, p, [0, 0, 0, 0]),
                lanes_of([0, 0, 0, -1]),
            ))
        }

        /// `p` as the right side of a sum.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn cache(p: Columns) -> Four {
            let factors = constants([Fe::ONE, Fe::small(2), D2, Fe::ONE]);
            carry(multiply!(turned(p), factors))
        }

        /// `p + q`, or `p - q` where `sign` is all ones.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn add(mut p: Columns, q: Four, sign: Vector) -> Columns {
            add_to(&mut p, &q, sign);
            p
        }

        /// Adds `q` to `p`, or subtracts it where `sign` is all ones: then the outer coordinates of `q`
        /// change places, and the third one is taken from 2p.
        ///
        /// In its place, as [`double`]: a result that is copied is waited for where registers of another
        /// width copy it.
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn add_to(p: &mut Columns, q: &Four, sign: Vector) {
            let from = xor(and(sign, lanes_of([3, 0, 0, 3])), identity());
            let minus = and(sign, lanes_of([0, 0, -1, 0]));
            let q = from_fn(|j| {
                let p2 = and(minus, set1(P512[j] / 256 + 1)); // And 1, as -q is the complement and 1.
                add64(xor(permute_by(from, q[j]), minus), p2)
            });
            sum!(p, q);
        }

        /// `2^n p`.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn double_times(mut p: Columns, n: u32) -> Columns {
            double(&mut p, n);
            p
        }

        /// Doubles a point this many times: a loop inside, as points pass through memory.
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn double(point: &mut Columns, n: u32) {
            if n == 0 {
                return;
            }
            // Between doublings Y is in the place of T.
            let mut p = insert!(*point, 0b1000, *point, [0, 0, 0, 2]);
            for left in (0..n).rev() {
                // X, Z, Y, X + Y
                let sums = from_fn(|j| {
                    let x = permute_lanes::<{ lanes([0, 0, 0, 0]) }>(p[j]);
                    mask_add(p[j], 0b1000 * EVERY, p[j], x)
                });
                // A, C, B, D
                let squares = square!(carry(sums));
                // E = D - A - B, F = 2 C + A - B, G = B - A, H = A + B
                let daaa = permute!(squares, [3, 0, 0, 0]);
                let bb_b = insert!(zeros(), 0b1011, squares, [2, 2, 2, 2]);
                let efgh = carry(from_fn(|j| {
                    let (s, p512) = (squares[j], P512[j]);
                    let start = lanes_of([2 * p512 + 1, p512 + 1, p512 + 1, 0]);
                    let sum = mask_sub(start, EVERY, start, s);
                    let sum = mask_add(sum, 0b0110 * EVERY, sum, s);
                    let sum = mask_add(sum, 0b0010 * EVERY, sum, s);
                    let a = xor(daaa[j], lanes_of([0, 0, -1, 0]));
                    let b = xor(bb_b[j], lanes_of([-1, -1, 0, 0]));
                    add64(sum, add64(a, b))
                }));
                let from = lanes_of([1, 2, 3, if left == 0 { 0 } else { 2 }]);
                let from = add64(from, and(identity(), lanes_of([4; 4])));
                p = multiply!(efgh, map(efgh, |x| permute_by(from, x)));
            }
            *point = p;
        }
    };
}
pub(super) use formulas;
formulas!();
