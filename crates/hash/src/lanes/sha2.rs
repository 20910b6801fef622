//! The rounds of SHA-256 and SHA-512 (FIPS 180-4, 6.2.2 and 6.4.2) on vectors of lanes.
//!
//! Differences from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors are side by side, as one alone waits
//!    for its own results.
//! 2. The message schedule runs sixteen words ahead of the rounds, which get W\[t\] + K\[t\] from
//!    memory: there are not enough registers. Behind `black_box` the compiler does not know what
//!    lies there, so it loads the words where they are used instead of saving registers; nor can
//!    it add K\[t\] last, on the chain from one round's e to the next.

/// Makes the four functions of FIPS 180-4, 4.1.2 and 4.1.3.
macro_rules! sigmas {
    (
        features: $features:literal,
        // Rotations right, each with what is missing to the width, and the shifts at the end.
        big_sigma0: [$r1:literal $l1:literal, $r2:literal $l2:literal, $r3:literal $l3:literal],
        big_sigma1: [$r4:literal $l4:literal, $r5:literal $l5:literal, $r6:literal $l6:literal],
        small_sigma0: [$r7:literal $l7:literal, $r8:literal $l8:literal, $shift0:literal],
        small_sigma1: [$r9:literal $l9:literal, $r10:literal $l10:literal, $shift1:literal],
    ) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn big_sigma0(x: V) -> V {
            xor3(ror::<$r1, $l1>(x), ror::<$r2, $l2>(x), ror::<$r3, $l3>(x))
        }
        #[inline]
        #[target_feature(enable = $features)]
        fn big_sigma1(x: V) -> V {
            xor3(ror::<$r4, $l4>(x), ror::<$r5, $l5>(x), ror::<$r6, $l6>(x))
        }
        #[inline]
        #[target_feature(enable = $features)]
        fn small_sigma0(x: V) -> V {
            xor3(ror::<$r7, $l7>(x), ror::<$r8, $l8>(x), shr::<$shift0>(x))
        }
        #[inline]
        #[target_feature(enable = $features)]
        fn small_sigma1(x: V) -> V {
            xor3(ror::<$r9, $l9>(x), ror::<$r10, $l10>(x), shr::<$shift1>(x))
        }
    };
}
pub(crate) use sigmas;

/// Makes [`sigmas!`] of SHA-256.
macro_rules! sigmas256 {
    ($features:literal) => {
        crate::lanes::sha2::sigmas! {
            features: $features,
            big_sigma0: [2 30, 13 19, 22 10],
            big_sigma1: [6 26, 11 21, 25 7],
            small_sigma0: [7 25, 18 14, 3],
            small_sigma1: [17 15, 19 13, 10],
        }
    };
}
pub(crate) use sigmas256;

/// Makes [`sigmas!`] of SHA-512.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! sigmas512 {
    ($features:literal) => {
        crate::lanes::sha2::sigmas! {
            features: $features,
            big_sigma0: [28 36, 34 30, 39 25],
            big_sigma1: [14 50, 18 46, 41 23],
            small_sigma0: [1 63, 8 56, 7],
            small_sigma1: [19 45, 61 3, 6],
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use sigmas512;

/// Makes one round and one step of the schedule over the vectors and the functions of [`sigmas!`]
/// that the module at hand imports: functions, so that they are checked once and not at each step.
/// `t` is known where they are called.
macro_rules! steps {
    ($features:literal, $word:ty) => {
        /// Round `t`, with W\[t\] + K\[t\] from `wk`.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const S: usize>(
            v: &mut [[V; S]; 8],
            w: &mut [[V; 16]; S],
            wk: &mut [[V; 16]; S],
            t: usize,
        ) {
            if FROM_MEMORY {
                black_box((&mut *w, &mut *wk));
            }
            round_with(v, adamant_base::simd::from_fn(|s| wk[s][t % 16]), t);
        }

        /// Round `t`. The words a to h change their places instead of moving: the next round finds
        /// this one's d in the place of e, and h in that of a.
        ///
        /// The order of the sum counts: with sixteen registers others are up to a tenth slower.
        #[inline]
        #[target_feature(enable = $features)]
        fn round_with<const S: usize>(v: &mut [[V; S]; 8], wk: [V; S], t: usize) {
            let place = |i: usize| (i + 16 - t) % 8;
            let (a, b, c, d) = (place(0), place(1), place(2), place(3));
            let (e, f, g, h) = (place(4), place(5), place(6), place(7));
            for s in 0..S {
                let (x, y) = (v[a][s], v[e][s]);
                let t1 = add(choose(y, v[f][s], v[g][s]), wk[s]);
                let t1 = add(v[h][s], t1);
                let t1 = add(big_sigma1(y), t1);
                let sigma0 = big_sigma0(x);
                let majority = majority(x, v[b][s], v[c][s]);
                v[d][s] = add(v[d][s], t1);
                v[h][s] = add(add(sigma0, majority), t1);
            }
        }

        /// W\[t + 16\] from W\[t\] and the fifteen after it, W\[t\] in w\[t mod 16\].
        #[inline]
        #[target_feature(enable = $features)]
        fn schedule<const S: usize>(
            w: &mut [[V; 16]; S],
            wk: &mut [[V; 16]; S],
            k: &[$word; 16],
            t: usize,
        ) {
            for s in 0..S {
                let (w1, w14) = (w[s][(t + 1) % 16], w[s][(t + 14) % 16]);
                let (sigma0, sigma1) = (small_sigma0(w1), small_sigma1(w14));
                let w9 = w[s][(t + 9) % 16];
                w[s][t % 16] = add(add(w[s][t % 16], sigma0), add(w9, sigma1));
                wk[s][t % 16] = add(w[s][t % 16], splat(k[t % 16]));
            }
        }
    };
}
pub(crate) use steps;

/// Sixteen rounds of [`steps!`] and, given the constants of the words that it makes, the schedule.
macro_rules! sixteen_steps {
    (@one [$v:ident $w:ident $wk:ident $($k:ident)?] $t:literal) => {
        round(&mut $v, $w, $wk, $t);
        $(schedule($w, $wk, $k, $t);)?
    };
    (@each $variables:tt $($t:literal)*) => {
        $(crate::lanes::sha2::sixteen_steps!(@one $variables $t);)*
    };
    ($variables:tt) => {
        crate::lanes::sha2::sixteen_steps! {
            @each $variables 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
        }
    };
}
pub(crate) use sixteen_steps;

/// Makes `rounds` over the vectors and the functions of [`sigmas!`] that the module at hand imports.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! rounds {
    (
        features: $features:literal,
        constants: [$word:ty; _] = $constants:expr,
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
            let mut v = adamant_base::simd::from_fn(|i| {
                adamant_base::simd::from_fn::<V, S>(|s| state[s][i])
            });
            let wk = &mut wk;
            for k in rest {
                crate::lanes::sha2::sixteen_steps!([v w wk k]);
            }
            crate::lanes::sha2::sixteen_steps!([v w wk]);
            for s in 0..S {
                for i in 0..8 {
                    state[s][i] = add(state[s][i], v[i][s]);
                }
            }
        }
        crate::lanes::sha2::steps! { $features, $word }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use rounds;

/// Makes `rounds` as [`rounds!`] does, for CPUs whose vector operations take one cycle: one vector a
/// word fills them, and leaves registers for the sixteen words of the schedule.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! rounds_in_registers {
    (
        features: $features:literal,
        constants: $constants:expr,
    ) => {
        /// A block of words `w` into the state of each lane.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            for (state, w) in state.iter_mut().zip(w) {
                one_vector(state, w);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn one_vector(state: &mut [V; 8], w: &[V; 16]) {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
            let mut w = *w;
            // W[t] in w[t mod 16]; each round makes room for W[t + 16].
            macro_rules! schedule {
                ($t:literal) => {
                    let (w1, w14) = (w[($t + 1) % 16], w[($t + 14) % 16]);
                    let early = add(add(w[$t], w[($t + 9) % 16]), small_sigma0(w1));
                    w[$t] = add(early, small_sigma1(w14));
                };
            }
            macro_rules! nothing {
                ($t:literal) => {};
            }
            macro_rules! round {
                ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
                    $t:literal $k:ident $next:ident) => {
                    let t1 = add(add($h, splat($k[$t])), w[$t]);
                    $next!($t);
                    let t1 = add(add(t1, choose($e, $f, $g)), big_sigma1($e));
                    $d = add($d, t1);
                    $h = add(add(big_sigma0($a), majority($a, $b, $c)), t1);
                };
            }
            macro_rules! sixteen_rounds {
                ($k:ident $next:ident) => {
                    round!(a b c d e f g h, 0 $k $next);
                    round!(h a b c d e f g, 1 $k $next);
                    round!(g h a b c d e f, 2 $k $next);
                    round!(f g h a b c d e, 3 $k $next);
                    round!(e f g h a b c d, 4 $k $next);
                    round!(d e f g h a b c, 5 $k $next);
                    round!(c d e f g h a b, 6 $k $next);
                    round!(b c d e f g h a, 7 $k $next);
                    round!(a b c d e f g h, 8 $k $next);
                    round!(h a b c d e f g, 9 $k $next);
                    round!(g h a b c d e f, 10 $k $next);
                    round!(f g h a b c d e, 11 $k $next);
                    round!(e f g h a b c d, 12 $k $next);
                    round!(d e f g h a b c, 13 $k $next);
                    round!(c d e f g h a b, 14 $k $next);
                    round!(b c d e f g h a, 15 $k $next);
                };
            }
            let [first @ .., last] = $constants.as_chunks::<16>().0 else {
                return; // never: K is not empty
            };
            for k in first {
                sixteen_rounds!(k schedule);
            }
            sixteen_rounds!(last nothing);
            for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                *word = add(*word, x);
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use rounds_in_registers;
