//! 64-bit limbs in portable Rust.

use super::{Multiplier, Task, montgomery, strong};
use crate::Modulus;
use adamant_base::ct::Choice;

pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    montgomery::product(Multiplier::portable(), out, a, b);
}

#[inline(never)]
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    montgomery::multiply(
        Multiplier::portable(),
        out,
        a,
        b,
        modulus.limbs(),
        modulus.n0(),
    );
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
