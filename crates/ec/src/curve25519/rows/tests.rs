//! The file of multiples, computed again.

use super::super::edwards::BASE;
use super::super::table::tests::{bytes, double_times, odd_multiples};
use super::{ENTRIES, FILE, ROWS, WINDOW};
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
