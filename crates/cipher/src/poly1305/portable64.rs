//! Poly1305 with multiplications of 64 by 64 bits into 128.
//!
//! 1. A block alone: the low two bits of r's upper word are zero, so r1 · 2^128 = (r1 / 4) · 2^130
//!    = 5 r1 / 4 is a whole number. With r below 2^60 in each word, no sum of products exceeds
//!    128 bits.
//! 2. Pairs of blocks: ((h + a) r + b) r = (h + a) r^2 + b r, where b r waits for nothing. In limbs
//!    of 44, 44 and 42 bits all carries of a round move at once, and the second round leaves the
//!    limbs below 2^44 + 2^12.

use super::State;
use super::portable::{block_words, join};

/// From how many blocks on pairs are quicker.
pub(super) const WORTHWHILE: usize = 16;
const MASK44: u64 = (1 << 44) - 1;
const MASK42: u64 = (1 << 42) - 1;

/// The product of two 64-bit words.
#[inline(always)]
fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// A number in limbs of 44, 44 and 42 bits, which may be a little longer.
pub(super) type Limbs = [u64; 3];

/// The limbs of a number below 2^132.
#[inline(always)]
pub(super) fn limbs([w0, w1, w2]: [u64; 3]) -> Limbs {
    [
        w0 & MASK44,
        (w0 >> 44 | w1 << 20) & MASK44,
        w1 >> 24 | w2 << 40,
    ]
}

/// A sum of products, limb by limb. The weight of a third limb's successor is 2^132 = 4 · 5.
#[derive(Clone, Copy)]
struct Products([u128; 3]);

impl Products {
    /// Adds `x · y`, both with limbs below 2^46.
    #[inline(always)]
    fn add(self, [x0, x1, x2]: Limbs, [y0, y1, y2]: Limbs) -> Self {
        let [d0, d1, d2] = self.0;
        let (z1, z2) = (20 * y1, 20 * y2);
        Products([
            d0 + wide(x1, z2) + wide(x2, z1) + wide(x0, y0),
            d1 + wide(x2, z2) + wide(x0, y1) + wide(x1, y0),
            d2 + wide(x0, y2) + wide(x1, y1) + wide(x2, y0),
        ])
    }

    #[inline(always)]
    fn carry(self) -> Limbs {
        let [d0, d1, d2] = self.0;
        let t0 = (d0 as u64 & MASK44) + 5 * (d2 >> 42) as u64;
        let t1 = (d1 as u64 & MASK44) + (d0 >> 44) as u64;
        let t2 = (d2 as u64 & MASK42) + (d1 >> 44) as u64;
        [
            (t0 & MASK44) + 5 * (t2 >> 42),
            (t1 & MASK44) + (t0 >> 44),
            (t2 & MASK42) + (t1 >> 44),
        ]
    }
}

/// The product of two numbers.
#[inline(always)]
pub(super) fn multiply(x: Limbs, y: Limbs) -> Limbs {
    Products([0; 3]).add(x, y).carry()
}

#[inline(always)]
fn pairs(sum: [u64; 3], r: [u64; 2], pairs: &[[[u8; 16]; 2]], high: u32) -> [u64; 3] {
    let r = limbs([r[0], r[1], 0]);
    let r2 = multiply(r, r);
    let mut sum = limbs(sum);
    for [a, b] in pairs {
        let (a, b) = (limbs(block_words(a, high)), limbs(block_words(b, high)));
        let products = Products([0; 3]).add(b, r);
        sum = products
            .add(core::array::from_fn(|i| sum[i] + a[i]), r2)
            .carry();
    }
    join::<3, 44>(sum)
}

pub(crate) fn update(state: &mut State, mut blocks: &[[u8; 16]], high: u32) {
    if blocks.len() >= WORTHWHILE {
        let (whole, rest) = blocks.as_chunks();
        state.sum = pairs(state.sum, state.r, whole, high);
        blocks = rest;
    }
    let mut sum = state.sum;
    for block in blocks {
        sum = add_and_multiply(sum, state.r, block, high);
    }
    state.sum = sum;
}

/// [`update`] with one block, as part of the caller.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn update_one(state: &mut State, block: &[u8; 16], high: u32) {
    state.sum = add_and_multiply(state.sum, state.r, block, high);
}

/// The sum with one block more, times r. A sum's last word is below 8.
#[inline(always)]
pub(crate) fn add_and_multiply(
    [h0, h1, h2]: [u64; 3],
    [r0, r1]: [u64; 2],
    block: &[u8; 16],
    high: u32,
) -> [u64; 3] {
    let r1_folded = r1 + (r1 >> 2);
    // h += block
    let number = u128::from_le_bytes(*block);
    let (a, carry) = (u128::from(h1) << 64 | u128::from(h0)).overflowing_add(number);
    let (a0, a1) = (a as u64, (a >> 64) as u64);
    let a2 = h2 + u64::from(high) + u64::from(carry);
    // h *= r, where a2 is so small that one word holds its products.
    let d0 = wide(a0, r0) + wide(a1, r1_folded);
    let over = a2 * r1_folded + (d0 >> 64) as u64;
    let d1 = wide(a0, r1) + wide(a1, r0) + u128::from(over);
    let d2 = a2 * r0 + (d1 >> 64) as u64;
    // What is above 2^130, times 5: its 4 times is at hand, 2 bits up.
    let low = u128::from(d1 as u64) << 64 | u128::from(d0 as u64);
    let (low, carry) = low.overflowing_add(u128::from((d2 >> 2) + (d2 & !3)));
    [low as u64, (low >> 64) as u64, (d2 & 3) + u64::from(carry)]
}
