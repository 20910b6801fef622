//! Multiplication by a public scalar: in non-adjacent form, with additions only for the digits that
//! are not zero.

use super::{Four, Multiples, Point, Steps};
use super::{order, permute};
use crate::weierstrass::naf::Term;
use crate::weierstrass::x86_ifma512::field::Eight;
use crate::weierstrass::x86_ifma512::point::{Affine, Jacobian};

/// `k P` in every lane, in a time that depends on k. Where an addition is an exception z is 0 from
/// there on, as it is for a k of 0.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
pub(in super::super) fn product_vartime<const W: usize, const L: usize>(
    k: &[u64; W],
    p: &Affine<L>,
    steps: &Steps<W, L>,
) -> Jacobian<L> {
    // The digits' absolute values are the odd numbers below 32.
    let terms = Term::of(k, 6, steps.order, steps.endomorphism);
    let Multiples { entries, z, w } = (steps.multiples)(p);
    let mut sum: Option<Point<L>> = None;
    // Each doubling negates the sum.
    let (mut negated, mut doublings) = (0, 0);
    let top = terms.iter().map(|term| term.len).max();
    for i in (0..top.unwrap_or(0)).rev() {
        doublings += 1;
        for term in &terms {
            let digit = term.digits[i];
            if digit == 0 {
                continue;
            }
            let mut entry: Four<L> = entries[usize::from(digit.unsigned_abs() / 2)];
            if term.by_lambda {
                entry = permute!(entry, [2, 2, 2, 3]);
            }
            let sign = if (digit < 0) == term.is_negative {
                0
            } else {
                u64::MAX
            };
            match &mut sum {
                None => sum = Some(steps.point(&steps.negate_if(&entry, sign), &w)),
                Some(sum) if doublings == 0 => {
                    (steps.add_entry)(sum, &steps.negate_if(&entry, sign ^ negated));
                }
                Some(sum) => {
                    (steps.double)(sum, doublings - 1);
                    negated ^= u64::MAX * (doublings as u64 % 2);
                    (steps.double_and_add)(sum, &steps.negate_if(&entry, sign ^ negated));
                }
            }
            doublings = 0;
        }
    }
    let Some(mut sum) = sum else {
        // The point at infinity.
        let (Affine { x, y }, z) = (*p, Eight::zero());
        return Jacobian { x, y, z };
    };
    (steps.double)(&mut sum, doublings);
    negated ^= u64::MAX * (doublings as u64 % 2);
    steps.jacobian(&sum, negated, &z)
}
