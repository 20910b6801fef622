//! The rounds that BLAKE2 and BLAKE3 share, on many lanes.

/// Makes `round` over the vectors that the module at hand imports; the rotations of G are to the
/// right, each with what is missing to a word's width.
macro_rules! rounds {
    (
        features: $features:literal,
        rotations: [$r1:literal $l1:literal, $r2:literal $l2:literal, $r3:literal $l3:literal,
            $r4:literal $l4:literal],
        schedule: $schedule:expr,
    ) => {
        /// The mixing function G on four sets of the variables `$v`, with the words `$x` and `$y`
        /// of each. The four go step by step: where neighbours do not wait for each other, the CPU
        /// finds more to do at once. As a function, this would not be inlined.
        macro_rules! g {
            ($v:ident, [$s0:ident $s1:ident $s2:ident $s3:ident], $x:ident, $y:ident) => {
                macro_rules! each {
                    (|$set:pat_param, $i:pat_param| $step:expr) => {
                        let ($set, $i) = ($s0, 0);
                        $step;
                        let ($set, $i) = ($s1, 1);
                        $step;
                        let ($set, $i) = ($s2, 2);
                        $step;
                        let ($set, $i) = ($s3, 3);
                        $step;
                    };
                }
                each!(|[a, b, ..], i| $v[a] = add(add($v[a], $x[i]), $v[b]));
                each!(|[a, .., d], _| $v[d] = ror::<$r1, $l1>(xor($v[d], $v[a])));
                each!(|[.., c, d], _| $v[c] = add($v[c], $v[d]));
                each!(|[_, b, c, _], _| $v[b] = ror::<$r2, $l2>(xor($v[b], $v[c])));
                each!(|[a, b, ..], i| $v[a] = add(add($v[a], $y[i]), $v[b]));
                each!(|[a, .., d], _| $v[d] = ror::<$r3, $l3>(xor($v[d], $v[a])));
                each!(|[.., c, d], _| $v[c] = add($v[c], $v[d]));
                each!(|[_, b, c, _], _| $v[b] = ror::<$r4, $l4>(xor($v[b], $v[c])));
            };
        }

        /// Round `R` of `K` sets of lanes with the message `m`.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const R: usize, const K: usize>(v: &mut [[V; 16]; K], m: &[[V; 16]; K]) {
            let s = const { &$schedule[R % $schedule.len()] };
            for (v, m) in v.iter_mut().zip(m) {
                let x = [m[s[0]], m[s[2]], m[s[4]], m[s[6]]];
                let y = [m[s[1]], m[s[3]], m[s[5]], m[s[7]]];
                let [s0, s1, s2, s3] =
                    const { [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] };
                g!(v, [s0 s1 s2 s3], x, y);
            }
            for (v, m) in v.iter_mut().zip(m) {
                let x = [m[s[8]], m[s[10]], m[s[12]], m[s[14]]];
                let y = [m[s[9]], m[s[11]], m[s[13]], m[s[15]]];
                let [s0, s1, s2, s3] =
                    const { [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] };
                g!(v, [s0 s1 s2 s3], x, y);
            }
        }
    };
}
pub(crate) use rounds;
