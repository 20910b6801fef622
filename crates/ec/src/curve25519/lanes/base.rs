//! Multiples of the base point, one in each lane.

/// See the module.
macro_rules! base {
    ($(#[$attribute:meta])*) => {
        use super::convert::{split, words};
        use super::field::{Factor, P48, Sum, Vector};
        use super::pick::{ROWS, digit, pick};
        use super::point::Point;
        use super::inverse::invert;
        use super::{CHUNK, GROUPS, LANES};
        use adamant_base::Secret;
        use crate::curve25519::edwards::Affine;
        use crate::curve25519::rows::{DIGITS, WINDOW, odd_digits};

        /// The digits of a scalar in each lane, as words.
        #[inline]
        $(#[$attribute])*
        fn digits(scalars: &[[u8; 32]]) -> [Vector; 4] {
            let mut odd = Secret::new([[0; 32]; LANES]);
            for (odd, scalar) in odd.iter_mut().zip(scalars) {
                let digits = odd_digits(scalar);
                for (to, word) in odd.as_chunks_mut::<8>().0.iter_mut().zip(&*digits) {
                    *to = word.to_le_bytes();
                }
            }
            words(&odd)
        }

        /// `scalar * B` of each lane, for scalars below 2^255.
        ///
        /// The sum over the digits of odd index, times 32, plus the sum over the others.
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn mul_base_lanes(scalars: &[[u8; 32]]) -> Point {
            let digits = digits(scalars);
            let mut sum = Point::neutral();
            for odd in [1, 0] {
                if odd == 0 {
                    sum.double_times(WINDOW as u32);
                }
                for (row, i) in ROWS.iter().zip((odd..DIGITS).step_by(2)) {
                    let (index, negative) = digit(&digits, i);
                    sum.add_niels(&pick(row, index), negative);
                }
            }
            sum
        }

        /// Of up to 64 scalars, the multiples of the base point; and the reciprocals of what `denominator`
        /// makes of them, which may not be zero.
        #[inline]
        $(#[$attribute])*
        fn chunk(
            scalars: &[[u8; 32]],
            denominator: impl Fn(&Point) -> Sum,
        ) -> ([Point; GROUPS], [Factor; GROUPS]) {
            let mut sums = [Point::neutral(); GROUPS];
            let mut inverses = [Factor::one(); GROUPS];
            for (i, scalars) in scalars.chunks(LANES).enumerate() {
                sums[i] = mul_base_lanes(scalars);
                inverses[i] = denominator(&sums[i]).carry();
            }
            let groups = scalars.len().div_ceil(LANES);
            invert(&mut inverses[..groups], &mut [Factor::one(); GROUPS]);
            (sums, inverses)
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
            for (scalars, out) in scalars.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
                let (sums, inverses) = chunk(scalars, |sum| sum.z);
                for ((sum, inverse), out) in sums.iter().zip(&inverses).zip(out.chunks_mut(LANES)) {
                    let x = split(&sum.x.carry().times(inverse));
                    let y = split(&sum.y.carry().times(inverse));
                    for (i, to) in out.iter_mut().enumerate() {
                        *to = Affine { x: x[i], y: y[i] };
                    }
                }
            }
        }

        /// u = (1 + y) / (1 - y) (RFC 7748, section 4.1).
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
            for (scalars, out) in scalars.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
                let (sums, inverses) = chunk(scalars, |sum| {
                    let p = Sum::constant(&P48);
                    sum.z.plus(&p).minus(&sum.y)
                });
                for ((sum, inverse), out) in sums.iter().zip(&inverses).zip(out.chunks_mut(LANES)) {
                    let u = split(&sum.z.plus(&sum.y).carry().times(inverse));
                    for (to, u) in out.iter_mut().zip(u) {
                        *to = u.to_bytes();
                    }
                }
            }
        }
    };
}
pub(in crate::curve25519) use base;
