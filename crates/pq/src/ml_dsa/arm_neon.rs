//! NEON: vectors of 4 words of 32 bits.
//!
//! Differences from the portable code:
//!
//! 1. A product with a known b is reduced by Barrett's way, with b/q rounded beforehand:
//!    a·b − ⌊a · b'/2^31⌉ · q for b' = ⌊2^31 · b/q⌉, three instructions (Becker, Hwang, Kannwischer,
//!    Yang, Yang, "Neon NTT", 2022). b' being off by at most 1/2, this is at most
//!    (1/2 + |a|/2^32) · q.
//! 2. Sums are not reduced, as they do not overflow.
//! 3. Of the eight layers of the NTT, six join whole vectors; for the two near ones, two vectors
//!    trade words and take them back.
//! 4. Products in the NTT domain are added up as 64 bits and reduced once, by Montgomery's way, to
//!    1/R of the sum with R = 2^32; the inverse NTT multiplies by R.
//! 5. Numbers are cut out of bytes, and chosen from candidates, by table lookups in a register.

use super::poly::{OVER_256, Poly, Q, Q_INVERSE, R, ZETAS};
use super::portable;
use crate::lattice::neon::words32::{trade32, trade64, unzip32, zip32};
use crate::lattice::neon::{self, Numbers, choose, last_places};
use crate::sponge::Keccak;
use adamant_base::ct;
use adamant_base::simd::{from_fn, in_place, load_i32, load_u8, store_i32};
use adamant_hash::hazmat::keccak;
use core::arch::aarch64::*;

type V = int32x4_t;

/// x mod q between −q/2 and q/2.
const fn centered(x: u64) -> i32 {
    let x = (x % Q as u64) as i32;
    if x > Q / 2 { x - Q } else { x }
}

/// ⌊2^31 · b/q⌉.
const fn over_q(b: i32) -> i32 {
    ((b as i64 * (1 << 32) + Q as i64).div_euclid(2 * Q as i64)) as i32
}

/// What three layers between eight vectors multiply by: one constant, two, then four, after −q; and
/// the same over q.
type Lanes = [[i32; 8]; 2];

/// What the layers of a transform multiply by.
struct Zetas {
    /// The layers of len = 128, 64, 32.
    rows: Lanes,
    blocks: [Block; 8],
}

/// The constants of a block of 32 coefficients.
struct Block {
    /// The layers of len = 16, 8, 4.
    rows: Lanes,
    /// For each pair of vectors: the layer of len = 2 and the same over q, then len = 1, in the
    /// order in which coefficients meet.
    words: [[[i32; 4]; 4]; 4],
}

/// The constants of algorithm 41, or of algorithm 42, which go backwards. The last layer of that
/// divides by 256, too, and multiplies by R.
const fn zetas(inverse: bool) -> Zetas {
    let mut z = Zetas {
        rows: lanes(1, inverse),
        blocks: [const {
            Block {
                rows: [[0; 8]; 2],
                words: [[[0; 4]; 4]; 4],
            }
        }; 8],
    };
    let mut b = 0;
    while b < 8 {
        let block = &mut z.blocks[b];
        block.rows = lanes(8 + b, inverse);
        let mut i = 0;
        while i < 16 {
            // The vectors are 8b + 2·pair and the next, and each fills a half.
            let (words, at) = (&mut block.words[i / 4], i % 4);
            let vector = 8 * b + i / 4 * 2 + at / 2;
            words[0][at] = zeta(64 + vector, inverse);
            words[2][at] = zeta(128 + 2 * vector + at % 2, inverse);
            words[1][at] = over_q(words[0][at]);
            words[3][at] = over_q(words[2][at]);
            i += 1;
        }
        b += 1;
    }
    z
}

/// Three layers, of which the first has this zeta.
const fn lanes(first: usize, inverse: bool) -> Lanes {
    let mut lanes = [[-Q, 0, 0, 0, 0, 0, 0, 0], [0; 8]];
    let mut i = 1usize;
    while i < 8 {
        let layer = i.ilog2();
        lanes[0][i] = zeta((first << layer) + i - (1 << layer), inverse);
        lanes[1][i] = over_q(lanes[0][i]);
        i += 1;
    }
    lanes
}

/// Zeta `i`, or where algorithm 42 has its like.
const fn zeta(i: usize, inverse: bool) -> i32 {
    if !inverse {
        return centered(ZETAS[i] as u64);
    }
    // Layers start at powers of two.
    let first = 1 << i.ilog2();
    let zeta = ZETAS[3 * first - 1 - i] as u64;
    centered(if i == 1 { zeta * R_OVER_256 } else { zeta })
}

/// R/256.
const R_OVER_256: u64 = OVER_256 * R % Q as u64;

static FORWARD: Zetas = zetas(false);
static INVERSE: Zetas = zetas(true);

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

/// a·b, at most (1/2 + |a|/2^32) · q, where `b_over_q` is ⌊2^31 · b/q⌉.
#[inline]
#[target_feature(enable = "neon")]
fn multiply_reduce(a: V, b: V, b_over_q: V) -> V {
    vmlsq_s32(vmulq_s32(a, b), vqrdmulhq_s32(a, b_over_q), vdupq_n_s32(Q))
}

/// The same with b in a lane, and −q in the first of `minus_q`.
#[inline]
#[target_feature(enable = "neon")]
fn multiply_lane<const LANE: i32>(a: V, b: V, b_over_q: V, minus_q: V) -> V {
    let quotient = vqrdmulhq_laneq_s32::<LANE>(a, b_over_q);
    vmlaq_laneq_s32::<0>(vmulq_laneq_s32::<LANE>(a, b), quotient, minus_q)
}

#[inline]
#[target_feature(enable = "neon")]
fn load_lanes(lanes: &Lanes) -> [[V; 2]; 2] {
    from_fn(|i| from_fn(|half| load_i32(&lanes[i].as_chunks().0[half])))
}

/// Three layers of algorithm 41 between eight vectors.
#[inline]
#[target_feature(enable = "neon")]
fn layers(r: &mut [V; 8], lanes: &Lanes) {
    let [z, over] = load_lanes(lanes);
    macro_rules! step {
        ($a:literal, $b:literal, $zeta:literal) => {{
            const AT: usize = $zeta + 1;
            let t = multiply_lane::<{ AT as i32 % 4 }>(r[$b], z[AT / 4], over[AT / 4], z[0]);
            r[$b] = vsubq_s32(r[$a], t);
            r[$a] = vaddq_s32(r[$a], t);
        }};
    }
    crate::lattice::layers!(step);
}

/// Three layers of algorithm 42 between eight vectors.
#[inline]
#[target_feature(enable = "neon")]
fn inverse_layers(r: &mut [V; 8], lanes: &Lanes) {
    let [z, over] = load_lanes(lanes);
    macro_rules! step {
        ($a:literal, $b:literal, $zeta:literal) => {{
            const AT: usize = $zeta + 1;
            let difference = vsubq_s32(r[$b], r[$a]);
            r[$a] = vaddq_s32(r[$a], r[$b]);
            r[$b] = multiply_lane::<{ AT as i32 % 4 }>(difference, z[AT / 4], over[AT / 4], z[0]);
        }};
    }
    crate::lattice::layers_backwards!(step);
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

/// In units of q, each layer adds 1/2 and 0.002 of what was there: 5.1 from 1.
#[target_feature(enable = "neon")]
pub(super) fn ntt(polys: &mut [Poly]) {
    for poly in polys {
        let z = in_place(&FORWARD);
        let v = vectors_mut(poly);
        for k in 0..8 {
            let mut r: [V; 8] = from_fn(|i| load_i32(&v[8 * i + k]));
            layers(&mut r, &z.rows);
            for i in 0..8 {
                store_i32(&mut v[8 * i + k], r[i]);
            }
        }
        for (v, z) in v.as_chunks_mut::<8>().0.iter_mut().zip(&z.blocks) {
            let mut r: [V; 8] = from_fn(|i| load_i32(&v[i]));
            layers(&mut r, &z.rows);
            for p in 0..4 {
                let w: [V; 4] = from_fn(|i| load_i32(&z.words[p][i]));
                let (a, b) = trade64(r[2 * p], r[2 * p + 1]);
                let t = multiply_reduce(b, w[0], w[1]);
                let (a, b) = trade32(vaddq_s32(a, t), vsubq_s32(a, t));
                let t = multiply_reduce(b, w[2], w[3]);
                let (a, b) = zip32(vaddq_s32(a, t), vsubq_s32(a, t));
                store_i32(&mut v[2 * p], a);
                store_i32(&mut v[2 * p + 1], b);
            }
        }
    }
}

/// Sums and differences double eight times from q, and stay below 2^31.
#[target_feature(enable = "neon")]
pub(super) fn inverse_ntt(polys: &mut [Poly]) {
    const { assert!((Q as i64) << 8 < 1 << 31) };
    for poly in polys {
        let z = in_place(&INVERSE);
        let v = vectors_mut(poly);
        for (v, z) in v.as_chunks_mut::<8>().0.iter_mut().zip(&z.blocks) {
            let mut r: [V; 8] = from_fn(|i| load_i32(&v[i]));
            for p in 0..4 {
                let w: [V; 4] = from_fn(|i| load_i32(&z.words[p][i]));
                let (a, b) = unzip32(r[2 * p], r[2 * p + 1]);
                let t = multiply_reduce(vsubq_s32(b, a), w[2], w[3]);
                let (a, b) = trade32(vaddq_s32(a, b), t);
                let t = multiply_reduce(vsubq_s32(b, a), w[0], w[1]);
                (r[2 * p], r[2 * p + 1]) = trade64(vaddq_s32(a, b), t);
            }
            inverse_layers(&mut r, &z.rows);
            for i in 0..8 {
                store_i32(&mut v[i], r[i]);
            }
        }
        const FACTOR: i32 = centered(R_OVER_256);
        let (factor, over) = (vdupq_n_s32(FACTOR), vdupq_n_s32(over_q(FACTOR)));
        for k in 0..8 {
            let mut r: [V; 8] = from_fn(|i| load_i32(&v[8 * i + k]));
            inverse_layers(&mut r, &z.rows);
            for i in 0..4 {
                store_i32(&mut v[8 * i + k], multiply_reduce(r[i], factor, over));
                store_i32(&mut v[8 * (i + 4) + k], r[i + 4]);
            }
        }
    }
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
