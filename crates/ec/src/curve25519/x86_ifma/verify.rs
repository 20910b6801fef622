//! The equation of one signature, with scalars of half the length.

use super::formulas::{add_to, double};
use super::four::Four;
use super::pair::{self, Pair, both, halves};
use super::point::{extended, from_extended, from_niels, neutral};
use super::vector::{set1, zero};
use crate::curve25519::edwards::Affine;
use crate::curve25519::halved::Halved;
use crate::curve25519::kernel::{Check, Equation, holds};
use crate::curve25519::scalar::naf_vartime;
use crate::curve25519::table::{ODD, ODD_HIGH, ODD_WIDTH};

/// The multiples 1, 3, 5, … 15 of both points, as right sides of sums.
#[inline(never)] // For what it keeps on the stack is not needed any more where the sum begins.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn odd_multiples(mut p: Pair, odd: &mut [[Four; 2]; 8]) {
    let twice = pair::cache(pair::double_times(p, 1));
    odd[0] = halves(pair::cache(p));
    for entry in &mut odd[1..] {
        pair::add_to(&mut p, &twice, pair::spread([0, 0]));
        *entry = halves(pair::cache(p));
    }
}

/// Whether a signature fulfils the equation. Variable time.
///
/// The sum is [u]A + [v]R less the multiple of the base point, of which there are tables for both
/// halves of its scalar.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn verify_vartime(equation: Equation, item: &Check) -> bool {
    let halved = Halved::new(&item.k, &item.s);
    let [a, r] = [&item.a, &item.r].map(|point: &Affine| from_extended(&point.extend()));
    let mut odd = [[a, r]; 8];
    odd_multiples(both(a, r), &mut odd);
    let digits = [&halved.u, &halved.v].map(|scalar| naf_vartime(scalar.words(), 5));
    let base = halved.parts().map(|part| naf_vartime(&part, ODD_WIDTH));
    let used = |i: &usize| digits.iter().chain(&base).any(|digits| digits[*i] != 0);
    let top = (0..256).rev().find(used).unwrap_or(0);
    let mut sum = neutral();
    let mut doublings = 0;
    for i in (0..=top).rev() {
        let mut plus = |multiple: &Four, minus: bool| {
            double(&mut sum, doublings);
            doublings = 0;
            add_to(&mut sum, multiple, if minus { set1(-1) } else { zero() });
        };
        for (k, minus) in [halved.minus, false].into_iter().enumerate() {
            let digit = digits[k][i];
            if digit != 0 {
                let multiple = usize::from(digit.unsigned_abs() / 2);
                plus(&odd[multiple][k], (digit < 0) != minus);
            }
        }
        for (digits, odd) in base.iter().zip([&ODD, &ODD_HIGH]) {
            let digit = digits[i];
            if digit != 0 {
                let multiple = usize::from(digit.unsigned_abs() / 2);
                plus(&from_niels(&odd[multiple]), digit > 0);
            }
        }
        doublings += 1;
    }
    double(&mut sum, doublings - 1);
    holds(equation, &extended(sum).projective())
}
