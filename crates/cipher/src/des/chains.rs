//! Blocks one by one in vectors, for chains: the eight S-boxes side by side, in the eight words of a
//! register.
//!
//! 1. L and R are in each word. Rotated by a different amount in each, R has five inputs of an S-box
//!    lowest and the sixth as the sign.
//! 2. For each output a register has the 32 cases of five inputs, and another what the sixth adds. The
//!    inputs shift the case to where it is wanted.
//! 3. The sum of all words is f in each of them.
//! 4. A chain goes on without the permutations before and after the rounds, which keep sums: blocks of
//!    input are permuted by themselves, while the rounds wait for each other.

use super::tables::{TARGET, substitute};

/// The round key of [`super::serial`] as `RoundKeys` keeps it for vectors.
pub(super) fn round_key(key: &[u32; 6]) -> [u8; 8] {
    // Every fourth bit becomes every eighth, that of the first S-box the highest.
    let spread = |word: u32| {
        let x = u64::from(word);
        let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
        let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
        (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
    };
    let even = u64::MAX / 0xffff * 0xff00;
    let mut bytes = 0;
    for (i, word) in key.iter().enumerate() {
        let bits = spread(*word);
        bytes |= (bits & even) << (5 - i) | (bits & !even) << ((10 - i) % 6);
    }
    bytes.to_be_bytes()
}

/// How far R is rotated to the left for each S-box.
pub(super) const TURNS: [u32; 8] = [4, 8, 12, 16, 20, 24, 28, 0];

/// How far a round key is shifted, to the right and to the left, so that its bits are
/// where those of R are: the last input is the lowest of an even S-box, and the highest of an odd one.
pub(super) const KEY_SHIFTS: [[u32; 8]; 2] =
    [[1, 0, 1, 0, 1, 0, 1, 0], [31, 26, 31, 26, 31, 26, 31, 26]];

/// For each output, and the S-boxes in turn: the place in L, from the lowest.
pub(super) const PLACES: [[u32; 8]; 4] = {
    let (mut places, mut i) = ([[0; 8]; 4], 0);
    while i < 32 {
        places[i % 4][i / 4] = 31 - TARGET[i / 4][i % 4] as u32;
        i += 1;
    }
    places
};

/// For each output, and the S-boxes in turn: a bit for each case of the first five inputs where the last
/// is zero, and what is added to it where that is one. Where rotated to the right by those five inputs,
/// the case is at its place.
pub(super) const fn cases(places: &[[u32; 8]; 4]) -> [[[u32; 8]; 2]; 4] {
    let (mut cases, mut i) = ([[[0; 8]; 2]; 4], 0);
    while i < 32 {
        let (s, o) = (i / 4, i % 4);
        let mut v = 0;
        while v < 64 {
            let bit = (substitute(s, v) >> (3 - o) & 1) as u32;
            let case = bit << ((places[o][s] + v as u32 / 2) % 32);
            if v % 2 == 0 {
                cases[o][0][s] |= case;
            }
            cases[o][1][s] ^= case;
            v += 1;
        }
        i += 1;
    }
    cases
}

/// Makes the functions that take blocks one by one, `crypt_each`, `cbc_encrypt` and `cbc_mac`, in a module
/// that has a type `Tables` with
///
/// * `new`, which loads what stays in registers;
/// * `turned`, the words rotated by [`TURNS`];
/// * `f` of R turned and the round key added, in each word.
macro_rules! chains {
    ($features:literal) => {
        /// A round key, its bits where those of R turned are.
        #[inline]
        #[target_feature(enable = $features)]
        fn key(key: &[u8; 8]) -> __m256i {
            let bytes = _mm256_cvtepu8_epi32(_mm_set_epi64x(0, i64::from_le_bytes(*key)));
            let [right, left] = $crate::des::chains::KEY_SHIFTS;
            _mm256_or_si256(
                _mm256_srlv_epi32(bytes, load256(&right)),
                _mm256_sllv_epi32(bytes, load256(&left)),
            )
        }

        /// All rounds on L and R.
        #[inline]
        #[target_feature(enable = $features)]
        fn rounds<const DECRYPT: bool>(
            tables: &Tables,
            keys: &RoundKeys,
            [mut l, mut r]: [__m256i; 2],
        ) -> [__m256i; 2] {
            let passes = &keys.bytes.as_chunks::<16>().0[..keys.passes];
            for pass in 0..passes.len() {
                let keys = &passes[if DECRYPT {
                    passes.len() - 1 - pass
                } else {
                    pass
                }];
                let key = |i: usize| key(&keys[if DECRYPT { 15 - i } else { i }]);
                let mut x = _mm256_xor_si256(tables.turned(r), key(0));
                for next in 1..17 {
                    // What does not wait for f.
                    let mut rest = tables.turned(l);
                    if next < 16 {
                        rest = _mm256_xor_si256(rest, key(next));
                    }
                    let f = tables.f(x);
                    (l, r) = (r, _mm256_xor_si256(l, f));
                    x = _mm256_xor_si256(tables.turned(f), rest);
                }
                (l, r) = (r, l);
            }
            [l, r]
        }

        /// L and R of a block, in each word.
        #[inline]
        #[target_feature(enable = $features)]
        fn enter(block: &[u8; 8]) -> [__m256i; 2] {
            let [l, r] = $crate::des::serial::enter(u64::from_be_bytes(*block));
            [_mm256_set1_epi32(l as i32), _mm256_set1_epi32(r as i32)]
        }

        /// The block of L and R.
        #[inline]
        #[target_feature(enable = $features)]
        fn leave([l, r]: [__m256i; 2]) -> [u8; 8] {
            let halves = [_mm256_cvtsi256_si32(l), _mm256_cvtsi256_si32(r)];
            $crate::des::serial::leave([halves[0] as u32, halves[1] as u32]).to_be_bytes()
        }

        #[target_feature(enable = $features)]
        pub(super) fn crypt_each<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
            let tables = Tables::new();
            for block in blocks {
                *block = leave(rounds::<DECRYPT>(&tables, keys, enter(block)));
            }
        }

        /// L and R of a chain after a block more.
        #[inline]
        #[target_feature(enable = $features)]
        fn chained(
            tables: &Tables,
            keys: &RoundKeys,
            [l, r]: [__m256i; 2],
            block: &[u8; 8],
        ) -> [__m256i; 2] {
            let [block_l, block_r] = enter(block);
            let halves = [_mm256_xor_si256(l, block_l), _mm256_xor_si256(r, block_r)];
            rounds::<false>(tables, keys, halves)
        }

        #[target_feature(enable = $features)]
        pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
            let tables = Tables::new();
            let mut chain = enter(iv);
            for block in blocks {
                chain = chained(&tables, keys, chain, block);
                *block = leave(chain);
            }
            *iv = leave(chain);
        }

        #[target_feature(enable = $features)]
        pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 8], blocks: &[[u8; 8]]) {
            let tables = Tables::new();
            let mut chain = enter(sum);
            for block in blocks {
                chain = chained(&tables, keys, chain, block);
            }
            *sum = leave(chain);
        }
    };
}
pub(super) use chains;
