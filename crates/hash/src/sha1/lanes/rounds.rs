//! The rounds of SHA-1 (FIPS 180-4, 6.1.2) on vectors of lanes.
//!
//! What this does differently from the portable code:
//!
//! 1. A vector holds one word of every lane; `S` vectors stand side by side, as one alone waits
//!    for its own results.
//! 2. W\[t\] lies in w\[t mod 16\]. Behind `black_box` the compiler does not know what lies there,
//!    so it loads the words where they are used instead of saving registers.

/// Makes `rounds` over the vectors that the module at hand imports.
macro_rules! rounds {
    ($features:literal) => {
        /// A block of words `w` into the state of each lane; `w` is the schedule's memory.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            let word = |i: usize| adamant_base::simd::from_fn::<V, S>(|s| state[s][i]);
            let (mut a, mut b, mut c) = (word(0), word(1), word(2));
            let (mut d, mut e) = (word(3), word(4));
            // The variables change names instead of places: the next round calls this one's $e
            // its $a. What does not need the last a is added up first.
            macro_rules! round {
                ($a:ident $b:ident $c:ident $d:ident $e:ident, $f:ident $k:ident $t:expr) => {
                    if REGISTERS == 32 {
                        black_box(&mut *w);
                    }
                    for s in 0..S {
                        if $t >= 16 {
                            let (w16, w14) = (w[s][$t % 16], w[s][($t + 2) % 16]);
                            let (w8, w3) = (w[s][($t + 8) % 16], w[s][($t + 13) % 16]);
                            w[s][$t % 16] = ror::<31, 1>(xor(xor3(w16, w14, w8), w3));
                        }
                        let sum = add($e[s], add(w[s][$t % 16], $k));
                        let sum = add(sum, $f($b[s], $c[s], $d[s]));
                        $e[s] = add(sum, ror::<27, 5>($a[s]));
                        $b[s] = ror::<2, 30>($b[s]);
                    }
                };
            }
            macro_rules! five_rounds {
                ($f:ident $k:ident $t:expr) => {
                    round!(a b c d e, $f $k $t);
                    round!(e a b c d, $f $k $t + 1);
                    round!(d e a b c, $f $k $t + 2);
                    round!(c d e a b, $f $k $t + 3);
                    round!(b c d e a, $f $k $t + 4);
                };
            }
            macro_rules! twenty_rounds {
                ($f:ident $i:literal) => {
                    let k = splat(K[$i]);
                    five_rounds!($f k 20 * $i);
                    five_rounds!($f k 20 * $i + 5);
                    five_rounds!($f k 20 * $i + 10);
                    five_rounds!($f k 20 * $i + 15);
                };
            }
            twenty_rounds!(choose 0);
            twenty_rounds!(xor3 1);
            twenty_rounds!(majority 2);
            twenty_rounds!(xor3 3);
            for s in 0..S {
                let words = [a[s], b[s], c[s], d[s], e[s]];
                for i in 0..5 {
                    state[s][i] = add(state[s][i], words[i]);
                }
            }
        }
    };
}
pub(super) use rounds;
