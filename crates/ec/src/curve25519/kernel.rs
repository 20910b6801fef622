//! The operations of Ed25519 and X25519 on 64-bit words, written once.
//!
//! Everything here is inlined into the modules that are rows of the tables of implementations,
//! which [`row!`] makes and each of which compiles it for its CPU features. Code that several
//! operations of a row need is a function there, which they hand to the ones here.

use super::edwards::{Affine, Cached, Completed, Extended, Niels, Projective, Signed};
#[cfg(target_arch = "x86_64")]
use super::field::Fe;
use super::fields::Field;
use super::halved::Halved;
use super::memory::{DIGITS, MULTIPLE, Row};
use super::scalar::{magnitude, naf_vartime, radix16};
use super::table::{ODD_WIDTH, ROWS};
use adamant_base::Secret;

/// `|digit| P` from a row of multiples `P`, `2 P`, ..., and as a mask the digit's sign: every entry
/// of the row is read.
#[inline(always)]
pub(super) fn select<F: Field>(row: &[Niels<F>; 8], digit: i8) -> (Niels<F>, u64) {
    let (magnitude, sign) = magnitude(digit);
    (F::pick(row, magnitude), sign)
}

/// `a * b`.
#[inline(always)]
pub(super) fn multiply<F: Field>(a: &F, b: &F) -> F {
    a.mul(*b)
}

/// All ones where `a == b`.
#[inline(always)]
pub(super) fn equal(a: u64, b: u64) -> u64 {
    adamant_base::ct::Choice::eq_u64(a, b).mask()
}

/// A sum that grows by doublings and additions. Variable time.
pub(super) trait Sum<F> {
    /// Doubles it.
    fn double(&mut self);
    /// Adds a point.
    fn add(&mut self, other: &Signed<'_, F>);
    /// What it has become.
    fn result(self) -> Projective<F>;
}

/// With the formulas where they are asked for.
impl<F: Field> Sum<F> for Completed<F> {
    #[inline(always)]
    fn double(&mut self) {
        *self = self.projective().double();
    }
    #[inline(always)]
    fn add(&mut self, other: &Signed<'_, F>) {
        *self = self.extended().add_signed_vartime(other);
    }
    #[inline(always)]
    fn result(self) -> Projective<F> {
        self.projective()
    }
}

/// With functions, which take a twentieth longer: a point, and how many doublings are due.
#[cfg(target_arch = "x86_64")]
pub(super) struct Called<D, A> {
    sum: Extended,
    due: u32,
    double: D,
    add: A,
}

#[cfg(target_arch = "x86_64")]
impl<D: Fn(&mut Extended, u32), A: Fn(&mut Extended, &Cached)> Called<D, A> {
    pub(super) fn new(double: D, add: A) -> Self {
        Called {
            sum: Extended::NEUTRAL,
            due: 0,
            double,
            add,
        }
    }

    fn catch_up(&mut self) {
        if self.due > 0 {
            (self.double)(&mut self.sum, self.due);
            self.due = 0;
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<D: Fn(&mut Extended, u32), A: Fn(&mut Extended, &Cached)> Sum<Fe> for Called<D, A> {
    fn double(&mut self) {
        self.due += 1;
    }
    fn add(&mut self, other: &Signed<'_>) {
        self.catch_up();
        (self.add)(&mut self.sum, &other.cached());
    }
    fn result(mut self) -> Projective {
        self.catch_up();
        self.sum.projective()
    }
}

/// Makes the functions of a row over a field, given what a sum of public numbers starts with. Points
/// have the form of radix 2^51 on the outside.
macro_rules! row {
    ($field:ty, $sum:expr; $(#[$attribute:meta])*) => {
        use super::edwards::{Affine, Cached, Extended};
        use super::fields::Field;
        use super::kernel::{self, Check, Equation};
        use super::ladder::ladder_with;
        use super::memory::Table;
        use adamant_base::Secret;

        /// Becomes `2^n sum`, for n of at least one.
        #[inline(never)]
        $(#[$attribute])*
        pub(super) fn double(sum: &mut Extended<$field>, n: u32) {
            *sum = sum.projective().double_times(n);
        }

        /// Becomes the sum with a point.
        #[inline(never)]
        $(#[$attribute])*
        fn add(sum: &mut Extended<$field>, other: &Cached<$field>) {
            *sum = sum.add(other).extended();
        }

        /// `a * b`, for what is not in a loop.
        #[inline(never)]
        $(#[$attribute])*
        fn multiply(a: &$field, b: &$field) -> $field {
            kernel::multiply(a, b)
        }

        /// `1 / x`, and 0 for 0.
        #[inline(never)]
        $(#[$attribute])*
        pub(super) fn invert(x: &$field) -> $field {
            x.invert()
        }

        /// The power (p - 5) / 8, from which square roots are made.
        #[inline(never)]
        $(#[$attribute])*
        fn pow_p58(x: &$field) -> $field {
            x.pow_p58()
        }

        /// 1, 3, 5, … 15 times a point.
        #[inline(never)]
        $(#[$attribute])*
        fn odd_multiples(point: &Affine) -> [Cached<$field>; 8] {
            let cache = |point: &Extended<$field>| point.cache_with(|a, b| multiply(a, b));
            let mut multiple = point.inside().extend_with(|a, b| multiply(a, b));
            let mut twice = multiple;
            double(&mut twice, 1);
            let twice = cache(&twice);
            let mut odd = [twice; 8];
            for (i, odd) in odd.iter_mut().enumerate() {
                if i > 0 {
                    add(&mut multiple, &twice);
                }
                *odd = cache(&multiple);
            }
            odd
        }

        #[inline(never)]
        $(#[$attribute])*
        pub(super) fn mul_base_extended(scalar: &[u8; 32]) -> Secret<Extended<$field>> {
            <$field>::mul_base(scalar, |sum, n| double(sum, n))
        }

        $(#[$attribute])*
        pub(super) fn mul_base(scalar: &[u8; 32]) -> Affine {
            let product = mul_base_extended(scalar);
            product.scale(invert(&product.z)).outside()
        }

        $(#[$attribute])*
        pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
            if !cfg!(feature = "tables") {
                // A ladder takes no longer, and a program that agrees has one already.
                let mut base = [0; 32];
                base[0] = 9;
                return ladder(scalar, &base);
            }
            kernel::montgomery_u(&mul_base_extended(scalar), |x| invert(&x))
        }

        #[inline(never)]
        $(#[$attribute])*
        pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
            ladder_with::<$field>(scalar, u, |x| invert(&x))
        }

        $(#[$attribute])*
        pub(super) fn verify_vartime(equation: Equation, item: &Check) -> bool {
            kernel::verify_vartime(equation, item, $sum, |point| odd_multiples(point))
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn sum_is_small_vartime(
            base: &[u64; 4],
            terms: &[Check],
            tables: &mut [Table],
        ) -> bool {
            let rows = &mut tables.as_flattened_mut()[..2 * terms.len()];
            let terms = terms
                .iter()
                .flat_map(|term| [(term.k, term.a), (term.s, term.r)]);
            kernel::sum_is_small_vartime(base, terms, rows, $sum, |point| odd_multiples(point))
        }

        #[inline(never)]
        $(#[$attribute])*
        pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
            Affine::decompress_zip215_vartime(bytes, |a, b| multiply(a, b), |x| pow_p58(&x))
                .map(|point| point.outside())
        }

        kernel::batches_of_x25519!($(#[$attribute])*);
        kernel::batches_of_ed25519!($(#[$attribute])*);
    };
}
pub(super) use row;

/// Makes the batches of X25519 of a row, one item after the other.
macro_rules! batches_of_x25519 {
    ($(#[$attribute:meta])*) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_base_u_batch(
            scalars: &[[u8; 32]],
            out: &mut [[u8; 32]],
        ) {
            for (scalar, out) in scalars.iter().zip(out) {
                *out = mul_base_u(scalar);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn ladder_batch(
            scalars: &[[u8; 32]],
            us: &[[u8; 32]],
            out: &mut [[u8; 32]],
        ) {
            for ((scalar, u), out) in scalars.iter().zip(us).zip(out) {
                *out = ladder(scalar, u);
            }
        }
    };
}
pub(super) use batches_of_x25519;

/// Makes those of Ed25519.
macro_rules! batches_of_ed25519 {
    ($(#[$attribute:meta])*) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
            for (scalar, out) in scalars.iter().zip(out) {
                *out = mul_base(scalar);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn decompress_batch_vartime(
            bytes: &[[u8; 32]],
            out: &mut [Option<Affine>],
        ) {
            for (bytes, out) in bytes.iter().zip(out) {
                *out = decompress_vartime(bytes);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn verify_batch_vartime(
            equation: Equation,
            items: &[Check],
            out: &mut [bool],
        ) {
            for (item, out) in items.iter().zip(out) {
                *out = verify_vartime(equation, item);
            }
        }
    };
}
pub(super) use batches_of_ed25519;

/// `scalar * B` for a scalar below 2^255.
///
/// The sum over the odd digits, times 16, plus the sum over the even ones; without tables, a digit
/// after the other. The one addition is in the loop: what goes to a function and back waits for
/// memory.
#[inline(always)]
pub(super) fn mul_base_extended<F: Field>(
    scalar: &[u8; 32],
    double_four_times: impl Fn(&mut Extended<F>),
) -> Secret<Extended<F>> {
    const STEPS: usize = 64 / ROWS;
    let digits = Secret::new(radix16(scalar));
    let (rows, _) = F::COMB.as_chunks::<8>();
    let mut sum = Secret::new(Extended::<F>::NEUTRAL);
    for i in 0..64 {
        #[allow(clippy::modulo_one)] // Without tables there is one row.
        let (step, row) = (i / ROWS, i % ROWS);
        if row == 0 && step > 0 {
            double_four_times(&mut sum);
        }
        let (mut entry, sign) = select(&rows[row], digits[STEPS * row + STEPS - 1 - step]);
        entry.neg_masked(sign);
        *sum = sum.add_or_sub_niels_vartime(&entry, false).extended();
    }
    sum
}

/// The u-coordinate of a point other than the neutral one: u = (1 + y) / (1 - y) (RFC 7748,
/// section 4.1).
#[inline(always)]
pub(super) fn montgomery_u<F: Field>(p: &Extended<F>, invert: impl Fn(F) -> F) -> [u8; 32] {
    let inverse = invert(p.z.sub(p.y));
    p.z.add(p.y).mul(inverse).to_bytes()
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

/// Whether `[8]([base]B - sum)` is the neutral point, where the sum is that of `scalar * point`
/// over the terms, of which there are as many as rows; scalars below 2^255. Variable time.
///
/// All points share the doublings.
#[inline(always)]
pub(super) fn sum_is_small_vartime<F: Field>(
    base: &[u64; 4],
    terms: impl Iterator<Item = ([u64; 4], Affine)>,
    rows: &mut [Row],
    mut sum: impl Sum<F>,
    odd_multiples: impl Fn(&Affine) -> [Cached<F>; 8],
) -> bool {
    for ((scalar, point), row) in terms.zip(&mut *rows) {
        let naf = naf_vartime(&scalar, 5);
        let odd = odd_multiples(&point);
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
        Cached::<F>::from_stored([&limbs[0], &limbs[1], &limbs[2], &limbs[3]])
    };
    let base = naf_vartime(base, ODD_WIDTH);
    for i in (0..256).rev() {
        sum.double();
        // The base point's turn comes after the rows, so that there is one addition in the code.
        for j in 0..=rows.len() {
            let stored;
            let other = if let Some(row) = rows.get(j) {
                let digit = row[i / DIGITS].as_flattened()[MULTIPLE + i % DIGITS] as i8;
                if digit == 0 {
                    continue;
                }
                stored = multiple(row, index(digit));
                stored.signed(digit > 0)
            } else if base[i] != 0 {
                F::ODD[index(base[i])].signed(base[i] < 0)
            } else {
                continue;
            };
            sum.add(&other);
        }
    }
    sum.result().has_small_order().declassify()
}

/// The place of an odd digit among the odd numbers.
#[inline(always)]
fn index(digit: i8) -> usize {
    usize::from(digit.unsigned_abs() / 2)
}

/// Whether a signature fulfils the equation. Variable time.
#[inline(always)]
pub(super) fn verify_vartime<F: Field>(
    equation: Equation,
    item: &Check,
    mut sum: impl Sum<F>,
    odd_multiples: impl Fn(&Affine) -> [Cached<F>; 8],
) -> bool {
    let halved = Halved::new(&item.k, &item.s);
    let points = [odd_multiples(&item.a), odd_multiples(&item.r)];
    let (u, v) = (halved.u.words(), halved.v.words());
    let digits = [naf_vartime(u, 4), naf_vartime(v, 4)];
    let signs = [halved.minus, false];
    let [low, high] = halved.parts();
    let base = [naf_vartime(&low, ODD_WIDTH), naf_vartime(&high, ODD_WIDTH)];
    let used = |i: &usize| digits.iter().chain(&base).any(|digits| digits[*i] != 0);
    let top = (0..256).rev().find(used);
    for i in (0..top.map_or(0, |i| i + 1)).rev() {
        // A list, so that there is one addition in the code.
        let (mut additions, mut count) = ([F::ODD[0].signed(false); 4], 0);
        for ((odd, digits), minus) in points.iter().zip(&digits).zip(signs) {
            let digit = digits[i];
            if digit != 0 {
                additions[count] = odd[index(digit)].signed((digit > 0) != minus);
                count += 1;
            }
        }
        for (odd, digits) in [F::ODD, F::ODD_HIGH].into_iter().zip(&base) {
            let digit = digits[i];
            if digit != 0 {
                additions[count] = odd[index(digit)].signed(digit < 0);
                count += 1;
            }
        }
        sum.double();
        for other in &additions[..count] {
            sum.add(other);
        }
    }
    holds(equation, &sum.result())
}

/// Whether `p` is the neutral point, or of small order, as the equation asks of a difference.
/// Variable time.
#[inline(always)]
pub(super) fn holds<F: Field>(equation: Equation, p: &Projective<F>) -> bool {
    match equation {
        Equation::Cofactored => p.has_small_order().declassify(),
        Equation::Cofactorless => p.is_neutral().declassify(),
    }
}
