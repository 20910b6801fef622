//! Four field elements side by side.
//!
//! A [`Four`] is five registers; register j holds limb j, radix 2^51, of four elements. The same file
//! makes [pairs](super::pair) of them, in registers of twice the width.
//!
//! Departures from the scalar field:
//!
//! 1. `vpmadd52` multiplies the low 52 bits of its factors, so every factor has limbs below 2^52:
//!    sums and differences are carried at once, and elements stay below 2^51 + 2^15.
//! 2. It gives bits 0 to 51 and bits 52 to 103 of a product. The upper half counts twice at the
//!    next limb, as 2^52 = 2 * 2^51: upper halves have sums of their own, doubled at the end.
//! 3. The ten columns are folded to five by 19 = 16 + 2 + 1 with shifts.
//!
//! Column k is at most 5 * 2^52 + 2 * 5 * 2^52 + 2^52 = 2^56 with an addend; with what is folded
//! 20 * 2^56 < 2^61, so one pass of carries leaves limbs below 2^51 + 19 * 2^10 < 2^51 + 2^15.

use super::vector::*;

pub(in crate::curve25519) type Four = [Vector; 5];

const MASK: i64 = (1 << 51) - 1;
/// The limbs of 2p, and one more: what is added with the complement of a subtrahend.
const TWO_P_PLUS_1: [i64; 5] = [
    (1 << 52) - 37,
    (1 << 52) - 1,
    (1 << 52) - 1,
    (1 << 52) - 1,
    (1 << 52) - 1,
];

/// `addend + a * b` in each lane.
///
/// A macro, as a function this long would not be inlined, and its arguments pass through memory.
macro_rules! multiply {
    ($addend:expr, $a:expr, $b:expr) => {{
        let (addend, a, b): (Four, Four, Four) = ($addend, $a, $b);
        let mut low = [zero(); 10];
        let mut high = [zero(); 10];
        low[..5].copy_from_slice(&addend);
        for i in (0..5).rev() {
            for j in (0..5).rev() {
                high[i + j + 1] = madd_high(high[i + j + 1], a[i], b[j]);
                low[i + j] = madd_low(low[i + j], a[i], b[j]);
            }
        }
        let column = |k: usize| add64(low[k], add64(high[k], high[k]));
        let folded = |k: usize| {
            let x = column(k + 5);
            let x3 = add64(x, add64(x, x));
            add64(add64(column(k), x3), shift_left::<4>(x))
        };
        carry([folded(0), folded(1), folded(2), folded(3), folded(4)])
    }};
}

/// One pass of carries, all at once.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn carry(x: Four) -> Four {
    let mask = set1(MASK);
    let low = x.map(|x| and(x, mask));
    let high = x.map(|x| shift_right::<51>(x));
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
pub(in crate::curve25519) fn add_or_subtract(a: Four, b: Four, minus: Vector) -> Four {
    carry(core::array::from_fn(|j| {
        let two_p = and(minus, set1(TWO_P_PLUS_1[j]));
        let b = xor(b[j], minus);
        add64(add64(a[j], two_p), b)
    }))
}

/// `a + b + c`, with `b` and `c` subtracted in the lanes of their masks.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add_or_subtract_two(
    a: Four,
    b: Four,
    minus_b: Vector,
    c: Four,
    minus_c: Vector,
) -> Four {
    carry(core::array::from_fn(|j| {
        let two_p = set1(TWO_P_PLUS_1[j]);
        let for_b = and(minus_b, two_p);
        let for_c = and(minus_c, two_p);
        let b = xor(b[j], minus_b);
        let c = xor(c[j], minus_c);
        let constant = add64(for_b, for_c);
        add64(add64(a[j], constant), add64(b, c))
    }))
}

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
pub(in crate::curve25519) const fn lanes(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

macro_rules! permute {
    ($x:expr, $from:expr) => {
        $x.map(|x| permute_lanes::<{ lanes($from) }>(x))
    };
}

/// `into`, with the lanes of the mask `k` from a permutation of `x`.
macro_rules! insert {
    ($into:expr, $k:expr, $x:expr, $from:expr) => {{
        let (into, x): (Four, Four) = ($into, $x);
        let permuted: Four =
            core::array::from_fn(|j| mask_permute::<{ lanes($from) }>(into[j], $k * EVERY, x[j]));
        permuted
    }};
}

/// The lanes of the immediate `k` from `b`, the others from `a`.
macro_rules! blend {
    ($a:expr, $b:expr, $k:expr) => {{
        let (a, b): (Four, Four) = ($a, $b);
        let blended: Four = core::array::from_fn(|j| mask_blend($k * EVERY, a[j], b[j]));
        blended
    }};
}

pub(in crate::curve25519) use {blend, insert, multiply, permute};
