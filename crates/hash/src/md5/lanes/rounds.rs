//! The steps of MD5 (RFC 1321, 3.4) on vectors of lanes.
//!
//! A vector holds one word of every lane; `S` vectors are side by side, as one alone waits for
//! its own results.

/// Makes `rounds` over the vectors that the module at hand imports.
macro_rules! rounds {
    ($features:literal) => {
        /// A block of words `w` into the state of each lane.
        #[target_feature(enable = $features)]
        fn rounds<const S: usize>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S]) {
            let word = |i: usize| adamant_base::simd::from_fn::<V, S>(|s| state[s][i]);
            let (mut a, mut b, mut c, mut d) = (word(0), word(1), word(2), word(3));
            // F, G, H and I of the standard.
            macro_rules! f {
                ($x:expr, $y:expr, $z:expr) => {
                    choose($x, $y, $z)
                };
            }
            macro_rules! g {
                ($x:expr, $y:expr, $z:expr) => {
                    choose($z, $x, $y)
                };
            }
            macro_rules! h {
                ($x:expr, $y:expr, $z:expr) => {
                    xor3($x, $y, $z)
                };
            }
            macro_rules! i {
                ($x:expr, $y:expr, $z:expr) => {
                    or_not_xor($x, $y, $z)
                };
            }
            // [abcd k s i] of the standard; T counts from zero here, and $r is 32 - s.
            macro_rules! step {
                ($f:ident [$a:ident $b:ident $c:ident $d:ident $k:expr, $r:literal $s:literal,
                    $i:expr]) => {
                    for s in 0..S {
                        let sum = add($a[s], add(w[s][$k % 16], splat(T[$i])));
                        let sum = add(sum, $f!($b[s], $c[s], $d[s]));
                        $a[s] = add(ror::<$r, $s>(sum), $b[s]);
                    }
                };
            }
            // Sixteen steps from the $i-th on; the index of X starts at $k and goes on by $by.
            macro_rules! round {
                ($f:ident $i:literal, $k:literal $by:literal,
                    [$r0:literal $s0:literal, $r1:literal $s1:literal,
                    $r2:literal $s2:literal, $r3:literal $s3:literal]) => {
                    for j in [0, 4, 8, 12] {
                        step!($f [a b c d  $k + $by * j, $r0 $s0, $i + j]);
                        step!($f [d a b c  $k + $by * (j + 1), $r1 $s1, $i + j + 1]);
                        step!($f [c d a b  $k + $by * (j + 2), $r2 $s2, $i + j + 2]);
                        step!($f [b c d a  $k + $by * (j + 3), $r3 $s3, $i + j + 3]);
                    }
                };
            }
            round!(f 0, 0 1, [25 7, 20 12, 15 17, 10 22]);
            round!(g 16, 1 5, [27 5, 23 9, 18 14, 12 20]);
            round!(h 32, 5 3, [28 4, 21 11, 16 16, 9 23]);
            round!(i 48, 0 7, [26 6, 22 10, 17 15, 11 21]);
            for s in 0..S {
                let words = [a[s], b[s], c[s], d[s]];
                for i in 0..4 {
                    state[s][i] = add(state[s][i], words[i]);
                }
            }
        }
    };
}
pub(super) use rounds;
