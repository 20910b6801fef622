//! The operations on AVX-512 IFMA.
//!
//! | module | holds |
//! |---|---|
//! | `limbs` | elements in limbs for the multiplier |
//! | `four`, `single` | one operation at a time, four multiplications side by side |
//! | `eight`, `point`, `batch` | eight operations side by side |
//! | `verify` | many verifications by one equation |
//!
//! Inversions and square roots of single operations, which are chains of squarings, stay scalar.
//!
//! Digits, scalars and results are wiped as in the scalar implementation; intermediate points
//! live in registers, whose copies on the stack are not.

mod batch;
mod eight;
mod four;
mod limbs;
mod point;
mod single;
#[cfg(test)]
mod tests;
mod verify;

#[cfg(target_arch = "x86")]
pub(super) use super::portable32::decompress_vartime;
#[cfg(target_arch = "x86_64")]
pub(super) use super::portable64::decompress_vartime;
use super::{Check, kernel};
pub(super) use batch::{ladder_batch, mul_base_batch, mul_base_u_batch};
pub(super) use single::{ladder, mul_base, mul_base_u};
pub(super) use verify::verify_batch_vartime;

#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(super) fn verify_vartime(check: &Check) -> bool {
    let Some(r) = decompress_vartime(&check.r) else {
        return false;
    };
    let sum = single::double_base_vartime(&check.a, &check.k, &check.s);
    kernel::differ_by_small_order(&sum, &r)
}
