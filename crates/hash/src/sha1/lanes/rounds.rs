//! The rounds of SHA-1 (FIPS 180-4, 6.1.2) on vectors of lanes.
//!
//! Differences from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors are side by side, as one alone waits
//!    for its own results.
//! 2. W\[t\] lies in w\[t mod 16\]. Behind `black_box` the compiler does not know what lies there,
//!    so it loads the words where they are used instead of saving registers.

/// Makes `rounds` over the vectors that the module at hand imports.
macro_rules! rounds {
    ($features:literal) => {
        /// A block of words `w` into the state of each lane; `w` is the schedule's memory.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            let mut v = from_fn(|i| from_fn::<V, S>(|s| state[s][i]));
            macro_rules! one_round {
                ([$f:ident $k:ident $first:expr] $t:literal) => {
                    round(&mut v, w, $first + $t, $k, |x, y, z| $f(x, y, z));
                };
            }
            macro_rules! twenty_rounds {
                ($f:ident $i:literal) => {
                    let k = splat(K[$i]);
                    crate::lanes::each! {
                        one_round [$f k 20 * $i] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
                    }
                };
            }
            twenty_rounds!(choose 0);
            twenty_rounds!(xor3 1);
            twenty_rounds!(majority 2);
            twenty_rounds!(xor3 3);
            for s in 0..S {
                for i in 0..5 {
                    state[s][i] = add(state[s][i], v[i][s]);
                }
            }
        }

        /// Round `t`. The words a to e change their places instead of moving: the next round finds
        /// this one's e in the place of a. Terms that do not need the last a are added up first.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const S: usize>(
            v: &mut [[V; S]; 5],
            w: &mut [[V; 16]; S],
            t: usize,
            k: V,
            f: impl Fn(V, V, V) -> V,
        ) {
            if FROM_MEMORY {
                black_box(&mut *w);
            }
            let place = |i: usize| (i + 80 - t) % 5;
            let (a, b, c, d, e) = (place(0), place(1), place(2), place(3), place(4));
            for s in 0..S {
                if t >= 16 {
                    let (w16, w14) = (w[s][t % 16], w[s][(t + 2) % 16]);
                    let (w8, w3) = (w[s][(t + 8) % 16], w[s][(t + 13) % 16]);
                    w[s][t % 16] = ror::<31, 1>(xor(xor3(w16, w14, w8), w3));
                }
                let sum = add(v[e][s], add(w[s][t % 16], k));
                let sum = add(sum, f(v[b][s], v[c][s], v[d][s]));
                v[e][s] = add(sum, ror::<27, 5>(v[a][s]));
                v[b][s] = ror::<2, 30>(v[b][s]);
            }
        }
    };
}
pub(super) use rounds;
