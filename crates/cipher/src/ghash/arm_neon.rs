//! GHASH with products of bytes, for CPUs without `pmull` of 64 bits.
//!
//! A product of 64 bits is eight instructions, each for eight products of bytes: of byte i of one factor
//! with byte i + k of the other, modulo 8 (Câmara, Gouvêa, López, Dahab: Fast software polynomial
//! multiplication on ARM processors using the NEON engine, 2013). Products that belong at the same place are
//! added up over all blocks of a group, which are then moved to their places and reduced once. The turned
//! factors that are powers of H are loaded from a half that is kept twice.

use super::reversed::first_power;
use super::{POWERS, Powers, finish_by};
use adamant_base::simd::{load_u8, store_u8};
use core::arch::aarch64::{
    uint8x8_t, uint8x16_t, uint16x8_t, uint64x2_t, vandq_u64, vcombine_u64, vcreate_u8,
    vcreate_u64, vdupq_n_u16, vdupq_n_u64, veor_u8, veorq_u16, veorq_u64, vext_u8, vextq_u8,
    vextq_u64, vget_high_u8, vget_low_u8, vmull_p8, vreinterpret_p8_u8, vreinterpretq_u8_u64,
    vreinterpretq_u16_p16, vreinterpretq_u64_u8, vreinterpretq_u64_u16, vrev64q_u8, vshlq_n_u64,
    vshrq_n_u64, vtrn1q_u64, vtrn2q_u64,
};

/// Blocks with one reduction.
pub(crate) const WIDE: usize = 8;

/// The halves of a power, low and high, and their sum, each twice.
type Power = [[u8; 16]; 3];
const _: () = assert!(3 * WIDE <= POWERS);

/// Those of H^8 to H.
#[inline]
fn powers(key: &Powers) -> &[Power; WIDE] {
    let Some(powers) = key.power.as_chunks().0.first_chunk() else {
        unreachable!("there is room");
    };
    powers
}

/// A factor's half turned: byte i is byte i + `K` of it, modulo 8.
#[inline]
#[target_feature(enable = "neon")]
fn turned<const K: usize>(half: &[u8; 16]) -> uint8x8_t {
    let bytes = half[K..].first_chunk().expect("two halves are there");
    vcreate_u8(u64::from_le_bytes(*bytes))
}

#[inline]
#[target_feature(enable = "neon")]
fn multiply(a: uint8x8_t, b: uint8x8_t) -> uint16x8_t {
    vreinterpretq_u16_p16(vmull_p8(vreinterpret_p8_u8(a), vreinterpret_p8_u8(b)))
}

/// Sums of products of 64 bits, in lanes of 16: lane i of sum k has what belongs at byte 2i + k, or in
/// the last k lanes at byte 2i + k - 8.
#[derive(Clone, Copy)]
struct Sums([uint16x8_t; 5]);

impl Sums {
    /// Adds a product.
    #[inline]
    #[target_feature(enable = "neon")]
    fn add(&mut self, a: uint8x8_t, b: &[u8; 16]) {
        let sums = &mut self.0;
        let b0 = turned::<0>(b);
        sums[0] = veorq_u16(sums[0], multiply(a, b0));
        macro_rules! both {
            ($($k:literal)*) => { $(
                sums[$k] = veorq_u16(sums[$k], multiply(vext_u8::<$k>(a, a), b0));
                sums[$k] = veorq_u16(sums[$k], multiply(a, turned::<$k>(b)));
            )* };
        }
        both!(1 2 3);
        sums[4] = veorq_u16(sums[4], multiply(a, turned::<4>(b)));
    }

    /// The sum as a polynomial.
    #[inline]
    #[target_feature(enable = "neon")]
    fn polynomial(self) -> uint64x2_t {
        let [s0, s1, s2, s3, s4] = self.0.map(|sum| vreinterpretq_u64_u16(sum));
        let odd = veorq_u64(up::<15>(folded::<1>(s1)), up::<13>(folded::<3>(s3)));
        let even = veorq_u64(up::<14>(folded::<2>(s2)), up::<12>(folded::<4>(s4)));
        veorq_u64(s0, veorq_u64(odd, even))
    }
}

/// The last `K` lanes moved by half a register.
#[inline]
#[target_feature(enable = "neon")]
fn folded<const K: u32>(sum: uint64x2_t) -> uint64x2_t {
    let last = vcombine_u64(vcreate_u64(0), vcreate_u64(!0 << (64 - 16 * K)));
    let last = vandq_u64(sum, last);
    veorq_u64(veorq_u64(sum, last), swap(last))
}

/// 16 - `LEFT` bytes up.
#[inline]
#[target_feature(enable = "neon")]
fn up<const LEFT: i32>(a: uint64x2_t) -> uint64x2_t {
    let zero = vreinterpretq_u8_u64(vdupq_n_u64(0));
    vreinterpretq_u64_u8(vextq_u8::<LEFT>(zero, vreinterpretq_u8_u64(a)))
}

/// Karatsuba's three products.
struct Product {
    low: Sums,
    mid: Sums,
    high: Sums,
}

impl Product {
    #[inline]
    #[target_feature(enable = "neon")]
    fn zero() -> Self {
        let zero = Sums([vdupq_n_u16(0); 5]);
        Product {
            low: zero,
            mid: zero,
            high: zero,
        }
    }

    /// Adds the product with a power.
    #[inline]
    #[target_feature(enable = "neon")]
    fn add(&mut self, words: uint64x2_t, [low, high, sum]: &Power) {
        let bytes = vreinterpretq_u8_u64(words);
        let (a1, a0) = (vget_low_u8(bytes), vget_high_u8(bytes));
        self.low.add(a0, low);
        self.high.add(a1, high);
        self.mid.add(veor_u8(a0, a1), sum);
    }

    /// The remainder.
    #[inline]
    #[target_feature(enable = "neon")]
    fn reduce(self) -> uint64x2_t {
        let [low, mid, high] = [self.low, self.mid, self.high].map(|sums| sums.polynomial());
        let zero = vdupq_n_u64(0);
        let mid = veorq_u64(mid, veorq_u64(low, high));
        let low = veorq_u64(low, vextq_u64::<1>(zero, mid));
        let high = veorq_u64(high, vextq_u64::<1>(mid, zero));
        reduce(low, high)
    }
}

/// The words of the remainder modulo the reversed polynomial, x^128 + x^127 + x^126 + x^121 + 1: the two
/// lowest of the four go up, the first to where the second takes it along.
#[inline]
#[target_feature(enable = "neon")]
fn reduce(low: uint64x2_t, high: uint64x2_t) -> uint64x2_t {
    let zero = vdupq_n_u64(0);
    // Of both words what stays within the next, to which the first adds nothing more.
    let next = veorq_u64(vshlq_n_u64::<63>(low), vshlq_n_u64::<62>(low));
    let next = veorq_u64(next, vshlq_n_u64::<57>(low));
    let low = veorq_u64(low, vextq_u64::<1>(zero, next));
    let high = veorq_u64(high, vextq_u64::<1>(next, zero));
    let beyond = veorq_u64(vshrq_n_u64::<1>(low), vshrq_n_u64::<2>(low));
    let beyond = veorq_u64(beyond, vshrq_n_u64::<7>(low));
    swap(veorq_u64(veorq_u64(high, low), beyond))
}

/// The square of a power: of different bytes each product is there twice, which is 0.
#[inline]
#[target_feature(enable = "neon")]
fn square([low, high, _]: &Power) -> uint64x2_t {
    let [low, high] = [low, high].map(|half| {
        let bytes = turned::<0>(half);
        vreinterpretq_u64_u16(multiply(bytes, bytes))
    });
    reduce(low, high)
}

/// The two words of a block, the higher first.
#[inline]
#[target_feature(enable = "neon")]
fn words(block: &[u8; 16]) -> uint64x2_t {
    vreinterpretq_u64_u8(vrev64q_u8(load_u8(block)))
}

#[inline]
#[target_feature(enable = "neon")]
fn swap(a: uint64x2_t) -> uint64x2_t {
    vextq_u64::<1>(a, a)
}

#[target_feature(enable = "neon")]
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    let first = swap(vreinterpretq_u64_u8(load_u8(&first_power(h))));
    for n in 1..=WIDE {
        let of = |n: usize| &powers(key)[WIDE - n];
        let power = if n == 1 {
            first
        } else if n.is_multiple_of(2) {
            square(of(n / 2))
        } else {
            let mut next = Product::zero();
            next.add(first, of(n - 1));
            next.reduce()
        };
        let (low, high) = (vtrn2q_u64(power, power), vtrn1q_u64(power, power));
        let halves = [low, high, veorq_u64(low, high)];
        for (kept, half) in key.power[3 * (WIDE - n)..].iter_mut().zip(halves) {
            store_u8(kept, vreinterpretq_u8_u64(half));
        }
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let mut y = words(sum);
    for group in blocks.chunks(WIDE) {
        let mut product = Product::zero();
        let powers = &powers(key)[WIDE - group.len()..];
        // The one that waits for the sum comes last.
        for (block, power) in group.iter().zip(powers).skip(1).rev() {
            product.add(words(block), power);
        }
        product.add(veorq_u64(y, words(&group[0])), &powers[0]);
        y = product.reduce();
    }
    let bytes: uint8x16_t = vrev64q_u8(vreinterpretq_u8_u64(y));
    store_u8(sum, bytes);
}

#[target_feature(enable = "neon")]
pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}
