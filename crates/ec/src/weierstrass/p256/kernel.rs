//! Multiplication of points with 64-bit arithmetic.
//!
//! **Secret scalars** are written with odd digits only. An odd k below 2^256 is
//! k = 2^255 + sum of d_i 2^(5 i) for i = 0 … 50, where d_i = 2 w_i - 31 and w_i are the 5-bit
//! windows of (k - 1) / 2. So every digit is one of ±1, ±3, … ±31, none is zero, and every scalar
//! runs through the same additions. For an even k, n - k is odd and gives the negated point.
//!
//! With such digits the formulas meet an exception in the last addition alone. What the previous
//! digits sum up to is a multiple of the point that is larger (or, when going upwards, smaller)
//! than the next digit's by absolute value, and both together are less than n, so the points
//! differ in x. Only in the last addition can their difference be n: both points are then equal,
//! and their double is computed too and chosen by mask. (Their sum is never 0 mod n, as k is not.)
//!
//! **Public scalars** (verification) are in non-adjacent form, with both multiplications
//! sharing the doublings, and the formulas look for exceptions.

use super::N;
use super::field::{Fe, Multiply, P};
use super::limbs::{Limbs, add4, sub4};
use super::point::{Affine, Extended, Jacobian};
use super::table::{ENTRIES, Entry, ROWS, TABLE, WINDOW};
use adamant_base::Secret;
use adamant_base::ct::Choice;

/// A scalar's odd digits.
pub(super) struct Digits {
    /// The windows, five bits each, from the lowest.
    pub(super) windows: Secret<Limbs>,
    /// The digits are those of n - k.
    pub(super) negated: Choice,
}

impl Digits {
    pub(super) fn new(k: &Limbs) -> Self {
        let negated = Choice::from_bit(!k[0] & 1);
        let mut odd = Secret::new(*k);
        negated.assign(&mut odd, &sub4(&N, k).0);
        let windows = Secret::new([
            odd[0] >> 1 | odd[1] << 63,
            odd[1] >> 1 | odd[2] << 63,
            odd[2] >> 1 | odd[3] << 63,
            odd[3] >> 1,
        ]);
        Digits { windows, negated }
    }

    /// Digit i: the index of its absolute value among the odd numbers, and whether it is negative.
    #[inline]
    fn get(&self, i: usize) -> (u64, Choice) {
        let (word, shift) = (i * WINDOW / 64, i * WINDOW % 64);
        let mut window = self.windows[word] >> shift;
        if shift > 64 - WINDOW && word < 3 {
            window |= self.windows[word + 1] << (64 - shift);
        }
        let negative = Choice::from_bit(!window >> (WINDOW - 1) & 1);
        ((window ^ negative.mask()) % ENTRIES as u64, negative)
    }
}

/// Makes the functions of an implementation, of how it multiplies and squares in the field, each
/// with the given attributes.
macro_rules! implementation {
    ($mul:expr, $square:expr $(, #[$attribute:meta])*) => {
        use super::Check;
        use super::field::{Fe, Multiplication};
        use super::kernel;
        use super::limbs::Limbs;
        use super::point::Jacobian;

        $(#[$attribute])*
        #[inline(never)]
        fn field_mul(a: &Fe, b: &Fe) -> Fe {
            $mul(a, b)
        }

        $(#[$attribute])*
        #[inline(never)]
        fn field_square(a: &Fe) -> Fe {
            $square(a)
        }

        // A closure has the features of the function around it, so it may call the above.

        $(#[$attribute])*
        #[inline(never)]
        fn double_n(p: &Jacobian, n: usize) -> Jacobian {
            let f = Multiplication { mul: |a: &_, b: &_| $mul(a, b), square: |a: &_| $square(a) };
            p.double_n(n, &f)
        }

        $(#[$attribute])*
        pub(super) fn mul_base(k: &Limbs) -> [Limbs; 2] {
            let f = Multiplication {
                mul: |a: &_, b: &_| field_mul(a, b),
                square: |a: &_| field_square(a),
            };
            kernel::mul_base(k, &f)
        }

        $(#[$attribute])*
        pub(super) fn mul(k: &Limbs, point: &[Limbs; 2]) -> [Limbs; 2] {
            let f = Multiplication {
                mul: |a: &_, b: &_| field_mul(a, b),
                square: |a: &_| field_square(a),
            };
            kernel::mul(k, point, &f, |p, n| double_n(p, n))
        }

        $(#[$attribute])*
        pub(super) fn has_x_vartime(u1: &Limbs, u2: &Limbs, q: &[Limbs; 2], r: &Limbs) -> bool {
            let f = Multiplication {
                mul: |a: &_, b: &_| field_mul(a, b),
                square: |a: &_| field_square(a),
            };
            kernel::has_x_vartime(u1, u2, q, r, &f, |p, n| double_n(p, n))
        }

        $(#[$attribute])*
        pub(super) fn mul_base_batch(ks: &[Limbs], out: &mut [[Limbs; 2]]) {
            for (product, k) in out[..ks.len()].iter_mut().zip(ks) {
                *product = mul_base(k);
            }
        }

        $(#[$attribute])*
        pub(super) fn mul_batch(ks: &[Limbs], points: &[[Limbs; 2]], out: &mut [[Limbs; 2]]) {
            let items = ks.iter().zip(&points[..ks.len()]);
            for (product, (k, point)) in out[..ks.len()].iter_mut().zip(items) {
                *product = mul(k, point);
            }
        }

        $(#[$attribute])*
        pub(super) fn has_x_batch_vartime(items: &[Check], out: &mut [bool]) {
            for (verdict, (u1, u2, q, r)) in out[..items.len()].iter_mut().zip(items) {
                *verdict = has_x_vartime(u1, u2, q, r);
            }
        }
    };
}
pub(super) use implementation;

/// The entry at a secret index: reads all.
#[inline(always)]
fn lookup<const WORDS: usize>(entries: &[[u64; WORDS]; ENTRIES], index: u64) -> [u64; WORDS] {
    let mut found = [0; WORDS];
    for (i, entry) in (0..).zip(entries) {
        let mask = Choice::eq_u64(i, index).mask();
        for (f, e) in found.iter_mut().zip(entry) {
            *f |= e & mask;
        }
    }
    found
}

#[inline(always)]
fn affine(entry: &Entry) -> Affine {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = *entry;
    Affine {
        x: Fe([x0, x1, x2, x3]),
        y: Fe([y0, y1, y2, y3]),
    }
}

/// `k G`, for k from 1 to n - 1: one addition from the table for each digit, no doubling.
#[inline(always)]
pub(super) fn mul_base(k: &Limbs, f: &impl Multiply) -> [Limbs; 2] {
    let digits = Digits::new(k);
    let entry = |i: usize| {
        let (index, negative) = digits.get(i);
        affine(&lookup(&TABLE.0[i], index)).negate_if(negative)
    };
    let mut sum = Extended::from_affine(&entry(0));
    for i in 1..=ROWS {
        let last = i == ROWS;
        let multiple = if last {
            affine(&TABLE.0[i][0])
        } else {
            entry(i)
        };
        let (mut next, same) = sum.add(&multiple, f);
        if last {
            next.assign_if(same, &multiple.double(f));
        }
        sum = next;
    }
    let product = sum.to_affine().negate_if(digits.negated);
    product.to_integers()
}

/// `k P`, for k from 1 to n - 1 and a point of the curve: five doublings and one addition for each
/// digit.
#[inline(always)]
pub(super) fn mul(
    k: &Limbs,
    point: &[Limbs; 2],
    f: &impl Multiply,
    double_n: impl Fn(&Jacobian, usize) -> Jacobian,
) -> [Limbs; 2] {
    let digits = Digits::new(k);
    let point = Jacobian::from_affine(&Affine::from_integers(point));
    let multiples = odd_multiples::<ENTRIES>(&point, f).map(|p| p.to_words());
    let mut sum = point;
    for i in (0..ROWS).rev() {
        sum = double_n(&sum, WINDOW);
        let (index, negative) = digits.get(i);
        let mut multiple = Jacobian::from_words(&lookup(&multiples, index));
        multiple.y = multiple.y.negate_if(negative);
        let (mut next, same) = sum.add(&multiple, f);
        if i == 0 {
            next.assign_if(same, &double_n(&multiple, 1));
        }
        sum = next;
    }
    let product = sum.scale(&sum.z.invert());
    product.negate_if(digits.negated).to_integers()
}

/// 1, 3, 5, … times `point`.
#[inline(always)]
fn odd_multiples<const COUNT: usize>(point: &Jacobian, f: &impl Multiply) -> [Jacobian; COUNT] {
    let twice = point.double(f);
    let mut multiples = [*point; COUNT];
    for i in 1..COUNT {
        multiples[i] = multiples[i - 1].add(&twice, f).0;
    }
    multiples
}

/// Odd multiples of the public point in a verification.
const PUBLIC_ENTRIES: usize = 8;

/// Whether the x coordinate of `u1 G + u2 Q`, modulo n, is `r`: for public numbers below n and a
/// point of the curve.
#[inline(always)]
pub(super) fn has_x_vartime(
    u1: &Limbs,
    u2: &Limbs,
    q: &[Limbs; 2],
    r: &Limbs,
    f: &impl Multiply,
    double_n: impl Fn(&Jacobian, usize) -> Jacobian,
) -> bool {
    let q = Jacobian::from_affine(&Affine::from_integers(q));
    let multiples = normalize_vartime(&odd_multiples::<PUBLIC_ENTRIES>(&q, f));
    // Digits below 32 for G, as in the first row of the table, and below 16 for Q.
    let digits1 = non_adjacent_vartime::<6>(u1);
    let digits2 = non_adjacent_vartime::<5>(u2);
    let mut sum = Jacobian::INFINITY;
    let mut doublings = 0;
    let top = (0..digits1.len()).rfind(|&i| digits1[i] != 0 || digits2[i] != 0);
    for i in (0..top.map_or(0, |top| top + 1)).rev() {
        doublings += 1;
        for (digit, is_g) in [(digits1[i], true), (digits2[i], false)] {
            if digit != 0 {
                let index = usize::from(digit.unsigned_abs() / 2);
                let multiple = if is_g {
                    affine(&TABLE.0[0][index])
                } else {
                    multiples[index]
                };
                let sign = Choice::from_bit(u64::from(digit < 0));
                sum = double_n(&sum, doublings);
                sum = sum.add_affine_vartime(&multiple.negate_if(sign), f);
                doublings = 0;
            }
        }
    }
    sum = double_n(&sum, doublings);
    if sum.z.is_zero().declassify() {
        return false;
    }
    // x / z^2 = r, or r + n where that is below p.
    let zz = sum.z.square();
    let matches = |x: &Limbs| Fe::from_integer(x).mul(&zz).equals(&sum.x).declassify();
    let (r_plus_n, carry) = add4(r, &N);
    let below_p = !carry && sub4(&r_plus_n, &P).1;
    matches(r) || (below_p && matches(&r_plus_n))
}

/// The affine points, with one inversion for all.
fn normalize_vartime<const COUNT: usize>(points: &[Jacobian; COUNT]) -> [Affine; COUNT] {
    let mut products = [Fe::ONE; COUNT]; // of the z before each
    let mut product = Fe::ONE;
    for (before, point) in products.iter_mut().zip(points) {
        *before = product;
        product = product.mul(&point.z);
    }
    let mut inverse = product.invert_vartime();
    let mut result = [Affine::ZERO; COUNT];
    for i in (0..COUNT).rev() {
        result[i] = points[i].scale(&inverse.mul(&products[i]));
        inverse = inverse.mul(&points[i].z);
    }
    result
}

/// The non-adjacent form: digits zero or odd, below 2^(width - 1) by absolute value, each digit
/// that is not zero followed by at least width - 1 zeros.
fn non_adjacent_vartime<const WIDTH: usize>(k: &Limbs) -> [i8; 257] {
    let mut digits = [0; 257];
    let (mut i, mut carry) = (0, 0);
    while i < digits.len() {
        let (word, shift) = (i / 64, i % 64);
        let mut bits = if word < 4 { k[word] >> shift } else { 0 };
        if shift > 64 - WIDTH && word < 3 {
            bits |= k[word + 1] << (64 - shift);
        }
        if bits & 1 == carry {
            i += 1;
            continue;
        }
        let value = (bits % (1 << WIDTH) + carry) as i8;
        carry = u64::from(value >= 1 << (WIDTH - 1));
        digits[i] = if carry == 1 {
            value - (1 << WIDTH)
        } else {
            value
        };
        i += WIDTH;
    }
    digits
}
