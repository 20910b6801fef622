//! The file of multiples, computed again.

use super::super::edwards::BASE;
use super::super::table::tests::{bytes, double_times, odd_multiples};
use super::{ENTRIES, FILE, ROWS, WINDOW};
#[cfg(target_arch = "x86_64")]
use super::{RADIX_51, RADIX_52};
use crate::files;

/// The file's bytes.
fn multiples() -> Vec<u8> {
    let (mut points, mut first) = (Vec::new(), BASE.extend());
    for _ in 0..ROWS {
        points.extend(odd_multiples(first, ENTRIES));
        first = double_times(first, 2 * WINDOW);
    }
    bytes(&points)
}

#[test]
fn the_file_holds_the_multiples() {
    files::check("curve25519/rows/multiples.bin", FILE, &multiples());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn rows_hold_the_bits_of_the_file() {
    for (rows, radix) in [(&RADIX_51, 51), (&RADIX_52, 52)] {
        for (i, number) in FILE.as_chunks::<32>().0.iter().enumerate() {
            let (row, entry, k) = (i / 3 / ENTRIES, i / 3 % ENTRIES, i % 3);
            for bit in 0..5 * radix {
                let limb = rows[row].0[5 * k + bit / radix][entry];
                let byte = number.get(bit / 8).copied().unwrap_or(0);
                let expected = u64::from(byte >> (bit % 8) & 1);
                assert_eq!(limb >> (bit % radix) & 1, expected, "{i}, bit {bit}");
                assert_eq!(limb >> radix, 0);
            }
        }
    }
}
