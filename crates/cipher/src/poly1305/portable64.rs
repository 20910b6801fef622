//! Poly1305 with multiplications of 64 by 64 bits into 128.
//!
//! The low two bits of r's upper word are zero, so r1 · 2^128 = (r1 / 4) · 2^130 = 5 r1 / 4 is a
//! whole number. With r below 2^60 in each word, no sum of products exceeds 128 bits.

use super::State;

/// The product of two 64-bit words.
#[inline(always)]
pub(super) fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

pub(crate) fn update(state: &mut State, blocks: &[[u8; 16]], high: u32) {
    let [mut h0, mut h1, mut h2] = state.sum;
    let [r0, r1] = state.r;
    let r1_folded = r1 + (r1 >> 2);
    for block in blocks {
        // h += block
        let number = u128::from_le_bytes(*block);
        let (a0, c0) = h0.overflowing_add(number as u64);
        let (a1, c1) = h1.overflowing_add((number >> 64) as u64);
        let (a1, c2) = a1.overflowing_add(u64::from(c0));
        let a2 = h2 + u64::from(high) + u64::from(c1) + u64::from(c2);
        // h *= r
        let d0 = wide(a0, r0) + wide(a1, r1_folded);
        let d1 = wide(a0, r1) + wide(a1, r0) + wide(a2, r1_folded) + (d0 >> 64);
        let d2 = a2 * r0 + (d1 >> 64) as u64;
        // What is above 2^130, times 5: its 4 times is at hand, 2 bits up.
        let (low, carry) = (d0 as u64).overflowing_add((d2 >> 2) + (d2 & !3));
        let (mid, carry) = (d1 as u64).overflowing_add(u64::from(carry));
        h0 = low;
        h1 = mid;
        h2 = (d2 & 3) + u64::from(carry);
    }
    state.sum = [h0, h1, h2];
}
