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
