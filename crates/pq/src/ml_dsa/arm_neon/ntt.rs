//! The transforms, in the standard's order.
//!
//! 1. A product with a known b is reduced by Barrett's way, with b/q rounded beforehand:
//!    a·b − ⌊a · b'/2^31⌉ · q for b' = ⌊2^31 · b/q⌉, three instructions (Becker, Hwang, Kannwischer,
//!    Yang, Yang, "Neon NTT", 2022). b' being off by at most 1/2, this is at most
//!    (1/2 + |a|/2^32) · q.
//! 2. Sums are not reduced, as they do not overflow.
//! 3. Of the eight layers, six join whole vectors; for the two near ones, two vectors trade words
//!    and take them back.

use super::{V, vectors_mut};
use crate::lattice::neon::words32::{trade32, trade64, unzip32, zip32};
use crate::ml_dsa::poly::{OVER_256, Poly, Q, R, ZETAS};
use adamant_base::simd::{from_fn, in_place, load_i32, store_i32};
use core::arch::aarch64::*;

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

/// In units of q, each layer adds 1/2 and 0.002 of what was there: 5.1 from 1.
#[target_feature(enable = "neon")]
pub(in crate::ml_dsa) fn ntt(polys: &mut [Poly]) {
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
pub(in crate::ml_dsa) fn inverse_ntt(polys: &mut [Poly]) {
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
