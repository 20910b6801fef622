//! NEON: vectors of 4 words of 32 bits.
//!
//! Differences from the portable code:
//!
//! 1. The transforms have their own way to multiply by known numbers (`ntt`).
//! 2. Products in the NTT domain are added up as 64 bits and reduced once, by Montgomery's way, to
//!    1/R of the sum with R = 2^32; the inverse NTT multiplies by R.
//! 3. Numbers are cut out of bytes, and chosen from candidates, by table lookups in a register.

mod ntt;

pub(super) use ntt::{inverse_ntt, ntt};

use super::poly::{Poly, Q, Q_INVERSE};
use super::portable;
use crate::lattice::neon::{self, Numbers, choose, last_places};
use crate::sponge::Keccak;
use adamant_base::ct;
use adamant_base::simd::{from_fn, load_i32, load_u8, store_i32};
use adamant_hash::hazmat::keccak;
use core::arch::aarch64::*;

type V = int32x4_t;

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

/// The vectors of a polynomial.
#[inline(always)]
fn vectors(poly: &Poly) -> &[[i32; 4]; 64] {
    poly.0.as_chunks().0.try_into().expect("64 vectors")
}
#[inline(always)]
fn vectors_mut(poly: &mut Poly) -> &mut [[i32; 4]; 64] {
    poly.0.as_chunks_mut().0.try_into().expect("64 vectors")
}

/// The same by fours, for chains of instructions side by side.
#[inline(always)]
fn fours(poly: &Poly) -> &[[[i32; 4]; 4]] {
    poly.0.as_chunks().0.as_chunks().0
}
#[inline(always)]
fn fours_mut(poly: &mut Poly) -> &mut [[[i32; 4]; 4]] {
    poly.0.as_chunks_mut().0.as_chunks_mut().0
}

/// Over R: up to seven products of numbers below q and below 5.1q, or of two of the latter.
#[target_feature(enable = "neon")]
pub(super) fn multiply(to: &mut [Poly], a: &[Poly], b: &[Poly]) {
    match b.len() {
        1 => multiply_columns::<1>(to, a, b),
        4 => multiply_columns::<4>(to, a, b),
        5 => multiply_columns::<5>(to, a, b),
        _ => multiply_columns::<7>(to, a, b),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn multiply_columns<const L: usize>(to: &mut [Poly], a: &[Poly], b: &[Poly]) {
    let b: &[Poly; L] = b.try_into().expect("one, four, five or seven columns");
    for v in 0..64 {
        let b: [V; L] = from_fn(|j| load_i32(&vectors(&b[j])[v]));
        for (to, row) in to.iter_mut().zip(a.as_chunks::<L>().0) {
            let zero = vdupq_n_s64(0);
            let (mut low, mut high) = (zero, zero);
            for j in 0..L {
                let a = load_i32(&vectors(&row[j])[v]);
                low = vmlal_s32(low, vget_low_s32(a), vget_low_s32(b[j]));
                high = vmlal_high_s32(high, a, b[j]);
            }
            store_i32(&mut vectors_mut(to)[v], reduce64(low, high));
        }
    }
}

/// x/R, below q in absolute value for x below 2^31·q.
#[inline]
#[target_feature(enable = "neon")]
fn reduce64(x0: int64x2_t, x1: int64x2_t) -> V {
    let low = vuzp1q_s32(vreinterpretq_s32_s64(x0), vreinterpretq_s32_s64(x1));
    let low = vmulq_n_s32(low, Q_INVERSE);
    let x0 = vmlsl_n_s32(x0, vget_low_s32(low), Q);
    let x1 = vmlsl_high_n_s32(x1, low, Q);
    vuzp2q_s32(vreinterpretq_s32_s64(x0), vreinterpretq_s32_s64(x1))
}

#[target_feature(enable = "neon")]
pub(super) fn scale(to: &mut [Poly], a: &Poly, b: &[Poly]) {
    for (to, b) in to.iter_mut().zip(b) {
        let one = core::slice::from_mut(to);
        multiply_columns::<1>(one, core::slice::from_ref(a), core::slice::from_ref(b));
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_both(to: &mut [i32; 8], low: V, high: V) {
    for (to, half) in to.as_chunks_mut().0.iter_mut().zip([low, high]) {
        store_i32(to, half);
    }
}

/// The places from `count` on, if there are eight.
#[inline(always)]
fn places(to: &mut Poly, count: usize) -> Option<&mut [i32; 8]> {
    to.0.get_mut(count..)?.first_chunk_mut()
}

/// Eight candidates at a time, which are all below q, but for one time in 128.
#[target_feature(enable = "neon")]
pub(super) fn rej_ntt_poly(to: &mut Poly, mut count: usize, bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks::<24>();
    for bytes in chunks {
        if count == 256 {
            return 256;
        }
        let [low, high] = from_fn(|g| {
            let numbers = Numbers::<24, 4, 2>::words32(bytes, g);
            vandq_s32(numbers, vdupq_n_s32(0x7f_ffff))
        });
        let all = vmaxvq_s32(vmaxq_s32(low, high)) < Q;
        if let (true, Some(places)) = (all, places(to, count)) {
            store_both(places, low, high);
            count += 8;
        } else {
            count = portable::rej_ntt_poly(to, count, bytes);
        }
    }
    portable::rej_ntt_poly(to, count, rest)
}

/// Algorithm 15 (CoeffFromHalfByte), of every half of a byte: 2 − (z mod 5), or 4 − z.
const fn coefficients(eta: i8) -> [u8; 16] {
    let mut all = [0; 16];
    let mut z = 0i8;
    while z < 16 {
        let c = if eta == 2 { 2 - z % 5 } else { 4 - z };
        all[z as usize] = c.cast_unsigned();
        z += 1;
    }
    all
}
static COEFFICIENTS_2: [u8; 16] = coefficients(2);
static COEFFICIENTS_4: [u8; 16] = coefficients(4);

/// Sixteen halves of bytes at a time.
#[target_feature(enable = "neon")]
pub(super) fn rej_bounded_poly(to: &mut Poly, eta: i32, mut count: usize, bytes: &[u8]) -> usize {
    let (bound, coefficients) = match eta {
        2 => (15, &COEFFICIENTS_2),
        _ => (9, &COEFFICIENTS_4),
    };
    let (bound, coefficients) = (vdup_n_u8(bound), load_u8(coefficients));
    let bits = vcreate_u8(u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    let (chunks, rest) = bytes.as_chunks();
    for bytes in chunks {
        if count == 256 {
            return 256;
        }
        let bytes = vcreate_u8(u64::from_le_bytes(*bytes));
        let (even, odd) = (vand_u8(bytes, vdup_n_u8(15)), vshr_n_u8::<4>(bytes));
        for z in [vzip1_u8(even, odd), vzip2_u8(even, odd)] {
            let mut mask = vaddv_u8(vand_u8(vclt_u8(z, bound), bits));
            // Which ones are rejected tells nothing of the others.
            ct::mark_public_value(&mut mask);
            let words = vmovl_s8(vreinterpret_s8_u8(vqtbl1_u8(coefficients, z)));
            let (words, more) = choose(words, mask);
            if let Some(places) = places(to, count) {
                store_both(
                    places,
                    vmovl_s16(vget_low_s16(words)),
                    vmovl_high_s16(words),
                );
            } else if let Some(last) = to.0.last_chunk_mut() {
                let words = last_places(load_narrow(last), count, words);
                store_both(last, vmovl_s16(vget_low_s16(words)), vmovl_high_s16(words));
            }
            count = 256.min(count + more);
        }
    }
    portable::rej_bounded_poly(to, eta, count, rest)
}

/// Eight words as the lower halves of theirs.
#[inline]
#[target_feature(enable = "neon")]
fn load_narrow(from: &[i32; 8]) -> int16x8_t {
    let [low, high] = from_fn(|half| load_i32(&from.as_chunks().0[half]));
    vuzp1q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
}

/// Packs numbers of up to 13 bits, each made of a coefficient.
macro_rules! pack16 {
    ($to:ident, $from:ident, $x:ident => $number:expr;
     $($d:literal $pack:ident)*; _ => $otherwise:expr) => {
        match $to.len() / 32 {
            $($d => {
                let to = $to.as_chunks_mut::<$d>().0.as_chunks_mut::<4>().0;
                let from = $from.0.as_chunks().0.as_chunks::<4>().0;
                for (to, from) in to.iter_mut().zip(from) {
                    for i in 0..4 {
                        let $x = load_narrow(&from[i]);
                        neon::$pack(&mut to[i], vreinterpretq_u16_s16($number));
                    }
                }
            })*
            _ => $otherwise,
        }
    };
}

/// Packs wider ones.
macro_rules! pack32 {
    ($to:ident, $from:ident, $x:ident => $number:expr; $pack:ident) => {
        let to = $to.as_chunks_mut().0.as_chunks_mut::<4>().0;
        for (to, from) in to.iter_mut().zip(fours($from)) {
            for i in 0..4 {
                let $x = load_i32(&from[i]);
                neon::$pack(&mut to[i], $number);
            }
        }
    };
}

#[target_feature(enable = "neon")]
pub(super) fn simple_bit_pack(to: &mut [u8], from: &Poly) {
    pack16!(
        to, from, x => x;
        4 pack4 6 pack6 10 pack10;
        _ => portable::simple_bit_pack(to, from)
    );
}

#[target_feature(enable = "neon")]
pub(super) fn bit_pack(to: &mut [u8], from: &Poly, b: i32) {
    let (wide, narrow) = (vdupq_n_s32(b), vdupq_n_s16(b as i16));
    pack16!(
        to, from, x => vsubq_s16(narrow, x);
        4 pack4 13 pack13;
        _ => match to.len() / 32 {
            18 => { pack32!(to, from, x => vsubq_s32(wide, x); pack18); }
            20 => { pack32!(to, from, x => vsubq_s32(wide, x); pack20); }
            _ => portable::bit_pack(to, from, b),
        }
    );
}

/// Cuts out numbers of D bits, `4 · G` at a time, and makes coefficients of them.
#[inline]
#[target_feature(enable = "neon")]
fn unpack<const D: usize, const G: usize>(to: &mut Poly, from: &[u8], number: impl Fn(V) -> V) {
    let to = vectors_mut(to).as_chunks_mut::<G>().0;
    for (to, from) in to.iter_mut().zip(from.chunks_exact(D * G / 2)) {
        for g in 0..G {
            store_i32(&mut to[g], number(Numbers::<D, 4, G>::words32(from, g)));
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn simple_bit_unpack(to: &mut Poly, from: &[u8]) {
    match from.len() / 32 {
        10 => unpack::<10, 8>(to, from, |x| x),
        _ => portable::simple_bit_unpack(to, from),
    }
}

#[target_feature(enable = "neon")]
pub(super) fn bit_unpack(to: &mut Poly, from: &[u8], b: i32) {
    let number = |x| vsubq_s32(vdupq_n_s32(b), x);
    match from.len() / 32 {
        3 => unpack::<3, 16>(to, from, number),
        4 => unpack::<4, 8>(to, from, number),
        13 => unpack::<13, 8>(to, from, number),
        18 => unpack::<18, 8>(to, from, number),
        20 => unpack::<20, 8>(to, from, number),
        _ => portable::bit_unpack(to, from, b),
    }
}

/// Congruent to a, and at most 2^22 + 2^14 in absolute value where a is at most 4q.
#[inline]
#[target_feature(enable = "neon")]
fn reduce(a: V) -> V {
    vmlsq_n_s32(a, vrshrq_n_s32::<23>(a), Q)
}

#[target_feature(enable = "neon")]
pub(super) fn add(to: &mut [Poly], other: &[Poly]) {
    for (to, other) in to.iter_mut().zip(other) {
        for (a, b) in fours_mut(to).iter_mut().zip(fours(other)) {
            for i in 0..4 {
                let sum = vaddq_s32(load_i32(&a[i]), load_i32(&b[i]));
                store_i32(&mut a[i], reduce(sum));
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn subtract(to: &mut [Poly], other: &[Poly]) {
    for (to, other) in to.iter_mut().zip(other) {
        for (a, b) in fours_mut(to).iter_mut().zip(fours(other)) {
            for i in 0..4 {
                let difference = vsubq_s32(load_i32(&a[i]), load_i32(&b[i]));
                store_i32(&mut a[i], reduce(difference));
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn norm(polys: &[Poly]) -> i32 {
    let mut norms = [vdupq_n_s32(0); 2];
    for poly in polys {
        for x in fours(poly) {
            for i in 0..4 {
                let x = vabsq_s32(reduce(load_i32(&x[i])));
                norms[i % 2] = vmaxq_s32(norms[i % 2], x);
            }
        }
    }
    vmaxvq_s32(vmaxq_s32(norms[0], norms[1]))
}

/// Algorithm 36 of numbers between −q and q, with γ₂ = (q − 1)/M: the high bits and the low.
///
/// The quotient by 2γ₂ is a product with its inverse, rounded; for every number right, as a test
/// shows.
#[inline]
#[target_feature(enable = "neon")]
fn decompose_numbers<const M: i32>(r: V) -> (V, V) {
    let gamma2 = (Q - 1) / M;
    // Of r and r + q, what has no sign.
    let plus_q = vreinterpretq_u32_s32(vaddq_s32(r, vdupq_n_s32(Q)));
    let r = vreinterpretq_s32_u32(vminq_u32(vreinterpretq_u32_s32(r), plus_q));
    let r1 = if M == 32 {
        vrshrq_n_s32::<18>(vqdmulhq_n_s32(r, inverse(gamma2, 18)))
    } else {
        vrshrq_n_s32::<17>(vqdmulhq_n_s32(r, inverse(gamma2, 17)))
    };
    let r0 = vmlsq_n_s32(r, r1, 2 * gamma2);
    // Where r − r0 is q − 1, they become 0 and r0 − 1.
    let wraps = vceqq_s32(r1, vdupq_n_s32(M / 2));
    let r1 = vbicq_s32(r1, vreinterpretq_s32_u32(wraps));
    (r1, vaddq_s32(r0, vreinterpretq_s32_u32(wraps)))
}

/// 2^(31 + shift) / 2γ₂.
const fn inverse(gamma2: i32, shift: u32) -> i32 {
    ((1i64 << (30 + shift)) / gamma2 as i64) as i32
}

#[inline]
#[target_feature(enable = "neon")]
fn decompose_each<const M: i32>(polys: &mut [Poly], high: &mut [Poly]) {
    for (poly, high) in polys.iter_mut().zip(high) {
        for (r, r1) in fours_mut(poly).iter_mut().zip(fours_mut(high)) {
            for i in 0..4 {
                let (up, low) = decompose_numbers::<M>(load_i32(&r[i]));
                store_i32(&mut r1[i], up);
                store_i32(&mut r[i], low);
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]) {
    if gamma2 == (Q - 1) / 32 {
        decompose_each::<32>(polys, high);
    } else {
        decompose_each::<88>(polys, high);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn use_hint_each<const M: i32>(polys: &mut [Poly], hints: &[Poly]) {
    let m = vdupq_n_s32(M / 2);
    for (poly, hints) in polys.iter_mut().zip(hints) {
        for (r, h) in fours_mut(poly).iter_mut().zip(fours(hints)) {
            for i in 0..4 {
                let (r1, r0) = decompose_numbers::<M>(load_i32(&r[i]));
                // One up or down where there is a hint, and around the ends.
                let down = vreinterpretq_s32_u32(vclezq_s32(r0));
                let x = vmlaq_s32(r1, load_i32(&h[i]), vorrq_s32(down, vdupq_n_s32(1)));
                let x = vbicq_s32(x, vreinterpretq_s32_u32(vceqq_s32(x, m)));
                let (x, above) = (vreinterpretq_u32_s32(x), vaddq_s32(x, m));
                let x = vminq_u32(x, vreinterpretq_u32_s32(above));
                store_i32(&mut r[i], vreinterpretq_s32_u32(x));
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32) {
    if gamma2 == (Q - 1) / 32 {
        use_hint_each::<32>(polys, hints);
    } else {
        use_hint_each::<88>(polys, hints);
    }
}

portable::elementwise! {
    "neon":
    power2round(polys: &mut [Poly], low: &mut [Poly]);
    make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize;
}
