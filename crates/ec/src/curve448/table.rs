//! Multiples of the base point B. Their file holds the coordinates that [`Niels`] has, 56 bytes each,
//! least significant first; the test beside it computes them all (`ADAMANT_WRITE=1` writes it).

use super::edwards::Niels;
use super::field::{BYTES, Fe, Words};
use super::scalar::DIGITS;
use crate::limbs::{self, words};

#[cfg(test)]
mod tests;

/// The rows of the comb in the file.
const ALL_ROWS: usize = DIGITS / 2;
/// The odd multiples in the file.
const ALL_ODDS: usize = 64;

/// The bytes of a point.
const POINT: usize = 3 * BYTES;

/// The file: all of [`COMB`], then all of [`ODD`].
const FILE: &[u8; POINT * (8 * ALL_ROWS + ALL_ODDS)] = include_bytes!("table/multiples.bin");
const WORDS: &[u64; FILE.len() / 8] = &words(FILE);

/// Where [`COMB`] and [`ODD`] begin.
pub(super) const AT: [usize; 2] = [0, 8 * ALL_ROWS];

/// The rows of the comb.
pub(super) const ROWS: usize = if cfg!(feature = "tables") {
    ALL_ROWS
} else {
    1
};

/// Entry `8 i + j` is `(j + 1) 256^i B`: what a signed radix-16 number needs, 4 doublings shared
/// between its even and its odd digits. 84 KB; without the feature `tables` there is one row, and
/// each digit has doublings of its own.
pub(super) static COMB: [Niels; 8 * ROWS] = read(AT[0]);

/// The width of the non-adjacent form that [`ODD`] is for.
pub(super) const ODD_WIDTH: u32 = if cfg!(feature = "tables") { 8 } else { 5 };
/// The entries of [`ODD`].
pub(super) const ODDS: usize = 1 << (ODD_WIDTH - 2);

/// Entry `i` is `(2 i + 1) B`: odd digits up to 127, for verification. 12 KB; 1.5 KB and up to 15
/// without tables.
pub(super) static ODD: [Niels; ODDS] = read(AT[1]);

/// x, y and dxy of a point of the file.
pub(super) const fn coordinates(i: usize) -> &'static [Words; 3] {
    limbs::coordinates(WORDS, i)
}

/// The function that reads the points from one of the file on, in their lowest terms, for a field `Fe`.
macro_rules! reading {
    () => {
        const fn read<const N: usize>(from: usize) -> [Niels<Fe>; N] {
            let (mut read, mut i) = ([Niels::ZERO; N], 0);
            while i < N {
                let [x, y, dt] = $crate::curve448::table::coordinates(from + i);
                read[i] = Niels {
                    x: Fe::from_words(x),
                    y: Fe::from_words(y),
                    dt: Fe::from_words(dt),
                };
                i += 1;
            }
            read
        }
    };
}
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
pub(super) use reading;
reading!();
