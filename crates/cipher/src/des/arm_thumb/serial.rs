//! One block at a time, in assembly.
//!
//! An S-box is looked up in registers. Output o is a function of six inputs, two words of a bit for each
//! case of five of them; the sixth input chooses one of these words by a mask, the five rotate it, and
//! the bit that arrives at the top goes by the carry into a word that gathers the outputs. Rotations by a
//! register take one cycle, whatever it holds.
//!
//! Inputs of one S-box of two are in a byte each of R and the round key: five that rotate are its lowest,
//! the sixth is the highest bit of the byte below, which the shift from byte to byte leaves in the carry.
//! L and R are rotated by 12, so that this holds of one half of the S-boxes in R, and of the other in R
//! rotated by 4 more. The order of outputs is such that the permutation is a sum of nine rotations.
//!
//! The text is that of ARM's other instructions as well: where Rust compiles to those, as for Linux on
//! ARMv7, they are what it becomes.

use core::arch::naked_asm;

use adamant_base::{Block, Secret};

use crate::des::RoundKeys;
use crate::des::serial::{enter, leave};
use crate::des::tables::{TARGET, substitute};

/// How far L and R are rotated, and R once more for the first four S-boxes.
const TURN: u32 = 12;
const AGAIN: u32 = 4;

/// S-boxes and outputs of each in the order in which they are gathered.
const ORDER: [(usize, [usize; 4]); 8] = [
    (1, [0, 1, 2, 3]),
    (7, [2, 0, 3, 1]),
    (5, [3, 0, 1, 2]),
    (3, [0, 1, 3, 2]),
    (2, [1, 0, 3, 2]),
    (0, [3, 0, 1, 2]),
    (6, [1, 0, 3, 2]),
    (4, [3, 0, 2, 1]),
];

/// Rotations to the right whose sum is the permutation, each from the one before.
const ROTATIONS: [u32; 9] = [0, 1, 1, 4, 1, 7, 5, 7, 4];

/// What [`rounds`] reads, in this order.
#[repr(C)]
struct Tables {
    /// For each S-box and output: the cases of five inputs for one value of the sixth, the last, and what
    /// is added for the other.
    cases: [[[u32; 2]; 4]; 8],
    /// Bits of the sum for each rotation.
    masks: [u32; 9],
}

static TABLES: Tables = {
    let mut tables = Tables {
        cases: [[[0; 2]; 4]; 8],
        masks: [0; 9],
    };
    let (mut place, mut all) = (0, 0u32);
    while place < 32 {
        let (s, outputs) = ORDER[place / 4];
        let o = outputs[place % 4];
        let mut of_sixth = [0; 2];
        let mut v = 0;
        while v < 64 {
            let bit = substitute(s, v) >> (3 - o) & 1;
            of_sixth[v & 1] |= (bit as u32) << ((31 + v / 2) % 32);
            v += 1;
        }
        // The mask is that input in the lowest byte, and its complement in the others.
        let first = if place / 4 % 4 == 0 { 0 } else { 1 };
        tables.cases[place / 4][place % 4] = [of_sixth[first], of_sixth[0] ^ of_sixth[1]];
        // From the place where it is gathered to that of L, which is rotated.
        let from = 31 - place as u32;
        let to = (31 - TARGET[s][o] as u32 + TURN) % 32;
        let (mut i, mut turned) = (0, 0);
        while i < 9 {
            turned += ROTATIONS[i];
            if (from + 32 - turned) % 32 == to {
                tables.masks[i] |= 1 << to;
                all |= 1 << to;
            }
            i += 1;
        }
        place += 1;
    }
    assert!(all == u32::MAX);
    tables
};

/// A round key of the portable code as [`rounds`] wants it: for the S-boxes of an odd number from 0, and
/// for the others.
#[inline]
pub(in crate::des) fn round_key(key: &[u32; 6]) -> [u32; 2] {
    let mut halves = [0; 2];
    for (i, word) in (0..).zip(key) {
        for s in 0..8 {
            let is_odd = s % 2;
            let place = (TURN + 64 - AGAIN * is_odd - 4 * s - i) % 32;
            halves[1 - is_odd as usize] |= (word >> (28 - 4 * s) & 1) << place;
        }
    }
    halves
}

/// What a chosen S-box, by the mask in r2 and the cases in r1, puts into the word in r3.
#[rustfmt::skip] // an instruction a line
macro_rules! s_box {
    () => {
        concat!(s_box!(two), s_box!(two))
    };
    (two) => {
        concat!(
            "ldm r0!, {{r4, r5, r6, r7}}\n",
            "ands r5, r2\n",
            "eors r4, r5\n",
            "rors r4, r1\n",
            "adcs r3, r3\n",
            "ands r7, r2\n",
            "eors r6, r7\n",
            "rors r6, r1\n",
            "adcs r3, r3\n",
        )
    };
    (four) => {
        concat!(
            "asrs r2, r1, #31\n", s_box!(),
            "lsrs r1, r1, #8\n", "sbcs r2, r2\n", s_box!(),
            "lsrs r1, r1, #8\n", "sbcs r2, r2\n", s_box!(),
            "lsrs r1, r1, #8\n", "sbcs r2, r2\n", s_box!(),
        )
    };
}

/// 16 rounds on L and R.
///
/// R is in r8, L in r9, the second four S-boxes' inputs in r10, the next round key at r11, their end in
/// lr. Bits 5 of bytes, which are in r12, are always set: amounts of 0 would leave the carry as it is.
#[unsafe(naked)]
#[allow(unsafe_code)] // In assembly.
unsafe extern "C" fn rounds(
    halves: *mut [u32; 2],
    keys: *const [[u32; 2]; 16],
    tables: *const Tables,
) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "mov r4, r8",
        "mov r5, r9",
        "mov r6, r10",
        "mov r7, r11",
        "push {{r4, r5, r6, r7}}",
        "push {{r0, r1, r2}}",
        "ldr r4, [r0]",
        "mov r9, r4",
        "ldr r4, [r0, #4]",
        "mov r8, r4",
        "mov r11, r1",
        "adds r1, #128",
        "mov lr, r1",
        "movs r4, #32",
        "lsls r5, r4, #8",
        "orrs r4, r5",
        "lsls r5, r4, #16",
        "orrs r4, r5",
        "mov r12, r4",
        "2:",
        "ldr r0, [sp, #8]",
        "mov r4, r11",
        "ldm r4!, {{r5, r6}}",
        "mov r11, r4",
        "mov r2, r8",
        "movs r1, r2",
        "movs r7, #4",
        "rors r1, r7",
        "eors r1, r5",
        "eors r2, r6",
        "mov r7, r12",
        "orrs r1, r7",
        "orrs r2, r7",
        "mov r10, r2",
        s_box!(four),
        "mov r1, r10",
        s_box!(four),
        "ldm r0!, {{r1, r4, r5}}",
        "ands r1, r3",
        "movs r2, #1",
        "rors r3, r2",
        "ands r4, r3",
        "eors r1, r4",
        "rors r3, r2",
        "ands r5, r3",
        "eors r1, r5",
        "ldm r0!, {{r4, r5, r6}}",
        "movs r7, #4",
        "rors r3, r7",
        "ands r4, r3",
        "eors r1, r4",
        "rors r3, r2",
        "ands r5, r3",
        "eors r1, r5",
        "movs r7, #7",
        "rors r3, r7",
        "ands r6, r3",
        "eors r1, r6",
        "ldm r0!, {{r4, r5, r6}}",
        "movs r2, #5",
        "rors r3, r2",
        "ands r4, r3",
        "eors r1, r4",
        "rors r3, r7",
        "ands r5, r3",
        "eors r1, r5",
        "movs r2, #4",
        "rors r3, r2",
        "ands r6, r3",
        "eors r1, r6",
        "mov r2, r9",
        "eors r1, r2",
        "mov r2, r8",
        "mov r9, r2",
        "mov r8, r1",
        "cmp r11, lr",
        "beq 3f",
        "b 2b",
        "3:",
        "pop {{r0, r1, r2}}",
        "mov r1, r9",
        "str r1, [r0]",
        "mov r1, r8",
        "str r1, [r0, #4]",
        "pop {{r4, r5, r6, r7}}",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        "pop {{r4, r5, r6, r7}}",
        "pop {{r3}}",
        "bx r3",
    )
}

/// All rounds on a block.
#[inline]
#[allow(unsafe_code)] // In assembly.
fn crypt(block: [u8; 8], keys: &[[[u32; 2]; 16]]) -> [u8; 8] {
    let mut halves = enter(u64::from_be_bytes(block)).map(|half| half.rotate_left(TURN));
    for keys in keys {
        // SAFETY: it reads and writes the halves, and reads the keys and the tables.
        unsafe { rounds(&raw mut halves, keys, &raw const TABLES) };
        halves.swap(0, 1);
    }
    leave(halves.map(|half| half.rotate_right(TURN))).to_be_bytes()
}

/// Encrypts a block.
fn encrypt(keys: &RoundKeys, block: [u8; 8]) -> [u8; 8] {
    crypt(block, &keys.pairs.as_chunks().0[..keys.passes])
}

/// Encrypts or decrypts blocks one by one.
pub(super) fn crypt_each<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    let mut pairs = Secret::new(keys.pairs);
    let pairs = &mut pairs[..16 * keys.passes];
    if DECRYPT {
        pairs.reverse();
    }
    for block in blocks {
        *block = crypt(*block, pairs.as_chunks().0);
    }
}

pub(in crate::des) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
    for block in blocks {
        *block = encrypt(keys, block.xor(*iv));
        *iv = *block;
    }
}

pub(in crate::des) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 8], blocks: &[[u8; 8]]) {
    for block in blocks {
        *sum = encrypt(keys, sum.xor(*block));
    }
}
