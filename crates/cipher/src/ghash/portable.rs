//! GHASH on multiplications of integers, which are free of tables and, on most CPUs, of timing.
//!
//! A product of polynomials is a product of integers without carries. Where only every fourth
//! bit of both factors is kept, carries die out in the holes before they reach the next kept bit,
//! so an integer multiplication gives it; four times four of these make a whole product.
//!
//! The bits of a block read as a big-endian number are in reverse order, so the product of two
//! such numbers is the reverse of the product, one bit too low.

use super::{POWERS, Powers};

/// Carry-less multiplication of 64-bit polynomials, low and high half, as a CPU of some word
/// size does it.
pub(super) trait Multiply {
    fn multiply(a: u64, b: u64) -> (u64, u64);
}

/// The product of 64 bits from three of 32.
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
#[inline(always)]
pub(super) fn karatsuba(a: u64, b: u64, product: impl Fn(u32, u32) -> u64) -> (u64, u64) {
    let (a1, a0) = ((a >> 32) as u32, a as u32);
    let (b1, b0) = ((b >> 32) as u32, b as u32);
    let (low, high) = (product(a0, b0), product(a1, b1));
    let mid = product(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    (low ^ mid << 32, high ^ mid >> 32)
}

/// The product of two polynomials, low and high half.
#[cfg_attr(not(feature = "small"), inline(always))]
fn product<M: Multiply>(x: u128, h: u128) -> (u128, u128) {
    let (x1, x0) = ((x >> 64) as u64, x as u64);
    let (h1, h0) = ((h >> 64) as u64, h as u64);
    // Karatsuba: three products for four.
    let (low0, low1) = M::multiply(x0, h0);
    let (high0, high1) = M::multiply(x1, h1);
    let (mid0, mid1) = M::multiply(x0 ^ x1, h0 ^ h1);
    let (mid0, mid1) = (mid0 ^ low0 ^ high0, mid1 ^ low1 ^ high1);
    let low = u128::from(low1 ^ mid0) << 64 | u128::from(low0);
    let high = u128::from(high1) << 64 | u128::from(high0 ^ mid1);
    (low, high)
}

/// The remainder of a product.
#[inline(always)]
fn reduce((low, high): (u128, u128)) -> u128 {
    // One bit up.
    let (high, low) = (high << 1 | low >> 127, low << 1);
    // In reverse order the low half is what exceeds x^127: x^128 = x^7 + x^2 + x + 1. The second
    // line is the overflow of the third.
    let low = low ^ low << 127 ^ low << 126 ^ low << 121;
    high ^ low ^ low >> 1 ^ low >> 2 ^ low >> 7
}

/// H alone.
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    key.power[POWERS - 1] = *h;
}

/// H and its square.
#[cfg(target_pointer_width = "64")]
pub(super) fn init_pairs<M: Multiply>(h: &[u8; 16], key: &mut Powers) {
    if cfg!(feature = "small") {
        return init(h, key);
    }
    let number = u128::from_be_bytes(*h);
    let square = reduce(product::<M>(number, number));
    key.power[POWERS - 2] = square.to_be_bytes();
    key.power[POWERS - 1] = *h;
}

pub(super) fn update<M: Multiply>(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let h = u128::from_be_bytes(key.power[POWERS - 1]);
    let mut y = u128::from_be_bytes(*sum);
    for block in blocks {
        y = reduce(product::<M>(y ^ u128::from_be_bytes(*block), h));
    }
    *sum = y.to_be_bytes();
}

/// Two blocks at a time with one reduction, where there are registers enough: the second need not
/// wait for the sum before.
#[cfg(target_pointer_width = "64")]
pub(super) fn update_pairs<M: Multiply>(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    if cfg!(feature = "small") {
        return update::<M>(key, sum, blocks);
    }
    let [square, h] = [2, 1].map(|n| u128::from_be_bytes(key.power[POWERS - n]));
    let (pairs, rest) = blocks.as_chunks::<2>();
    let mut y = u128::from_be_bytes(*sum);
    for pair in pairs {
        let [first, second] = pair.map(u128::from_be_bytes);
        let (low, high) = product::<M>(second, h);
        let (more_low, more_high) = product::<M>(y ^ first, square);
        y = reduce((low ^ more_low, high ^ more_high));
    }
    *sum = y.to_be_bytes();
    update::<M>(key, sum, rest);
}

/// Makes a carry-less multiplication from the integer one of a width: the low half of the
/// product, from the four combs of each factor.
macro_rules! combs {
    ($name:ident, $word:ty, $wide:ty) => {
        #[cfg_attr(feature = "small", inline(never))]
        #[cfg_attr(not(feature = "small"), inline(always))]
        pub(super) fn $name(a: $word, b: $word) -> $wide {
            const COMB: $word = <$word>::MAX / 15;
            const WIDE: $wide = <$wide>::MAX / 15;
            let a = [0, 1, 2, 3].map(|i| <$wide>::from(a & COMB << i));
            let b = [0, 1, 2, 3].map(|i| <$wide>::from(b & COMB << i));
            let mut product = 0;
            for k in 0..4 {
                let mut comb = 0;
                for i in 0..4 {
                    comb ^= a[i].wrapping_mul(b[(k + 4 - i) % 4]);
                }
                product |= comb & WIDE << k;
            }
            product
        }
    };
}
pub(super) use combs;
