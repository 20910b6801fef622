//! The parent's multiples of the base point, converted by the compiler.

use super::super::edwards::Niels;
use super::field::Fe;
use crate::curve25519::{edwards, field, table};

pub(super) use table::{ODD_WIDTH, ROWS};

pub(super) static COMB: [Niels; 8 * ROWS] = converted(&table::COMB);
pub(super) static ODD: [Niels; table::ODDS] = converted(&table::ODD);
pub(super) static ODD_HIGH: [Niels; table::ODDS] = converted(&table::ODD_HIGH);

const fn fe(x: &field::Fe) -> Fe {
    Fe::from_bytes(&x.to_bytes())
}

const fn converted<const N: usize>(from: &[edwards::Niels; N]) -> [Niels; N] {
    let mut out = [Niels::ZERO; N];
    let mut i = 0;
    while i < N {
        out[i] = Niels {
            y_plus_x: fe(&from[i].y_plus_x),
            y_minus_x: fe(&from[i].y_minus_x),
            xy2d: fe(&from[i].xy2d),
        };
        i += 1;
    }
    out
}
