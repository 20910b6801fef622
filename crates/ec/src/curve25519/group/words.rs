//! Points on words, for the algorithms: the scalar formulas.

/// Makes what [`algorithms!`](super::algorithms) builds on of the scalar formulas over the field of
/// the module named first.
macro_rules! formulas {
    ([$($root:ident)::+] $(#[$attribute:meta])*) => {
        use $($root)::+::edwards::{Cached, Extended};
        use crate::curve25519::kernel;

        type Point = Extended;
        type Right = Cached;

        #[inline(always)]
        fn neutral() -> Extended {
            Extended::NEUTRAL
        }

        #[inline(always)]
        fn right(p: Extended) -> Cached {
            p.cache()
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn double_times(p: Extended, n: u32) -> Extended {
            if n == 0 {
                return p;
            }
            p.projective().double_times(n)
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn add(p: Extended, q: &Cached, sign: u64) -> Extended {
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
        fn select(row: &[Cached; 8], digit: i8) -> (Cached, u64) {
            let (magnitude, sign) = magnitude(digit);
            let mut found = Cached::ZERO;
            found.or_masked(kernel::equal(magnitude, 0), &Cached::NEUTRAL);
            for (j, entry) in row.iter().enumerate() {
                found.or_masked(kernel::equal(magnitude, j as u64 + 1), entry);
            }
            (found, sign)
        }
    };
}

/// Makes an implementation of the scalar formulas on 64-bit words.
#[cfg(target_pointer_width = "64")]
macro_rules! words {
    ($row:ident $(#[$attribute:meta])*) => {
        use crate::curve25519::field::Fe;
        use crate::curve25519::group::batch;
        use crate::curve25519::roots;
        use adamant_base::ct::Choice;
        use adamant_base::Error;

        #[inline(always)]
        fn read(point: &EdwardsPoint) -> Extended {
            point.0
        }

        #[inline(always)]
        fn write(point: Extended) -> EdwardsPoint {
            EdwardsPoint(point)
        }

        #[inline(always)]
        fn from_table(entry: &Niels) -> Cached {
            Cached::from_niels(entry)
        }

        #[inline]
        $(#[$attribute])*
        fn mul_base_point(scalar: &[u8; 32]) -> EdwardsPoint {
            EdwardsPoint(*crate::curve25519::$row::mul_base_extended(scalar))
        }

        crate::curve25519::group::words::formulas!([crate::curve25519] $(#[$attribute])*);
        crate::curve25519::group::algorithms::algorithms!($(#[$attribute])*);
        crate::curve25519::group::algorithms::one_by_one!($(#[$attribute])*);
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn add_points(a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
            EdwardsPoint(a.0.add(&b.0.cache()).extended())
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn double(a: &EdwardsPoint) -> EdwardsPoint {
            EdwardsPoint(a.0.projective().double().extended())
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn invert(x: &Fe) -> Fe {
            x.invert()
        }

        #[cfg_attr(feature = "lab", inline(never))]
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn sqrt_ratio(u: &Fe, v: &Fe) -> (Choice, Fe) {
            roots::sqrt_ratio(*u, *v)
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn decompress(bytes: &[u8; 32]) -> Result<EdwardsPoint, Error> {
            EdwardsPoint::checked(roots::decompress(bytes, |u, v| sqrt_ratio(&u, &v)))
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

pub(in super::super) use formulas;
#[cfg(target_pointer_width = "64")]
pub(in super::super) use words;
