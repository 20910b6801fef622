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

use super::curve::Derived;
use super::field::{Calls, Fe, Field, Multiply};
use super::naf::Term;
use super::point::{Affine, Extended, Jacobian, normalize_vartime};
use super::table::{self, ENTRIES, WINDOW, affine};
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

/// What an implementation of a curve brings: multiplication in the field, and formulas compiled with
/// it. The multiplications of points below are there once for all implementations.
pub(crate) struct Steps<C, const W: usize> {
    pub(crate) field: Calls<W>,
    /// `2^n P`.
    pub(crate) double_n: fn(&Calls<W>, &Jacobian<C, W>, usize) -> Jacobian<C, W>,
    /// [`Jacobian::add`].
    pub(crate) add: fn(&Calls<W>, &Jacobian<C, W>, &Jacobian<C, W>) -> (Jacobian<C, W>, Choice),
    /// [`Extended::add`].
    pub(crate) add_affine:
        fn(&Calls<W>, &Extended<C, W>, &Affine<C, W>) -> (Extended<C, W>, Choice),
    /// [`Jacobian::add_affine_vartime`].
    pub(crate) add_vartime: fn(&Calls<W>, &Jacobian<C, W>, &Affine<C, W>) -> Option<Jacobian<C, W>>,
}

impl<C: Field<W>, const W: usize> Steps<C, W> {
    /// The formulas with calls of these: 2 % slower, and there once for all that take them.
    pub(crate) fn calling(field: Calls<W>) -> Self {
        // Functions, as closures would be there again in each unit of the crate.
        fn double_n<C: Field<W>, const W: usize>(
            f: &Calls<W>,
            p: &Jacobian<C, W>,
            n: usize,
        ) -> Jacobian<C, W> {
            p.double_n(n, f)
        }
        fn add<C: Field<W>, const W: usize>(
            f: &Calls<W>,
            p: &Jacobian<C, W>,
            q: &Jacobian<C, W>,
        ) -> (Jacobian<C, W>, Choice) {
            p.add(q, f)
        }
        fn add_affine<C: Field<W>, const W: usize>(
            f: &Calls<W>,
            p: &Extended<C, W>,
            q: &Affine<C, W>,
        ) -> (Extended<C, W>, Choice) {
            p.add(q, f)
        }
        fn add_vartime<C: Field<W>, const W: usize>(
            f: &Calls<W>,
            p: &Jacobian<C, W>,
            q: &Affine<C, W>,
        ) -> Option<Jacobian<C, W>> {
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
}

/// Makes the functions of an implementation, of how it multiplies and squares in the field, and of
/// how it does in doublings: by calls, or inlined where that is short; each with the given
/// attributes. Those of `calling` share their formulas.
macro_rules! implementation {
    ($curve:ident, $w:tt, $mul:expr, $square:expr $(, #[$attribute:meta])*) => {
        crate::weierstrass::kernel::implementation!(
            $curve, $w, $mul, $square; field_mul, field_square $(, #[$attribute])*
        );
    };
    ($curve:ident, $w:tt, calling $calls:expr) => {
        fn steps() -> Steps<$curve, $w> {
            Steps::calling($calls)
        }

        crate::weierstrass::kernel::implementation!(@ $curve, $w);
    };
    (
        $curve:ident, $w:tt, $mul:expr, $square:expr; $double_mul:ident, $double_square:ident
        $(, #[$attribute:meta])*
    ) => {
        use crate::weierstrass::field::{Calls, Multiplication};
        use crate::weierstrass::point::{Affine, Extended, Jacobian};
        use adamant_base::ct::Choice;

        $(#[$attribute])*
        #[inline(never)]
        fn field_mul(a: &Limbs, b: &Limbs) -> Limbs {
            $mul(a, b)
        }

        $(#[$attribute])*
        #[inline(never)]
        fn field_square(a: &Limbs) -> Limbs {
            $square(a)
        }

        // A closure has the features of the function around it, so it may call the above.

        $(#[$attribute])*
        fn double_n(
            _: &Calls<$w>,
            p: &Jacobian<$curve, $w>,
            n: usize,
        ) -> Jacobian<$curve, $w> {
            let f = Multiplication {
                mul: |a: &Limbs, b: &Limbs| $double_mul(a, b),
                square: |a: &Limbs| $double_square(a),
            };
            p.double_n(n, &f)
        }

        $(#[$attribute])*
        fn add(
            _: &Calls<$w>,
            p: &Jacobian<$curve, $w>,
            q: &Jacobian<$curve, $w>,
        ) -> (Jacobian<$curve, $w>, Choice) {
            let f = Multiplication {
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add(q, &f)
        }

        $(#[$attribute])*
        fn add_affine(
            _: &Calls<$w>,
            p: &Extended<$curve, $w>,
            q: &Affine<$curve, $w>,
        ) -> (Extended<$curve, $w>, Choice) {
            let f = Multiplication {
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add(q, &f)
        }

        $(#[$attribute])*
        fn add_vartime(
            _: &Calls<$w>,
            p: &Jacobian<$curve, $w>,
            q: &Affine<$curve, $w>,
        ) -> Option<Jacobian<$curve, $w>> {
            let f = Multiplication {
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add_affine_vartime(q, &f)
        }

        $(#[$attribute])*
        #[inline]
        fn steps() -> Steps<$curve, $w> {
            Steps {
                field: Calls {
                    mul: field_mul,
                    square: field_square,
                },
                double_n,
                add,
                add_affine,
                add_vartime,
            }
        }

        crate::weierstrass::kernel::implementation!(@ $curve, $w $(, #[$attribute])*);
    };
    (@ $curve:ident, $w:tt $(, #[$attribute:meta])*) => {
        use super::{$curve, Check};
        use crate::weierstrass::kernel::{self, Steps};

        type Limbs = [u64; $w];

        $(#[$attribute])*
        pub(super) fn mul_base(k: &Limbs) -> [Limbs; 2] {
            kernel::mul_base(k, &steps())
        }

        $(#[$attribute])*
        pub(super) fn mul(k: &Limbs, point: &[Limbs; 2]) -> [Limbs; 2] {
            kernel::mul(k, point, &steps())
        }

        $(#[$attribute])*
        pub(super) fn has_x_vartime(u1: &Limbs, u2: &Limbs, q: &[Limbs; 2], r: &Limbs) -> bool {
            kernel::has_x_vartime(u1, u2, q, r, &steps())
        }

        crate::weierstrass::kernel::one_by_one!($w $(, #[$attribute])*);
    };
}
pub(crate) use implementation;

/// The functions of an implementation for many items, which takes one after the other.
macro_rules! one_by_one {
    ($w:tt $(, #[$attribute:meta])*) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn mul_base_batch(ks: &[Limbs], out: &mut [[Limbs; 2]]) {
            for (product, k) in out[..ks.len()].iter_mut().zip(ks) {
                *product = mul_base(k);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn mul_batch(ks: &[Limbs], points: &[[Limbs; 2]], out: &mut [[Limbs; 2]]) {
            let items = ks.iter().zip(&points[..ks.len()]);
            for (product, (k, point)) in out[..ks.len()].iter_mut().zip(items) {
                *product = mul(k, point);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn has_x_batch_vartime(items: &[Check], out: &mut [bool]) {
            for (verdict, (u1, u2, q, r)) in out[..items.len()].iter_mut().zip(items) {
                *verdict = has_x_vartime(u1, u2, q, r);
            }
        }
    };
}
pub(crate) use one_by_one;

/// The implementations of a curve whose arithmetic is its [`Field`]: modules, and the table of them
/// with the rows that come before and, in brackets, those that are there to be asked for by name.
/// With the feature `small` the table has the small row alone. The numbers of `x86_ifma512` are those
/// of its `row`.
macro_rules! prime {
    ($curve:ident, $w:tt x86_ifma512 { $($numbers:tt)* } $($slower:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        mod x86_ifma512 {
            //! Eight multiplications side by side, and single ones with their parts side by side.
            crate::weierstrass::x86_ifma512::row!($curve, $w, $($numbers)*);
        }

        crate::weierstrass::kernel::prime! { $curve, $w $($slower)*
            #[cfg(target_arch = "x86_64")]
            x86_ifma512 if ["avx512f", "avx512ifma", "avx512vl"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_adx::$reduction:ident; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)] // assembly
        mod x86_adx {
            //! The operations over multiplication in assembly.
            crate::weierstrass::x86_adx::implementation!($reduction, $curve, $w);
        }

        crate::weierstrass::kernel::prime! { $curve, $w $([$($last)*])?;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_adx if ["bmi2", "adx"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_adx::$reduction:ident, x86_bmi2; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)] // assembly
        mod x86_adx {
            //! The operations over multiplication in assembly.
            crate::weierstrass::x86_adx::implementation!($reduction, $curve, $w);
        }

        crate::weierstrass::kernel::prime! { $curve, $w $([$($last)*])?, x86_bmi2;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_adx if ["bmi2", "adx"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_bmi2; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        mod x86_bmi2 {
            //! The operations compiled with `mulx`, which multiplies into any two registers and
            //! leaves the flags alone.
            use crate::weierstrass::{field::Field, words::By64};
            crate::weierstrass::kernel::implementation!(
                $curve, $w, $curve::multiply::<By64>, $curve::square::<By64>,
                #[target_feature(enable = "bmi2")]
            );
        }

        crate::weierstrass::kernel::prime! { $curve, $w $([$($last)*])?;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_bmi2 if ["bmi2"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?; $($rows:tt)*) => {
        #[cfg(target_pointer_width = "64")]
        mod portable64 {
            //! The operations in plain Rust, for CPUs with a 64-bit multiplication. On x86-64 these
            //! are those from before 2013, for which there are no formulas of their own.
            #[cfg(not(target_arch = "x86_64"))]
            crate::weierstrass::kernel::portable!($curve, $w, By64);
            #[cfg(target_arch = "x86_64")]
            crate::weierstrass::kernel::portable!($curve, $w, By64; calling);
        }

        #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
        mod portable32 {
            //! The operations in plain Rust, for CPUs that multiply 32 bits by 32.
            crate::weierstrass::kernel::portable!($curve, $w, By32; calling);
        }

        #[cfg(feature = "lab")]
        mod portable16 {
            //! The operations in plain Rust, for CPUs whose products of 32 bits keep the low ones.
            crate::weierstrass::kernel::portable!($curve, $w, By16; calling);
        }

        #[cfg(any(feature = "lab", feature = "small"))]
        mod small {
            //! The operations in the code that all curves share.
            crate::weierstrass::small::implementation!($curve, $w);
        }

        #[cfg(any(feature = "lab", not(feature = "small")))]
        crate::weierstrass::curve::group! { $curve, $w;
            $($rows)*
            #[cfg(target_pointer_width = "64")]
            portable64 if [];
            #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
            portable32 if [];
            $($($last)*)?
            #[cfg(feature = "lab")]
            portable16 if [];
            #[cfg(feature = "lab")]
            small if [];
        }

        #[cfg(all(feature = "small", not(feature = "lab")))]
        crate::weierstrass::curve::group! { $curve, $w;
            small if [];
        }
    };
}
pub(crate) use prime;

/// The operations in plain Rust, by such products of words.
macro_rules! portable {
    ($curve:ident, $w:tt, $product:ident) => {
        use crate::weierstrass::{field::Field, words::$product};
        crate::weierstrass::kernel::implementation!(
            $curve, $w, $curve::multiply::<$product>, $curve::square::<$product>
        );
    };
    ($curve:ident, $w:tt, $product:ident; calling) => {
        crate::weierstrass::kernel::implementation!(
            $curve, $w, calling crate::weierstrass::field::portable::<
                $curve, crate::weierstrass::words::$product, $w
            >()
        );
    };
}
pub(crate) use portable;

/// The operations over the multiplication that every prime of this length has in common.
#[cfg(feature = "lab")]
macro_rules! generic {
    ($curve:ident, $w:tt, $product:ident) => {
        use crate::weierstrass::{curve::Derived, field::Calls, words::$product};
        crate::weierstrass::kernel::implementation!(
            $curve, $w, calling Calls {
                mul: |a, b| $curve::FIELD.mul_generic::<$product>(a, b),
                square: |a| $curve::FIELD.square_generic::<$product>(a),
            }
        );
    };
}
#[cfg(feature = "lab")]
pub(crate) use generic;

/// The entry at a secret index: reads all. One for all curves of a length.
#[inline(never)]
fn lookup<const PARTS: usize, const W: usize>(
    entries: &[[[u64; W]; PARTS]; ENTRIES],
    index: u64,
) -> [[u64; W]; PARTS] {
    let mut found = [[0; W]; PARTS];
    for (i, entry) in (0..).zip(entries) {
        let mask = Choice::eq_u64(i, index).mask();
        for (found, entry) in found.iter_mut().zip(entry) {
            for (f, e) in found.iter_mut().zip(entry) {
                *f |= e & mask;
            }
        }
    }
    found
}

/// `k G`, for k from 1 to n - 1: one addition from the table for each digit, no doubling.
#[inline(never)]
pub(crate) fn mul_base<C: Field<W>, const W: usize>(
    k: &[u64; W],
    steps: &Steps<C, W>,
) -> [[u64; W]; 2] {
    let (table, f) = (C::table(), &steps.field);
    let digits = Digits::new(k, &C::N);
    let count = table::digits(C::ORDER.bits);
    let mut sum = Extended::from_affine(&table.entry(count, 0));
    for i in (0..count).rev() {
        let (index, negative) = digits.get(i);
        let multiple = affine(&lookup(table.row(i), index)).negate_if(negative);
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
pub(crate) fn mul<C: Field<W>, const W: usize>(
    k: &[u64; W],
    point: &[[u64; W]; 2],
    steps: &Steps<C, W>,
) -> [[u64; W]; 2] {
    let f = &steps.field;
    let digits = Digits::new(k, &C::N);
    let point = Jacobian::from_affine(&Affine::from_integers(point, f));
    let odd = odd_multiples::<ENTRIES, C, W>(&point, steps);
    let mut multiples = [[[0; W]; 3]; ENTRIES];
    for (entry, p) in multiples.iter_mut().zip(&odd) {
        *entry = [p.x.0, p.y.0, p.z.0];
    }
    let mut sum = point;
    for i in (0..table::digits(C::ORDER.bits)).rev() {
        sum = (steps.double_n)(f, &sum, WINDOW);
        let (index, negative) = digits.get(i);
        let [x, y, z] = lookup(&multiples, index).map(Fe::new);
        let y = y.negate_if(negative);
        let multiple = Jacobian { x, y, z };
        let (mut next, same) = (steps.add)(f, &sum, &multiple);
        if i == 0 {
            next.assign_if(same, &(steps.double_n)(f, &multiple, 1));
        }
        sum = next;
    }
    sum.to_integers(digits.negated, f)
}

/// 1, 3, 5, … times `point`.
#[inline(always)]
fn odd_multiples<const COUNT: usize, C: Field<W>, const W: usize>(
    point: &Jacobian<C, W>,
    steps: &Steps<C, W>,
) -> [Jacobian<C, W>; COUNT] {
    let f = &steps.field;
    let twice = (steps.double_n)(f, point, 1);
    let mut multiples = [*point; COUNT];
    for i in 1..COUNT {
        multiples[i] = (steps.add)(f, &multiples[i - 1], &twice).0;
    }
    multiples
}

/// Odd multiples of the public point in a verification.
const PUBLIC_ENTRIES: usize = 8;

/// Whether the x coordinate of `u1 G + u2 Q`, modulo n, is `r`: for public numbers below n and a
/// point of the curve.
#[inline(never)]
pub(crate) fn has_x_vartime<C: Field<W>, const W: usize>(
    u1: &[u64; W],
    u2: &[u64; W],
    q: &[[u64; W]; 2],
    r: &[u64; W],
    steps: &Steps<C, W>,
) -> bool {
    let f = &steps.field;
    let q = Jacobian::from_affine(&Affine::from_integers(q, f));
    let mut multiples = [Affine::ZERO; PUBLIC_ENTRIES];
    let jacobian = odd_multiples::<PUBLIC_ENTRIES, C, W>(&q, steps);
    normalize_vartime(&jacobian, &mut multiples, f);
    let table = C::table();
    let endomorphism = const { C::ENDOMORPHISM.as_ref() };
    let [mut g, mut lambda_g] = Term::of::<6, W>(u1, C::ORDER, endomorphism);
    (g.is_g, lambda_g.is_g) = (true, true);
    let [q, lambda_q] = Term::of::<5, W>(u2, C::ORDER, endomorphism);
    let terms = [g, lambda_g, q, lambda_q];
    let mut beta = Fe::ONE;
    if let Some(endomorphism) = endomorphism {
        beta = Fe::from_integer(&endomorphism.beta, f);
    }
    let mut sum = Jacobian::INFINITY;
    let mut doublings = 0;
    let top = terms.iter().map(|term| term.len).max();
    for i in (0..top.unwrap_or(0)).rev() {
        doublings += 1;
        for term in &terms {
            let digit = term.digits[i];
            if digit != 0 {
                let index = usize::from(digit.unsigned_abs() / 2);
                let mut multiple = if term.is_g {
                    table.entry(0, index)
                } else {
                    multiples[index]
                };
                if term.by_lambda {
                    multiple.x = f.mul(&multiple.x, &beta);
                }
                let sign = Choice::from_bit(u64::from((digit < 0) != term.is_negative));
                sum = (steps.double_n)(f, &sum, doublings);
                let added = (steps.add_vartime)(f, &sum, &multiple.negate_if(sign));
                sum = added.unwrap_or_else(|| (steps.double_n)(f, &sum, 1));
                doublings = 0;
            }
        }
    }
    sum = (steps.double_n)(f, &sum, doublings);
    has_r_vartime(&sum, r, f)
}

/// Whether the x coordinate of a point, modulo n, is `r`.
#[inline(always)]
fn has_r_vartime<C: Field<W>, const W: usize>(
    sum: &Jacobian<C, W>,
    r: &[u64; W],
    f: &impl Multiply<C, W>,
) -> bool {
    if sum.z.is_zero().declassify() {
        return false;
    }
    // x / z^2 = r, or r + n; where that is below p.
    let zz = f.square(&sum.untwisted_z(f));
    let matches = |x: &[u64; W]| {
        let below_p = C::FIELD.is_above(x).declassify();
        let expected = f.mul(&Fe::from_integer(x, f), &zz);
        below_p && expected.equals(&sum.x).declassify()
    };
    let (r_plus_n, carry) = words::add(r, &C::N);
    matches(r) || (!carry && matches(&r_plus_n))
}
