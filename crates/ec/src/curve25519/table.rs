//! Multiples of the base point B. Their file holds the coordinates that [`Niels`] has, 32 bytes each,
//! least significant first; the test beside it computes them all (`ADAMANT_WRITE=1` writes it).

use super::edwards::Niels;
use super::field::{Fe, Words};
use crate::limbs::{self, words};

#[cfg(test)]
pub(super) mod tests;

/// The rows of the comb in the file.
const ALL_ROWS: usize = 32;
/// The odd multiples in the file of either point.
const ALL_ODDS: usize = 64;

/// The bytes of a point.
const POINT: usize = 96;

/// The file: all of [`COMB`], of [`ODD`] and of [`ODD_HIGH`].
const FILE: &[u8; POINT * (8 * ALL_ROWS + 2 * ALL_ODDS)] = include_bytes!("table/multiples.bin");
const WORDS: &[u64; FILE.len() / 8] = &words(FILE);

/// Where [`COMB`], [`ODD`] and [`ODD_HIGH`] begin.
pub(super) const AT: [usize; 3] = [0, 8 * ALL_ROWS, 8 * ALL_ROWS + ALL_ODDS];

/// The rows of the comb.
pub(super) const ROWS: usize = if cfg!(feature = "tables") {
    ALL_ROWS
} else {
    1
};

/// Entry `8 i + j` is `(j + 1) 256^i B`: what a signed radix-16 number needs, 4 doublings shared
/// between its even and its odd digits. 30 KB; without the feature `tables` there is one row, and
/// each digit has doublings of its own.
pub(super) static COMB: [Niels; 8 * ROWS] = read(AT[0]);

/// The width of the non-adjacent form that [`ODD`] is for.
pub(super) const ODD_WIDTH: u32 = if cfg!(feature = "tables") { 8 } else { 5 };
/// The entries of [`ODD`].
pub(super) const ODDS: usize = 1 << (ODD_WIDTH - 2);

/// Entry `i` is `(2 i + 1) B`: odd digits up to 127, for verification. 7.5 KB; 1 KB and up to 15
/// without tables.
pub(super) static ODD: [Niels; ODDS] = read(AT[1]);
/// Entry `i` is `(2 i + 1) 2^128 B`, as long.
pub(super) static ODD_HIGH: [Niels; ODDS] = read(AT[2]);

/// Multiples of a point in a [`Row`].
pub(super) const ENTRIES: usize = 16;

/// Sixteen multiples of a point as vector registers pick them: the limbs of y+x, then of y-x, then of
/// 2dxy, two registers to a limb.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(super) struct Row(pub(super) [[u64; ENTRIES]; 15]);

impl Row {
    /// Of these points.
    #[inline]
    pub(super) fn new(points: &[Niels; ENTRIES]) -> Row {
        let mut row = Row([[0; ENTRIES]; 15]);
        for (i, point) in points.iter().enumerate() {
            let coordinates = [point.y_plus_x, point.y_minus_x, point.xy2d];
            let limbs = coordinates.iter().flat_map(Fe::limbs);
            for (to, limb) in row.0.iter_mut().zip(limbs) {
                to[i] = *limb;
            }
        }
        row
    }
}

/// y+x, y-x and 2dxy of a point of the file.
pub(super) const fn coordinates(i: usize) -> &'static [Words; 3] {
    limbs::coordinates(WORDS, i)
}

/// The functions that read points of a file, or some from one of the file on, for a field `Fe`.
macro_rules! reading {
    () => {
        pub(super) const fn niels([y_plus_x, y_minus_x, xy2d]: &[Words; 3]) -> Niels<Fe> {
            Niels {
                y_plus_x: Fe::from_words(y_plus_x),
                y_minus_x: Fe::from_words(y_minus_x),
                xy2d: Fe::from_words(xy2d),
            }
        }

        const fn read<const N: usize>(from: usize) -> [Niels<Fe>; N] {
            let (mut read, mut i) = ([Niels::ZERO; N], 0);
            while i < N {
                read[i] = niels($crate::curve25519::table::coordinates(from + i));
                i += 1;
            }
            read
        }
    };
}
#[cfg(any(
    feature = "lab",
    not(target_pointer_width = "64"),
    target_arch = "aarch64"
))]
pub(super) use reading;
reading!();
