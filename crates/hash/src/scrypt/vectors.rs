//! scryptROMix over vectors of four words a lane: one lane, or several side by side.
//!
//! Differences from the portable code:
//!
//! 1. The words of a block are kept in the order of its diagonals: 0, 5, 10, 15; 4, 9, 14, 3; 8,
//!    13, 2, 7; 12, 1, 6, 11. Each is a row of a vector, and the four quarter rounds of a round are
//!    one. They are put in this order once, and back at the end.
//! 2. Between columns and rows, the vectors are turned against each other.
//! 3. scryptBlockMix writes the copies where they stay, and takes in two blocks at once where the
//!    standard adds a copy first.
//! 4. All of a copy is asked for as soon as it is known which: the reads wait together.

use super::Block;

/// Which word of a block is at each place.
const DIAGONALS: [usize; 16] = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11];

/// Puts the words in the order of the diagonals.
pub(super) fn to_diagonals(blocks: &mut [Block]) {
    for block in blocks {
        *block = DIAGONALS.map(|i| block[i]);
    }
}

/// The reverse of [`to_diagonals`].
pub(super) fn from_diagonals(blocks: &mut [Block]) {
    for block in blocks {
        let old = *block;
        for (i, word) in DIAGONALS.into_iter().zip(old) {
            block[i] = word;
        }
    }
}

/// Integerify of blocks whose words are in the order of the diagonals.
#[inline]
pub(super) fn integerify(b: &[Block], n: usize) -> usize {
    let last = &b[b.len() - 1];
    super::integer(last[0], last[13], n)
}

/// Makes `ro_mix_lanes` over the vectors `V` of the module at hand, which has `LANES` of them side
/// by side, `add`, `xor`, `rol`, `turn` (four words each towards lower places, by one, two or
/// three), `rows` (of the block at a place of each lane, with another one taken in) and `put`, its
/// reverse. Lanes lie one after the other, `len` blocks each.
macro_rules! kernel {
    ($features:literal) => {
        /// Salsa20/8 of `S` vectors of lanes: the rounds of one wait, those of another go on.
        #[inline]
        #[target_feature(enable = $features)]
        fn salsa20_8<const S: usize>(x: &mut [[V; 4]; S]) {
            let input = *x;
            for _ in 0..8 {
                for s in 0..S {
                    let [a, b, c, d] = &mut x[s];
                    *b = xor(*b, rol::<7, 25>(add(*a, *d)));
                    *c = xor(*c, rol::<9, 23>(add(*b, *a)));
                    *d = xor(*d, rol::<13, 19>(add(*c, *b)));
                    *a = xor(*a, rol::<18, 14>(add(*d, *c)));
                    (*b, *c, *d) = (turn::<1>(*d), turn::<2>(*c), turn::<3>(*b));
                }
            }
            for s in 0..S {
                for i in 0..4 {
                    x[s][i] = add(x[s][i], input[s][i]);
                }
            }
        }

        /// RFC 7914, 4: scryptBlockMix of each lane from `from`, or from this xor `copies`, to
        /// `to`: `S` times as many lanes as a vector has.
        #[inline]
        #[target_feature(enable = $features)]
        fn block_mix<const S: usize>(
            from: &[Block],
            copies: Option<&[[&[Block]; LANES]; S]>,
            to: &mut [Block],
        ) {
            let (all, len) = (from.len() / S, from.len() / (S * LANES));
            let mut x = [rows(from, copies.map(|c| &c[0]), len, len - 1); S];
            for s in 1..S {
                x[s] = rows(&from[s * all..], copies.map(|c| &c[s]), len, len - 1);
            }
            for i in 0..len {
                for s in 0..S {
                    let taken_in = rows(&from[s * all..], copies.map(|c| &c[s]), len, i);
                    for j in 0..4 {
                        x[s][j] = xor(x[s][j], taken_in[j]);
                    }
                }
                salsa20_8(&mut x);
                // Y_0, Y_2, … come first, then Y_1, Y_3, …
                let place = i / 2 + i % 2 * (len / 2);
                for s in 0..S {
                    put(&mut to[s * all..], len, place, x[s]);
                }
            }
        }

        /// RFC 7914, 5: scryptROMix of `S` times as many lanes as a vector has, which lie so in
        /// `b`, in each copy in `v`, and in `x`.
        #[target_feature(enable = $features)]
        fn ro_mix_lanes<const S: usize>(b: &mut [Block], v: &mut [Block], x: &mut [Block]) {
            let (all, len) = (b.len(), b.len() / (S * LANES));
            let n = v.len() / all;
            crate::scrypt::vectors::to_diagonals(b);
            v[..all].copy_from_slice(b);
            for i in 1..n {
                let (done, free) = v.split_at_mut(i * all);
                block_mix::<S>(&done[(i - 1) * all..], None, &mut free[..all]);
            }
            block_mix::<S>(&v[(n - 1) * all..], None, b);
            let (mut from, mut to) = (b, &mut x[..all]);
            for _ in 0..n {
                let mut copies: [[&[Block]; LANES]; S] = [[&[]; LANES]; S];
                for (lane, b) in from.chunks_exact(len).enumerate() {
                    let j = crate::scrypt::vectors::integerify(b, n);
                    let copy = &v[j * all + lane * len..][..len];
                    for block in copy {
                        prefetch(block);
                    }
                    copies.as_flattened_mut()[lane] = copy;
                }
                block_mix(from, Some(&copies), to);
                (from, to) = (to, from);
            }
            // N is even: the result lies in `b`.
            crate::scrypt::vectors::from_diagonals(from);
        }
    };
}
pub(super) use kernel;
