//! FIPS 204 as it is written, in the standard's order.
//!
//! Nothing is divided: reductions multiply by rounded inverses, or are Montgomery's with R = 2^32,
//! which [`multiply`] and [`scale`] leave a factor 1/R of, and [`inverse_ntt`] takes away. What works on each coefficient by
//! itself is compiled for vectors, too, by the implementations that have nothing better.

use super::poly::{D, OVER_256_R, Poly, Q, Q_INVERSE, ZETAS, montgomery};
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

/// Congruent to x, and at most 2^22 + 2^14 in absolute value where x is at most 4q.
#[inline(always)]
fn reduce(x: i32) -> i32 {
    x - ((x + (1 << 22)) >> 23) * Q
}

/// The number below q that x, between −q and q, is congruent to.
#[inline(always)]
fn canonical(x: i32) -> i32 {
    x + (x >> 31 & Q)
}

/// x/R, below q in absolute value for x below 2^31·q (Montgomery's reduction, R = 2^32).
#[inline(always)]
fn over_r(x: i64) -> i32 {
    let low = (x as i32).wrapping_mul(Q_INVERSE);
    ((x - i64::from(low) * i64::from(Q)) >> 32) as i32
}

#[inline(always)]
fn product(a: i32, b: i32) -> i64 {
    i64::from(a) * i64::from(b)
}

/// The zetas times R.
static ZETAS_R: [i32; 256] = {
    let mut all = [0; 256];
    let mut i = 0;
    while i < 256 {
        all[i] = montgomery(ZETAS[i] as u64);
        i += 1;
    }
    all
};

/// Algorithm 30.
pub(super) fn rej_ntt_poly(to: &mut Poly, count: usize, bytes: &[u8]) -> usize {
    let mut j = count;
    for [b0, b1, b2] in bytes.as_chunks().0 {
        // Algorithm 14.
        let z = i32::from(*b0) | i32::from(*b1) << 8 | i32::from(b2 & 0x7f) << 16;
        if z < Q && j < 256 {
            to.0[j] = z;
            j += 1;
        }
    }
    j
}

/// Algorithm 31. That a half of a byte was rejected tells nothing of those that were not.
#[inline(always)]
pub(super) fn rej_bounded_poly(to: &mut Poly, eta: i32, count: usize, bytes: &[u8]) -> usize {
    let mut j = count;
    for z in bytes.iter().flat_map(|z| [z & 15, z >> 4]) {
        // Algorithm 15.
        let bound = if eta == 2 { 15 } else { 9 };
        let accepted = Choice::lt_u64(u64::from(z), bound).declassify();
        // Written in any case, and over it if it is none.
        let Some(place) = to.0.get_mut(j) else {
            return j;
        };
        let z = i32::from(z);
        *place = if eta == 2 {
            // z mod 5, as 205 / 1024 is just above 1/5.
            2 - (z - ((205 * z) >> 10) * 5)
        } else {
            4 - z
        };
        j += usize::from(accepted);
    }
    j
}

/// Algorithm 41. Each layer adds up to q to the absolute values, which begin below q.
pub(super) fn ntt(polys: &mut [Poly]) {
    for Poly(w) in polys {
        let mut m = 0;
        for len in [128, 64, 32, 16, 8, 4, 2, 1] {
            for block in w.chunks_exact_mut(2 * len) {
                m += 1;
                let z = ZETAS_R[m];
                let (low, high) = block.split_at_mut(len);
                for (low, high) in low.iter_mut().zip(high) {
                    let t = over_r(product(z, *high));
                    *high = *low - t;
                    *low += t;
                }
            }
        }
    }
}

/// Algorithm 42, of numbers over R. Sums double eight times, to at most 192 q.
pub(super) fn inverse_ntt(polys: &mut [Poly]) {
    for Poly(w) in polys {
        for x in &mut *w {
            *x = reduce(*x);
        }
        let mut m = 256;
        for len in [1, 2, 4, 8, 16, 32, 64, 128] {
            for block in w.chunks_exact_mut(2 * len) {
                m -= 1;
                let z = ZETAS_R[m];
                let (low, high) = block.split_at_mut(len);
                for (low, high) in low.iter_mut().zip(high) {
                    let t = *low;
                    *low = t + *high;
                    *high = over_r(product(z, *high - t));
                }
            }
        }
        for x in w {
            *x = over_r(product(*x, OVER_256_R));
        }
    }
}

/// Algorithm 48, over R: up to seven products of numbers below q and below 9q.
pub(super) fn multiply(to: &mut [Poly], a: &[Poly], b: &[Poly]) {
    for (i, Poly(w)) in to.iter_mut().enumerate() {
        let row = &a[i * b.len()..];
        for (k, w) in w.iter_mut().enumerate() {
            let products = row.iter().zip(b).map(|(a, b)| product(a.0[k], b.0[k]));
            *w = over_r(products.sum());
        }
    }
}

pub(super) fn scale(to: &mut [Poly], a: &Poly, b: &[Poly]) {
    for (to, b) in to.iter_mut().zip(b) {
        for k in 0..256 {
            to.0[k] = over_r(product(a.0[k], b.0[k]));
        }
    }
}

#[inline(always)]
pub(super) fn add(to: &mut [Poly], other: &[Poly]) {
    for (to, other) in to.iter_mut().zip(other) {
        for (a, b) in to.0.iter_mut().zip(&other.0) {
            *a = reduce(*a + b);
        }
    }
}

#[inline(always)]
pub(super) fn subtract(to: &mut [Poly], other: &[Poly]) {
    for (to, other) in to.iter_mut().zip(other) {
        for (a, b) in to.0.iter_mut().zip(&other.0) {
            *a = reduce(*a - b);
        }
    }
}

/// Algorithm 35.
#[inline(always)]
pub(super) fn power2round(polys: &mut [Poly], low: &mut [Poly]) {
    for (poly, low) in polys.iter_mut().zip(low) {
        for (r, r0) in poly.0.iter_mut().zip(&mut low.0) {
            let r_plus = canonical(*r);
            *r = (r_plus + (1 << (D - 1)) - 1) >> D;
            *r0 = r_plus - (*r << D);
        }
    }
}

/// Algorithm 36 of a number between −q and q.
///
/// For γ₂ = (q − 1)/32, 2γ₂ = 128·4092 − 128 · 0.125: dividing by 128 first and then multiplying by
/// 1025/2^22 rounds right for every number, as a test shows; for (q − 1)/88 the same with
/// 11275/2^24.
#[inline(always)]
fn decompose_number(r: i32, gamma2: i32) -> (i32, i32) {
    let r_plus = canonical(r);
    let r1 = (r_plus + 127) >> 7;
    let r1 = if gamma2 == (Q - 1) / 32 {
        ((r1 * 1025 + (1 << 21)) >> 22) & 15
    } else {
        let r1 = (r1 * 11275 + (1 << 23)) >> 24;
        r1 & !((43 - r1) >> 31) // 44 becomes 0.
    };
    let r0 = r_plus - r1 * 2 * gamma2;
    (r1, r0 - (((Q - 1) / 2 - r0) >> 31 & Q))
}

#[inline(always)]
pub(super) fn decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]) {
    for (poly, high) in polys.iter_mut().zip(high) {
        for (r, r1) in poly.0.iter_mut().zip(&mut high.0) {
            (*r1, *r) = decompose_number(*r, gamma2);
        }
    }
}

#[inline(always)]
pub(super) fn norm(polys: &[Poly]) -> i32 {
    let mut norm = 0;
    for poly in polys {
        for x in &poly.0 {
            norm = norm.max(reduce(*x).abs());
        }
    }
    norm
}

/// Algorithm 39: adding c·t₀ changes the high bits r1 where the low bits leave the interval from
/// −γ₂ + 1 to γ₂; and −γ₂ belongs to r1 = 0, where q − 1 went to.
#[inline(always)]
pub(super) fn make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize {
    let mut ones = 0;
    for ((to, low), high) in to.iter_mut().zip(low).zip(high) {
        for ((h, r0), r1) in to.0.iter_mut().zip(&low.0).zip(&high.0) {
            let above = (gamma2 - r0) >> 31;
            let below = (r0 + gamma2) >> 31;
            let edge = (r0 + gamma2 - 1) >> 31 & !((r1 - 1) >> 31);
            *h = (above | below | edge) & 1;
            ones += *h;
        }
    }
    ones as usize
}

/// Algorithm 40.
#[inline(always)]
pub(super) fn use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32) {
    let m = (Q - 1) / (2 * gamma2);
    for (poly, hints) in polys.iter_mut().zip(hints) {
        for (r, h) in poly.0.iter_mut().zip(&hints.0) {
            let (r1, r0) = decompose_number(*r, gamma2);
            // One up or down where there is a hint, and around the ends.
            let x = r1 + h * (1 | (r0 - 1) >> 31);
            let x = x + ((x >> 31) & m);
            *r = x - (!((x - m) >> 31) & m);
        }
    }
}

#[inline(always)]
pub(super) fn simple_bit_pack(to: &mut [u8], from: &Poly) {
    pack(to.len() / 32, to, from.0.iter().map(|x| *x as u32));
}

#[inline(always)]
pub(super) fn simple_bit_unpack(to: &mut Poly, from: &[u8]) {
    unpack(from.len() / 32, from, |i, x| to.0[i] = x as i32);
}

#[inline(always)]
pub(super) fn bit_pack(to: &mut [u8], from: &Poly, b: i32) {
    pack(to.len() / 32, to, from.0.iter().map(|x| (b - x) as u32));
}

#[inline(always)]
pub(super) fn bit_unpack(to: &mut Poly, from: &[u8], b: i32) {
    unpack(from.len() / 32, from, |i, x| to.0[i] = b - x as i32);
}

/// What works on each coefficient by itself: the portable code, compiled for the row's vectors.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! elementwise {
    ($features:literal: $( $f:ident($($arg:ident: $t:ty),*) $(-> $ret:ty)?; )*) => { $(
        #[target_feature(enable = $features)]
        pub(super) fn $f($($arg: $t),*) $(-> $ret)? {
            portable::$f($($arg),*)
        }
    )* };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use elementwise;
