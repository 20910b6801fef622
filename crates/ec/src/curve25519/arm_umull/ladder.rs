//! The Montgomery ladder of X25519: two products and two squares of pairs a step, and the product that
//! is left over on words of 32 bits, at the same time as the last of them.
#![allow(unsafe_code)] // assembly

use super::invert;
use super::pair::{Limbs, Pair, bits, element, twice_p};
use crate::curve25519::field::Fe;
use crate::curve25519::fields::Ring;
use crate::curve25519::ladder::A24;
use crate::limbs::{split, words};
use adamant_base::ct::barrier;
use adamant_base::simd::{load_u8, load_u32, load_u64};
use adamant_base::{Secret, Wipe};
use core::arch::aarch64::*;
use core::arch::asm;

/// What the product of words reads and writes: limbs of a factor, up to three times those that are
/// carried, and the carried ones of the product.
#[repr(C)]
struct Third {
    factor: Limbs,
    product: [u64; 10],
}

/// The places of [`Third`] in the text.
const _: () = assert!(core::mem::offset_of!(Third, product) == 40);

impl Wipe for Third {
    fn wipe(&mut self) {
        self.factor.wipe();
        self.product.wipe();
    }
}

/// What a step leaves: X2 and Z3, X3 beside the square whose product with x1 is Z3, and Z2.
struct State {
    x2_z3: Pair,
    x3: Pair,
    z2: Secret<Third>,
}

/// 2p in both lanes.
static TWICE_P: [[u32; 4]; 5] = {
    let (mut p, mut j) = ([[0; 4]; 5], 0);
    while j < 5 {
        let (even, odd) = (twice_p(2 * j), twice_p(2 * j + 1));
        p[j] = [even, even, odd, odd];
        j += 1;
    }
    p
};

/// Of two registers as one table, the first lanes of both; the second ones are four bytes further.
static FIRSTS: [u8; 16] = [0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27];

/// `a * b` in each lane, and beside it the product of the factor in `third` with `y`, whose limbs are
/// below 2^27.
#[inline]
#[target_feature(enable = "neon")]
fn products(a: Pair, b: Pair, third: &mut Third, y: [u64; 10]) -> Pair {
    // SAFETY: the block calculates on registers, reads the constants, and reads and writes `third`.
    Pair(unsafe {
        block!(
            product!(with_third), a, b;
            y0 = in(reg) y[0],
            y1 = inout(reg) y[1] => _,
            y2 = inout(reg) y[2] => _,
            y3 = inout(reg) y[3] => _,
            y4 = inout(reg) y[4] => _,
            y5 = inout(reg) y[5] => _,
            y6 = inout(reg) y[6] => _,
            y7 = inout(reg) y[7] => _,
            y8 = inout(reg) y[8] => _,
            y9 = inout(reg) y[9] => _,
            z0 = out(reg) _,
            z1 = out(reg) _,
            z2 = out(reg) _,
            z3 = out(reg) _,
            z4 = out(reg) _,
            z5 = out(reg) _,
            z6 = out(reg) _,
            z7 = out(reg) _,
            z8 = out(reg) _,
            z9 = out(reg) _,
            x = out(reg) _,
            w = out(reg) _,
            q = out(reg) _,
            third = in(reg) &raw mut *third,
            options(nostack, preserves_flags),
        )
    })
}

/// Limb i of the first and of the second element.
#[inline]
#[target_feature(enable = "neon")]
fn limbs(pair: Pair) -> [[u64; 2]; 10] {
    core::array::from_fn(|i| {
        let register = vreinterpretq_u64_u32(pair.0[i / 2]);
        let both = match i % 2 {
            0 => vgetq_lane_u64::<0>(register),
            _ => vgetq_lane_u64::<1>(register),
        };
        [both & u64::from(u32::MAX), both >> 32]
    })
}

impl State {
    /// A step; where `swap` is 1, the second point is doubled. Of the other steps' formulas this one takes
    /// Z3 - X3 in the place of its opposite:
    ///
    /// | lane | 0 | 1 |
    /// |---|---|---|
    /// | product | A (Z3 - X3) | C B |
    /// | square | AA | BB |
    /// | square | X3 = (CB - A (Z3 - X3))^2 | (CB + A (Z3 - X3))^2 |
    /// | product | X2 = AA BB | Z3 = x1 times this |
    /// | on words | Z2 = E (AA + a24 E) | |
    #[inline]
    #[target_feature(enable = "neon")]
    fn step(&mut self, swap: u64, x1: Pair) {
        let z2_x3: [_; 5] = core::array::from_fn(|j| {
            let z2 = load_u64(&self.z2.product.as_chunks().0[j]);
            vtrn1q_u32(vreinterpretq_u32_u64(z2), self.x3.0[j])
        });
        let x2_z3 = self.x2_z3.0;
        let ac: [_; 5] = core::array::from_fn(|j| vaddq_u32(x2_z3[j], z2_x3[j]));
        let bd: [_; 5] = core::array::from_fn(|j| {
            vaddq_u32(x2_z3[j], vsubq_u32(load_u32(&TWICE_P[j]), z2_x3[j]))
        });
        let first = Pair(ac).mul(Pair(bd).turned());
        let lanes = vaddq_u8(load_u8(&FIRSTS), vdupq_n_u8(4 * barrier(swap) as u8));
        let doubled = Pair(core::array::from_fn(|j| {
            let table = uint8x16x2_t(vreinterpretq_u8_u32(ac[j]), vreinterpretq_u8_u32(bd[j]));
            vreinterpretq_u32_u8(vqtbl2q_u8(table, lanes))
        }));
        let second = doubled.square();
        let squares = limbs(second);
        let e = squares.map(|[aa, bb]| aa.wrapping_sub(bb));
        let e: [u64; 10] = core::array::from_fn(|i| e[i].wrapping_add(twice_p(i).into()));
        // Below 2^45: one pass of carries leaves limbs below 2^27.
        let sum: [u64; 10] = core::array::from_fn(|i| squares[i][0] + A24 * e[i]);
        let y = core::array::from_fn(|i| {
            let below = match i {
                0 => 19 * (sum[9] >> bits(9)),
                _ => sum[i - 1] >> bits(i - 1),
            };
            (sum[i] & ((1 << bits(i)) - 1)) + below
        });
        self.z2.factor = e.map(|limb| limb as u32);
        self.x3 = first.difference_and_sum().square();
        let (left, right) = (second.firsts(x1), second.seconds(self.x3));
        self.x2_z3 = products(left, right, &mut self.z2, y);
    }
}

/// The limbs of a number, without its bit 255.
fn limbs_of(number: &[u8; 32]) -> Limbs {
    let halves: [u64; 5] = split(&words::<32, 4>(number), 51);
    core::array::from_fn(|i| (halves[i / 2] >> (26 * (i % 2)) & ((1 << bits(i)) - 1)) as u32)
}

/// As the scalar ladder.
#[target_feature(enable = "neon")]
pub(in crate::curve25519) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let (u, one) = (limbs_of(u), core::array::from_fn(|i| (i == 0).into()));
    let x1 = Pair::new(&u, &u);
    let mut s = State {
        x2_z3: Pair::new(&one, &one),
        x3: x1,
        z2: Secret::new(Third {
            factor: [0; 10],
            product: [0; 10],
        }),
    };
    let mut swapped = 0;
    for t in (0..255).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        s.step(swapped ^ bit, x1);
        swapped = bit;
    }
    let ([mut x2, mut z3], [mut x3, _]) = (s.x2_z3.split(), s.x3.split());
    let mut z2 = element(&s.z2.product);
    Fe::swap(swapped, &mut x2, &mut x3);
    Fe::swap(swapped, &mut z2, &mut z3);
    x2.mul(invert(z2)).to_bytes()
}
