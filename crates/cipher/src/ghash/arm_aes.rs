//! GHASH with `pmull`: eight blocks with eight powers of H, and one reduction for all.
//!
//! A block is kept in two words, the first of its bytes the highest bits of the first word. So a
//! register has the high half of the reversed polynomial in its low half.

use super::reversed::{POLYNOMIAL, first_power};
use super::{POWERS, Powers, finish_by};
use adamant_base::simd::{in_order3, load_u8, store_u8, whole};
use core::arch::aarch64::{
    uint8x16_t, uint64x2_t, vdupq_n_u64, veorq_u64, vextq_u64, vgetq_lane_u64, vmull_high_p64,
    vmull_p64, vreinterpretq_p64_u64, vreinterpretq_u8_u64, vreinterpretq_u64_p128,
    vreinterpretq_u64_u8, vrev64q_u8, vtrn1q_u64, vtrn2q_u64,
};

/// Blocks with one reduction.
pub(crate) const WIDE: usize = 8;
/// The powers that are kept: those of a group, and one for the block of lengths behind it.
const KEPT: usize = WIDE + 1;

/// A block as two words, and back.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn reverse(block: uint8x16_t) -> uint64x2_t {
    vreinterpretq_u64_u8(vrev64q_u8(block))
}

/// The block of two words.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn block(words: uint64x2_t) -> uint8x16_t {
    vrev64q_u8(vreinterpretq_u8_u64(words))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn load_words(from: &[u8; 16]) -> uint64x2_t {
    whole(vreinterpretq_u64_u8(load_u8(from)))
}

/// The product of the low halves.
#[inline]
#[target_feature(enable = "neon,aes")]
fn multiply_low(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    let (a, b) = (vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b));
    vreinterpretq_u64_p128(vmull_p64(a, b))
}

/// The product of the high halves.
#[inline]
#[target_feature(enable = "neon,aes")]
fn multiply_high(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    let (a, b) = (vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b));
    vreinterpretq_u64_p128(vmull_high_p64(a, b))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn swap(words: uint64x2_t) -> uint64x2_t {
    vextq_u64::<1>(words, words)
}

/// The halves of `a` added up, and those of `b`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn sums_of_halves(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    whole(veorq_u64(vtrn1q_u64(a, b), vtrn2q_u64(a, b)))
}

/// Products not yet reduced: Karatsuba's three.
pub(crate) struct Product {
    low: uint64x2_t,
    mid: uint64x2_t,
    high: uint64x2_t,
}

impl Product {
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn zero() -> Self {
        let zero = vdupq_n_u64(0);
        Product {
            low: zero,
            mid: zero,
            high: zero,
        }
    }

    /// Adds `a` times the power at `at`, and `b` times the one after it, but for the middle products.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn add_ends(&mut self, [a, b]: [uint64x2_t; 2], key: &Powers, at: usize) {
        let (p, q) = (load_words(&key.power[at]), load_words(&key.power[at + 1]));
        let high = veorq_u64(multiply_low(a, p), multiply_low(b, q));
        let low = veorq_u64(multiply_high(a, p), multiply_high(b, q));
        self.high = veorq_u64(self.high, high);
        self.low = veorq_u64(self.low, low);
    }

    /// Adds the middle products of two blocks.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn add_middle(&mut self, [a, b]: [uint64x2_t; 2], key: &Powers, at: usize) {
        let (sums, powers) = (sums_of_halves(a, b), load_words(&key.halves[at]));
        let mid = veorq_u64(multiply_low(sums, powers), multiply_high(sums, powers));
        self.mid = veorq_u64(self.mid, mid);
    }

    /// Adds `a` times the power at `at`.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn add(&mut self, a: uint64x2_t, key: &Powers, at: usize) {
        let power = load_words(&key.power[at]);
        self.high = veorq_u64(self.high, multiply_low(a, power));
        self.low = veorq_u64(self.low, multiply_high(a, power));
        let (sum, power) = (sums_of_halves(a, a), load_words(&key.halves[at]));
        self.mid = veorq_u64(self.mid, multiply_low(sum, power));
    }

    /// Keeps what comes before apart from what comes after.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn in_order(&mut self) {
        let mut all = [self.low, self.mid, self.high];
        in_order3(&mut all);
        [self.low, self.mid, self.high] = all;
    }

    /// The remainder: the lowest word goes up by 64 bits, twice, as a multiple of the polynomial.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(crate) fn reduce(self) -> uint64x2_t {
        let polynomial = vdupq_n_u64(POLYNOMIAL);
        let mid = veorq_u64(self.mid, veorq_u64(self.low, self.high));
        // What is added to the middle words of the four.
        let first = multiply_low(self.low, polynomial);
        let middle = veorq_u64(veorq_u64(mid, swap(self.low)), first);
        let second = multiply_low(middle, polynomial);
        veorq_u64(swap(veorq_u64(self.high, second)), middle)
    }
}

#[target_feature(enable = "neon,aes")]
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    let first = swap(load_words(&first_power(h)));
    let mut power = first;
    store_u8(&mut key.power[POWERS - 1], vreinterpretq_u8_u64(power));
    let mut sum = sums_of_halves(first, vdupq_n_u64(0));
    store_u8(&mut key.halves[POWERS - 1], vreinterpretq_u8_u64(sum));
    for i in (POWERS - KEPT..POWERS - 1).rev() {
        let mut next = Product::zero();
        next.add(power, key, POWERS - 1);
        power = next.reduce();
        store_u8(&mut key.power[i], vreinterpretq_u8_u64(power));
        // The sum of the halves of the next power comes with it, for pairs of blocks.
        sum = vtrn1q_u64(sums_of_halves(power, power), sum);
        store_u8(&mut key.halves[i], vreinterpretq_u8_u64(sum));
    }
}

#[target_feature(enable = "neon,aes")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let y = absorb_all::<false>(key, reverse(load_u8(sum)), blocks);
    store_u8(sum, block(y));
}

#[target_feature(enable = "neon,aes")]
pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}

/// Any number of bytes, the last block filled up with zeros.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn absorb_padded<const POLYVAL: bool>(
    key: &Powers,
    mut y: uint64x2_t,
    data: &[u8],
) -> uint64x2_t {
    let (blocks, rest) = data.as_chunks();
    y = absorb_all::<POLYVAL>(key, y, blocks);
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        y = absorb::<POLYVAL>(key, y, &[last]);
    }
    y
}

/// Any number of blocks.
#[inline]
#[target_feature(enable = "neon,aes")]
fn absorb_all<const POLYVAL: bool>(
    key: &Powers,
    mut y: uint64x2_t,
    blocks: &[[u8; 16]],
) -> uint64x2_t {
    let (groups, rest) = blocks.as_chunks::<WIDE>();
    for group in groups {
        y = absorb::<POLYVAL>(key, y, group);
    }
    if !rest.is_empty() {
        y = absorb::<POLYVAL>(key, y, rest);
    }
    y
}

/// A block in memory, with its bytes in the other order if it is one of POLYVAL's.
#[inline]
#[target_feature(enable = "neon,aes")]
fn words<const POLYVAL: bool>(block: &[u8; 16]) -> uint64x2_t {
    let block = load_u8(block);
    if POLYVAL {
        swap(vreinterpretq_u64_u8(block))
    } else {
        reverse(block)
    }
}

/// At most as many blocks as there are powers.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn absorb<const POLYVAL: bool>(
    key: &Powers,
    y: uint64x2_t,
    blocks: &[[u8; 16]],
) -> uint64x2_t {
    debug_assert!(blocks.len() <= KEPT, "each block has its power");
    let (mut product, mut y) = (Product::zero(), y);
    let mut at = POWERS - blocks.len();
    let (pairs, rest) = blocks.as_chunks::<2>();
    for [a, b] in pairs {
        let pair = [veorq_u64(words::<POLYVAL>(a), y), words::<POLYVAL>(b)];
        product.add_ends(pair, key, at);
        product.add_middle(pair, key, at);
        y = vdupq_n_u64(0);
        at += 2;
    }
    for a in rest {
        product.add(veorq_u64(words::<POLYVAL>(a), y), key, at);
    }
    product.reduce()
}
