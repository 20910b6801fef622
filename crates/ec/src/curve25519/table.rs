//! Multiples of the base point B, computed by the compiler.

use super::edwards::{BASE, Extended, Niels};
use super::field::Fe;

/// The rows of the comb.
pub(super) const ROWS: usize = if cfg!(feature = "tables") { 32 } else { 1 };

/// Entry `8 i + j` is `(j + 1) 256^i B`: what a signed radix-16 number needs, 4 doublings shared
/// between its even and its odd digits. 30 KB; without the feature `tables` there is one row, and
/// each digit has doublings of its own.
pub(super) static COMB: [Niels; 8 * ROWS] = comb();

/// The width of the non-adjacent form that [`ODD`] is for.
pub(super) const ODD_WIDTH: u32 = if cfg!(feature = "tables") { 8 } else { 5 };
/// The entries of [`ODD`].
pub(super) const ODDS: usize = 1 << (ODD_WIDTH - 2);

/// Entry `i` is `(2 i + 1) B`: odd digits up to 127, for verification. 7.5 KB; 1 KB and up to 15
/// without tables.
pub(super) static ODD: [Niels; ODDS] = odd(BASE.extend());
/// Entry `i` is `(2 i + 1) 2^128 B`, as long.
pub(super) static ODD_HIGH: [Niels; ODDS] = {
    let mut first = BASE.extend();
    let mut i = 0;
    while i < 128 {
        first = double(&first);
        i += 1;
    }
    odd(first)
};

const fn double(p: &Extended) -> Extended {
    p.projective().double().extended()
}

const fn comb() -> [Niels; 8 * ROWS] {
    let mut points = [Extended::NEUTRAL; 8 * ROWS];
    let mut first = BASE.extend();
    let mut i = 0;
    while i < ROWS {
        let step = first.cache();
        points[8 * i] = first;
        let mut j = 1;
        while j < 8 {
            points[8 * i + j] = points[8 * i + j - 1].add(&step).extended();
            j += 1;
        }
        // From 8 P, five doublings lead to 256 P.
        first = points[8 * i + 7];
        let mut k = 0;
        while k < 5 {
            first = double(&first);
            k += 1;
        }
        i += 1;
    }
    normalize(&points)
}

const fn odd(first: Extended) -> [Niels; ODDS] {
    let mut points = [first; ODDS];
    let step = double(&points[0]).cache();
    let mut i = 1;
    while i < ODDS {
        points[i] = points[i - 1].add(&step).extended();
        i += 1;
    }
    normalize(&points)
}

/// The points with Z = 1, by Montgomery's trick: one inversion for all.
pub(super) const fn normalize<const N: usize>(points: &[Extended; N]) -> [Niels; N] {
    // products[i] = z[0] * ... * z[i - 1]
    let mut products = [Fe::ONE; N];
    let mut product = Fe::ONE;
    let mut i = 0;
    while i < N {
        products[i] = product;
        product = product.mul(points[i].z);
        i += 1;
    }
    let mut inverse = product.invert();
    let mut out = [Niels::NEUTRAL; N];
    while i > 0 {
        i -= 1;
        out[i] = Niels::new(&points[i].scale(inverse.mul(products[i])));
        inverse = inverse.mul(points[i].z);
    }
    out
}
