//! Points on words, for the algorithms: the scalar formulas.

/// Makes an implementation of the scalar formulas over a field, given the row of the multiple of the
/// base point and the bits of the widest digits that pay in a table. Points and tables have the form of
/// radix 2^51 on the outside; to convert them takes far less than an operation.
macro_rules! words {
    ($row:ident, $field:ty, $widest:expr; $(#[$attribute:meta])*) => {
        use crate::curve25519::edwards::{Cached, Extended};
        use crate::curve25519::field::Fe;
        use crate::curve25519::fields::Field;
        use crate::curve25519::group::fixed::Form;
        use crate::curve25519::group::{TableSize, batch};
        use crate::curve25519::{kernel, roots};
        use adamant_base::Error;
        use adamant_base::ct::Choice;

        type Point = Extended<$field>;
        type Right = Cached<$field>;

        #[inline]
        pub(super) fn form_of_table(size: TableSize) -> Form {
            size.form($widest)
        }

        #[inline(always)]
        fn neutral() -> Extended<$field> {
            Extended::NEUTRAL
        }

        #[inline(always)]
        fn right(p: Extended<$field>) -> Cached<$field> {
            p.cache()
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn double_times(p: Extended<$field>, n: u32) -> Extended<$field> {
            if n == 0 {
                return p;
            }
            p.projective().double_times(n)
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn add(p: Extended<$field>, q: &Cached<$field>, sign: u64) -> Extended<$field> {
            let mut q = *q;
            q.neg_masked(sign);
            p.add(&q).extended()
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn multiscalar_mul_vartime(
            scalars: &[Scalar],
            points: &[EdwardsPoint],
        ) -> EdwardsPoint {
            if points.len() < crate::curve25519::group::pippenger::FROM {
                straus_vartime(scalars, points)
            } else {
                pippenger_vartime(scalars, points)
            }
        }

        #[inline(always)]
        fn select(row: &[Cached<$field>; 8], digit: i8) -> (Cached<$field>, u64) {
            let (magnitude, sign) = magnitude(digit);
            let mut found = Cached::ZERO;
            found.or_masked(kernel::equal(magnitude, 0), &Cached::NEUTRAL);
            for (j, entry) in row.iter().enumerate() {
                found.or_masked(kernel::equal(magnitude, j as u64 + 1), entry);
            }
            (found, sign)
        }

        #[inline(always)]
        fn read(point: &EdwardsPoint) -> Extended<$field> {
            point.0.inside()
        }

        #[inline(always)]
        fn write(point: Extended<$field>) -> EdwardsPoint {
            EdwardsPoint(point.outside())
        }

        #[inline(always)]
        fn from_table(entry: &Niels) -> Cached<$field> {
            Cached::from_niels(&entry.inside())
        }

        #[inline]
        $(#[$attribute])*
        fn mul_base_point(scalar: &[u8; 32]) -> EdwardsPoint {
            write(*crate::curve25519::$row::mul_base_extended(scalar))
        }

        crate::curve25519::group::algorithms::algorithms!($(#[$attribute])*);
        crate::curve25519::group::algorithms::one_by_one!($(#[$attribute])*);

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn add_points(a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
            write(read(a).add(&read(b).cache()).extended())
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn double(a: &EdwardsPoint) -> EdwardsPoint {
            write(read(a).projective().double().extended())
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn invert(x: &Fe) -> Fe {
            <$field>::from_outside(*x).invert().to_outside()
        }

        #[cfg_attr(feature = "lab", inline(never))]
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn sqrt_ratio_inside(u: &$field, v: &$field) -> (Choice, $field) {
            roots::sqrt_ratio(*u, *v)
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn sqrt_ratio(u: &Fe, v: &Fe) -> (Choice, Fe) {
            let [u, v] = [*u, *v].map(<$field>::from_outside);
            let (square, root) = sqrt_ratio_inside(&u, &v);
            (square, root.to_outside())
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn decompress(bytes: &[u8; 32]) -> Result<EdwardsPoint, Error> {
            let (valid, x, y) = roots::decompress(bytes, |u, v| sqrt_ratio_inside(&u, &v));
            EdwardsPoint::checked((valid, x.to_outside(), y.to_outside()))
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn compress_batch(points: &[EdwardsPoint], out: &mut [[u8; 32]]) {
            batch::compress(points, out);
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn decompress_batch(
            bytes: &[[u8; 32]],
            out: &mut [Result<EdwardsPoint, Error>],
        ) {
            for (bytes, out) in bytes.iter().zip(out) {
                *out = decompress(bytes);
            }
        }
    };
}

pub(in super::super) use words;
