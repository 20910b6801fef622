//! The rounds of SHA-256 and SHA-512 (FIPS 180-4, 6.2.2 and 6.4.2) on vectors of lanes.
//!
//! What this does differently from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors stand side by side, as one alone waits
//!    for its own results.
//! 2. The message schedule runs sixteen words ahead of the rounds, which get W\[t\] + K\[t\] from
//!    memory: there are not enough registers. Behind `black_box` the compiler does not know what
//!    lies there, so it loads the words where they are used instead of saving registers; nor can
//!    it add K\[t\] last, on the chain from one round's e to the next.

/// Makes `rounds` over the vectors that the module at hand imports.
macro_rules! rounds {
    (
        features: $features:literal,
        constants: $constants:expr,
        // Rotations right, each with what is missing to the width, and the shifts at the end.
        big_sigma0: [$r1:literal $l1:literal, $r2:literal $l2:literal, $r3:literal $l3:literal],
        big_sigma1: [$r4:literal $l4:literal, $r5:literal $l5:literal, $r6:literal $l6:literal],
        small_sigma0: [$r7:literal $l7:literal, $r8:literal $l8:literal, $shift0:literal],
        small_sigma1: [$r9:literal $l9:literal, $r10:literal $l10:literal, $shift1:literal],
    ) => {
        /// A block of words `w` into the state of each lane; `w` is the schedule's memory.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            let [first, rest @ ..] = $constants.as_chunks::<16>().0 else {
                return; // never: K is not empty
            };
            let mut wk = [[splat(0); 16]; S];
            for s in 0..S {
                for t in 0..16 {
                    wk[s][t] = add(w[s][t], splat(first[t]));
                }
            }
            // W[t + 16] from W[t] and the fifteen behind it, W[t] in w[t mod 16].
            macro_rules! schedule {
                ($t:literal $k:ident) => {
                    for s in 0..S {
                        let (w1, w14) = (w[s][($t + 1) % 16], w[s][($t + 14) % 16]);
                        let sigma0 = xor3(ror::<$r7, $l7>(w1), ror::<$r8, $l8>(w1), shr::<$shift0>(w1));
                        let sigma1 =
                            xor3(ror::<$r9, $l9>(w14), ror::<$r10, $l10>(w14), shr::<$shift1>(w14));
                        let w9 = w[s][($t + 9) % 16];
                        w[s][$t] = add(add(w[s][$t], sigma0), add(w9, sigma1));
                        wk[s][$t] = add(w[s][$t], splat($k[$t]));
                    }
                };
            }
            let word = |i: usize| core::array::from_fn::<V, S, _>(|s| state[s][i]);
            let (mut a, mut b, mut c, mut d) = (word(0), word(1), word(2), word(3));
            let (mut e, mut f, mut g, mut h) = (word(4), word(5), word(6), word(7));
            // The variables change names instead of places: the next round calls this one's $d e,
            // and its $h a.
            macro_rules! round {
                ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
                    $t:literal) => {
                    if REGISTERS == 32 { black_box((&mut *w, &mut wk)); }
                    for s in 0..S {
                        let (x, y) = ($a[s], $e[s]);
                        let sigma0 =
                            xor3(ror::<$r1, $l1>(x), ror::<$r2, $l2>(x), ror::<$r3, $l3>(x));
                        let majority = majority(x, $b[s], $c[s]);
                        let t1 = add($h[s], wk[s][$t]);
                        let t1 = add(t1, choose(y, $f[s], $g[s]));
                        let sigma1 =
                            xor3(ror::<$r4, $l4>(y), ror::<$r5, $l5>(y), ror::<$r6, $l6>(y));
                        let t1 = add(t1, sigma1);
                        $d[s] = add($d[s], t1);
                        $h[s] = add(add(sigma0, majority), t1);
                    }
                };
            }
            macro_rules! sixteen_rounds {
                ($schedule:ident $k:ident) => {
                    round!(a b c d e f g h, 0);
                    $schedule!(0 $k);
                    round!(h a b c d e f g, 1);
                    $schedule!(1 $k);
                    round!(g h a b c d e f, 2);
                    $schedule!(2 $k);
                    round!(f g h a b c d e, 3);
                    $schedule!(3 $k);
                    round!(e f g h a b c d, 4);
                    $schedule!(4 $k);
                    round!(d e f g h a b c, 5);
                    $schedule!(5 $k);
                    round!(c d e f g h a b, 6);
                    $schedule!(6 $k);
                    round!(b c d e f g h a, 7);
                    $schedule!(7 $k);
                    round!(a b c d e f g h, 8);
                    $schedule!(8 $k);
                    round!(h a b c d e f g, 9);
                    $schedule!(9 $k);
                    round!(g h a b c d e f, 10);
                    $schedule!(10 $k);
                    round!(f g h a b c d e, 11);
                    $schedule!(11 $k);
                    round!(e f g h a b c d, 12);
                    $schedule!(12 $k);
                    round!(d e f g h a b c, 13);
                    $schedule!(13 $k);
                    round!(c d e f g h a b, 14);
                    $schedule!(14 $k);
                    round!(b c d e f g h a, 15);
                    $schedule!(15 $k);
                };
            }
            macro_rules! nothing {
                ($t:literal $k:ident) => {};
            }
            for k in rest {
                sixteen_rounds!(schedule k);
            }
            sixteen_rounds!(nothing first);
            for s in 0..S {
                let words = [a[s], b[s], c[s], d[s], e[s], f[s], g[s], h[s]];
                for i in 0..8 {
                    state[s][i] = add(state[s][i], words[i]);
                }
            }
        }
    };
}
pub(crate) use rounds;
