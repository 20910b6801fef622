//! The arithmetic of ML-DSA over vectors of 32-bit words, written once.
//!
//! Differences from the portable code:
//!
//! 1. Numbers are signed. A product is reduced by Montgomery's way with R = 2^32, words at even and
//!    at odd places apart, as products have 64 bits.
//! 2. Sums are not reduced before they could overflow.
//! 3. Words are in the order of [`lattice`](crate::lattice).
//! 4. Products in the NTT domain are added up as 64 bits and reduced once, to 1/R of the sum; the
//!    inverse NTT multiplies by R.

use super::poly::{OVER_256, Q, Q_INVERSE, R, ZETAS, montgomery};

/// A constant in both halves of a vector, and the same times 1/q mod R.
pub(super) struct Constant {
    pub(super) value: [[i32; 8]; 2],
    pub(super) over_q: [[i32; 8]; 2],
}

/// The constant with x(half, word) · R.
const fn constant(table: &[[u64; 8]; 2]) -> Constant {
    let mut c = Constant {
        value: [[0; 8]; 2],
        over_q: [[0; 8]; 2],
    };
    let mut at = 0;
    while at < 16 {
        let (half, word) = (at / 8, at % 8);
        let x = montgomery(table[half][word]);
        c.value[half][word] = x;
        c.over_q[half][word] = x.wrapping_mul(Q_INVERSE);
        at += 1;
    }
    c
}

/// What the layers of a transform multiply by.
pub(super) struct Zetas {
    /// The layers of len = 128, then of len = 64 (two), a number in every word.
    pub(super) quarters: [Constant; 3],
    /// For each pair of blocks of 64: the layers of len = 32, 16, 8 between rows, one constant,
    /// two, then four.
    pub(super) rows: [[Constant; 7]; 2],
    /// The layers of len = 4, 2, 1 after the transpose.
    pub(super) words: [[Constant; 7]; 2],
}

/// The constants of algorithm 41, or of algorithm 42, which go backwards. The last layer of that
/// divides by 256, too, and multiplies by R.
const fn zetas(inverse: bool) -> Zetas {
    const NONE: Constant = Constant {
        value: [[0; 8]; 2],
        over_q: [[0; 8]; 2],
    };
    let mut z = Zetas {
        quarters: [
            constant(&[[zeta(0, 0, inverse); 8]; 2]),
            constant(&[[zeta(1, 0, inverse); 8]; 2]),
            constant(&[[zeta(1, 1, inverse); 8]; 2]),
        ],
        rows: [[NONE; 7], [NONE; 7]],
        words: [[NONE; 7], [NONE; 7]],
    };
    let mut pair = 0;
    while pair < 2 {
        let mut layer = 0;
        while layer < 3 {
            let mut i = 0;
            while i < 1 << layer {
                let mut rows = [[0; 8]; 2];
                let mut words = [[0; 8]; 2];
                let mut at = 0;
                while at < 16 {
                    let (b, w) = (2 * pair + at / 8, at % 8);
                    rows[at / 8][w] = zeta(2 + layer, (b << layer) + i, inverse);
                    words[at / 8][w] = zeta(5 + layer, ((8 * b + w) << layer) + i, inverse);
                    at += 1;
                }
                z.rows[pair][(1 << layer) - 1 + i] = constant(&rows);
                z.words[pair][(1 << layer) - 1 + i] = constant(&words);
                i += 1;
            }
            layer += 1;
        }
        pair += 1;
    }
    z
}

/// The zeta of a block of a layer, which has 2^layer blocks.
const fn zeta(layer: usize, block: usize, inverse: bool) -> u64 {
    if !inverse {
        return ZETAS[(1 << layer) + block] as u64;
    }
    let zeta = ZETAS[(2 << layer) - 1 - block] as u64;
    if layer == 0 {
        zeta * (OVER_256 * R % Q as u64) % Q as u64
    } else {
        zeta
    }
}

pub(super) static FORWARD: Zetas = zetas(false);
pub(super) static INVERSE: Zetas = zetas(true);

/// Makes the functions of a row from the vectors of `$v`.
macro_rules! kernel {
    ($features:literal, $v:ident) => {
        use crate::lattice::$v::*;
        use crate::ml_dsa::kernel::{Constant, FORWARD, INVERSE};
        use crate::ml_dsa::poly::{OVER_256_R, Poly, Q, Q_INVERSE};

        /// a·b/R, below q in absolute value for a·b below 2^31·q; `b_over_q` is b/q mod R. What ends
        /// in 1 has in its even words what belongs to the odd ones.
        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_reduce(a: V, b: V, b1: V, b_over_q: V, b1_over_q: V) -> V {
            let (q, a1) = (splat32(Q), odd32(a));
            // Of a product with b/q only the lower word counts, which is all that the next one reads.
            let (low, low1) = (mul_even32(a, b_over_q), mul_even32(a1, b1_over_q));
            let r0 = sub64(mul_even32(a, b), mul_even32(low, q));
            let r1 = sub64(mul_even32(a1, b1), mul_even32(low1, q));
            upper32(r0, r1)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_constant(a: V, b: i32) -> V {
            let (b, over_q) = (splat32(b), splat32(b.wrapping_mul(Q_INVERSE)));
            multiply_reduce(a, b, b, over_q, over_q)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_constants(a: V, b: &Constant, g: usize) -> V {
            let (b, over_q) = (load_constant(&b.value, g), load_constant(&b.over_q, g));
            multiply_reduce(a, b, odd32(b), over_q, odd32(over_q))
        }

        /// The same where all words of a half are one number.
        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_uniform(a: V, b: &Constant, g: usize) -> V {
            let (b, over_q) = (load_constant(&b.value, g), load_constant(&b.over_q, g));
            multiply_reduce(a, b, b, over_q, over_q)
        }

        /// At most 2^22 + 2^21 in absolute value.
        #[inline]
        #[target_feature(enable = $features)]
        fn reduce(a: V) -> V {
            let quotient = shift_right32::<23>(add32(a, splat32(1 << 22)));
            sub32(a, mullo32(quotient, splat32(Q)))
        }

        /// Three layers of algorithm 41 between eight rows. Each adds up to q to the bound.
        #[inline]
        #[target_feature(enable = $features)]
        fn layers<const UNIFORM: bool>(r: &mut [V; 8], zetas: &[Constant; 7], g: usize) {
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    let t = if UNIFORM {
                        multiply_uniform(r[$b], &zetas[$zeta], g)
                    } else {
                        multiply_constants(r[$b], &zetas[$zeta], g)
                    };
                    r[$b] = sub32(r[$a], t);
                    r[$a] = add32(r[$a], t);
                };
            }
            crate::lattice::layers!(step);
        }

        /// Three layers of algorithm 42 between eight rows. Sums double three times.
        #[inline]
        #[target_feature(enable = $features)]
        fn inverse_layers<const UNIFORM: bool>(r: &mut [V; 8], zetas: &[Constant; 7], g: usize) {
            macro_rules! step {
                ($a:literal, $b:literal, $zeta:literal) => {
                    let difference = sub32(r[$b], r[$a]);
                    r[$a] = add32(r[$a], r[$b]);
                    r[$b] = if UNIFORM {
                        multiply_uniform(difference, &zetas[$zeta], g)
                    } else {
                        multiply_constants(difference, &zetas[$zeta], g)
                    };
                };
            }
            crate::lattice::layers_backwards!(step);
        }

        /// The pairs of blocks of eight rows.
        #[inline(always)]
        fn pairs(poly: &mut Poly) -> &mut [[[[i32; 8]; 8]; 2]] {
            let rows = poly.0.as_chunks_mut().0;
            rows.as_chunks_mut().0.as_chunks_mut().0
        }

        /// Four quarters of the coefficients, by vectors.
        #[inline(always)]
        fn quarters(poly: &mut Poly) -> [&mut [[i32; LANES32]]; 4] {
            let (low, high) = poly.0.as_chunks_mut().0.split_at_mut(128 / LANES32);
            let (a, b) = low.split_at_mut(64 / LANES32);
            let (c, d) = high.split_at_mut(64 / LANES32);
            [a, b, c, d]
        }

        #[target_feature(enable = $features)]
        pub(super) fn ntt(polys: &mut [Poly]) {
            for poly in polys {
                let [a, b, c, d] = quarters(poly);
                let z = &FORWARD.quarters;
                for i in 0..64 / LANES32 {
                    let (x0, x1) = (load(&a[i]), load(&b[i]));
                    let t0 = multiply_uniform(load(&c[i]), &z[0], 0);
                    let t1 = multiply_uniform(load(&d[i]), &z[0], 0);
                    let (x0, x2) = (add32(x0, t0), sub32(x0, t0));
                    let (x1, x3) = (add32(x1, t1), sub32(x1, t1));
                    let t1 = multiply_uniform(x1, &z[1], 0);
                    let t3 = multiply_uniform(x3, &z[2], 0);
                    store(&mut a[i], add32(x0, t1));
                    store(&mut b[i], sub32(x0, t1));
                    store(&mut c[i], add32(x2, t3));
                    store(&mut d[i], sub32(x2, t3));
                }
                for (p, blocks) in pairs(poly).iter_mut().enumerate() {
                    for g in 0..GROUPS {
                        let mut r = load_block(blocks, g);
                        layers::<true>(&mut r, &FORWARD.rows[p], g);
                        transpose(&mut r);
                        layers::<false>(&mut r, &FORWARD.words[p], g);
                        store_block(blocks, g, r);
                    }
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn inverse_ntt(polys: &mut [Poly]) {
            for poly in polys {
                for (p, blocks) in pairs(poly).iter_mut().enumerate() {
                    for g in 0..GROUPS {
                        let mut r = load_block(blocks, g);
                        inverse_layers::<false>(&mut r, &INVERSE.words[p], g);
                        transpose(&mut r);
                        inverse_layers::<true>(&mut r, &INVERSE.rows[p], g);
                        for r in &mut r {
                            *r = reduce(*r);
                        }
                        store_block(blocks, g, r);
                    }
                }
                let [a, b, c, d] = quarters(poly);
                let z = &INVERSE.quarters;
                for i in 0..64 / LANES32 {
                    let (x0, x1) = (load(&a[i]), load(&b[i]));
                    let (x2, x3) = (load(&c[i]), load(&d[i]));
                    let t1 = multiply_uniform(sub32(x1, x0), &z[1], 0);
                    let t3 = multiply_uniform(sub32(x3, x2), &z[2], 0);
                    let (x0, x2) = (add32(x0, x1), add32(x2, x3));
                    store(&mut a[i], multiply_constant(add32(x0, x2), OVER_256_R));
                    store(&mut b[i], multiply_constant(add32(t1, t3), OVER_256_R));
                    store(&mut c[i], multiply_uniform(sub32(x2, x0), &z[0], 0));
                    store(&mut d[i], multiply_uniform(sub32(t3, t1), &z[0], 0));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn multiply(to: &mut [Poly], a: &[Poly], b: &[Poly]) {
            match b.len() {
                1 => multiply_columns::<1>(to, a, b),
                4 => multiply_columns::<4>(to, a, b),
                5 => multiply_columns::<5>(to, a, b),
                _ => multiply_columns::<7>(to, a, b),
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_columns<const L: usize>(to: &mut [Poly], a: &[Poly], b: &[Poly]) {
            let b: &[Poly; L] = b.try_into().expect("one, four, five or seven columns");
            let at = |poly: &Poly, v: usize| load(&poly.0.as_chunks::<LANES32>().0[v]);
            for v in 0..256 / LANES32 {
                let mut even = [splat32(0); L];
                let mut odd = [splat32(0); L];
                for j in 0..L {
                    even[j] = at(&b[j], v);
                    odd[j] = odd32(even[j]);
                }
                for (to, row) in to.iter_mut().zip(a.as_chunks::<L>().0) {
                    let (mut s0, mut s1) = (splat32(0), splat32(0));
                    for j in 0..L {
                        let a = at(&row[j], v);
                        s0 = add64(s0, mul_even32(a, even[j]));
                        s1 = add64(s1, mul_even32(odd32(a), odd[j]));
                    }
                    let to = &mut to.0.as_chunks_mut::<LANES32>().0[v];
                    store(to, reduce64(s0, s1));
                }
            }
        }

        /// Words x/R from x at even places, then from x at odd places.
        #[inline]
        #[target_feature(enable = $features)]
        fn reduce64(x0: V, x1: V) -> V {
            let q = splat32(Q);
            let low0 = mul_even32(x0, splat32(Q_INVERSE));
            let low1 = mul_even32(x1, splat32(Q_INVERSE));
            upper32(
                sub64(x0, mul_even32(low0, q)),
                sub64(x1, mul_even32(low1, q)),
            )
        }

        #[target_feature(enable = $features)]
        pub(super) fn scale(to: &mut [Poly], a: &Poly, b: &[Poly]) {
            for (to, b) in to.iter_mut().zip(b) {
                let one = core::slice::from_mut(to);
                multiply_columns::<1>(one, core::slice::from_ref(a), core::slice::from_ref(b));
            }
        }

        /// From the standard's order to that of the NTT domain.
        #[inline]
        #[target_feature(enable = $features)]
        fn reorder(poly: &mut Poly) {
            for blocks in pairs(poly) {
                for g in 0..GROUPS {
                    let mut r = load_block(blocks, g);
                    transpose(&mut r);
                    store_block(blocks, g, r);
                }
            }
        }
    };
}
pub(super) use kernel;
