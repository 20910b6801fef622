//! What the kernels on vectors of words have around the map of a round.
//!
//! A vector holds one word of each of its blocks, as it lies in memory: the highest byte first, so
//! that `<<< 8` of the standard is a rotation to the right. State and round keys are in the basis
//! of the inversion (`affine`).

/// Makes the functions of a table's row in a module that has
///
/// * `load` and `store`: words of one vector's blocks from and to memory;
/// * `transpose`: four vectors of blocks to four of words, and back;
/// * `splat`, `xor`, `xor3`;
/// * `enter`, `leave`: into the basis of the inversion, and back;
/// * `add_round(x, t)`: x and what the inverses of t add to it; or, where keys are added in another
///   way, `round`.
///
/// `sets` is the number of vectors a word that fills the machine.
macro_rules! kernel {
    (features: $features:literal, blocks: $blocks:literal, sets: $sets:literal) => {
        /// A round of `N` vectors side by side, on a word of one and the three that follow it, of
        /// which the last comes late.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const N: usize>(x: V, [a, b, c]: [V; 3], key: V) -> V {
            add_round(x, xor(xor3(a, b, key), c))
        }

        words::kernel! { features: $features, blocks: $blocks, sets: $sets, round }
    };
    (features: $features:literal, blocks: $blocks:literal, sets: $sets:literal, round) => {
        /// The 32 rounds (GB/T 32907, 7.1) on `N` vectors of each word.
        #[inline]
        #[target_feature(enable = $features)]
        fn rounds<const N: usize, const DECRYPT: bool>(keys: &[u32; 32], state: &mut [[V; 4]; N]) {
            for i in 0..8 {
                // Written out, as not every compiler does it: else words are in memory.
                macro_rules! round {
                    ($j:literal) => {
                        let i = if DECRYPT { 31 - 4 * i - $j } else { 4 * i + $j };
                        let key = splat(keys[i]);
                        for x in &mut *state {
                            let others = [x[($j + 1) % 4], x[($j + 2) % 4], x[($j + 3) % 4]];
                            x[$j] = round::<N>(x[$j], others, key);
                        }
                    };
                }
                round!(0);
                round!(1);
                round!(2);
                round!(3);
            }
        }

        /// `N` times as many blocks as a vector has.
        #[inline]
        #[target_feature(enable = $features)]
        fn crypt<const N: usize, const DECRYPT: bool>(
            keys: &RoundKeys,
            data: &mut [[[u8; 16]; $blocks]; N],
        ) {
            let mut state = [[splat(0); 4]; N];
            for (x, data) in state.iter_mut().zip(&*data) {
                *x = transpose(load(data)).map(|word| enter(word));
            }
            rounds::<N, DECRYPT>(&keys.words, &mut state);
            for ([a, b, c, d], data) in state.into_iter().zip(data) {
                store(data, transpose([d, c, b, a].map(|word| leave(word))));
            }
        }

        /// Any number of blocks; what does not fill a vector goes through a buffer.
        #[inline]
        #[target_feature(enable = $features)]
        fn crypt_blocks<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            let (vectors, rest) = blocks.as_chunks_mut::<$blocks>();
            let (wide, vectors) = vectors.as_chunks_mut::<$sets>();
            for data in wide {
                crypt::<$sets, DECRYPT>(keys, data);
            }
            // A second vector costs next to nothing.
            let mut buffer = [[[0; 16]; $blocks]; 2];
            for data in vectors.chunks_mut(2) {
                if let Ok(data) = <&mut [[[u8; 16]; $blocks]; 2]>::try_from(&mut *data) {
                    crypt::<2, DECRYPT>(keys, data);
                } else if let [data] = data {
                    if rest.is_empty() {
                        crypt::<1, DECRYPT>(keys, core::array::from_mut(data));
                    } else {
                        buffer[0] = *data;
                        buffer[1][..rest.len()].copy_from_slice(rest);
                        crypt::<2, DECRYPT>(keys, &mut buffer);
                        *data = buffer[0];
                        rest.copy_from_slice(&buffer[1][..rest.len()]);
                        return;
                    }
                }
            }
            if !rest.is_empty() {
                let [buffer, _] = &mut buffer;
                buffer[..rest.len()].copy_from_slice(rest);
                crypt::<1, DECRYPT>(keys, core::array::from_mut(buffer));
                rest.copy_from_slice(&buffer[..rest.len()]);
            }
        }
    };
}
pub(super) use kernel;

/// Makes the row's loops over [`kernel`].
macro_rules! blocks {
    (features: $features:literal, at_once: $at_once:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            crypt_blocks::<false>(keys, blocks);
        }

        #[target_feature(enable = $features)]
        pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            crypt_blocks::<true>(keys, blocks);
        }

        $crate::loops::from_blocks! {
            RoundKeys, 16, $at_once, [$features]:
            ctr(counter, width) cbc_decrypt(iv) xts_encrypt(tweak) xts_decrypt(tweak)
        }
    };
}
pub(super) use blocks;

/// Words in the lowest lanes of 128-bit registers of x86-64.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod x86 {
    use adamant_base::simd::arch::{
        __m128i, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm_unpacklo_epi32,
        _mm_unpacklo_epi64,
    };
    pub(in super::super) use adamant_base::simd::{load128 as load, store128 as store};

    pub(in super::super) type Word = __m128i;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) fn new(word: u32) -> Word {
        _mm_cvtsi32_si128(word as i32)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) fn get(x: Word) -> u32 {
        _mm_cvtsi128_si32(x) as u32
    }

    /// The words of a block, each in a register.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) fn split(x: Word) -> [Word; 4] {
        [
            x,
            _mm_shuffle_epi32::<0x55>(x),
            _mm_shuffle_epi32::<0xaa>(x),
            _mm_shuffle_epi32::<0xff>(x),
        ]
    }

    /// The block of these words.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) fn join([a, b, c, d]: [Word; 4]) -> Word {
        _mm_unpacklo_epi64(_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d))
    }
}

/// The same of ARM64.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(super) mod arm {
    pub(in super::super) use adamant_base::simd::{load_u8 as load, store_u8 as store};
    use core::arch::aarch64::{
        uint8x16_t, vdupq_laneq_u32, vdupq_n_u32, vgetq_lane_u32, vreinterpretq_u8_u32,
        vreinterpretq_u8_u64, vreinterpretq_u32_u8, vreinterpretq_u64_u32, vzip1q_u32, vzip1q_u64,
    };

    pub(in super::super) type Word = uint8x16_t;

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn new(word: u32) -> Word {
        vreinterpretq_u8_u32(vdupq_n_u32(word))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn get(x: Word) -> u32 {
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(x))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn split(x: Word) -> [Word; 4] {
        let x = vreinterpretq_u32_u8(x);
        [
            vreinterpretq_u8_u32(x),
            vreinterpretq_u8_u32(vdupq_laneq_u32::<1>(x)),
            vreinterpretq_u8_u32(vdupq_laneq_u32::<2>(x)),
            vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(x)),
        ]
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn join([a, b, c, d]: [Word; 4]) -> Word {
        let pair = |a, b| {
            let words = vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
            vreinterpretq_u64_u32(words)
        };
        vreinterpretq_u8_u64(vzip1q_u64(pair(a, b), pair(c, d)))
    }
}

/// Makes the chains, one block after the other, and the key schedule: words in the lowest lanes of
/// 128-bit registers, as a module of this file has them, and the same functions as for [`kernel`], and
/// `in_order`.
///
/// The critical path of a round leads only through the inversion and its neighbours: the sum of
/// the words and the key that the next round inverts is complete but for what this round adds.
///
/// They become part of the functions of the rows that have them, and so gain from the features of
/// a row that has more: with AVX-512 a sum of three is one instruction, as is a rotation of words.
macro_rules! chains {
    ($features:literal, $lanes:ident) => {
        use super::words::$lanes as lanes;

        /// The words of a block, each in a register.
        #[inline]
        #[target_feature(enable = $features)]
        fn split(block: &[u8; 16]) -> [lanes::Word; 4] {
            lanes::split(enter(lanes::load(block)))
        }

        /// The block of words that the last round left, in reverse order.
        #[inline]
        #[target_feature(enable = $features)]
        fn join([a, b, c, d]: [lanes::Word; 4]) -> lanes::Word {
            leave(lanes::join([d, c, b, a]))
        }

        /// The 32 rounds on the sum of a block and what the last rounds left.
        #[inline]
        #[target_feature(enable = $features)]
        fn one(keys: &[u32; 32], x: &mut [lanes::Word; 4], block: &[u8; 16]) {
            let [a, b, c, d] = split(block);
            *x = [xor(a, x[3]), xor(b, x[2]), xor(c, x[1]), xor(d, x[0])];
            let mut t = xor(xor3(x[1], x[2], splat(keys[0])), x[3]);
            for i in 0..8 {
                for j in 0..4 {
                    let key = splat(keys[(4 * i + j + 1) % 32]);
                    // The next sum without what this round adds, with and without the word that
                    // it is added to.
                    let sum = xor3(x[(j + 2) % 4], x[(j + 3) % 4], key);
                    t = add_round(in_order(xor(sum, x[j])), t);
                    x[j] = xor(t, sum);
                }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let [d, c, b, a] = split(iv);
            let mut x = [a, b, c, d];
            for block in &mut *blocks {
                one(&keys.words, &mut x, block);
                lanes::store(block, join(x));
            }
            if let Some(last) = blocks.last() {
                *iv = *last;
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            let [d, c, b, a] = split(sum);
            let mut x = [a, b, c, d];
            for block in blocks {
                one(&keys.words, &mut x, block);
            }
            lanes::store(sum, join(x));
        }

        /// The round keys, in the basis of the inversion.
        #[target_feature(enable = $features)]
        pub(super) fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
            let words = super::schedule(key, |word| lanes::get(s_box(lanes::new(word))));
            let constant = u32::from_ne_bytes([super::affine::INTO_CONSTANT; 4]);
            for (to, word) in keys.words.iter_mut().zip(words.iter()) {
                *to = lanes::get(enter(lanes::new(word.swap_bytes()))) ^ constant;
            }
        }
    };
}
pub(super) use chains;
