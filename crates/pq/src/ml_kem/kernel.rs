//! The arithmetic of ML-KEM over vectors of 16-bit words, written once.
//!
//! Differences from the portable code:
//!
//! 1. Numbers are signed. A product is reduced by Montgomery's way with R = 2^16: one factor is
//!    known times R, so that nothing else is scaled.
//! 2. Sums are not reduced before they could overflow.
//! 3. Coefficients 2i and 2i + 1 stay side by side through all layers of the NTT, as one word of
//!    32 bits, and words are in the order of [`lattice`](crate::lattice).
//! 4. Products in the NTT domain are `vpmaddwd`s of such pairs, added up as 32 bits and reduced
//!    once for each coefficient of the result.

use super::poly::{GAMMAS, Q, Q_INVERSE, R, ZETAS, montgomery};

/// A constant in both halves of a vector, and the same times 1/q mod R.
pub(super) struct Constant {
    pub(super) value: [[i16; 16]; 2],
    pub(super) over_q: [[i16; 16]; 2],
}

/// The constant with x(block, word of 32 bits, half of it) · R.
const fn constant(table: &[[[u32; 2]; 8]; 2]) -> Constant {
    let mut c = Constant {
        value: [[0; 16]; 2],
        over_q: [[0; 16]; 2],
    };
    let mut at = 0;
    while at < 32 {
        let (block, word) = (at / 16, at % 16);
        let x = montgomery(table[block][word / 2][word % 2]);
        c.value[block][word] = x;
        c.over_q[block][word] = x.wrapping_mul(Q_INVERSE);
        at += 1;
    }
    c
}

/// What the layers of a transform multiply by.
pub(super) struct Zetas {
    /// The layer of len = 128, a number in every word.
    pub(super) halves: Constant,
    /// The layers of len = 64, 32, 16 between rows: one constant, two, then four.
    pub(super) rows: [Constant; 7],
    /// The layers of len = 8, 4, 2 after the transpose.
    pub(super) words: [Constant; 7],
}

/// The constants of algorithm 9, or with the zetas of algorithm 10, which go backwards. The last
/// layer of that divides by 128, too.
const fn zetas(inverse: bool) -> Zetas {
    const NONE: Constant = Constant {
        value: [[0; 16]; 2],
        over_q: [[0; 16]; 2],
    };
    let mut z = Zetas {
        halves: constant(&[[[zeta(0, 0, inverse); 2]; 8]; 2]),
        rows: [NONE; 7],
        words: [NONE; 7],
    };
    let mut layer = 0;
    while layer < 3 {
        let mut i = 0;
        while i < 1 << layer {
            // Before the transpose: block b of eight rows holds blocks b·2^layer + i of the layer.
            // After it, word w of block b was row 8b + w.
            let mut rows = [[[0; 2]; 8]; 2];
            let mut words = [[[0; 2]; 8]; 2];
            let mut at = 0;
            while at < 16 {
                let (b, w) = (at / 8, at % 8);
                rows[b][w] = [zeta(1 + layer, (b << layer) + i, inverse); 2];
                words[b][w] = [zeta(4 + layer, ((8 * b + w) << layer) + i, inverse); 2];
                at += 1;
            }
            z.rows[(1 << layer) - 1 + i] = constant(&rows);
            z.words[(1 << layer) - 1 + i] = constant(&words);
            i += 1;
        }
        layer += 1;
    }
    z
}

/// The zeta of a block of a layer, which has 2^layer blocks.
const fn zeta(layer: usize, block: usize, inverse: bool) -> u32 {
    if !inverse {
        return ZETAS[(1 << layer) + block] as u32;
    }
    let zeta = ZETAS[(2 << layer) - 1 - block] as u32;
    if layer == 0 {
        zeta * 3303 % Q as u32 // 128^-1
    } else {
        zeta
    }
}

pub(super) static FORWARD: Zetas = zetas(false);
pub(super) static INVERSE: Zetas = zetas(true);

/// R/128: what the sums of the last layer are multiplied by.
pub(super) const OVER_128: i16 = montgomery(3303);

/// (R^2, γ·R^2) for each pair in the order of the NTT domain, and the same over q.
pub(super) static GAMMAS_R: [[i16; 256]; 2] = {
    let mut all = [[0; 256]; 2];
    let mut at = 0;
    while at < 256 {
        // Row r of block b, and word w in it, were word r of row 8b + w.
        let (b, r, w) = (at / 128, at / 16 % 8, at / 2 % 8);
        let factor = if at % 2 == 0 {
            R
        } else {
            GAMMAS[(8 * b + w) * 8 + r] as u32 * R % Q as u32
        };
        all[0][at] = montgomery(factor);
        all[1][at] = all[0][at].wrapping_mul(Q_INVERSE);
        at += 1;
    }
    all
};

/// 2^15 / q, rounded: x − ⌊x · TENTH / 2^15⌉ · q lies between −0.66q and 0.66q for every x.
pub(super) const TENTH: i16 = 10;
// The quotient is off by 1/2 for rounding, and by this part of |x| ≤ 2^15.
const _: () = assert!(TENTH as i32 * Q as i32 - (1 << 15) < Q as i32 * 16 / 100);

/// Makes the functions of a row from the vectors of `$v`.
macro_rules! kernel {
    ($features:literal, $v:ident) => {
        use crate::lattice::$v::*;
        use crate::ml_kem::kernel::{Constant, FORWARD, GAMMAS_R, INVERSE, OVER_128, TENTH};
        use crate::ml_kem::poly::{Poly, Q, Q_INVERSE, R_SQUARED};

        /// a·b/R; `b_over_q` is b/q mod R.
        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_reduce(a: V, b: V, b_over_q: V) -> V {
            let low = mullo16(a, b_over_q);
            sub16(mulhi16(a, b), mulhi16(low, splat16(Q)))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_constant(a: V, b: i16) -> V {
            multiply_reduce(a, splat16(b), splat16(b.wrapping_mul(Q_INVERSE)))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_constants(a: V, b: &Constant, g: usize) -> V {
            multiply_reduce(a, load_constant(&b.value, g), load_constant(&b.over_q, g))
        }

        /// Between −0.66q and 0.66q.
        #[inline]
        #[target_feature(enable = $features)]
        fn reduce(a: V) -> V {
            sub16(a, mullo16(mulhrs16(a, splat16(TENTH)), splat16(Q)))
        }

        /// Between 0 and q − 1.
        #[inline]
        #[target_feature(enable = $features)]
        fn canonical(a: V) -> V {
            let a = reduce(a);
            add16(a, and(sign16(a), splat16(Q)))
        }

        /// Three layers of algorithm 9 between eight rows. Each adds up to q to the bound.
        #[inline]
        #[target_feature(enable = $features)]
        fn layers(r: &mut [V; 8], zetas: &[Constant; 7], g: usize) {
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    let t = multiply_constants(r[$b], &zetas[$zeta], g);
                    r[$b] = sub16(r[$a], t);
                    r[$a] = add16(r[$a], t);
                };
            }
            crate::lattice::layers!(step);
        }

        /// Three layers of algorithm 10 between eight rows, of up to q in absolute value: sums
        /// double three times and stay below 2^15.
        #[inline]
        #[target_feature(enable = $features)]
        fn inverse_layers(r: &mut [V; 8], zetas: &[Constant; 7], g: usize) {
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    let difference = sub16(r[$b], r[$a]);
                    r[$a] = add16(r[$a], r[$b]);
                    r[$b] = multiply_constants(difference, &zetas[$zeta], g);
                };
            }
            crate::lattice::layers_backwards!(step);
        }

        /// The blocks of eight rows.
        #[inline(always)]
        fn blocks(poly: &mut Poly) -> &mut [[[i16; 16]; 8]; 2] {
            let blocks = poly.0.as_chunks_mut().0.as_chunks_mut().0;
            blocks.try_into().expect("16 rows")
        }

        #[target_feature(enable = $features)]
        pub(super) fn ntt(polys: &mut [Poly]) {
            for poly in polys {
                let (low, high) = poly.0.split_at_mut(128);
                let low = low.as_chunks_mut::<LANES16>().0;
                let high = high.as_chunks_mut::<LANES16>().0;
                for (low, high) in low.iter_mut().zip(high) {
                    let (a, b) = (load(low), load(high));
                    let t = multiply_constants(b, &FORWARD.halves, 0);
                    store(low, add16(a, t));
                    store(high, sub16(a, t));
                }
                let blocks = blocks(poly);
                for g in 0..GROUPS {
                    let mut r = load_block(blocks, g);
                    layers(&mut r, &FORWARD.rows, g);
                    transpose(&mut r);
                    layers(&mut r, &FORWARD.words, g);
                    for r in &mut r {
                        *r = reduce(*r);
                    }
                    store_block(blocks, g, r);
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn inverse_ntt(polys: &mut [Poly]) {
            for poly in polys {
                let blocks = blocks(poly);
                for g in 0..GROUPS {
                    let mut r = load_block(blocks, g);
                    inverse_layers(&mut r, &INVERSE.words, g);
                    for r in &mut r {
                        *r = reduce(*r);
                    }
                    transpose(&mut r);
                    inverse_layers(&mut r, &INVERSE.rows, g);
                    for r in &mut r {
                        *r = reduce(*r);
                    }
                    store_block(blocks, g, r);
                }
                let (low, high) = poly.0.split_at_mut(128);
                let low = low.as_chunks_mut::<LANES16>().0;
                let high = high.as_chunks_mut::<LANES16>().0;
                for (low, high) in low.iter_mut().zip(high) {
                    let (a, b) = (load(low), load(high));
                    store(low, multiply_constant(add16(a, b), OVER_128));
                    store(high, multiply_constants(sub16(b, a), &INVERSE.halves, 0));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn multiply(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]) {
            match b.len() {
                2 => multiply_columns::<2>(to, a, transposed, b),
                3 => multiply_columns::<3>(to, a, transposed, b),
                _ => multiply_columns::<4>(to, a, transposed, b),
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_columns<const K: usize>(
            to: &mut [Poly],
            a: &[Poly],
            transposed: bool,
            b: &[Poly],
        ) {
            let b: &[Poly; K] = b.try_into().expect("two to four columns");
            let rows = to.len();
            let [gammas, gammas_over_q] = &GAMMAS_R;
            let at = |poly: &[i16; 256], v: usize| load(&poly.as_chunks::<LANES16>().0[v]);
            for v in 0..256 / LANES16 {
                let gamma = (at(gammas, v), at(gammas_over_q, v));
                let mut straight = [splat16(0); K];
                let mut crossed = [splat16(0); K];
                for j in 0..K {
                    let b = at(&b[j].0, v);
                    straight[j] = multiply_reduce(b, gamma.0, gamma.1);
                    crossed[j] = swap16(multiply_constant(b, R_SQUARED));
                }
                for i in 0..rows {
                    let (mut c0, mut c1) = (splat32(0), splat32(0));
                    for j in 0..K {
                        let a = &a[if transposed { j * rows + i } else { i * K + j }];
                        let a = at(&a.0, v);
                        c0 = add32(c0, madd16(a, straight[j]));
                        c1 = add32(c1, madd16(a, crossed[j]));
                    }
                    let c = upper16(reduce_pairs(c0), reduce_pairs(c1));
                    store(&mut to[i].0.as_chunks_mut::<LANES16>().0[v], c);
                }
            }
        }

        /// x/R in the upper half of each word x.
        #[inline]
        #[target_feature(enable = $features)]
        fn reduce_pairs(x: V) -> V {
            let low = mullo16(x, splat32(Q_INVERSE as u16 as i32));
            sub32(x, madd16(low, splat32(Q as i32)))
        }

        #[target_feature(enable = $features)]
        pub(super) fn add(to: &mut [Poly], other: &[Poly]) {
            for (to, other) in to.iter_mut().zip(other) {
                let to = to.0.as_chunks_mut::<LANES16>().0;
                let other = other.0.as_chunks::<LANES16>().0;
                for (to, other) in to.iter_mut().zip(other) {
                    store(to, reduce(add16(load(to), load(other))));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn subtract(to: &mut Poly, other: &Poly) {
            let to = to.0.as_chunks_mut::<LANES16>().0;
            let other = other.0.as_chunks::<LANES16>().0;
            for (to, other) in to.iter_mut().zip(other) {
                store(to, sub16(load(to), load(other)));
            }
        }

        /// From the standard's order to that of the NTT domain, or back.
        #[inline]
        #[target_feature(enable = $features)]
        fn reorder(poly: &mut Poly) {
            let blocks = blocks(poly);
            for g in 0..GROUPS {
                let mut r = load_block(blocks, g);
                transpose(&mut r);
                store_block(blocks, g, r);
            }
        }

        /// Numbers below q in the standard's order.
        #[inline]
        #[target_feature(enable = $features)]
        fn in_order(poly: &Poly) -> Secret<Poly> {
            let mut poly = Secret::new(*poly);
            let blocks = blocks(&mut poly);
            for g in 0..GROUPS {
                let mut r = load_block(blocks, g);
                transpose(&mut r);
                for r in &mut r {
                    *r = canonical(*r);
                }
                store_block(blocks, g, r);
            }
            poly
        }
    };
}
pub(super) use kernel;
