//! SM4 in plain integer operations, bitsliced: GB/T 32907 without a table.
//!
//! Sixteen blocks are turned on their side: plane i of a word holds bit i of every byte, byte j of
//! block b, counted from the lowest of the word, at bit `16 j + b`. A rotation of words by eight
//! bits rotates the planes by sixteen; one by two renames them, with two that come from the byte
//! below. The S-box is that of AES between two linear maps.

use adamant_base::{BlockCipher, Secret, Wipe};

use super::affine::{AES_OUT, AES_OUT_CONSTANT, INTO, INTO_CONSTANT, Matrix};
use super::{RoundKeys, schedule};
use crate::aes::portable::{State as Planes, sub_bytes};

/// Blocks in a group.
const BLOCKS: usize = 16;

/// A word of every block, plane by plane.
type Word = Planes<u64>;

/// Every byte times a matrix, and a constant.
#[inline(always)]
fn map(q: &mut Word, matrix: Matrix, constant: u8) {
    let x = *q;
    for (i, plane) in q.iter_mut().enumerate() {
        *plane = if constant >> i & 1 == 1 { u64::MAX } else { 0 };
        for (j, x) in x.iter().enumerate() {
            if matrix.0[i] >> j & 1 == 1 {
                *plane ^= x;
            }
        }
    }
}

/// The S-box (6.2) on every byte.
#[inline(always)]
fn tau(q: &mut Word) {
    map(q, INTO, INTO_CONSTANT);
    sub_bytes(q);
    map(q, AES_OUT, AES_OUT_CONSTANT);
}

/// `word <<< 8` in every block.
#[inline(always)]
fn rotate_8(q: &Word) -> Word {
    q.map(|plane| plane.rotate_left(16))
}

/// `word <<< 2` in every block.
#[inline(always)]
fn rotate_2(q: &Word) -> Word {
    let below = rotate_8(q);
    core::array::from_fn(|i| if i < 2 { below[i + 6] } else { q[i - 2] })
}

/// L (6.2): b + (b <<< 2) + (b <<< 10) + (b <<< 18) + (b <<< 24).
#[inline(always)]
fn linear(b: &Word) -> Word {
    let by_8 = rotate_8(b);
    let by_16 = rotate_8(&by_8);
    let by_24 = rotate_8(&by_16);
    let three = core::array::from_fn(|i| b[i] ^ by_8[i] ^ by_16[i]);
    let turned = rotate_2(&three);
    core::array::from_fn(|i| b[i] ^ turned[i] ^ by_24[i])
}

/// The planes of a word that is the same in every block.
fn same(word: u32) -> Word {
    core::array::from_fn(|i| {
        let bits = word >> i;
        let bit = |j: u32| u64::from(bits >> (8 * j) & 1) << (16 * j);
        (bit(0) | bit(1) | bit(2) | bit(3)) * 0xffff
    })
}

/// Transposes 8×8 bits in each byte column of eight words.
fn transpose(w: &mut [u64; 8]) {
    for (step, mask) in [(1, 0x55), (2, 0x33), (4, 0x0f)] {
        let mask = u64::MAX / 255 * mask;
        for low in (0..8).filter(|i| i & step == 0) {
            let t = ((w[low] >> step) ^ w[low + step]) & mask;
            w[low] ^= t << step;
            w[low + step] ^= t;
        }
    }
}

// Bit 8 k + m of a plane comes from byte k of row m: with 16 j + b = 8 k + m, that is byte j = k / 2
// of block b = 8 (k % 2) + m, so row m holds the bytes of blocks m and m + 8 in turn.
fn slice(blocks: &[[u8; 16]]) -> [Word; 4] {
    core::array::from_fn(|word| {
        let mut rows = [0; 8];
        for (b, block) in blocks.iter().enumerate() {
            let bytes = block.as_chunks::<4>().0[word];
            for (j, byte) in bytes.iter().rev().enumerate() {
                rows[b % 8] |= u64::from(*byte) << (16 * j + b / 8 * 8);
            }
        }
        transpose(&mut rows);
        rows
    })
}

fn unslice(words: &[Word; 4], blocks: &mut [[u8; 16]]) {
    for (word, planes) in words.iter().enumerate() {
        let mut rows = *planes;
        transpose(&mut rows);
        for (b, block) in blocks.iter_mut().enumerate() {
            let bytes = &mut block.as_chunks_mut::<4>().0[word];
            for (j, byte) in bytes.iter_mut().rev().enumerate() {
                *byte = (rows[b % 8] >> (16 * j + b / 8 * 8)) as u8;
            }
        }
    }
}

/// SM4 under one key, its round keys as planes.
struct Sliced(Secret<[Word; 32]>);

impl Sliced {
    fn new(keys: &RoundKeys) -> Self {
        Sliced(Secret::new(keys.words.map(same)))
    }

    /// The 32 rounds and the reversal behind them (7.1).
    #[inline(always)]
    fn crypt<'a>(&self, blocks: &mut [[u8; 16]], keys: impl Iterator<Item = &'a Word> + Clone) {
        for blocks in blocks.chunks_mut(BLOCKS) {
            let [mut a, mut b, mut c, mut d] = slice(blocks);
            for key in keys.clone() {
                let mut t: Word = core::array::from_fn(|i| b[i] ^ c[i] ^ d[i] ^ key[i]);
                tau(&mut t);
                let t = linear(&t);
                let next = core::array::from_fn(|i| a[i] ^ t[i]);
                (a, b, c, d) = (b, c, d, next);
            }
            unslice(&[d, c, b, a], blocks);
        }
    }
}

impl BlockCipher for Sliced {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.crypt(blocks, self.0.iter());
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.crypt(blocks, self.0.iter().rev());
    }
}

pub(super) fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
    keys.words = *schedule(key, |word| {
        // The bytes of the word are those of four blocks' lowest.
        let bytes = word.to_le_bytes();
        let mut q = core::array::from_fn(|i| {
            let bit = |j: usize| u64::from(bytes[j] >> i & 1) << j;
            bit(0) | bit(1) | bit(2) | bit(3)
        });
        tau(&mut q);
        let byte = |j: usize| (0..8).fold(0, |byte, i| byte | ((q[i] >> j & 1) as u8) << i);
        let out = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        q.wipe();
        out
    });
}

/// The functions of the row, those of the trait on a sliced key.
macro_rules! row {
    ($($name:ident($($argument:ident: $type:ty),*))+) => { $(
        pub(super) fn $name(keys: &RoundKeys, $($argument: $type),*) {
            Sliced::new(keys).$name($($argument),*);
        }
    )+ };
}
row! {
    encrypt_blocks(blocks: &mut [[u8; 16]])
    decrypt_blocks(blocks: &mut [[u8; 16]])
    ctr(counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]])
    cbc_encrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
    cbc_decrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
    cbc_mac(sum: &mut [u8; 16], blocks: &[[u8; 16]])
    xts_encrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
    xts_decrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
}
