//! The multiples of the base point as lanes pick them: in Montgomery's form for R = 2^260, limb by
//! limb.

use super::super::table::{self, ENTRIES, ROWS, TABLE};
use super::field::split52;

/// A limb of every entry of a row: two registers.
pub(super) type Limb = [u64; ENTRIES];

/// The limbs of x, then of y, of a row.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(super) struct Row(pub(super) [Limb; 10]);

/// Row i holds 1, 3, 5, … 31 times 2^(5 i) G.
pub(super) static ROWS_OF_LIMBS: [Row; ROWS + 1] = build();

const fn build() -> [Row; ROWS + 1] {
    let mut rows = [Row([[0; ENTRIES]; 10]); ROWS + 1];
    let mut i = 0;
    while i <= ROWS {
        let mut entry = 0;
        while entry < ENTRIES {
            let mut coordinate = 0;
            while coordinate < 2 {
                let words = &TABLE.0[i][entry];
                let at = 4 * coordinate;
                // From 2^256 x to 2^260 x.
                let mut x = [words[at], words[at + 1], words[at + 2], words[at + 3]];
                let mut doublings = 0;
                while doublings < 4 {
                    x = table::add(&x, &x);
                    doublings += 1;
                }
                let limbs = split52(&x);
                let mut j = 0;
                while j < 5 {
                    rows[i].0[5 * coordinate + j][entry] = limbs[j];
                    j += 1;
                }
                coordinate += 1;
            }
            entry += 1;
        }
        i += 1;
    }
    rows
}
