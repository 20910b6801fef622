//! FIPS 203 as it is written: numbers below q, and the NTT domain in the standard's order.
//!
//! Nothing is divided: reductions multiply by a rounded inverse of q.

use super::poly::{GAMMAS, Poly, Q, ZETAS};
use crate::bits::{pack, unpack};
use crate::sponge::Keccak;
use adamant_base::ct::Choice;
use adamant_hash::keccak;

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

/// The number below q that x, above −2q, is congruent to.
#[inline(always)]
pub(super) fn canonical(x: i16) -> i16 {
    modulo((i32::from(x) + 2 * i32::from(Q)) as u32)
}

fn mul(a: i16, b: i16) -> i16 {
    modulo(a as u32 * b as u32)
}

fn add_mod(a: i16, b: i16) -> i16 {
    modulo(a as u32 + b as u32)
}

fn sub_mod(a: i16, b: i16) -> i16 {
    modulo((a + Q - b) as u32)
}

/// Algorithm 7.
pub(super) fn sample_ntt(to: &mut Poly, bytes: &[u8]) -> bool {
    let mut j = 0;
    for c in bytes.as_chunks::<3>().0 {
        let d1 = i16::from(c[0]) + 256 * i16::from(c[1] % 16);
        let d2 = i16::from(c[1] / 16) + 16 * i16::from(c[2]);
        for d in [d1, d2] {
            if d < Q && j < 256 {
                to.0[j] = d;
                j += 1;
            }
        }
    }
    j == 256
}

/// Algorithm 8. The coefficients lie between −η and η.
pub(super) fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]) {
    let eta = bytes.len() / 64;
    let bit = |i: usize| i16::from(bytes[i / 8] >> (i % 8) & 1);
    for i in 0..256 {
        let x: i16 = (0..eta).map(|j| bit(2 * i * eta + j)).sum();
        let y: i16 = (0..eta).map(|j| bit(2 * i * eta + eta + j)).sum();
        to.0[i] = x - y;
    }
}

/// Algorithm 9.
pub(super) fn ntt(polys: &mut [Poly]) {
    for Poly(f) in polys {
        for x in &mut *f {
            *x = canonical(*x);
        }
        let mut i = 1;
        for len in [128, 64, 32, 16, 8, 4, 2] {
            for start in (0..256).step_by(2 * len) {
                let zeta = ZETAS[i];
                i += 1;
                for j in start..start + len {
                    let t = mul(zeta, f[j + len]);
                    f[j + len] = sub_mod(f[j], t);
                    f[j] = add_mod(f[j], t);
                }
            }
        }
    }
}

/// Algorithm 10.
pub(super) fn inverse_ntt(polys: &mut [Poly]) {
    for Poly(f) in polys {
        let mut i = 127;
        for len in [2, 4, 8, 16, 32, 64, 128] {
            for start in (0..256).step_by(2 * len) {
                let zeta = ZETAS[i];
                i -= 1;
                for j in start..start + len {
                    let t = f[j];
                    f[j] = add_mod(t, f[j + len]);
                    f[j + len] = mul(zeta, sub_mod(f[j + len], t));
                }
            }
        }
        for x in f {
            *x = mul(*x, 3303); // 128^-1
        }
    }
}
const _: () = assert!(128 * 3303 % Q as u32 == 1);

/// Algorithms 11 and 12.
pub(super) fn multiply(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]) {
    let rows = to.len();
    for (i, Poly(h)) in to.iter_mut().enumerate() {
        *h = [0; 256];
        for (j, Poly(g)) in b.iter().enumerate() {
            let Poly(f) = &a[if transposed {
                j * rows + i
            } else {
                i * b.len() + j
            }];
            for k in 0..128 {
                let (a0, a1) = (f[2 * k], f[2 * k + 1]);
                let (b0, b1) = (g[2 * k], g[2 * k + 1]);
                let c0 = add_mod(mul(a0, b0), mul(mul(a1, b1), GAMMAS[k]));
                let c1 = add_mod(mul(a0, b1), mul(a1, b0));
                h[2 * k] = add_mod(h[2 * k], c0);
                h[2 * k + 1] = add_mod(h[2 * k + 1], c1);
            }
        }
    }
}

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
