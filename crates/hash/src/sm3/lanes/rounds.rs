//! The rounds of SM3 (GB/T 32905, 5.3) on vectors of lanes.
//!
//! Differences from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors are side by side, as one alone waits
//!    for its own results.
//! 2. W\[j\] lies in w\[j mod 16\]; the expansion runs four words ahead of the rounds. Behind
//!    `black_box` the compiler does not know what lies there, so it loads the words where they
//!    are used instead of saving registers.

/// Makes `rounds` over the vectors that the module at hand imports.
macro_rules! rounds {
    ($features:literal) => {
        /// A block of words `w` into the state of each lane; `w` is the expansion's memory.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            let mut v = from_fn(|i| from_fn::<V, S>(|s| state[s][i]));
            macro_rules! one_round {
                ([$ff:ident $gg:ident $group:ident $expand_from:literal] $j:literal) => {
                    if $j >= $expand_from {
                        expand(w, $j);
                    }
                    let (ff, gg) = (|x, y, z| $ff(x, y, z), |x, y, z| $gg(x, y, z));
                    round(&mut v, w, $j, splat($group[$j]), ff, gg);
                };
            }
            macro_rules! sixteen_rounds {
                ($functions:tt) => {
                    crate::lanes::each! {
                        one_round $functions 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
                    }
                };
            }
            // By groups of sixteen: an index that had to be checked would come between rounds, and
            // the compiler gathers what is on one side of it.
            let Some((first, later)) = const { T.as_chunks::<16>().0 }.split_first() else {
                return; // never: there are four groups
            };
            sixteen_rounds!([xor3 xor3 first 12]);
            for group in later {
                sixteen_rounds!([majority choose group 0]);
            }
            for s in 0..S {
                for i in 0..8 {
                    state[s][i] = xor(state[s][i], v[i][s]);
                }
            }
        }

        /// W[j + 4], from the sixteen words before it.
        #[inline]
        #[target_feature(enable = $features)]
        fn expand<const S: usize>(w: &mut [[V; 16]; S], j: usize) {
            for s in 0..S {
                let w = &mut w[s];
                let (w16, w9, w3) = (w[(j + 4) % 16], w[(j + 11) % 16], w[(j + 1) % 16]);
                let x = xor3(w16, w9, ror::<17, 15>(w3));
                let p1 = xor3(x, ror::<17, 15>(x), ror::<9, 23>(x));
                let (w13, w6) = (w[(j + 7) % 16], w[(j + 14) % 16]);
                w[(j + 4) % 16] = xor3(p1, ror::<25, 7>(w13), w6);
            }
        }

        /// Round `j`, modulo sixteen. The words A to D and E to H change their places instead of
        /// moving: what a round leaves in those of D and H are the next one's A and E. What does not
        /// need the last A and E is added up first.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const S: usize>(
            v: &mut [[V; S]; 8],
            w: &mut [[V; 16]; S],
            j: usize,
            constant: V,
            ff: impl Fn(V, V, V) -> V,
            gg: impl Fn(V, V, V) -> V,
        ) {
            if FROM_MEMORY {
                black_box(&mut *w);
            }
            let place = |i: usize| (i + 16 - j) % 4;
            let (a, b, c, d) = (place(0), place(1), place(2), place(3));
            let (e, f, g, h) = (a + 4, b + 4, c + 4, d + 4);
            for s in 0..S {
                let (w0, w4) = (w[s][j % 16], w[s][(j + 4) % 16]);
                let tt1 = add(add(v[d][s], xor(w0, w4)), ff(v[a][s], v[b][s], v[c][s]));
                let tt2 = add(add(v[h][s], w0), gg(v[e][s], v[f][s], v[g][s]));
                let a12 = ror::<20, 12>(v[a][s]);
                let ss1 = ror::<25, 7>(add(add(v[e][s], constant), a12));
                let tt1 = add(tt1, xor(ss1, a12));
                let tt2 = add(tt2, ss1);
                v[b][s] = ror::<23, 9>(v[b][s]);
                v[d][s] = tt1;
                v[f][s] = ror::<13, 19>(v[f][s]);
                v[h][s] = xor3(tt2, ror::<23, 9>(tt2), ror::<15, 17>(tt2));
            }
        }
    };
}
pub(super) use rounds;
