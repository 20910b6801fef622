//! 64-bit limbs by multiplications of 32 bits by 32 to 64, for machines of 32 bits.

use super::{Multiplier, Task, montgomery, strong};
use crate::Modulus;
use adamant_base::ct::Choice;

/// The row operation.
#[inline(always)]
fn multiplier() -> Multiplier<impl Fn(&mut [u64], &[u64], u64) -> u64 + Copy> {
    Multiplier::by_halves(|a: u32, b: u32| u64::from(a) * u64::from(b))
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
