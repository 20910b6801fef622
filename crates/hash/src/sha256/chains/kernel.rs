//! Chains in the lanes of vectors.
//!
//! Differences from the portable code, besides those of the rounds of
//! [`sha2`](crate::lanes::sha2) do:
//!
//! 1. A chain stays in its lane from one hash to the next, as words.
//! 2. The first five words of a block are the same in every hash of a chain: the rounds that take
//!    them, and what they add to the message schedule, are computed once.
//! 3. Words after the node are constants, most of them zero, and left out of the schedule.

/// Whether word `t` of a block with a node of `n` words is zero: words 5 to 5 + n hold the node,
/// half a word aside, and the first bit after it.
#[inline]
pub(super) const fn is_zero(n: usize, t: usize) -> bool {
    5 + n < t && t < 15
}

/// σ1 of FIPS 180-4, 4.1.2.
#[inline]
pub(super) const fn small_sigma1_of(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// σ0.
#[inline]
pub(super) const fn small_sigma0_of(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

/// Makes the functions of a table's row over the vectors that the module at hand imports.
macro_rules! kernel {
    (features: $features:literal, sets: $sets:literal) => {
        crate::lanes::sha2::sigmas256!($features);
        crate::lanes::sha2::steps! { $features, u32 }
        crate::lanes::kernel::rows! { features: $features, word: u32 }

        /// The lanes of one vector.
        pub(super) const VECTOR: usize = LANES;

        pub(super) const fn lanes() -> usize {
            $sets * LANES
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn run(mut chains: super::Chains, node_words: usize, steps: u32) {
            chains.check(node_words, steps);
            let count = chains.count();
            let mut at = 0;
            while at < count {
                let two = $sets == 2 && count - at > LANES;
                let end = count.min(at + if two { 2 * LANES } else { LANES });
                let part = chains.part(at, end);
                if two {
                    run_sets::<$sets>(part, node_words, steps);
                } else {
                    run_sets::<1>(part, node_words, steps);
                }
                at = end;
            }
        }

        /// For up to `S` vectors of lanes.
        #[target_feature(enable = $features)]
        fn run_sets<const S: usize>(chains: super::Chains, node_words: usize, steps: u32) {
            use super::{kernel::small_sigma1_of, length};
            let prefix = load::<S, _>(chains.prefixes);
            let address = load::<S, _>(chains.addresses);
            let keep = load::<S, _>(chains.keep.as_chunks::<1>().0);
            let mut node = load::<S, _>(chains.nodes);
            let mut kept = [[splat(0); 8]; S];
            let mut start = prefix;
            // What words 0 to 4 add to W[16] to W[20].
            let mut ahead = [[splat(0); 5]; S];
            let sigma1 = splat(small_sigma1_of(length(node_words)));
            for s in 0..S {
                for t in 0..5 {
                    let wk = add(address[s][t], splat(K.0[t]));
                    start[s] = plain_round(&start[s], wk);
                }
                let w = &address[s];
                for t in 0..4 {
                    ahead[s][t] = add(w[t], small_sigma0(w[t + 1]));
                }
                ahead[s][4] = w[4];
                ahead[s][1] = add(ahead[s][1], sigma1);
            }
            let (mut w, mut wk) = ([[splat(0); 16]; S], [[splat(0); 16]; S]);
            for step in 0..=steps {
                for s in 0..S {
                    let now = equal(keep[s][0], splat(step));
                    for i in 0..8 {
                        kept[s][i] = choose(now, node[s][i], kept[s][i]);
                    }
                }
                if step == steps {
                    break;
                }
                let mut last = [splat(0); S];
                for s in 0..S {
                    last[s] = add(address[s][5], splat(step << 16));
                }
                // Of these one is called; after it the rounds are the same.
                let state = if node_words == 4 {
                    first_rounds::<S, 4>(length(4), &start, &ahead, &last, &node, &mut w, &mut wk)
                } else {
                    if node_words == 6 {
                        // What follows it, as more of the node.
                        for s in 0..S {
                            (node[s][6], node[s][7]) = (splat(1 << 31), splat(0));
                        }
                    }
                    let length = length(node_words);
                    first_rounds::<S, 8>(length, &start, &ahead, &last, &node, &mut w, &mut wk)
                };
                let state = last_rounds::<S>(&state, &mut w, &mut wk);
                for s in 0..S {
                    for i in 0..8 {
                        node[s][i] = add(state[s][i], prefix[s][i]);
                    }
                }
            }
            store(chains.nodes, &node);
            store(chains.kept, &kept);
        }

        /// One round, for when speed does not count.
        #[target_feature(enable = $features)]
        fn plain_round(&[a, b, c, d, e, f, g, h]: &[V; 8], wk: V) -> [V; 8] {
            let t1 = add(add(h, wk), add(big_sigma1(e), choose(e, f, g)));
            let t2 = add(big_sigma0(a), majority(a, b, c));
            [add(t1, t2), a, b, c, add(d, t1), e, f, g]
        }

        /// Rounds 5 to 15 from the state before them, of a block with a node of `N` words after
        /// the address, whose last word is given; the schedule of the next sixteen words goes to
        /// `w` and, with the constants added, to `wk`.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_rounds<const S: usize, const N: usize>(
            length: u32,
            start: &[[V; 8]; S],
            ahead: &[[V; 5]; S],
            last: &[V; S],
            node: &[[V; 8]; S],
            w: &mut [[V; 16]; S],
            wk: &mut [[V; 16]; S],
        ) -> [[V; 8]; S] {
            let [k0, k1, ..] = K.0.as_chunks::<16>().0 else {
                return *start; // never: there are 64
            };
            let high = splat(0xffff_0000);
            // The first bit after the node, if it is no part of that yet.
            let bit = splat(if length == super::length(N) { 0x8000 } else { 0 });
            for s in 0..S {
                let mut before = last[s];
                for i in 0..N {
                    let turned = ror::<16, 16>(node[s][i]);
                    w[s][5 + i] = choose(high, before, turned);
                    wk[s][5 + i] = add(w[s][5 + i], splat(k0[5 + i]));
                    before = turned;
                }
                w[s][5 + N] = choose(high, before, bit);
                wk[s][5 + N] = add(w[s][5 + N], splat(k0[5 + N]));
            }
            // After five rounds the variables have changed their places five times.
            let mut v = adamant_base::simd::from_fn(|i| {
                adamant_base::simd::from_fn::<V, S>(|s| start[s][(i + 5) % 8])
            });
            macro_rules! first_step {
                ([] $t:literal) => {
                    let t: usize = $t;
                    if t >= 5 {
                        if FROM_MEMORY {
                            black_box((&mut *w, &mut *wk));
                        }
                        let words = adamant_base::simd::from_fn(|s| {
                            if t == 15 {
                                splat(k0[t].wrapping_add(length))
                            } else if t > 5 + N {
                                splat(k0[t])
                            } else {
                                wk[s][t]
                            }
                        });
                        round_with(&mut v, words, t);
                    }
                    first_schedule::<S, N>(length, ahead, w, wk, k1, t);
                };
            }
            crate::lanes::each! { first_step [] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
            adamant_base::simd::from_fn(|s| adamant_base::simd::from_fn(|i| v[i][s]))
        }

        /// W\[t + 16\] with what is constant left out.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_schedule<const S: usize, const N: usize>(
            length: u32,
            ahead: &[[V; 5]; S],
            w: &mut [[V; 16]; S],
            wk: &mut [[V; 16]; S],
            k1: &[u32; 16],
            t: usize,
        ) {
            use super::kernel::{is_zero, small_sigma0_of};
            for s in 0..S {
                let mut x = splat(0);
                if t < 5 {
                    x = ahead[s][t];
                } else if t == 15 {
                    x = splat(length);
                } else if !is_zero(N, t) {
                    x = w[s][t];
                }
                if t == 14 {
                    x = splat(small_sigma0_of(length));
                } else if t > 3 && !is_zero(N, t + 1) {
                    x = add(x, small_sigma0(w[s][(t + 1) % 16]));
                }
                if t == 6 {
                    x = add(x, splat(length));
                } else if !is_zero(N, t + 9) {
                    x = add(x, w[s][(t + 9) % 16]);
                }
                if t > 1 {
                    x = add(x, small_sigma1(w[s][(t + 14) % 16]));
                }
                w[s][t] = x;
                wk[s][t] = add(x, splat(k1[t]));
            }
        }

        /// Rounds 16 to 63 from the state before them, with the first sixteen of their words in `w`
        /// and, with the constants added, in `wk`.
        #[inline]
        #[target_feature(enable = $features)]
        fn last_rounds<const S: usize>(
            state: &[[V; 8]; S],
            w: &mut [[V; 16]; S],
            wk: &mut [[V; 16]; S],
        ) -> [[V; 8]; S] {
            let [_, _, rest @ ..] = K.0.as_chunks::<16>().0 else {
                return *state; // never: there are 64
            };
            let mut v = adamant_base::simd::from_fn(|i| {
                adamant_base::simd::from_fn::<V, S>(|s| state[s][i])
            });
            for k in rest {
                crate::lanes::sha2::sixteen_steps!([v w wk k]);
            }
            crate::lanes::sha2::sixteen_steps!([v w wk]);
            adamant_base::simd::from_fn(|s| adamant_base::simd::from_fn(|i| v[i][s]))
        }
    };
}
pub(super) use kernel;
