//! Multiples of points and their sums, written once.
//!
//! [`algorithms!`] makes the functions of one implementation, compiled for its CPU features, over
//! what the module that calls it provides:
//!
//! | name | is |
//! |---|---|
//! | `Point` | the left side of a sum, and its result |
//! | `Right` | the right side of a sum |
//! | `neutral`, `read`, `write`, `right` | the neutral point, a point from and to its public form, as right side |
//! | `double_times(p, n)` | `2^n p` |
//! | `add(p, q, sign)` | `p + q`, or `p - q` where the mask `sign` is all ones |
//! | `select(row, digit)` | `digit P` of a row of multiples `1 P`, `2 P`, ...: its magnitude, and the sign as a mask; every entry is read |
//! | `from_table(entry)` | an entry of a table of affine points as right side |
//! | `mul_base_point(scalar)` | the multiple of the base point |

/// See the module.
macro_rules! algorithms {
    ($(#[$attribute:meta])*) => {
        use crate::curve25519::group::EdwardsPoint;
        use crate::curve25519::edwards::Niels;
        use crate::curve25519::scalar::{Scalar, magnitude, naf_vartime};
        use crate::curve25519::table::{ODD, ODD_WIDTH};
        use alloc::{vec, vec::Vec};

        /// `P`, `3 P`, ..., `15 P`.
        #[inline]
        $(#[$attribute])*
        fn odd_multiples(p: Point) -> [Right; 8] {
            let mut row = [right(p); 8];
            let step = double_times(p, 1);
            for i in 1..8 {
                row[i] = right(add(step, &row[i - 1], 0));
            }
            row
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> EdwardsPoint {
            mul_base_point(scalar)
        }

        /// `a * point + b * base point`, by non-adjacent forms.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn double_base_vartime(
            a: &Scalar,
            point: &EdwardsPoint,
            b: &Scalar,
        ) -> EdwardsPoint {
            let row = odd_multiples(read(point));
            let (a, b) = (naf_vartime(a.words(), 5), naf_vartime(b.words(), ODD_WIDTH));
            let mut sum = neutral();
            let mut doublings = 0;
            for (a, b) in a.iter().zip(&b).rev() {
                doublings += 1;
                if *a == 0 && *b == 0 {
                    continue;
                }
                sum = double_times(sum, doublings);
                doublings = 0;
                if *a != 0 {
                    let (magnitude, sign) = magnitude(*a);
                    sum = add(sum, &row[magnitude as usize / 2], sign);
                }
                if *b != 0 {
                    let (magnitude, sign) = magnitude(*b);
                    sum = add(sum, &from_table(&ODD[magnitude as usize / 2]), sign);
                }
            }
            write(double_times(sum, doublings))
        }
    };
}

/// What [`algorithms!`] leaves out, for implementations that compute one point at a time.
macro_rules! one_by_one {
    ($(#[$attribute:meta])*) => {
        use crate::curve25519::group::fixed::{FixedBase, pick};
        use crate::curve25519::group::pippenger::{self, Plan};
        use crate::curve25519::scalar::{odd_digit, radix16, recode};
        use adamant_base::Secret;

        /// `P`, `2 P`, ..., `8 P`.
        #[inline]
        $(#[$attribute])*
        fn multiples(p: Point) -> [Right; 8] {
            let step = right(p);
            let mut row = [step; 8];
            let mut multiple = double_times(p, 1);
            for entry in &mut row[1..7] {
                *entry = right(multiple);
                multiple = add(multiple, &step, 0);
            }
            row[7] = right(multiple);
            row
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul(scalar: &[u8; 32], point: &EdwardsPoint) -> EdwardsPoint {
            let digits = Secret::new(radix16(scalar));
            let row = multiples(read(point));
            let mut sum = neutral();
            for digit in digits.iter().rev() {
                let (entry, sign) = select(&row, *digit);
                sum = add(double_times(sum, 4), &entry, sign);
            }
            write(sum)
        }

        /// Straus: the doublings are shared.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn multiscalar_mul(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
            let digits: Vec<_> = scalars.iter().map(|scalar| Secret::new(radix16(&scalar.to_bytes()))).collect();
            let rows: Vec<_> = points.iter().map(|point| multiples(read(point))).collect();
            let mut sum = neutral();
            for i in (0..64).rev() {
                sum = double_times(sum, 4);
                for (row, digits) in rows.iter().zip(&digits) {
                    let (entry, sign) = select(row, digits[i]);
                    sum = add(sum, &entry, sign);
                }
            }
            write(sum)
        }

        /// As [`multiscalar_mul`], but digits of five bits are indices. A zero is added like
        /// any digit: to pass it over would cost more in branches that nobody can predict.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn straus_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
            let digits: Vec<_> = scalars
                .iter()
                .map(|scalar| {
                    let mut digits = [0i8; 51];
                    recode(scalar, 5, &mut digits);
                    digits
                })
                .collect();
            let rows: Vec<[Right; 17]> = points
                .iter()
                .map(|point| {
                    let point = read(point);
                    let step = right(point);
                    let mut row = [right(neutral()); 17];
                    row[1] = step;
                    let mut multiple = point;
                    for entry in &mut row[2..] {
                        multiple = add(multiple, &step, 0);
                        *entry = right(multiple);
                    }
                    row
                })
                .collect();
            let mut sum = neutral();
            for i in (0..51).rev() {
                sum = double_times(sum, 5);
                for (row, digits) in rows.iter().zip(&digits) {
                    let sign = i64::from(digits[i] >> 7) as u64;
                    sum = add(sum, &row[usize::from(digits[i].unsigned_abs())], sign);
                }
            }
            write(sum)
        }

        /// Pippenger: for each window of bits of the scalars, the points fall into buckets by
        /// their digit, and the buckets are added up, the one of digit `d` `d` times.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn pippenger_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
            let plan = Plan::new(scalars, pippenger::width(scalars.len()));
            let rights: Vec<_> = points.iter().map(|point| right(read(point))).collect();
            let mut buckets = vec![neutral(); plan.buckets()];
            let mut sum = neutral();
            for window in (0..plan.windows()).rev() {
                buckets.fill(neutral());
                for (digit, point) in plan.digits(window).zip(&rights) {
                    if digit != 0 {
                        let bucket = &mut buckets[usize::from(digit.unsigned_abs()) - 1];
                        *bucket = add(*bucket, point, i64::from(digit >> 15) as u64);
                    }
                }
                sum = double_times(sum, plan.width());
                // The sum over all buckets from the last one to each.
                let mut running = neutral();
                let mut total = neutral();
                for bucket in buckets.iter().rev() {
                    running = add(running, &right(*bucket), 0);
                    total = add(total, &right(running), 0);
                }
                sum = add(sum, &right(total), 0);
            }
            write(sum)
        }

        /// The multiple of the point of a table: where two digits share a row, those of odd index come
        /// first.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_fixed(scalar: &Scalar, base: &FixedBase) -> EdwardsPoint {
            let Form { width, shared } = base.form;
            let (bits, start) = base.recode(scalar);
            let mut sum = if shared == 1 { read(&start) } else { neutral() };
            for first in (0..shared).rev() {
                for i in (first..base.form.digits()).step_by(shared) {
                    let (place, sign) = odd_digit(&bits[..], width, i);
                    sum = add(sum, &from_table(&pick(base.row(i), place)), sign);
                }
                if first > 0 {
                    sum = double_times(sum, width as u32);
                    sum = add(sum, &right(read(&start)), 0);
                }
            }
            write(sum)
        }
    };
}
pub(in super::super) use {algorithms, one_by_one};
