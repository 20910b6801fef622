//! The rounds of SM3 (GB/T 32905, 5.3) on vectors of lanes.
//!
//! What this does differently from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors stand side by side, as one alone waits
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
            let word = |i: usize| adamant_base::simd::from_fn::<V, S>(|s| state[s][i]);
            let (mut a, mut b, mut c, mut d) = (word(0), word(1), word(2), word(3));
            let (mut e, mut f, mut g, mut h) = (word(4), word(5), word(6), word(7));
            // W[j + 4], from the sixteen words before it.
            macro_rules! expand {
                ($j:expr) => {
                    for s in 0..S {
                        let w = &mut w[s];
                        let (w16, w9, w3) = (w[($j + 4) % 16], w[($j + 11) % 16], w[($j + 1) % 16]);
                        let x = xor3(w16, w9, ror::<17, 15>(w3));
                        let p1 = xor3(x, ror::<17, 15>(x), ror::<9, 23>(x));
                        let (w13, w6) = (w[($j + 7) % 16], w[($j + 14) % 16]);
                        w[($j + 4) % 16] = xor3(p1, ror::<25, 7>(w13), w6);
                    }
                };
            }
            macro_rules! nothing {
                ($j:expr) => {};
            }
            // The variables change names instead of places: what a round leaves in $d and $h are
            // the next one's A and E. What does not need the last A and E is added up first.
            macro_rules! round {
                ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
                    $ff:ident $gg:ident $expand:ident $group:ident $j:expr) => {
                    $expand!($j);
                    if REGISTERS == 32 {
                        black_box(&mut *w);
                    }
                    for s in 0..S {
                        let (w0, w4) = (w[s][$j], w[s][($j + 4) % 16]);
                        let tt1 = add(add($d[s], xor(w0, w4)), $ff($a[s], $b[s], $c[s]));
                        let tt2 = add(add($h[s], w0), $gg($e[s], $f[s], $g[s]));
                        let a12 = ror::<20, 12>($a[s]);
                        let ss1 = ror::<25, 7>(add(add($e[s], splat($group[$j])), a12));
                        let tt1 = add(tt1, xor(ss1, a12));
                        let tt2 = add(tt2, ss1);
                        $b[s] = ror::<23, 9>($b[s]);
                        $d[s] = tt1;
                        $f[s] = ror::<13, 19>($f[s]);
                        $h[s] = xor3(tt2, ror::<23, 9>(tt2), ror::<15, 17>(tt2));
                    }
                };
            }
            macro_rules! four_rounds {
                ($ff:ident $gg:ident $expand:ident $group:ident $j:expr) => {
                    round!(a b c d e f g h, $ff $gg $expand $group $j);
                    round!(d a b c h e f g, $ff $gg $expand $group $j + 1);
                    round!(c d a b g h e f, $ff $gg $expand $group $j + 2);
                    round!(b c d a f g h e, $ff $gg $expand $group $j + 3);
                };
            }
            // By groups of sixteen: an index that had to be checked would come between rounds, and
            // the compiler gathers what is on one side of it.
            let Some((first, later)) = const { T.as_chunks::<16>().0 }.split_first() else {
                return; // never: there are four groups
            };
            four_rounds!(xor3 xor3 nothing first 0);
            four_rounds!(xor3 xor3 nothing first 4);
            four_rounds!(xor3 xor3 nothing first 8);
            four_rounds!(xor3 xor3 expand first 12);
            for group in later {
                four_rounds!(majority choose expand group 0);
                four_rounds!(majority choose expand group 4);
                four_rounds!(majority choose expand group 8);
                four_rounds!(majority choose expand group 12);
            }
            for s in 0..S {
                let words = [a[s], b[s], c[s], d[s], e[s], f[s], g[s], h[s]];
                for i in 0..8 {
                    state[s][i] = xor(state[s][i], words[i]);
                }
            }
        }
    };
}
pub(super) use rounds;
