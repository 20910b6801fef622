//! FIPS 203 as it is written: numbers below q, and the NTT domain in the standard's order.
//!
//! Nothing is divided: reductions multiply by a rounded inverse of q, or are Montgomery's with
//! R = 2^16.

use super::poly::{GAMMAS, Poly, Q, Q_INVERSE, R_SQUARED, ZETAS, montgomery};
use crate::bits::{pack, unpack};
use crate::sponge::Keccak;
use adamant_base::ct::Choice;
use adamant_hash::hazmat::keccak;

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::portable(),
        eight: keccak::lanes::Backend::portable(),
    }
}

/// ⌊2^36 / q⌋ + 1: for x below 2^24, ⌊x / q⌋ = ⌊x · INVERSE / 2^36⌋.
const INVERSE: u64 = (1 << 36) / Q as u64 + 1;
// The product exceeds x · 2^36 / q by x · (INVERSE · q - 2^36) / q, which must be below 2^36 / q.
const _: () = assert!((INVERSE * Q as u64 - (1 << 36)) << 24 < 1 << 36);

/// ⌊x / q⌋ for x below 2^24.
#[inline(always)]
fn divide(x: u32) -> u32 {
    ((u64::from(x) * INVERSE) >> 36) as u32
}

/// x mod q for x below 2^24.
#[inline(always)]
fn modulo(x: u32) -> i16 {
    (x - divide(x) * Q as u32) as i16
}

/// The number below q that x is congruent to.
#[inline(always)]
pub(super) fn canonical(x: i16) -> i16 {
    // Rounded down, x · (2^26/q + 0.17) / 2^26 is ⌊x/q⌋, or one less for a multiple of q.
    let quotient = high(x, 20159) >> 10;
    let rest = x.wrapping_sub(quotient.wrapping_mul(Q)) - Q;
    rest + (rest >> 15 & Q)
}

/// The upper half of the product.
#[inline(always)]
fn high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

/// a·b/R, below q in absolute value for a·b below q·2^15 (Montgomery's reduction).
#[inline(always)]
fn mul(a: i16, b: i16) -> i16 {
    let low = a.wrapping_mul(b).wrapping_mul(Q_INVERSE);
    high(a, b) - high(low, Q)
}

/// x/R, likewise.
#[inline(always)]
fn reduce(x: i32) -> i16 {
    let low = (x as i16).wrapping_mul(Q_INVERSE);
    ((x - i32::from(low) * i32::from(Q)) >> 16) as i16
}

/// Each times R.
const fn all_montgomery(numbers: &[i16; 128]) -> [i16; 128] {
    let mut all = [0; 128];
    let mut i = 0;
    while i < 128 {
        all[i] = montgomery(numbers[i] as u32);
        i += 1;
    }
    all
}
static ZETAS_R: [i16; 128] = all_montgomery(&ZETAS);
static GAMMAS_R: [i16; 128] = all_montgomery(&GAMMAS);

/// Algorithm 7. Every candidate is written, and the next one over it if it is none.
pub(super) fn sample_ntt(to: &mut Poly, count: usize, bytes: &[u8]) -> usize {
    let mut j = count;
    for c in bytes.as_chunks::<3>().0 {
        let d1 = i16::from(c[0]) + 256 * i16::from(c[1] % 16);
        let d2 = i16::from(c[1] / 16) + 16 * i16::from(c[2]);
        for d in [d1, d2] {
            let Some(place) = to.0.get_mut(j) else {
                return j;
            };
            *place = d;
            j += usize::from(d < Q);
        }
    }
    j
}

/// Algorithm 8. The coefficients lie between −η and η.
pub(super) fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]) {
    // Sums of η bits side by side: of eight coefficients in 4η bytes or, for η = 3, four in three.
    if bytes.len() == 128 {
        let words = bytes.as_chunks::<4>().0.iter();
        for (to, word) in to.0.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            let bits = u32::from_le_bytes(*word);
            let sums = (bits & 0x5555_5555) + (bits >> 1 & 0x5555_5555);
            for (i, to) in to.iter_mut().enumerate() {
                *to = (sums >> (4 * i) & 3) as i16 - (sums >> (4 * i + 2) & 3) as i16;
            }
        }
    } else {
        let words = bytes.as_chunks::<3>().0.iter();
        for (to, [a, b, c]) in to.0.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            let bits = u32::from_le_bytes([*a, *b, *c, 0]);
            let one = |shift: u32| bits >> shift & 0o1111_1111;
            let sums = one(0) + one(1) + one(2);
            for (i, to) in to.iter_mut().enumerate() {
                *to = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
            }
        }
    }
}

/// Algorithm 9. Each layer adds up to q to the absolute values, which begin below q.
pub(super) fn ntt(polys: &mut [Poly]) {
    for Poly(f) in polys {
        let mut i = 1;
        for len in [128, 64, 32, 16, 8, 4, 2] {
            for block in f.chunks_exact_mut(2 * len) {
                let zeta = ZETAS_R[i];
                i += 1;
                let (low, high) = block.split_at_mut(len);
                for (low, high) in low.iter_mut().zip(high) {
                    let t = mul(*high, zeta);
                    *high = *low - t;
                    *low += t;
                }
            }
        }
        for x in f {
            *x = canonical(*x);
        }
    }
}

/// Algorithm 10.
pub(super) fn inverse_ntt(polys: &mut [Poly]) {
    for Poly(f) in polys {
        let mut i = 127;
        for len in [2, 4, 8, 16, 32, 64, 128] {
            for block in f.chunks_exact_mut(2 * len) {
                let zeta = ZETAS_R[i];
                i -= 1;
                let (low, high) = block.split_at_mut(len);
                for (low, high) in low.iter_mut().zip(high) {
                    let t = *low;
                    *low = canonical(t + *high);
                    *high = mul(*high - t, zeta);
                }
            }
        }
        for x in f {
            *x = mul(*x, const { montgomery(3303) }); // 128^-1
        }
    }
}
const _: () = assert!(128 * 3303 % Q as u32 == 1);

/// Algorithms 11 and 12. Up to four sums of two products stay below q·2^15.
pub(super) fn multiply(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]) {
    let rows = to.len();
    for (i, Poly(h)) in to.iter_mut().enumerate() {
        let mut sums = [[0; 2]; 128];
        for (j, Poly(g)) in b.iter().enumerate() {
            let Poly(f) = &a[if transposed {
                j * rows + i
            } else {
                i * b.len() + j
            }];
            let pairs = f.as_chunks::<2>().0.iter().zip(g.as_chunks::<2>().0);
            for ((c, ([a0, a1], [b0, b1])), gamma) in sums.iter_mut().zip(pairs).zip(&GAMMAS_R) {
                let product = |a: &i16, b: &i16| i32::from(*a) * i32::from(*b);
                c[0] += product(a0, b0) + product(a1, &mul(*b1, *gamma));
                c[1] += product(a0, b1) + product(a1, b0);
            }
        }
        for (h, c) in h.iter_mut().zip(sums.as_flattened()) {
            *h = canonical(mul(reduce(*c), R_SQUARED));
        }
    }
}
const _: () = assert!(4 * 2 * (Q as i64).pow(2) < (Q as i64) << 15);

pub(super) fn add(to: &mut [Poly], other: &[Poly]) {
    for (a, b) in to.iter_mut().zip(other) {
        for (a, b) in a.0.iter_mut().zip(b.0) {
            *a = canonical(*a + b);
        }
    }
}

pub(super) fn subtract(to: &mut Poly, other: &Poly) {
    for (a, b) in to.0.iter_mut().zip(other.0) {
        *a = canonical(*a - b);
    }
}

pub(super) fn encode_ntt(to: &mut [u8; 384], from: &Poly) {
    pack(12, to, from.0.iter().map(|x| canonical(*x) as u32));
}

pub(super) fn decode_ntt(to: &mut Poly, from: &[u8; 384]) -> Choice {
    let mut good = Choice::TRUE;
    unpack(12, from, |i, x| {
        good = good.and(Choice::lt_u64(u64::from(x), Q as u64));
        to.0[i] = modulo(x);
    });
    good
}

/// 4.7: ⌈2^d / q · x⌋ mod 2^d.
#[inline(always)]
fn compress_number(d: usize, x: i16) -> u32 {
    divide(((canonical(x) as u32) << d) + Q as u32 / 2) & ((1 << d) - 1)
}

pub(super) fn compress(to: &mut [u8], from: &Poly) {
    let d = to.len() / 32;
    pack(d, to, from.0.iter().map(|x| compress_number(d, *x)));
}

/// 4.8: ⌈q / 2^d · y⌋.
pub(super) fn decompress(to: &mut Poly, from: &[u8]) {
    let d = from.len() / 32;
    unpack(d, from, |i, y| {
        to.0[i] = ((y * Q as u32 + (1 << (d - 1))) >> d) as i16;
    });
}

pub(super) fn to_message(to: &mut [u8; 32], from: &Poly) {
    pack(1, to, from.0.iter().map(|x| compress_number(1, *x)));
}

pub(super) fn add_message(to: &mut Poly, from: &[u8; 32]) {
    unpack(1, from, |i, y| {
        // Decompress_1(1) = ⌈q / 2⌋.
        let bit = Choice::from_bit(u64::from(y)).mask() as i16;
        to.0[i] = canonical(to.0[i] + (bit & ((Q + 1) / 2)));
    });
}
