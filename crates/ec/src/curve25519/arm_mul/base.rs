//! Multiples of the base point: digits of five bits, whose entries vector registers pick.
#![allow(unsafe_code)] // assembly

use super::field::{self, Fe};
#[cfg(feature = "simd")]
use crate::curve25519::edwards::Extended;
use crate::curve25519::edwards::Niels;
#[cfg(feature = "simd")]
use crate::curve25519::rows::{self, DIGITS, ENTRIES, WINDOW, odd_digits};
#[cfg(feature = "simd")]
use crate::curve25519::scalar::odd_digit;
#[cfg(feature = "simd")]
use adamant_base::Secret;
use core::arch::asm;

/// The multiples of the base point for digits of five bits.
#[cfg(feature = "simd")]
pub(in crate::curve25519) static MULTIPLES: [[Niels<Fe>; ENTRIES]; rows::ROWS] = {
    let mut multiples = [[Niels::ZERO; ENTRIES]; rows::ROWS];
    let mut i = 0;
    while i < ENTRIES * rows::ROWS {
        multiples[i / ENTRIES][i % ENTRIES] = field::niels(rows::coordinates(i));
        i += 1;
    }
    multiples
};

/// The multiple of the base point, for a scalar below 2^255, by a function for `2^n sum`.
///
/// The sum over the digits of odd index, times 32, plus the sum over the others.
#[cfg(feature = "simd")]
#[inline(always)]
pub(super) fn mul_base(
    scalar: &[u8; 32],
    double: impl Fn(&mut Extended<Fe>, u32),
) -> Secret<Extended<Fe>> {
    let digits = odd_digits(scalar);
    let mut sum = Secret::new(Extended::NEUTRAL);
    for odd in [1, 0] {
        if odd == 0 {
            double(&mut sum, WINDOW as u32);
        }
        for (row, i) in MULTIPLES.iter().zip((odd..DIGITS).step_by(2)) {
            let (place, sign) = odd_digit(&digits[..], WINDOW, i);
            let mut entry = pick(row, place + 1);
            entry.neg_masked(sign);
            *sum = sum.add_or_sub_niels_vartime(&entry, false).extended();
        }
    }
    sum
}

const _: () = assert!(size_of::<Niels<Fe>>() == 96);

/// The entry of this number, from 1 on, or the neutral point for 0, in vector registers: they begin with
/// that point, and take the entry for which the number has come down to 1.
#[inline(always)]
pub(in crate::curve25519) fn pick<const N: usize>(row: &[Niels<Fe>; N], number: u64) -> Niels<Fe> {
    let mut found = Niels::NEUTRAL;
    // SAFETY: reads the row, of entries that have 96 bytes as asserted above, and reads and writes the
    // point, which is as long.
    unsafe {
        asm!(
            "ldp {f0:q}, {f1:q}, [{found}]",
            "ldp {f2:q}, {f3:q}, [{found}, 32]",
            "ldp {f4:q}, {f5:q}, [{found}, 64]",
            "dup {number:v}.2d, {n}",
            "dup {one:v}.2d, {unit}",
            ".rept {entries}",
            "cmeq {mask:v}.2d, {number:v}.2d, {one:v}.2d",
            "sub {number:v}.2d, {number:v}.2d, {one:v}.2d",
            "ldp {x:q}, {y:q}, [{row}], 32",
            "bit {f0:v}.16b, {x:v}.16b, {mask:v}.16b",
            "bit {f1:v}.16b, {y:v}.16b, {mask:v}.16b",
            "ldp {x:q}, {y:q}, [{row}], 32",
            "bit {f2:v}.16b, {x:v}.16b, {mask:v}.16b",
            "bit {f3:v}.16b, {y:v}.16b, {mask:v}.16b",
            "ldp {x:q}, {y:q}, [{row}], 32",
            "bit {f4:v}.16b, {x:v}.16b, {mask:v}.16b",
            "bit {f5:v}.16b, {y:v}.16b, {mask:v}.16b",
            ".endr",
            "stp {f0:q}, {f1:q}, [{found}]",
            "stp {f2:q}, {f3:q}, [{found}, 32]",
            "stp {f4:q}, {f5:q}, [{found}, 64]",
            found = in(reg) &raw mut found,
            row = inout(reg) row => _,
            entries = const N,
            n = in(reg) number,
            unit = in(reg) 1u64,
            number = out(vreg) _,
            one = out(vreg) _,
            mask = out(vreg) _,
            x = out(vreg) _,
            y = out(vreg) _,
            f0 = out(vreg) _,
            f1 = out(vreg) _,
            f2 = out(vreg) _,
            f3 = out(vreg) _,
            f4 = out(vreg) _,
            f5 = out(vreg) _,
            options(nostack, preserves_flags),
        );
    }
    found
}
