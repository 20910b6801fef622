//! The operations of Ed25519 and X25519 on 64-bit words, written once.
//!
//! Everything here is inlined into the modules that are rows of the tables of implementations,
//! each of which compiles it for its CPU features.

use super::edwards::{Affine, Cached, Completed, Extended, Niels, Projective};
use super::field::Fe;
use super::scalar::{magnitude, naf_vartime, radix16};
use super::table::{COMB, ODD, ODD_HIGH, ODD_WIDTH, ODDS, ROWS};
use crate::curve25519::halved::Halved;
use crate::curve25519::memory::{DIGITS, MULTIPLE, Row, Table};
use adamant_base::Secret;

/// `|digit| P` from a row of multiples `P`, `2 P`, ..., and as a mask the digit's sign: every entry
/// of the row is read.
#[inline(always)]
pub(super) fn select(row: &[Niels], digit: i8) -> (Niels, u64) {
    let (magnitude, sign) = magnitude(digit);
    let mut found = Niels::ZERO;
    found.or_masked(equal(magnitude, 0), &Niels::NEUTRAL);
    for (j, entry) in row.iter().enumerate() {
        found.or_masked(equal(magnitude, j as u64 + 1), entry);
    }
    (found, sign)
}

/// All ones where `a == b`.
#[inline(always)]
pub(super) fn equal(a: u64, b: u64) -> u64 {
    adamant_base::ct::Choice::eq_u64(a, b).mask()
}

/// `scalar * B` for a scalar below 2^255.
///
/// The sum over the odd digits, times 16, plus the sum over the even ones; without tables, a digit
/// after the other.
#[inline(always)]
pub(super) fn mul_base_extended(scalar: &[u8; 32]) -> Secret<Extended> {
    const STEPS: usize = 64 / ROWS;
    let digits = Secret::new(radix16(scalar));
    let (digits, _) = digits.as_chunks::<STEPS>();
    let (rows, _) = COMB.as_chunks::<8>();
    let mut sum = Secret::new(Extended::NEUTRAL);
    for step in (0..STEPS).rev() {
        if step < STEPS - 1 {
            let mut p = sum.projective();
            for _ in 0..3 {
                p = p.double().projective();
            }
            *sum = p.double().extended();
        }
        for (digits, row) in digits.iter().zip(rows) {
            let (mut entry, sign) = select(row, digits[step]);
            entry.neg_masked(sign);
            *sum = sum.add_niels(&entry).extended();
        }
    }
    sum
}

/// `scalar * B` in affine coordinates, for a scalar below 2^255.
#[inline(always)]
pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
    mul_base_extended(scalar).to_affine()
}

/// The u-coordinate of `scalar * B` on the Montgomery curve, for a scalar that is below 2^255 and
/// no multiple of l.
#[inline(always)]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    if !cfg!(feature = "tables") {
        // A ladder takes no longer, and a program that agrees has one already.
        let mut base = [0; 32];
        base[0] = 9;
        return ladder(scalar, &base);
    }
    montgomery_u(&mul_base_extended(scalar))
}

/// The u-coordinate of a point other than the neutral one: u = (1 + y) / (1 - y) (RFC 7748,
/// section 4.1).
#[inline(always)]
pub(super) fn montgomery_u(p: &Extended) -> [u8; 32] {
    let inverse = p.z.sub(p.y).invert();
    p.z.add(p.y).mul(inverse).to_bytes()
}

crate::curve25519::ladder::ladder!();

/// [`mul_base`] of each.
#[inline(always)]
pub(super) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    for (scalar, out) in scalars.iter().zip(out) {
        *out = mul_base(scalar);
    }
}

/// [`mul_base_u`] of each.
#[inline(always)]
pub(super) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
    for (scalar, out) in scalars.iter().zip(out) {
        *out = mul_base_u(scalar);
    }
}

/// The point of an encoding, canonical or not. Variable time.
#[inline(always)]
pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    Affine::decompress_zip215_vartime(bytes)
}

/// [`decompress_vartime`] of each.
#[inline(always)]
pub(super) fn decompress_batch_vartime(bytes: &[[u8; 32]], out: &mut [Option<Affine>]) {
    for (bytes, out) in bytes.iter().zip(out) {
        *out = decompress_vartime(bytes);
    }
}

/// Which equation a signature has to fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// `[8][S]B = [8]R + [8][k]A`.
    Cofactored,
    /// `[S]B = R + [k]A`.
    Cofactorless,
}

/// A signature to be checked, or what it adds to a sum: k A and s R. Numbers in words, least
/// significant first.
#[derive(Clone, Copy)]
pub struct Check {
    pub(super) a: Affine,
    pub(super) k: [u64; 4],
    pub(super) s: [u64; 4],
    pub(super) r: Affine,
}

impl Check {
    /// Of no signature.
    pub(super) const NONE: Check = Check {
        a: Affine::NEUTRAL,
        k: [0; 4],
        s: [0; 4],
        r: Affine::NEUTRAL,
    };
}

/// Whether each signature fulfils the equation. Variable time.
#[inline(always)]
pub(super) fn verify_batch_vartime(equation: Equation, items: &[Check], out: &mut [bool]) {
    for (item, out) in items.iter().zip(out) {
        *out = verify_vartime(equation, item);
    }
}

/// Whether `[8]([base]B - sum)` is the neutral point, where the sum is that of `scalar * point`
/// over the terms, of which there are as many as rows; scalars below 2^255. Variable time.
///
/// All points share the doublings.
#[inline(always)]
pub(super) fn sum_is_small_vartime(
    base: &[u64; 4],
    terms: impl Iterator<Item = ([u64; 4], Affine)>,
    rows: &mut [Row],
) -> bool {
    for ((scalar, point), row) in terms.zip(&mut *rows) {
        let naf = naf_vartime(&scalar, 5);
        let odd: [_; 8] = odd_multiples(&point);
        let parts = odd.iter().zip(naf.as_chunks::<DIGITS>().0);
        for ((multiple, digits), entry) in parts.zip(row) {
            let bytes = entry.as_flattened_mut();
            bytes[..MULTIPLE].copy_from_slice(multiple.to_stored().as_flattened());
            for (to, digit) in bytes[MULTIPLE..].iter_mut().zip(digits) {
                *to = *digit as u8;
            }
        }
    }
    let multiple = |row: &Row, i: usize| {
        let (limbs, _) = row[i].as_flattened().as_chunks::<{ MULTIPLE / 4 }>();
        Cached::from_stored([&limbs[0], &limbs[1], &limbs[2], &limbs[3]])
    };
    let base = naf_vartime(base, ODD_WIDTH);
    let mut sum = Completed::NEUTRAL;
    for i in (0..256).rev() {
        sum = sum.projective().double();
        for row in &*rows {
            let digit = row[i / DIGITS].as_flattened()[MULTIPLE + i % DIGITS] as i8;
            sum = plus(sum, |i| multiple(row, i), -digit);
        }
        sum = plus_base(sum, &ODD, base[i]);
    }
    sum.projective().has_small_order().declassify()
}

/// The same for `k A` and `s R` of all terms, with a row of the tables for each.
#[inline(always)]
pub(super) fn combination_is_small_vartime(
    base: &[u64; 4],
    terms: &[Check],
    tables: &mut [Table],
) -> bool {
    let rows = &mut tables.as_flattened_mut()[..2 * terms.len()];
    let terms = terms
        .iter()
        .flat_map(|term| [(term.k, term.a), (term.s, term.r)]);
    sum_is_small_vartime(base, terms, rows)
}

/// Odd multiples of a point, from the first on.
#[inline(always)]
fn odd_multiples<const N: usize>(point: &Affine) -> [Cached; N] {
    let first = point.extend();
    let step = first.projective().double().extended();
    let mut odd = [first.cache(); N];
    for i in 1..N {
        odd[i] = step.add(&odd[i - 1]).extended().cache();
    }
    odd
}

/// `sum`, and of the odd multiples of a point the one of a digit.
#[inline(always)]
fn plus(sum: Completed, odd: impl Fn(usize) -> Cached, digit: i8) -> Completed {
    let multiple = |d: i8| odd(usize::from(d.unsigned_abs() / 2));
    match digit {
        0 => sum,
        d if d > 0 => sum.extended().add(&multiple(d)),
        d => sum.extended().sub(&multiple(d)),
    }
}

/// The same for a multiple of the base point.
#[inline(always)]
fn plus_base(sum: Completed, odd: &[Niels; ODDS], digit: i8) -> Completed {
    let multiple = |d: i8| &odd[usize::from(d.unsigned_abs() / 2)];
    match digit {
        0 => sum,
        d if d > 0 => sum.extended().add_niels(multiple(d)),
        d => sum.extended().sub_niels(multiple(d)),
    }
}

/// Whether a signature fulfils the equation. Variable time.
#[inline(always)]
pub(super) fn verify_vartime(equation: Equation, item: &Check) -> bool {
    let halved = Halved::new(&item.k, &item.s);
    let points: [[_; 4]; 2] = [&item.a, &item.r].map(odd_multiples);
    let digits = [&halved.u, &halved.v].map(|scalar| naf_vartime(scalar.words(), 4));
    let signs = [if halved.minus { 1 } else { -1 }, -1];
    let base = halved.parts().map(|part| naf_vartime(&part, ODD_WIDTH));
    let used = |i: &usize| digits.iter().chain(&base).any(|digits| digits[*i] != 0);
    let top = (0..256).rev().find(used);
    let mut sum = Completed::NEUTRAL;
    for i in (0..top.map_or(0, |i| i + 1)).rev() {
        sum = sum.projective().double();
        for ((odd, digits), sign) in points.iter().zip(&digits).zip(signs) {
            sum = plus(sum, |i| odd[i], sign * digits[i]);
        }
        for (odd, digits) in [&ODD, &ODD_HIGH].into_iter().zip(&base) {
            sum = plus_base(sum, odd, digits[i]);
        }
    }
    holds(equation, &sum.projective())
}

/// Whether `p` is the neutral point, or of small order, as the equation asks of a difference.
/// Variable time.
#[inline(always)]
pub(super) fn holds(equation: Equation, p: &Projective) -> bool {
    match equation {
        Equation::Cofactored => p.has_small_order().declassify(),
        Equation::Cofactorless => p.is_neutral().declassify(),
    }
}
