//! Multiplication of points, one at a time, on 64-bit words.
//!
//! **Secret scalars** are written with odd digits only. An odd k below n < 2^(5 D + 1) is
//! k = 2^(5 D) + sum of d_i 2^(5 i) for i = 0 … D - 1, where d_i = 2 w_i - 31 and w_i are the 5-bit
//! windows of (k - 1) / 2. So every digit is one of ±1, ±3, … ±31, none is zero, and every scalar
//! runs through the same additions. For an even k, n - k is odd and gives the negated point.
//!
//! Digits are added from the highest on. With those above d_i the sum is 2^(5 (i + 1)) s, where s is
//! k / 2^(5 (i + 1)) rounded down and made odd, so it is at least 2^(5 (i + 1)), more than the next
//! digit's |d_i| 2^(5 i): both are never opposite or equal as integers. Modulo n they could be, if
//! their sum or difference were a multiple m n. Both are multiples of 2^(5 i) and together below
//! 2^(5 D + 1) <= 2^6 n, so m < 2^6; as n is odd, 2^(5 i) divides m, which leaves i = 0 and i = 1, and
//! for i = 1 the sum with its digit is below k + 2^5 + 31 2^5 < 2 n and its difference too, so m = 1,
//! which 2^5 does not divide. In the last addition the sum is k, no multiple of n, and their
//! difference can be n: both points are then equal, and their double is computed too and chosen by
//! mask.
//!
//! **Public scalars** (verification) are in non-adjacent form, with both multiplications
//! sharing the doublings, and the formulas look for exceptions.

use super::field::{Arithmetic, Calls, Fe};
use super::naf::Term;
use super::point::{Affine, Extended, Jacobian, normalize_vartime};
#[cfg(feature = "alloc")]
use super::table::Table;
use super::table::{self, ENTRIES, Entry, WINDOW, lookup};
use super::words::{self, shift_right, sub};
use adamant_base::Secret;
use adamant_base::ct::Choice;

/// A scalar's odd digits.
pub(crate) struct Digits<const W: usize> {
    /// The windows, five bits each, from the lowest.
    pub(crate) windows: Secret<[u64; W]>,
    /// The digits are those of n - k.
    pub(crate) negated: Choice,
}

impl<const W: usize> Digits<W> {
    /// The digits of `k`, from 1 to n - 1.
    pub(crate) fn new(k: &[u64; W], n: &[u64; W]) -> Self {
        let negated = Choice::from_bit(!k[0] & 1);
        let mut odd = Secret::new(*k);
        negated.assign(&mut odd, &sub(n, k).0);
        Self::of_odd(&odd, negated)
    }

    /// The digits of an odd number, or of the negative one.
    pub(crate) fn of_odd(k: &[u64; W], negated: Choice) -> Self {
        Digits {
            windows: Secret::new(shift_right(k, 1)),
            negated,
        }
    }

    /// Digit i: the index of its absolute value among the odd numbers, and whether it is negative.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> (u64, Choice) {
        let (word, shift) = (i * WINDOW / 64, i * WINDOW % 64);
        let mut window = self.windows[word] >> shift;
        if shift > 64 - WINDOW && word + 1 < W {
            window |= self.windows[word + 1] << (64 - shift);
        }
        let negative = Choice::from_bit(!window >> (WINDOW - 1) & 1);
        ((window ^ negative.mask()) % ENTRIES as u64, negative)
    }
}

/// What an implementation of a curve brings: the curve as data, multiplication in its field, and
/// formulas compiled with it. The multiplications of points below are there once for all
/// implementations of all curves of a number of words.
pub(crate) struct Steps<const W: usize> {
    pub(crate) field: Calls<W>,
    /// `2^n P`.
    pub(crate) double_n: fn(&Calls<W>, &Jacobian<W>, usize) -> Jacobian<W>,
    /// [`Jacobian::add`].
    pub(crate) add: fn(&Calls<W>, &Jacobian<W>, &Jacobian<W>) -> (Jacobian<W>, Choice),
    /// [`Extended::add`].
    pub(crate) add_affine: fn(&Calls<W>, &Extended<W>, &Affine<W>) -> (Extended<W>, Choice),
    /// [`Jacobian::add_affine_vartime`].
    pub(crate) add_vartime: fn(&Calls<W>, &Jacobian<W>, &Affine<W>) -> Option<Jacobian<W>>,
}

impl<const W: usize> Steps<W> {
    /// The formulas with calls of these: 2 % slower, and there once for all that take them.
    pub(crate) fn calling(field: Calls<W>) -> Self {
        // Functions, as closures would be there again in each unit of the crate.
        fn double_n<const W: usize>(f: &Calls<W>, p: &Jacobian<W>, n: usize) -> Jacobian<W> {
            p.double_n(n, f)
        }
        fn add<const W: usize>(
            f: &Calls<W>,
            p: &Jacobian<W>,
            q: &Jacobian<W>,
        ) -> (Jacobian<W>, Choice) {
            p.add(q, f)
        }
        fn add_affine<const W: usize>(
            f: &Calls<W>,
            p: &Extended<W>,
            q: &Affine<W>,
        ) -> (Extended<W>, Choice) {
            p.add(q, f)
        }
        fn add_vartime<const W: usize>(
            f: &Calls<W>,
            p: &Jacobian<W>,
            q: &Affine<W>,
        ) -> Option<Jacobian<W>> {
            p.add_affine_vartime(q, f)
        }
        Steps {
            field,
            double_n,
            add,
            add_affine,
            add_vartime,
        }
    }

    /// The multiples of the base point.
    #[cfg(feature = "alloc")]
    pub(crate) fn table(&self) -> &'static Table<W> {
        (self.field.constants.table)().get_or_make(|| Table::new(self))
    }

    /// 1, 3, 5, … times the point, at most 31 times: none of them is ±2 times it.
    #[inline(never)]
    pub(crate) fn odd_multiples(&self, point: &Jacobian<W>, multiples: &mut [Jacobian<W>]) {
        let twice = (self.double_n)(&self.field, point, 1);
        let mut multiple = *point;
        for (i, entry) in multiples.iter_mut().enumerate() {
            if i > 0 {
                multiple = (self.add)(&self.field, &multiple, &twice).0;
            }
            *entry = multiple;
        }
    }

    /// The first of these of a public point, which is given by integers.
    #[inline]
    pub(crate) fn multiples_vartime<const N: usize>(
        &self,
        point: &[[u64; W]; 2],
    ) -> [Affine<W>; N] {
        let f = &self.field;
        let point = Jacobian::from_affine(&Affine::from_integers(point, f), f);
        let mut jacobian = [Jacobian::NONE; N];
        self.odd_multiples(&point, &mut jacobian);
        let mut multiples = [Affine::NONE; N];
        normalize_vartime(&jacobian, &mut multiples, f);
        multiples
    }

    /// `p + q`.
    pub(crate) fn sum_vartime(&self, p: &Jacobian<W>, q: &Affine<W>) -> Jacobian<W> {
        let sum = (self.add_vartime)(&self.field, p, q);
        sum.unwrap_or_else(|| (self.double_n)(&self.field, p, 1))
    }
}

/// `k G`, for k from 1 to n - 1, where there is no table.
#[cfg(not(feature = "alloc"))]
pub(crate) fn mul_base<const W: usize>(k: &[u64; W], steps: &Steps<W>) -> [[u64; W]; 2] {
    mul(k, &steps.field.constants.g, steps)
}

/// `k G`, for k from 1 to n - 1: one addition from the table for each digit, no doubling.
#[cfg(feature = "alloc")]
#[inline(never)]
pub(crate) fn mul_base<const W: usize>(k: &[u64; W], steps: &Steps<W>) -> [[u64; W]; 2] {
    let (table, f) = (steps.table(), &steps.field);
    let order = f.constants.order;
    let digits = Digits::new(k, &order.words);
    let count = table::digits(order.bits);
    let mut sum = Extended::from_affine(&table.row(count)[0], f);
    for i in (0..count).rev() {
        let (index, negative) = digits.get(i);
        let multiple = lookup(table.row(i), index).negate_if(negative, f);
        let (mut next, same) = (steps.add_affine)(f, &sum, &multiple);
        if i == 0 {
            next.assign_if(same, &multiple.double(f));
        }
        sum = next;
    }
    sum.to_integers(digits.negated, f)
}

/// `k P`, for k from 1 to n - 1 and a point of the curve: five doublings and one addition for each
/// digit.
#[inline(never)]
pub(crate) fn mul<const W: usize>(
    k: &[u64; W],
    point: &[[u64; W]; 2],
    steps: &Steps<W>,
) -> [[u64; W]; 2] {
    let f = &steps.field;
    let order = f.constants.order;
    let digits = Digits::new(k, &order.words);
    let point = Jacobian::from_affine(&Affine::from_integers(point, f), f);
    let mut multiples = [Jacobian::NONE; ENTRIES];
    steps.odd_multiples(&point, &mut multiples);
    let mut sum = point;
    for i in (0..table::digits(order.bits)).rev() {
        sum = (steps.double_n)(f, &sum, WINDOW);
        let (index, negative) = digits.get(i);
        let multiple = lookup(&multiples, index).negate_if(negative, f);
        let (mut next, same) = (steps.add)(f, &sum, &multiple);
        if i == 0 {
            next.assign_if(same, &(steps.double_n)(f, &multiple, 1));
        }
        sum = next;
    }
    sum.to_integers(digits.negated, f)
}

/// Odd multiples of the public point in a verification.
const PUBLIC_ENTRIES: usize = 8;

/// Whether the x coordinate of `u1 G + u2 Q`, modulo n, is `r`: for public numbers below n and a
/// point of the curve.
#[inline(never)]
pub(crate) fn has_x_vartime<const W: usize>(
    u1: &[u64; W],
    u2: &[u64; W],
    q: &[[u64; W]; 2],
    r: &[u64; W],
    steps: &Steps<W>,
) -> bool {
    let f = &steps.field;
    #[cfg(feature = "alloc")]
    let base = steps.table().row(0);
    #[cfg(not(feature = "alloc"))]
    let base: [_; ENTRIES] = steps.multiples_vartime(&f.constants.g);
    let multiples: [_; PUBLIC_ENTRIES] = steps.multiples_vartime(q);
    let (order, endomorphism) = (f.constants.order, f.constants.endomorphism);
    let [mut g, mut lambda_g] = Term::of(u1, 6, order, endomorphism);
    (g.is_g, lambda_g.is_g) = (true, true);
    let [q, lambda_q] = Term::of(u2, 5, order, endomorphism);
    let terms = [g, lambda_g, q, lambda_q];
    let beta = endomorphism.map(|it| Fe::from_integer(&it.beta, f));
    let mut sum = Jacobian::infinity(f);
    let mut doublings = 0;
    let top = terms.iter().map(|term| term.len).max();
    for i in (0..top.unwrap_or(0)).rev() {
        doublings += 1;
        for term in &terms {
            let digit = term.digits[i];
            if digit != 0 {
                let index = usize::from(digit.unsigned_abs() / 2);
                let mut multiple = if term.is_g {
                    base[index]
                } else {
                    multiples[index]
                };
                if let (true, Some(beta)) = (term.by_lambda, &beta) {
                    multiple.x = f.mul(&multiple.x, beta);
                }
                let sign = Choice::from_bit(u64::from((digit < 0) != term.is_negative));
                sum = (steps.double_n)(f, &sum, doublings);
                sum = steps.sum_vartime(&sum, &multiple.negate_if(sign, f));
                doublings = 0;
            }
        }
    }
    sum = (steps.double_n)(f, &sum, doublings);
    has_r_vartime(&sum, r, f)
}

/// Whether the x coordinate of a point, modulo n, is `r`.
#[inline(always)]
fn has_r_vartime<const W: usize>(sum: &Jacobian<W>, r: &[u64; W], f: &Calls<W>) -> bool {
    if sum.z.is_zero().declassify() {
        return false;
    }
    // x / z^2 = r, or r + n; where that is below p.
    let zz = f.square(&sum.untwisted_z(f));
    let matches = |x: &[u64; W]| {
        let below_p = f.constants.p.is_above(x).declassify();
        let expected = f.mul(&Fe::from_integer(x, f), &zz);
        below_p && expected.equals(&sum.x, f).declassify()
    };
    let (r_plus_n, carry) = words::add(r, &f.constants.order.words);
    matches(r) || (!carry && matches(&r_plus_n))
}
