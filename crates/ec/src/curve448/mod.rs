//! Curve448 and its Edwards form, edwards448 (RFC 7748, RFC 8032).
//!
//! | module | holds |
//! |---|---|
//! | [`ed448`] | signatures |
//! | [`x448`] | key agreement |
//! | `field` | arithmetic modulo 2^448 - 2^224 - 1 |
//! | `fields` | what the formulas ask of it, on words of every size |
//! | `scalar` | arithmetic modulo the order of the base point |
//! | `edwards` | points and their sums |
//! | `table` | multiples of the base point |
//! | `kernel` | scalar multiplications and the verification equation |
//! | `portable64` | these, for 64-bit words |
//! | `portable32`, `portable16` | these for CPUs whose multiplication takes 32 or 16 bits |
//! | `arm_mul` | these with products and squares in assembly, for ARM64 |
//! | `x86_ifma` | the same on AVX-512 IFMA: four multiplications of one operation, or eight operations, side by side |

pub mod ed448;
pub mod x448;

#[cfg(target_arch = "aarch64")]
mod arm_mul;
mod edwards;
mod field;
mod fields;
mod kernel;
#[cfg(feature = "lab")]
mod portable16;
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
mod scalar;
mod table;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    feature = "simd",
    feature = "alloc"
))]
mod x86_ifma;

#[cfg(test)]
mod tests;

use edwards::Affine;

/// What one verification checks.
#[derive(Clone, Copy)]
pub struct Check {
    a: Affine,
    /// R, not yet decoded.
    r: [u8; 57],
    k: scalar::Words,
    s: scalar::Words,
}

adamant_base::backends! {
    /// An implementation of what Ed448 and X448 compute on their curves.
    ///
    /// Scalars are seven words, least significant first, below 2^447.
    pub(crate) struct Backend {
        /// The scalar times the base point.
        fn mul_base(scalar: &[u64; 7]) -> Affine;
        /// The u-coordinate on curve448 of the scalar times the base point, for a scalar that is
        /// no multiple of l.
        fn mul_base_u(scalar: &[u64; 7]) -> [u8; 56];
        /// The u-coordinate of the scalar times the point of u-coordinate `u` (RFC 7748's
        /// function X448 without the clamping of the scalar).
        fn ladder(scalar: &[u8; 56], u: &[u8; 56]) -> [u8; 56];
        /// The point of a canonical encoding. Variable time.
        fn decompress_vartime(bytes: &[u8; 57]) -> Option<Affine>;
        /// Whether R is a canonical encoding and `[4]([s]B - [k]A - R)` the neutral point.
        /// Variable time.
        fn verify_vartime(check: &Check) -> bool;
        batch {
            /// `mul_base` of each; there are as many places for results, here and below.
            fn mul_base_batch(scalars: &[[u64; 7]], out: &mut [Affine]);
            /// `mul_base_u` of each.
            fn mul_base_u_batch(scalars: &[[u64; 7]], out: &mut [[u8; 56]]);
            /// `ladder` of each pair of scalar and u-coordinate.
            fn ladder_batch(items: &[[[u8; 56]; 2]], out: &mut [[u8; 56]]);
            /// `verify_vartime` of each.
            fn verify_batch_vartime(checks: &[Check], out: &mut [bool]);
        }
    }
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        feature = "simd",
        feature = "alloc"
    ))]
    x86_ifma if ["avx512f", "avx512ifma", "bmi2"];
    #[cfg(target_arch = "aarch64")]
    arm_mul if ["neon"];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    portable32 if [];
    #[cfg(feature = "lab")]
    portable16 if [];
}

/// The batches of a row, one item after the other.
macro_rules! batches {
    () => {
        #[cfg_attr(not(feature = "lab"), inline)]
        pub(in crate::curve448) fn mul_base_batch(
            scalars: &[[u64; 7]],
            out: &mut [crate::curve448::edwards::Affine],
        ) {
            for (scalar, out) in scalars.iter().zip(out) {
                *out = mul_base(scalar);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        pub(in crate::curve448) fn mul_base_u_batch(scalars: &[[u64; 7]], out: &mut [[u8; 56]]) {
            for (scalar, out) in scalars.iter().zip(out) {
                *out = mul_base_u(scalar);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        pub(in crate::curve448) fn ladder_batch(items: &[[[u8; 56]; 2]], out: &mut [[u8; 56]]) {
            for ([scalar, u], out) in items.iter().zip(out) {
                *out = ladder(scalar, u);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        pub(in crate::curve448) fn verify_batch_vartime(
            checks: &[crate::curve448::Check],
            out: &mut [bool],
        ) {
            for (check, out) in checks.iter().zip(out) {
                *out = verify_vartime(check);
            }
        }
    };
}
use batches;
