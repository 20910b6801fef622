//! SHA-256 and SHA-512 (FIPS 180-4, 6.2.2 and 6.4.2) with scalar rounds beside a message schedule in
//! vector registers (NEON).
//!
//! Differences from the portable code:
//!
//! 1. The schedule is computed in vector registers. W\[t\] + K\[t\] goes through memory to the scalar
//!    rounds, sixteen rounds ahead of them, so both kinds of units are busy. Behind `black_box` the
//!    compiler does not know what lies there, and does not move words from vectors to scalar
//!    registers instead.
//! 2. maj(a, b, c) is a where b and c differ and b elsewhere; this round's a ⊕ b is the next one's
//!    b ⊕ c.

/// Makes `compress` over the functions of the module at hand: `load` gives the words of a block, in
/// `vectors` registers; `put` stores four words W\[t\] + K\[t\]; `next` makes the four that are
/// sixteen rounds later. Four words are numbered by their place among those of sixteen rounds.
macro_rules! compress {
    (
        state: [$word:ident; 8], block: $block:literal,
        constants: $constants:expr,
        // Rotations to the right.
        big_sigma0: [$r1:literal $r2:literal $r3:literal],
        big_sigma1: [$r4:literal $r5:literal $r6:literal],
    ) => {
        #[target_feature(enable = "neon")]
        pub(super) fn compress(state: &mut [$word; 8], blocks: &[[u8; $block]]) {
            let constants = adamant_base::simd::in_place(&$constants);
            let [first, rest @ ..] = constants.as_chunks::<16>().0 else {
                return; // never: K is not empty
            };
            let mut wk = [0; 16];
            for block in blocks {
                let mut w = load(block);
                for i in 0..4 {
                    put(&mut wk, i, &w, first);
                }
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
                let mut b_xor_c = b ^ c;
                // The variables change names instead of places: the next round calls this one's
                // $d e, and its $h a.
                macro_rules! round {
                    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
                        $wk:expr) => {
                        let t1 = $h.wrapping_add($wk).wrapping_add(($e & $f) | (!$e & $g));
                        let t1 = t1.wrapping_add(sigma($e, [$r4, $r5, $r6]));
                        let t2 = majority($a, $b, &mut b_xor_c);
                        $d = $d.wrapping_add(t1);
                        $h = t1.wrapping_add(t2).wrapping_add(sigma($a, [$r1, $r2, $r3]));
                    };
                }
                macro_rules! eight_rounds {
                    ($i:literal, $k:expr) => {
                        let now = wk.as_chunks::<4>().0[$i];
                        if let Some(k) = $k {
                            next(&mut wk, $i, &mut w, k);
                        }
                        round!(a b c d e f g h, now[0]);
                        round!(h a b c d e f g, now[1]);
                        round!(g h a b c d e f, now[2]);
                        round!(f g h a b c d e, now[3]);
                        let now = wk.as_chunks::<4>().0[$i + 1];
                        if let Some(k) = $k {
                            next(&mut wk, $i + 1, &mut w, k);
                        }
                        round!(e f g h a b c d, now[0]);
                        round!(d e f g h a b c, now[1]);
                        round!(c d e f g h a b, now[2]);
                        round!(b c d e f g h a, now[3]);
                    };
                }
                for k in rest {
                    core::hint::black_box(&mut wk);
                    eight_rounds!(0, Some(k));
                    eight_rounds!(2, Some(k));
                }
                core::hint::black_box(&mut wk);
                eight_rounds!(0, None);
                eight_rounds!(2, None);
                for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *word = word.wrapping_add(x);
                }
            }
        }

        #[inline(always)]
        fn sigma(x: $word, [r1, r2, r3]: [u32; 3]) -> $word {
            x.rotate_right(r1) ^ x.rotate_right(r2) ^ x.rotate_right(r3)
        }

        /// maj(a, b, c); `b_xor_c` becomes the next one.
        #[inline(always)]
        fn majority(a: $word, b: $word, b_xor_c: &mut $word) -> $word {
            let a_xor_b = a ^ b;
            let majority = (a_xor_b & *b_xor_c) ^ b;
            *b_xor_c = a_xor_b;
            majority
        }
    };
}
pub(crate) use compress;
