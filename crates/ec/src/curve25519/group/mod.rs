//! The group edwards25519 and the numbers below it, for those who build protocols.
//!
//! | module | holds |
//! |---|---|
//! | `edwards` | [`EdwardsPoint`] |
//! | `montgomery` | [`MontgomeryPoint`] |
//! | `fixed` | [`FixedBase`]: tables of multiples of a point that is used often |
//! | `scalar` | what users call of [`Scalar`] |
//! | `batch` | many points at once |
//! | `algorithms` | multiples and sums of multiples, written once for all implementations |
//! | `pippenger` | digits of the scalars of large sums |
//! | `words` | the scalar formulas, for `algorithms` |
//! | `portable64`, `portable32`, `portable16`, `x86_bmi2`, `x86_ifma`, `arm_mul`, `arm_thumb` | the implementations |

pub(super) mod algorithms;
#[cfg(target_arch = "aarch64")]
mod arm_mul;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
mod arm_thumb;
pub(super) mod batch;
mod edwards;
pub(super) mod fixed;
mod montgomery;
pub(super) mod pippenger;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", not(feature = "small")))
))]
mod portable16;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", feature = "small"))
))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
mod scalar;
pub(super) mod words;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
mod x86_ifma;

pub use edwards::EdwardsPoint;
pub(super) use edwards::operators;
use fixed::Form;
pub use fixed::{FixedBase, TableSize};
pub use montgomery::MontgomeryPoint;

use super::field::Fe;
use super::scalar::Scalar;
use adamant_base::Error;
use adamant_base::ct::Choice;

adamant_base::backends! {
    /// An implementation of the group edwards25519.
    ///
    /// The methods of [`EdwardsPoint`] take the best; through a value of this type one is chosen.
    /// Slices that belong together have equal lengths here: the callers have seen to it.
    ///
    /// All of it is compiled in the caller's crate, as batches are.
    pub(crate) struct Backend {
        batch {
            /// `a + b`.
            fn add_points(a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint;
            /// `2 a`.
            fn double(a: &EdwardsPoint) -> EdwardsPoint;
            /// `scalar * point`, for a scalar below 2^255.
            fn mul(scalar: &[u8; 32], point: &EdwardsPoint) -> EdwardsPoint;
            /// The multiple of the base point, for a scalar below 2^255.
            fn mul_base(scalar: &[u8; 32]) -> EdwardsPoint;
            /// The multiple of the point of a table.
            fn mul_fixed(scalar: &Scalar, base: &FixedBase) -> EdwardsPoint;
            /// The fastest table of multiples within a size.
            fn form_of_table(size: TableSize) -> Form;
            /// `a * point + b * base point`. Variable time.
            fn double_base_vartime(a: &Scalar, point: &EdwardsPoint, b: &Scalar) -> EdwardsPoint;
            /// The sum of all `scalars[i] * points[i]`.
            fn multiscalar_mul(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint;
            /// The same. Variable time.
            fn multiscalar_mul_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint;
            /// Reads an encoding.
            fn decompress(bytes: &[u8; 32]) -> Result<EdwardsPoint, Error>;
            /// Reads encodings, in variable time.
            fn decompress_batch(bytes: &[[u8; 32]], out: &mut [Result<EdwardsPoint, Error>]);
            /// Writes encodings.
            fn compress_batch(points: &[EdwardsPoint], out: &mut [[u8; 32]]);
            /// `1 / x`.
            fn invert(x: &Fe) -> Fe;
            /// A square root of `u / v` or of `i u / v`, and which (see `roots`).
            fn sqrt_ratio(u: &Fe, v: &Fe) -> (Choice, Fe);
        }
    }
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
    x86_ifma if ["avx512f", "avx512ifma", "avx512vl", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    #[cfg(target_arch = "aarch64")]
    arm_mul if ["neon"];
    // ARMv6-M, known by its lack of compare-and-swap, has no long products.
    #[cfg(all(
        target_arch = "arm",
        not(any(target_has_atomic = "ptr", feature = "small"))
    ))]
    arm_thumb if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", feature = "small"))
    ))]
    portable32 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", not(feature = "small")))
    ))]
    portable16 if [];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        not(feature = "small"),
        feature = "lab"
    ))]
    arm_thumb if [];
}
