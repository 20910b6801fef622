//! Four field elements side by side.
//!
//! A [`Four`] is five registers; register j holds limb j, radix 2^51, of four elements. The same
//! text makes [pairs](super::pair) of them, in registers of twice the width.
//!
//! Departures from the scalar field:
//!
//! 1. `vpmadd52` multiplies the low 52 bits of its factors, so every factor has limbs below 2^52.
//!    Products and sums leave [`Columns`], and whoever multiplies them carries them: a sum of
//!    products waits for one pass of carries.
//! 2. It gives bits 0 to 51 and bits 52 to 103 of a product. The upper half counts twice at the
//!    next limb, as 2^52 = 2 * 2^51: upper halves have sums of their own, doubled at the end.
//! 3. The ten columns are folded to five by 19 = 16 + 2 + 1 with shifts.
//!
//! The limbs of a [`Four`] are below 2^51 + 2^16. Of two of them the halves of a product of limbs
//! are below 2^52 and, but for little, 2^50, so that a column is at most `(1 + 19 * 4) * 2^52 + 2 *
//! (19 * 5) * 2^50`, below 125 * 2^52. Where the limbs of one are those of 2p less a [`Four`], so
//! below 2^52, the upper halves are below 2^51 and a column below 173 * 2^52, which is less than
//! the limbs of 512p. Four such columns are below 2^62, and one pass of carries leaves limbs below
//! 2^51 + 19 * 2^11 < 2^51 + 2^16.

use super::vector::*;
use adamant_base::simd::{from_fn, map};

pub(super) const MASK: i64 = (1 << 51) - 1;
/// The columns of 512 p: none of a product is above.
pub(in crate::curve25519) const P512: [i64; 5] = [
    (1 << 60) - 512 * 19,
    (1 << 60) - 512,
    (1 << 60) - 512,
    (1 << 60) - 512,
    (1 << 60) - 512,
];

/// `a * b` in each lane.
///
/// The longest columns are two chains of sums. A macro, as a function this long would not be
/// inlined, and its arguments pass through memory.
macro_rules! multiply {
    ($a:expr, $b:expr) => {{
        let (a, b): (Four, Four) = ($a, $b);
        let mut high = [zero(); 10];
        for i in (0..5).rev() {
            for j in (0..5).rev() {
                high[i + j + 1] = madd_high(high[i + j + 1], a[i], b[j]);
            }
        }
        let high = adamant_base::simd::map(high, |x| add64(x, x));
        let apart = |k: usize| matches!(k, 3..=6);
        let mut low: [Vector; 10] =
            adamant_base::simd::from_fn(|k| if apart(k) { zero() } else { high[k] });
        for i in (0..5).rev() {
            for j in (0..5).rev() {
                low[i + j] = madd_low(low[i + j], a[i], b[j]);
            }
        }
        fold(adamant_base::simd::from_fn(|k| {
            if apart(k) {
                add64(low[k], high[k])
            } else {
                low[k]
            }
        }))
    }};
}

/// `a * a` in each lane: products of two different limbs once, doubled.
macro_rules! square {
    ($a:expr) => {{
        let a: Four = $a;
        let mut x = [zero(); 10];
        for i in (0..5).rev() {
            for j in (i + 1..5).rev() {
                x[i + j + 1] = madd_high(x[i + j + 1], a[i], a[j]);
            }
        }
        x = adamant_base::simd::map(x, |x| add64(x, x));
        for i in (0..5).rev() {
            x[2 * i + 1] = madd_high(x[2 * i + 1], a[i], a[i]);
            for j in (i + 1..5).rev() {
                x[i + j] = madd_low(x[i + j], a[i], a[j]);
            }
        }
        x = adamant_base::simd::map(x, |x| add64(x, x));
        for i in (0..5).rev() {
            x[2 * i] = madd_low(x[2 * i], a[i], a[i]);
        }
        fold(x)
    }};
}

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
pub(in crate::curve25519) const fn lanes(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

macro_rules! permute {
    ($x:expr, $from:expr) => {
        adamant_base::simd::map($x, |x| permute_lanes::<{ lanes($from) }>(x))
    };
}

/// `into`, with the lanes of the mask `k` from a permutation of `x`.
macro_rules! insert {
    ($into:expr, $k:expr, $x:expr, $from:expr) => {{
        let (into, x): (Columns, Columns) = ($into, $x);
        let permuted: Columns = adamant_base::simd::from_fn(|j| {
            mask_permute::<{ lanes($from) }>(into[j], $k * EVERY, x[j])
        });
        permuted
    }};
}

/// The lanes of the immediate `k` from `b`, the others from `a`.
macro_rules! blend {
    ($a:expr, $b:expr, $k:expr) => {{
        let (a, b): (Four, Four) = ($a, $b);
        let blended: Four = adamant_base::simd::from_fn(|j| mask_blend($k * EVERY, a[j], b[j]));
        blended
    }};
}

pub(in crate::curve25519) use {blend, insert, multiply, permute, square};

/// Makes the types and functions over the registers of the module that asks.
macro_rules! four {
    () => {
        /// What products take.
        pub(in crate::curve25519) type Four = [Vector; 5];
        /// What products and sums leave.
        pub(in crate::curve25519) type Columns = [Vector; 5];

        /// Brings ten columns to five.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn fold(x: [Vector; 10]) -> Columns {
            from_fn(|k| {
                let above = x[k + 5];
                let above3 = add64(above, add64(above, above));
                add64(add64(x[k], above3), shift_left::<4>(above))
            })
        }

        /// One pass of carries, all at once.
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn carry(x: Columns) -> Four {
            let mask = set1($crate::curve25519::x86_ifma::four::MASK);
            let low = map(x, |x| and(x, mask));
            let high = map(x, |x| shift_right::<51>(x));
            [
                madd_low(low[0], high[4], set1(19)),
                add64(low[1], high[0]),
                add64(low[2], high[1]),
                add64(low[3], high[2]),
                add64(low[4], high[3]),
            ]
        }

        /// `a + b`, or `a - b` in the lanes of `minus` (all ones there, zero elsewhere).
        #[inline]
        #[target_feature(enable = "avx512ifma,avx512vl")]
        pub(in crate::curve25519) fn add_or_subtract(
            a: Columns,
            b: Columns,
            minus: Vector,
        ) -> Columns {
            from_fn(|j| {
                let p512 = and(minus, set1($crate::curve25519::x86_ifma::four::P512[j] + 1)); // And 1, as -b is the complement and 1.
                add64(add64(a[j], p512), xor(b[j], minus))
            })
        }
    };
}
pub(super) use four;
four!();
