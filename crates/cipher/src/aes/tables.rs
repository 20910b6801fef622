//! AES with tables, as software used to have it: the place of a look-up tells of the key and the
//! data to whoever watches the cache. For comparison only.
//!
//! A row of the table is a module made by [`row`]: they differ in how the bytes of a column become
//! its sum.

use super::{RoundKeys, product};

/// SubBytes and its inverse (5.1.1, 5.3.2).
const S_BOXES: [[u8; 256]; 2] = {
    let (mut forth, mut back) = ([0; 256], [0; 256]);
    // x runs through the powers of 3, y through those of 1 / 3.
    let (mut x, mut y, mut i) = (1u8, 1u8, 0);
    while i < 256 {
        let affine =
            y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4) ^ 0x63;
        forth[x as usize] = affine;
        back[affine as usize] = x;
        (x, y) = (product(x, 3), product(y, 0xf6));
        i += 1;
        if i == 255 {
            // Zero is its own inverse here.
            (x, y) = (0, 0);
        }
    }
    [forth, back]
};

/// The S-box of the cipher.
pub(super) static S_BOX: [u8; 256] = S_BOXES[0];
/// The S-box of the inverse cipher.
pub(super) static INVERSE: [u8; 256] = S_BOXES[1];

/// The first column of MixColumns (5.1.3), row 0 lowest, and of its inverse (5.3.3).
const MIX: [[u8; 4]; 2] = [[2, 1, 1, 3], [14, 9, 13, 11]];

/// For each byte in row 0: what it becomes in its column.
const fn columns(direction: usize) -> [u32; 256] {
    let (mut table, mut x) = ([0; 256], 0);
    while x < 256 {
        let (s, mut row) = (S_BOXES[direction][x], 0);
        while row < 4 {
            table[x] |= (product(s, MIX[direction][row]) as u32) << (8 * row);
            row += 1;
        }
        x += 1;
    }
    table
}

/// SubBytes and MixColumns of a byte in row 0; in row r the column is rotated by r bytes.
pub(super) static COLUMNS: [u32; 256] = columns(0);
/// The same of the inverse cipher.
pub(super) static INVERSE_COLUMNS: [u32; 256] = columns(1);

/// The bytes that ShiftRows (5.1.2), or its inverse (5.3.1), brings into column `c`.
#[inline(always)]
fn shifted<const DECRYPT: bool>(state: [u32; 4], c: usize) -> [u8; 4] {
    core::array::from_fn(|row| {
        let from = if DECRYPT { c + 4 - row } else { c + row };
        (state[from % 4] >> (8 * row)) as u8
    })
}

/// The cipher (5.1) or the equivalent inverse cipher (5.3.5) on a block; `column` is what a column
/// of shifted bytes becomes in a round, the key apart.
#[inline(always)]
pub(super) fn crypt<const DECRYPT: bool>(
    keys: &RoundKeys,
    block: [u8; 16],
    column: impl Fn([u8; 4]) -> u32,
) -> [u8; 16] {
    let (keys, s_box) = if DECRYPT {
        (&keys.decrypt[..=keys.rounds], &INVERSE)
    } else {
        (&keys.encrypt[..=keys.rounds], &S_BOX)
    };
    let words = |bytes: &[u8; 16]| -> [u32; 4] {
        core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i]))
    };
    let mut state = words(&block);
    if let [first, middle @ .., last] = keys {
        let key = words(first);
        state = core::array::from_fn(|c| state[c] ^ key[c]);
        for key in middle {
            let key = words(key);
            state = core::array::from_fn(|c| column(shifted::<DECRYPT>(state, c)) ^ key[c]);
        }
        let key = words(last);
        state = core::array::from_fn(|c| {
            let bytes = shifted::<DECRYPT>(state, c).map(|byte| s_box[usize::from(byte)]);
            u32::from_le_bytes(bytes) ^ key[c]
        });
    }
    let mut out = [0; 16];
    for (to, column) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *to = column.to_le_bytes();
    }
    out
}

/// Makes the functions of a table's row from what a column becomes in either direction.
macro_rules! row {
    ($encrypt:path, $decrypt:path) => {
        use super::RoundKeys;
        use super::tables::crypt;
        use adamant_base::Block;

        pub(super) use super::portable::expand;

        pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            for block in blocks {
                *block = crypt::<false>(keys, *block, $encrypt);
            }
        }

        pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            for block in blocks {
                *block = crypt::<true>(keys, *block, $decrypt);
            }
        }

        pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            for block in blocks {
                *sum = crypt::<false>(keys, sum.xor(*block), $encrypt);
            }
        }

        $crate::loops::from_blocks! {
            RoundKeys, 16, 64, []:
            ctr(counter, width) cbc_encrypt(iv) cbc_decrypt(iv) xts_encrypt(tweak) xts_decrypt(tweak)
        }
    };
}
pub(super) use row;
