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
        /// The mixing function G.
        #[inline]
        #[target_feature(enable = $features)]
        fn g(v: &mut [V; 16], [a, b, c, d]: [usize; 4], x: V, y: V) {
            v[a] = add(add(v[a], x), v[b]);
            v[d] = ror::<$r1, $l1>(xor(v[d], v[a]));
            v[c] = add(v[c], v[d]);
            v[b] = ror::<$r2, $l2>(xor(v[b], v[c]));
            v[a] = add(add(v[a], y), v[b]);
            v[d] = ror::<$r3, $l3>(xor(v[d], v[a]));
            v[c] = add(v[c], v[d]);
            v[b] = ror::<$r4, $l4>(xor(v[b], v[c]));
        }

        /// Round `R` of `K` sets of lanes with the message `m`.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const R: usize, const K: usize>(v: &mut [[V; 16]; K], m: &[[V; 16]; K]) {
            let s = const { &$schedule[R % $schedule.len()] };
            for (v, m) in v.iter_mut().zip(m) {
                g(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
                g(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
                g(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
                g(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
            }
            for (v, m) in v.iter_mut().zip(m) {
                g(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
                g(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
                g(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
                g(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
            }
        }
    };
}
pub(crate) use rounds;
