//! AVX-512 IFMA: digits of 52 bits, two exponentiations side by side.

mod single;

use super::{Task, x86_adx};
pub(crate) use single::Friendly;

#[target_feature(enable = "adx,bmi2")]
pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    x86_adx::mul(out, a, b);
}

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn power(tasks: &mut [Task<'_>]) {
    run(tasks, false);
}

#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    run(tasks, true);
}

/// Pairs where neighbours are of one kind; what has no kernel goes to the limbs of 64 bits.
#[target_feature(enable = "avx512f,avx512ifma,adx,bmi2")]
fn run(mut tasks: &mut [Task<'_>], vartime: bool) {
    while !tasks.is_empty() {
        tasks[0].check();
        let pair = tasks.len() > 1 && single::fit(&tasks[0], &tasks[1], vartime);
        let (now, rest) = tasks.split_at_mut(if pair { 2 } else { 1 });
        if !single::power(now, vartime) {
            if vartime {
                x86_adx::power_vartime(now);
            } else {
                x86_adx::power(now);
            }
        }
        tasks = rest;
    }
}
