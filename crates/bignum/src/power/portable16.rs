//! 64-bit limbs by multiplications of 32 bits that keep the low 32, for small cores: on some, the
//! time of the longer ones depends on the operands.

use super::{Multiplier, Task, montgomery, strong};
use crate::Modulus;
use adamant_base::ct::Choice;

/// `a b`, by four products of 16 bits by 16.
#[inline(always)]
fn wide(a: u32, b: u32) -> u64 {
    let (a0, a1, b0, b1) = (a & 0xffff, a >> 16, b & 0xffff, b >> 16);
    let low = a0 * b0;
    // Each sum is at most (2^16 - 1)^2 + 2 (2^16 - 1) = 2^32 - 1.
    let middle = a0 * b1 + (low >> 16);
    let other = a1 * b0 + (middle & 0xffff);
    let high = a1 * b1 + (middle >> 16) + (other >> 16);
    u64::from(high) << 32 | u64::from(other << 16 | low & 0xffff)
}

/// The row operation.
#[inline(always)]
fn multiplier() -> Multiplier<impl Fn(&mut [u64], &[u64], u64) -> u64 + Copy> {
    Multiplier::by_halves(wide)
}

pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    montgomery::product(multiplier(), out, a, b);
}

#[inline(never)]
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    montgomery::multiply(multiplier(), out, a, b, modulus.limbs(), modulus.n0());
}

pub(super) fn power(tasks: &mut [Task<'_>]) {
    montgomery::power(multiply, tasks);
}

pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    montgomery::power_vartime(multiply, tasks);
}

pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    strong::by_power(numbers, passed, power);
}
