//! NEON: vectors of 8 words of 16 bits.
//!
//! Differences from the portable code:
//!
//! 1. Numbers are signed. A product with a known b is reduced by Barrett's way, with b/q rounded
//!    beforehand: a·b − ⌊a · b'/2^15⌉ · q for b' = ⌊2^15 · b/q⌉, three instructions (Becker, Hwang,
//!    Kannwischer, Yang, Yang, "Neon NTT", 2022). b' being off by at most 1/2, this is at most
//!    (1/2 + |a|/2^16) · q: nothing is scaled, and the smaller a, the smaller the result.
//! 2. Sums are not reduced before they could overflow.
//! 3. The NTT domain has the standard's order. Of its seven layers, five join whole vectors; for
//!    the two near ones, two vectors trade pairs of coefficients and take them back.
//! 4. Products in the NTT domain are added up as 32 bits and reduced once for each coefficient of
//!    the result.
//! 5. Numbers are cut out of bytes, and chosen from candidates, by table lookups in a register.

use super::poly::{GAMMAS, Poly, Q, ZETAS};
use super::portable;
use crate::lattice::neon::pairs16::{trade32, trade64, unzip32, zip32};
use crate::lattice::neon::{self, Numbers, choose, last_places};
use crate::sponge::Keccak;
use adamant_base::ct::Choice;
use adamant_base::simd::{from_fn, in_place, load_i16, load_u8, store_i16};
use adamant_hash::hazmat::keccak;
use core::arch::aarch64::*;

type V = int16x8_t;

/// x mod q between −q/2 and q/2.
const fn centered(x: u32) -> i16 {
    let x = (x % Q as u32) as i16;
    if x > Q / 2 { x - Q } else { x }
}

/// ⌊2^15 · b/q⌉.
const fn over_q(b: i16) -> i16 {
    ((b as i32 * (1 << 16) + Q as i32).div_euclid(2 * Q as i32)) as i16
}

/// What layers between whole vectors multiply by: constants after −q, and the same over q.
type Lanes = [[i16; 8]; 2];
const NO_LANES: Lanes = [[-Q, 0, 0, 0, 0, 0, 0, 0], [0; 8]];

/// What the layers of a transform multiply by.
struct Zetas {
    /// The layers of len = 128, 64, 32: one constant, two, then four.
    rows: Lanes,
    blocks: [Block; 8],
}

/// The constants of a block of 32 coefficients.
#[derive(Clone, Copy)]
struct Block {
    /// The layers of len = 16 and 8: one constant, then two.
    rows: Lanes,
    /// For either pair of vectors: the layer of len = 4 and the same over q, then len = 2, in the
    /// order in which coefficients meet.
    words: [[[i16; 8]; 4]; 2],
}

/// The constants of algorithm 9, or of algorithm 10, which go backwards. The last layer of that
/// divides by 128, too.
const fn zetas(inverse: bool) -> Zetas {
    let mut z = Zetas {
        rows: NO_LANES,
        blocks: [Block {
            rows: NO_LANES,
            words: [[[0; 8]; 4]; 2],
        }; 8],
    };
    let mut i = 1;
    while i < 8 {
        z.rows[0][i] = zeta(i, inverse);
        z.rows[1][i] = over_q(z.rows[0][i]);
        i += 1;
    }
    let mut b = 0;
    while b < 8 {
        let block = &mut z.blocks[b];
        let rows = [8 + b, 16 + 2 * b, 16 + 2 * b + 1];
        let mut i = 0;
        while i < 3 {
            block.rows[0][1 + i] = zeta(rows[i], inverse);
            block.rows[1][1 + i] = over_q(block.rows[0][1 + i]);
            i += 1;
        }
        let mut i = 0;
        while i < 16 {
            // The vectors are 4b + 2·pair and the next, and each fills a half.
            let (pair, at) = (i / 8, i % 8);
            let vector = 4 * b + 2 * pair + at / 4;
            let words = &mut block.words[pair];
            words[0][at] = zeta(32 + vector, inverse);
            words[2][at] = zeta(64 + 2 * vector + at % 4 / 2, inverse);
            words[1][at] = over_q(words[0][at]);
            words[3][at] = over_q(words[2][at]);
            i += 1;
        }
        b += 1;
    }
    z
}

/// Zeta `i`, or where algorithm 10 has its like.
const fn zeta(i: usize, inverse: bool) -> i16 {
    if !inverse {
        return centered(ZETAS[i] as u32);
    }
    // Layers start at powers of two.
    let first = 1 << i.ilog2();
    let zeta = ZETAS[3 * first - 1 - i] as u32;
    centered(if i == 1 { zeta * OVER_128 as u32 } else { zeta })
}

/// 128^-1.
const OVER_128: i16 = 3303;
const _: () = assert!(128 * OVER_128 as i32 % Q as i32 == 1);

static FORWARD: Zetas = zetas(false);
static INVERSE: Zetas = zetas(true);

/// (1, γ) for each pair, and the same over q.
static GAMMAS_1: [[[i16; 8]; 2]; 32] = {
    let mut all = [[[0; 8]; 2]; 32];
    let mut at = 0;
    while at < 256 {
        let factor = if at % 2 == 0 {
            1
        } else {
            centered(GAMMAS[at / 2] as u32)
        };
        all[at / 8][0][at % 8] = factor;
        all[at / 8][1][at % 8] = over_q(factor);
        at += 1;
    }
    all
};

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

/// a·b, at most (1/2 + |a|/2^16) · q, where `b_over_q` is ⌊2^15 · b/q⌉.
#[inline]
#[target_feature(enable = "neon")]
fn multiply_reduce(a: V, b: V, b_over_q: V, q: V) -> V {
    vmlsq_s16(vmulq_s16(a, b), vqrdmulhq_s16(a, b_over_q), q)
}

/// The same with b in a lane.
#[inline]
#[target_feature(enable = "neon")]
fn multiply_lane<const LANE: i32>(a: V, [b, b_over_q]: [V; 2]) -> V {
    let quotient = vqrdmulhq_laneq_s16::<LANE>(a, b_over_q);
    vmlaq_laneq_s16::<0>(vmulq_laneq_s16::<LANE>(a, b), quotient, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn load_lanes(lanes: &Lanes) -> [V; 2] {
    [load_i16(&lanes[0]), load_i16(&lanes[1])]
}

/// a modulo q: the product with 1, between −0.66q and 0.66q for every a.
#[inline]
#[target_feature(enable = "neon")]
fn reduce(a: V, q: V) -> V {
    vmlsq_s16(a, vqrdmulhq_n_s16(a, over_q(1)), q)
}
// The quotient is off by 1/2 for rounding, and by this part of |a| ≤ 2^15.
const _: () = assert!(over_q(1) as i32 * Q as i32 - (1 << 15) < Q as i32 * 16 / 100);

/// Between 0 and q − 1.
#[inline]
#[target_feature(enable = "neon")]
fn canonical(a: V) -> uint16x8_t {
    let q = vdupq_n_s16(Q);
    let a = reduce(a, q);
    // A sign is −1.
    vreinterpretq_u16_s16(vmlsq_s16(a, vshrq_n_s16::<15>(a), q))
}

/// The vectors of a polynomial.
#[inline(always)]
fn vectors(poly: &Poly) -> &[[i16; 8]; 32] {
    poly.0.as_chunks().0.try_into().expect("32 vectors")
}
#[inline(always)]
fn vectors_mut(poly: &mut Poly) -> &mut [[i16; 8]; 32] {
    poly.0.as_chunks_mut().0.try_into().expect("32 vectors")
}

/// The same by fours, for chains of instructions side by side.
#[inline(always)]
fn fours(poly: &Poly) -> &[[[i16; 8]; 4]] {
    poly.0.as_chunks().0.as_chunks().0
}
#[inline(always)]
fn fours_mut(poly: &mut Poly) -> &mut [[[i16; 8]; 4]] {
    poly.0.as_chunks_mut().0.as_chunks_mut().0
}

/// a + t and a − t for t = b · zeta.
macro_rules! forward {
    ($a:expr, $b:expr, $product:expr) => {
        let t = $product;
        $b = vsubq_s16($a, t);
        $a = vaddq_s16($a, t);
    };
}

/// a + b and (b − a) · zeta.
macro_rules! backward {
    ($a:expr, $b:expr, $difference:ident => $product:expr) => {
        let $difference = vsubq_s16($b, $a);
        $a = vaddq_s16($a, $b);
        $b = $product;
    };
}

/// Bounds in units of q, from 1: each layer adds 1/2 + q/2^16 = 0.051 of what was there, so that they
/// are 1.56, 2.14, 2.75, 3.39, 4.07, 4.78, 5.53. A word has room for 9.84.
#[target_feature(enable = "neon")]
pub(super) fn ntt(polys: &mut [Poly]) {
    for poly in polys {
        let z = in_place(&FORWARD);
        let v = vectors_mut(poly);
        let zetas = load_lanes(&z.rows);
        for k in 0..4 {
            let mut r: [V; 8] = from_fn(|i| load_i16(&v[4 * i + k]));
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    forward!(r[$a], r[$b], multiply_lane::<{ $zeta + 1 }>(r[$b], zetas));
                };
            }
            crate::lattice::layers!(step);
            for i in 0..8 {
                store_i16(&mut v[4 * i + k], r[i]);
            }
        }
        let q = vdupq_n_s16(Q);
        for (v, z) in v.as_chunks_mut::<4>().0.iter_mut().zip(&z.blocks) {
            let mut r: [V; 4] = from_fn(|i| load_i16(&v[i]));
            let zetas = load_lanes(&z.rows);
            forward!(r[0], r[2], multiply_lane::<1>(r[2], zetas));
            forward!(r[1], r[3], multiply_lane::<1>(r[3], zetas));
            forward!(r[0], r[1], multiply_lane::<2>(r[1], zetas));
            forward!(r[2], r[3], multiply_lane::<3>(r[3], zetas));
            for p in 0..2 {
                let w: [V; 4] = from_fn(|i| load_i16(&z.words[p][i]));
                let (mut a, mut b) = trade64(r[2 * p], r[2 * p + 1]);
                forward!(a, b, multiply_reduce(b, w[0], w[1], q));
                (a, b) = trade32(a, b);
                forward!(a, b, multiply_reduce(b, w[2], w[3], q));
                (a, b) = zip32(reduce(a, q), reduce(b, q));
                store_i16(&mut v[2 * p], a);
                store_i16(&mut v[2 * p + 1], b);
            }
        }
    }
}

/// Bounds in units of q, from 1: sums double, differences that were multiplied are below 1. After
/// two layers the sums, at most 4, are reduced to 0.57, which leaves 0.71 for products of 4. Two
/// layers later the vector of sums of sums, 2.84, is reduced, and 1.15 are left for sums of
/// products, 2 · (1/2 + 0.051 · 1.42). Three layers more make 9.2 of it, of 9.84.
#[target_feature(enable = "neon")]
pub(super) fn inverse_ntt(polys: &mut [Poly]) {
    for poly in polys {
        let z = in_place(&INVERSE);
        let v = vectors_mut(poly);
        let q = vdupq_n_s16(Q);
        for (v, z) in v.as_chunks_mut::<4>().0.iter_mut().zip(&z.blocks) {
            let mut r: [V; 4] = from_fn(|i| load_i16(&v[i]));
            for p in 0..2 {
                let w: [V; 4] = from_fn(|i| load_i16(&z.words[p][i]));
                let (mut a, mut b) = unzip32(r[2 * p], r[2 * p + 1]);
                backward!(a, b, d => multiply_reduce(d, w[2], w[3], q));
                (a, b) = trade32(a, b);
                backward!(a, b, d => multiply_reduce(d, w[0], w[1], q));
                (r[2 * p], r[2 * p + 1]) = trade64(reduce(a, q), b);
            }
            let zetas = load_lanes(&z.rows);
            backward!(r[0], r[1], d => multiply_lane::<2>(d, zetas));
            backward!(r[2], r[3], d => multiply_lane::<3>(d, zetas));
            backward!(r[0], r[2], d => multiply_lane::<1>(d, zetas));
            backward!(r[1], r[3], d => multiply_lane::<1>(d, zetas));
            r[0] = reduce(r[0], q);
            for i in 0..4 {
                store_i16(&mut v[i], r[i]);
            }
        }
        let zetas = load_lanes(&z.rows);
        let over_128 = const { centered(OVER_128 as u32) };
        let (b, b_over_q) = (vdupq_n_s16(over_128), vdupq_n_s16(over_q(over_128)));
        for k in 0..4 {
            let mut r: [V; 8] = from_fn(|i| load_i16(&v[4 * i + k]));
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    backward!(
                        r[$a],
                        r[$b],
                        d => multiply_lane::<{ $zeta + 1 }>(d, zetas)
                    );
                };
            }
            crate::lattice::layers_backwards!(step);
            for i in 0..4 {
                store_i16(&mut v[4 * i + k], multiply_reduce(r[i], b, b_over_q, q));
                store_i16(&mut v[4 * (i + 4) + k], r[i + 4]);
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn multiply(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]) {
    match b.len() {
        2 => multiply_columns::<2>(to, a, transposed, b),
        3 => multiply_columns::<3>(to, a, transposed, b),
        _ => multiply_columns::<4>(to, a, transposed, b),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn multiply_columns<const K: usize>(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]) {
    let b: &[Poly; K] = b.try_into().expect("two to four columns");
    // At most K rows.
    let mut rows = [[vectors(&a[0]); K]; K];
    for (n, a) in a.iter().enumerate() {
        let (i, j) = if transposed {
            (n % to.len(), n / to.len())
        } else {
            (n / K, n % K)
        };
        rows[i][j] = vectors(a);
    }
    let q = vdupq_n_s16(Q);
    for v in 0..32 {
        let gamma = &in_place(&GAMMAS_1)[v];
        let (gamma, over) = (load_i16(&gamma[0]), load_i16(&gamma[1]));
        // (b0, b1·γ), and (b1, b0).
        let straight: [V; K] =
            from_fn(|j| multiply_reduce(load_i16(&vectors(&b[j])[v]), gamma, over, q));
        let crossed: [V; K] = from_fn(|j| vrev32q_s16(load_i16(&vectors(&b[j])[v])));
        for (to, row) in to.iter_mut().zip(&rows) {
            let zero = vdupq_n_s32(0);
            let (mut c0, mut c1) = ([zero; 2], [zero; 2]);
            for j in 0..K {
                let a = load_i16(&row[j][v]);
                let low = |b: V| vget_low_s16(b);
                c0[0] = vmlal_s16(c0[0], low(a), low(straight[j]));
                c0[1] = vmlal_high_s16(c0[1], a, straight[j]);
                c1[0] = vmlal_s16(c1[0], low(a), low(crossed[j]));
                c1[1] = vmlal_high_s16(c1[1], a, crossed[j]);
            }
            let c0 = vreinterpretq_s16_s32(reduce32(vpaddq_s32(c0[0], c0[1])));
            let c1 = vreinterpretq_s16_s32(reduce32(vpaddq_s32(c1[0], c1[1])));
            store_i16(&mut vectors_mut(to)[v], vtrn1q_s16(c0, c1));
        }
    }
}

/// 2^31 / q, rounded.
const OVER_Q_32: i32 = (((1 << 32) + Q as i64) / (2 * Q as i64)) as i32;
// Being off by at most 1/2, it makes the quotient of eight products of numbers below q be off by
// less than 0.03, so that what is left lies between −0.53q and 0.53q.
const _: () = assert!(8 * (Q as i64).pow(2) * 100 < 3 << 32);

/// x modulo q.
#[inline]
#[target_feature(enable = "neon")]
fn reduce32(x: int32x4_t) -> int32x4_t {
    vmlsq_n_s32(x, vqrdmulhq_n_s32(x, OVER_Q_32), i32::from(Q))
}

#[target_feature(enable = "neon")]
pub(super) fn add(to: &mut [Poly], other: &[Poly]) {
    for (to, other) in to.iter_mut().zip(other) {
        for (to, other) in vectors_mut(to).iter_mut().zip(vectors(other)) {
            let sum = vaddq_s16(load_i16(to), load_i16(other));
            store_i16(to, reduce(sum, vdupq_n_s16(Q)));
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn subtract(to: &mut Poly, other: &Poly) {
    for (to, other) in vectors_mut(to).iter_mut().zip(vectors(other)) {
        let difference = vsubq_s16(load_i16(to), load_i16(other));
        store_i16(to, reduce(difference, vdupq_n_s16(Q)));
    }
}

/// The bits of a byte.
static BITS: [i16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Of a group of eight candidates, those below q and then zeros; and how many these are.
#[inline]
#[target_feature(enable = "neon")]
fn below_q(bytes: &[u8; 24], g: usize) -> (V, usize) {
    let candidates = Numbers::<12, 8, 2>::words16(bytes, g);
    let below = vcltq_u16(candidates, vdupq_n_u16(Q as u16));
    let mask = vandq_u16(below, vreinterpretq_u16_s16(load_i16(&BITS)));
    choose(vreinterpretq_s16_u16(candidates), vaddvq_u16(mask) as u8)
}

/// Of 24 bytes at a time, each with eight candidates in sixteen of its bytes.
#[target_feature(enable = "neon")]
pub(super) fn sample_ntt(to: &mut Poly, mut count: usize, bytes: &[u8]) -> usize {
    let (mut chunks, rest) = bytes.as_chunks::<24>();
    // While there are places for both groups.
    while let [bytes, after @ ..] = chunks
        && let Some(places) =
            to.0.get_mut(count..)
                .and_then(<[i16]>::first_chunk_mut::<16>)
    {
        let (chosen, first) = below_q(bytes, 0);
        if let Some(places) = places.first_chunk_mut() {
            store_i16(places, chosen);
        }
        let (chosen, second) = below_q(bytes, 1);
        if let Some(places) = places.get_mut(first..).and_then(<[i16]>::first_chunk_mut) {
            store_i16(places, chosen);
        }
        (count, chunks) = (count + first + second, after);
    }
    for bytes in chunks {
        for g in 0..2 {
            let (chosen, chosen_count) = below_q(bytes, g);
            let places = to.0.get_mut(count..).and_then(<[i16]>::first_chunk_mut);
            if let Some(places) = places {
                store_i16(places, chosen);
            } else if let Some(last) = to.0.last_chunk_mut() {
                store_i16(last, last_places(load_i16(last), count, chosen));
            }
            count = 256.min(count + chosen_count);
        }
        if count == 256 {
            return 256;
        }
    }
    portable::sample_ntt(to, count, rest)
}

/// The coefficient of every four bits with η = 2: the ones of the lower two without the upper.
static BINOMIAL_2: [u8; 16] = {
    let mut all = [0; 16];
    let mut bits = 0;
    while bits < 16u8 {
        let coefficient = (bits & 3).count_ones() as i8 - (bits >> 2).count_ones() as i8;
        all[bits as usize] = coefficient.cast_unsigned();
        bits += 1;
    }
    all
};

#[target_feature(enable = "neon")]
pub(super) fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]) {
    let to = fours_mut(to);
    if bytes.len() == 128 {
        let table = load_u8(&BINOMIAL_2);
        for (to, bytes) in to.iter_mut().zip(bytes.as_chunks().0) {
            let bits = load_u8(bytes);
            let even = vqtbl1q_s8(vreinterpretq_s8_u8(table), vandq_u8(bits, vdupq_n_u8(15)));
            let odd = vqtbl1q_s8(vreinterpretq_s8_u8(table), vshrq_n_u8::<4>(bits));
            let (low, high) = (vzip1q_s8(even, odd), vzip2q_s8(even, odd));
            store_i16(&mut to[0], vmovl_s8(vget_low_s8(low)));
            store_i16(&mut to[1], vmovl_high_s8(low));
            store_i16(&mut to[2], vmovl_s8(vget_low_s8(high)));
            store_i16(&mut to[3], vmovl_high_s8(high));
        }
    } else {
        for (to, bytes) in to.iter_mut().zip(bytes.as_chunks::<24>().0) {
            for g in 0..4 {
                let bits = Numbers::<6, 8, 4>::words16(bytes, g);
                let ones = |mask| {
                    let bits = vandq_u16(bits, vdupq_n_u16(mask));
                    vreinterpretq_s16_u8(vcntq_u8(vreinterpretq_u8_u16(bits)))
                };
                store_i16(&mut to[g], vsubq_s16(ones(0b00_0111), ones(0b11_1000)));
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn encode_ntt(to: &mut [u8; 384], from: &Poly) {
    let to = to.as_chunks_mut().0.as_chunks_mut::<4>().0;
    for (to, from) in to.iter_mut().zip(fours(from)) {
        for i in 0..4 {
            neon::pack12(&mut to[i], canonical(load_i16(&from[i])));
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn decode_ntt(to: &mut Poly, from: &[u8; 384]) -> Choice {
    let mut wrong = vdupq_n_u16(0);
    let to = vectors_mut(to).as_chunks_mut::<2>().0;
    for (to, from) in to.iter_mut().zip(from.as_chunks::<24>().0) {
        for g in 0..2 {
            let numbers = Numbers::<12, 8, 2>::words16(from, g);
            let q = vdupq_n_u16(Q as u16);
            wrong = vorrq_u16(wrong, vcgeq_u16(numbers, q));
            // Below 2^12, so once is enough.
            let reduced = vminq_u16(numbers, vsubq_u16(numbers, q));
            store_i16(&mut to[g], vreinterpretq_s16_u16(reduced));
        }
    }
    !Choice::nonzero(u64::from(vmaxvq_u16(wrong)))
}

/// 2^D · x / q, rounded.
///
/// The constant is off by 1/2, so for x below 2q the product is off by q/2^31 at most, before it is
/// rounded; and 2^D · x / q is 1/2q or more away from what lies between integers.
#[inline]
#[target_feature(enable = "neon")]
fn compress_numbers<const D: usize>(x: V) -> uint16x8_t {
    let scale = const { (((1i64 << (32 + D)) + Q as i64) / (2 * Q as i64)) as i32 };
    let low = vqrdmulhq_n_s32(vmovl_s16(vget_low_s16(x)), scale);
    let high = vqrdmulhq_n_s32(vmovl_high_s16(x), scale);
    vuzp1q_u16(vreinterpretq_u16_s32(low), vreinterpretq_u16_s32(high))
}
const _: () = assert!(4 * (Q as i64).pow(2) < 1 << 32);

macro_rules! compress {
    ($($d:literal $pack:ident)*) => {
        #[target_feature(enable = "neon")]
        pub(super) fn compress(to: &mut [u8], from: &Poly) {
            match to.len() / 32 {
                $($d => {
                    let to = to.as_chunks_mut::<$d>().0.as_chunks_mut::<4>().0;
                    for (to, from) in to.iter_mut().zip(fours(from)) {
                        for i in 0..4 {
                            let numbers = compress_numbers::<$d>(load_i16(&from[i]));
                            neon::$pack(&mut to[i], numbers);
                        }
                    }
                })*
                d => unreachable!("{d} bits"),
            }
        }
    };
}
compress! { 4 pack4 5 pack5 10 pack10 11 pack11 }

/// ⌊(y · q + 2^(D−1)) / 2^D⌋, as `sqrdmulh` is ⌊(x · q + 2^14) / 2^15⌋.
#[inline]
#[target_feature(enable = "neon")]
fn decompress_from<const D: usize>(to: &mut Poly, from: &[u8]) {
    for (to, from) in fours_mut(to).iter_mut().zip(from.chunks_exact(4 * D)) {
        for g in 0..4 {
            let y = vreinterpretq_s16_u16(Numbers::<D, 8, 4>::words16(from, g));
            let y = vshlq_s16(y, vdupq_n_s16(15 - D as i16));
            store_i16(&mut to[g], vqrdmulhq_n_s16(y, Q));
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn decompress(to: &mut Poly, from: &[u8]) {
    match from.len() / 32 {
        4 => decompress_from::<4>(to, from),
        5 => decompress_from::<5>(to, from),
        10 => decompress_from::<10>(to, from),
        _ => decompress_from::<11>(to, from),
    }
}

#[target_feature(enable = "neon")]
pub(super) fn to_message(to: &mut [u8; 32], from: &Poly) {
    for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(fours(from)) {
        for i in 0..4 {
            let odd = vreinterpretq_s16_u16(compress_numbers::<1>(load_i16(&from[i])));
            // All ones where the number is odd.
            let odd = vtstq_s16(odd, vdupq_n_s16(1));
            let bits = vandq_u16(odd, vreinterpretq_u16_s16(load_i16(&BITS)));
            to[i] = vaddvq_u16(bits) as u8;
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn add_message(to: &mut Poly, from: &[u8; 32]) {
    let half = vdupq_n_u16(Q.cast_unsigned().div_ceil(2));
    for (to, from) in fours_mut(to).iter_mut().zip(from.as_chunks::<4>().0) {
        for i in 0..4 {
            let there = vtstq_s16(vdupq_n_s16(i16::from(from[i])), load_i16(&BITS));
            let there = vreinterpretq_s16_u16(vandq_u16(there, half));
            let sum = vaddq_s16(load_i16(&to[i]), there);
            store_i16(&mut to[i], reduce(sum, vdupq_n_s16(Q)));
        }
    }
}
