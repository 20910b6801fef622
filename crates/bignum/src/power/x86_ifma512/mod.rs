//! AVX-512 IFMA: digits of 52 bits; two exponentiations side by side, or eight at once, one in each
//! lane.

pub(crate) mod in_digits;
mod lanes;
mod product;
mod single;

#[cfg(target_arch = "x86_64")]
use super::x86_adx as others;
#[cfg(target_arch = "x86")]
use super::x86_sse2 as others;
use super::{Task, strong};
use crate::Modulus;
use adamant_base::ct::Choice;

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    if !product::mul(out, a, b) {
        others::mul(out, a, b);
    }
}

#[target_feature(enable = "adx,bmi2")]
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    others::multiply(out, a, b, modulus);
}

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn power(tasks: &mut [Task<'_>]) {
    run(tasks, false);
}

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    run(tasks, true);
}

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    assert_eq!(numbers.len(), passed.len());
    let places = passed.chunks_mut(lanes::LANES);
    for (numbers, passed) in numbers.chunks(lanes::LANES).zip(places) {
        if numbers.len() >= MANY && lanes::fits_two(numbers[0].len()) {
            lanes::strong_to_two(numbers, passed);
        } else {
            strong::by_power(numbers, passed, |tasks| power(tasks));
        }
    }
}

/// From this many numbers on, eight at once take less time than pairs.
const MANY: usize = 5;
/// For more than 16 limbs: longer pairs wait for nothing.
const MANY_LONG: usize = 7;

/// Neighbours of one kind go together, eight at once or in pairs; what has no kernel goes to the
/// row that comes next.
#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
fn run(mut tasks: &mut [Task<'_>], vartime: bool) {
    while let Some((first, others)) = tasks.split_first() {
        first.check();
        let others = others.iter().take(lanes::LANES - 1);
        let same = 1 + others
            .take_while(|task| single::fit(first, task, vartime))
            .count();
        let many = match first.modulus.len() {
            ..=16 => MANY,
            _ => MANY_LONG,
        };
        let together = match same {
            _ if same >= many && in_digits::fits(first.modulus.len()) => same,
            2.. if single::gains(first) => 2,
            _ => 1,
        };
        let (now, rest) = tasks.split_at_mut(together);
        if together > 2 {
            lanes::power(now, vartime);
        } else if !single::power(now, vartime) {
            if vartime {
                others::power_vartime(now);
            } else {
                others::power(now);
            }
        }
        tasks = rest;
    }
}
