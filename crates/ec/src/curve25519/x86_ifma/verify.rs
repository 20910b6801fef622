//! The equation of one signature, with scalars of half the length.

use super::formulas::{add_to, double};
use super::four::Four;
use super::pair::{self, Pair, both, halves, mul_base};
use super::point::{extended, from_extended, neutral};
use super::vector::{set1, zero};
use crate::curve25519::edwards::Affine;
use crate::curve25519::halved::Halved;
use crate::curve25519::kernel::{Check, Equation, holds};
use crate::curve25519::scalar::naf_vartime;

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
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(in crate::curve25519) fn verify_vartime(equation: Equation, item: &Check) -> bool {
    let halved = Halved::new(&item.k, &item.s);
    let base = mul_base(&halved.s.to_bytes());

    let [a, r] = [&item.a, &item.r].map(|point: &Affine| from_extended(&point.extend()));
    let mut odd = [[a, r]; 8];
    odd_multiples(both(a, r), &mut odd);
    let digits = [&halved.u, &halved.v].map(|scalar| naf_vartime(scalar.words(), 5));
    let used = |i: &usize| digits.iter().any(|digits| digits[*i] != 0);
    let top = (0..256).rev().find(used).unwrap_or(0);
    // [u]A + [v]R
    let mut sum = neutral();
    let mut doublings = 0;
    for i in (0..=top).rev() {
        for (k, minus) in [halved.minus, false].into_iter().enumerate() {
            let digit = digits[k][i];
            if digit != 0 {
                double(&mut sum, doublings);
                doublings = 0;
                let minus = (digit < 0) != minus;
                let sign = if minus { set1(-1) } else { zero() };
                let multiple = usize::from(digit.unsigned_abs() / 2);
                add_to(&mut sum, &odd[multiple][k], sign);
            }
        }
        doublings += 1;
    }
    double(&mut sum, doublings - 1);
    let difference = base.sub(&extended(sum).cache()).projective();
    holds(equation, &difference)
}
