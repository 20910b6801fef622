//! SM4 in plain integer operations, bitsliced: GB/T 32907 without a table.
//!
//! A group of blocks is turned on its side: plane i of a word holds bit i of every byte, byte j of
//! block b, counted from the lowest of the word, at bit
//!
//! ```text
//! j * BLOCKS + b
//! ```
//!
//! A rotation of words by eight bits rotates the planes by a quarter; one by two renames them, with
//! two that come from the byte below. Planes of 64 bits hold sixteen blocks (`portable64`), of 32
//! bits eight (`portable32`); both run the code of this file. The S-box is that of AES between two
//! linear maps.

use adamant_base::{BlockCipher, Secret, Wipe};

use super::affine::{AES_OUT, AES_OUT_CONSTANT, INTO, INTO_CONSTANT, Matrix};
use super::{RoundKeys, schedule};
use crate::aes::portable::{self as aes, State as Word, sub_bytes};

/// A plane of a word of every block.
pub(super) trait Plane: aes::Plane {
    /// Blocks in a group.
    const BLOCKS: usize;

    /// `<<< 8` of the word that the plane is of.
    fn rotate_8(self) -> Self;
    /// The plane in which bit `BLOCKS j + b` is bit j of `bits`.
    fn spread(bits: u32) -> Self;
    /// The words of a group of blocks.
    fn slice(blocks: &[[u8; 16]]) -> [Word<Self>; 4];
    /// The group of blocks of these words.
    fn unslice(words: &[Word<Self>; 4], blocks: &mut [[u8; 16]]);
}

/// Every byte times a matrix, and a constant.
#[inline(always)]
fn map<P: Plane>(q: &mut Word<P>, matrix: Matrix, constant: u8) {
    let x = *q;
    for (i, plane) in q.iter_mut().enumerate() {
        *plane = if constant >> i & 1 == 1 {
            !P::ZERO
        } else {
            P::ZERO
        };
        for (j, x) in x.iter().enumerate() {
            if matrix.0[i] >> j & 1 == 1 {
                *plane ^= *x;
            }
        }
    }
}

/// The S-box (6.2) on every byte.
#[inline(always)]
fn tau<P: Plane>(q: &mut Word<P>) {
    map(q, INTO, INTO_CONSTANT);
    sub_bytes(q);
    map(q, AES_OUT, AES_OUT_CONSTANT);
}

/// `word <<< 8` in every block.
#[inline(always)]
fn rotate_8<P: Plane>(q: &Word<P>) -> Word<P> {
    q.map(|plane| plane.rotate_8())
}

/// `word <<< 2` in every block.
#[inline(always)]
fn rotate_2<P: Plane>(q: &Word<P>) -> Word<P> {
    let below = rotate_8(q);
    core::array::from_fn(|i| if i < 2 { below[i + 6] } else { q[i - 2] })
}

/// L (6.2): b + (b <<< 2) + (b <<< 10) + (b <<< 18) + (b <<< 24).
#[inline(always)]
fn linear<P: Plane>(b: &Word<P>) -> Word<P> {
    let by_8 = rotate_8(b);
    let by_16 = rotate_8(&by_8);
    let by_24 = rotate_8(&by_16);
    let three = core::array::from_fn(|i| b[i] ^ by_8[i] ^ by_16[i]);
    let turned = rotate_2(&three);
    core::array::from_fn(|i| b[i] ^ turned[i] ^ by_24[i])
}

/// Bits 0, 8, 16 and 24 of a word, side by side.
fn lowest(word: u32) -> u32 {
    word & 1 | word >> 7 & 2 | word >> 14 & 4 | word >> 21 & 8
}

/// The planes of a word that is the same in every block.
fn same<P: Plane>(word: u32) -> Word<P> {
    core::array::from_fn(|i| P::spread(lowest(word >> i)))
}

// Bit 8 k + m of a plane comes from byte k of row m. With BLOCKS j + b = 8 k + m, the rows of eight
// blocks are the blocks; of sixteen, that is byte j = k / 2 of block b = 8 (k % 2) + m, so row m
// holds the bytes of blocks m and m + 8 in turn.
macro_rules! plane {
    ($word:ty, $blocks:literal) => {
        impl Plane for $word {
            const BLOCKS: usize = $blocks;

            #[inline(always)]
            fn rotate_8(self) -> Self {
                self.rotate_left($blocks)
            }

            fn spread(bits: u32) -> Self {
                let bit = |j: u32| <$word>::from(bits >> j & 1) << ($blocks * j);
                (bit(0) | bit(1) | bit(2) | bit(3)) * ((1 << $blocks) - 1)
            }

            fn slice(blocks: &[[u8; 16]]) -> [Word<Self>; 4] {
                core::array::from_fn(|word| {
                    let mut rows: Word<Self> = [0; 8];
                    for (b, block) in blocks.iter().enumerate() {
                        let bytes = block.as_chunks::<4>().0[word];
                        for (j, byte) in bytes.iter().rev().enumerate() {
                            rows[b % 8] |= <$word>::from(*byte) << ($blocks * j + b / 8 * 8);
                        }
                    }
                    aes::transpose!($word, rows);
                    rows
                })
            }

            fn unslice(words: &[Word<Self>; 4], blocks: &mut [[u8; 16]]) {
                for (word, planes) in words.iter().enumerate() {
                    let mut rows = *planes;
                    aes::transpose!($word, rows);
                    for (b, block) in blocks.iter_mut().enumerate() {
                        let bytes = &mut block.as_chunks_mut::<4>().0[word];
                        for (j, byte) in bytes.iter_mut().rev().enumerate() {
                            *byte = (rows[b % 8] >> ($blocks * j + b / 8 * 8)) as u8;
                        }
                    }
                }
            }
        }
    };
}
plane!(u32, 8);
plane!(u64, 16);

/// SM4 under one key, its round keys as planes.
pub(super) struct Sliced<P: Plane>(Secret<[Word<P>; 32]>);

impl<P: Plane> Sliced<P> {
    pub(super) fn new(keys: &RoundKeys) -> Self {
        Sliced(Secret::new(keys.words.map(same)))
    }

    /// The 32 rounds and the reversal after them (7.1).
    #[inline(always)]
    fn crypt<'a>(&self, blocks: &mut [[u8; 16]], keys: impl Iterator<Item = &'a Word<P>> + Clone)
    where
        P: 'a,
    {
        for blocks in blocks.chunks_mut(<P as Plane>::BLOCKS) {
            let [mut a, mut b, mut c, mut d] = <P as Plane>::slice(blocks);
            for key in keys.clone() {
                let mut t: Word<P> = core::array::from_fn(|i| b[i] ^ c[i] ^ d[i] ^ key[i]);
                tau(&mut t);
                let t = linear(&t);
                let next = core::array::from_fn(|i| a[i] ^ t[i]);
                (a, b, c, d) = (b, c, d, next);
            }
            <P as Plane>::unslice(&[d, c, b, a], blocks);
        }
    }
}

impl<P: Plane> BlockCipher for Sliced<P> {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.crypt(blocks, self.0.iter());
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.crypt(blocks, self.0.iter().rev());
    }
}

/// The key schedule, on planes of 32 bits.
pub(super) fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
    keys.words = *schedule(key, |word| {
        // The bytes of the word are those of four blocks' lowest.
        let mut q: Word<u32> = core::array::from_fn(|i| lowest(word >> i));
        tau(&mut q);
        let byte = |j: usize| (0..8).fold(0, |byte, i| byte | ((q[i] >> j & 1) as u8) << i);
        let out = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        q.wipe();
        out
    });
}

/// Makes the functions of a table's row, those of the trait on a key sliced into these planes.
macro_rules! row {
    ($plane:ty) => {
        use super::RoundKeys;
        use super::portable::Sliced;
        use adamant_base::BlockCipher;

        pub(super) use super::portable::expand;

        $crate::sm4::portable::row! { @each $plane:
            encrypt_blocks(blocks: &mut [[u8; 16]])
            decrypt_blocks(blocks: &mut [[u8; 16]])
            ctr(counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]])
            cbc_encrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
            cbc_decrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
            cbc_mac(sum: &mut [u8; 16], blocks: &[[u8; 16]])
            xts_encrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
            xts_decrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
        }
    };
    (@each $plane:ty: $($name:ident($($argument:ident: $type:ty),*))+) => { $(
        pub(super) fn $name(keys: &RoundKeys, $($argument: $type),*) {
            Sliced::<$plane>::new(keys).$name($($argument),*);
        }
    )+ };
}
pub(super) use row;
