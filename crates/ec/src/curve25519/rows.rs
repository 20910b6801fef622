//! Odd multiples of the base point for digits of five bits, and these digits. On x86 vector
//! registers pick them, limb by limb, sixteen to a limb.

use super::field::Words;
use super::scalar::Scalar;
pub(super) use super::table::ENTRIES;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) use super::table::Row;
use crate::limbs::{self, words};
use adamant_base::Secret;

#[cfg(test)]
mod tests;

/// Bits of a digit.
pub(super) const WINDOW: usize = 5;
// A row has the odd multiples of a signed digit.
const _: () = assert!(ENTRIES == 1 << (WINDOW - 1));
/// Digits of a scalar.
pub(super) const DIGITS: usize = 51;
/// Rows: for the digits of even index.
pub(super) const ROWS: usize = DIGITS.div_ceil(2);

/// The multiples row after row, y+x, y-x and 2dxy of each, canonical, as the test beside it computes
/// them.
const FILE: &[u8; 96 * ROWS * ENTRIES] = include_bytes!("rows/multiples.bin");
const WORDS: &[u64; FILE.len() / 8] = &words(FILE);

/// Row i holds 1, 3, 5, … 31 times 2^(10 i) B in limbs of 51 bits. 50 KB.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) static RADIX_51: [Row; ROWS] = rows(51);
/// The same in limbs of 52 bits.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) static RADIX_52: [Row; ROWS] = rows(52);

/// The digits of a scalar below 2^256, modulo l, in radix 32: `2 b_i - 31` for the five bits `b_i`
/// at `5 i` of these words, odd numbers all of them.
///
/// For an odd scalar k that is b = (k + 32^51 - 1) / 2; to an even one l is added.
#[inline(always)]
pub(super) fn odd_digits(scalar: &[u8; 32]) -> Secret<[u64; 4]> {
    let mut b = Secret::new(Scalar::reduce(scalar).odd_words());
    for i in 0..3 {
        b[i] = b[i] >> 1 | b[i + 1] << 63;
    }
    b[3] = b[3] >> 1 | 1 << (DIGITS * WINDOW - 1 - 192);
    b
}

/// y+x, y-x and 2dxy of a multiple.
pub(super) const fn coordinates(i: usize) -> &'static [Words; 3] {
    limbs::coordinates(WORDS, i)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const fn rows(radix: usize) -> [Row; ROWS] {
    let mut rows = [Row([[0; ENTRIES]; 15]); ROWS];
    let mut i = 0;
    while i < ROWS * ENTRIES {
        let coordinates = coordinates(i);
        let mut k = 0;
        while k < 3 {
            let limbs: [u64; 5] = limbs::split(&coordinates[k], radix);
            let mut j = 0;
            while j < 5 {
                rows[i / ENTRIES].0[5 * k + j][i % ENTRIES] = limbs[j];
                j += 1;
            }
            k += 1;
        }
        i += 1;
    }
    rows
}
