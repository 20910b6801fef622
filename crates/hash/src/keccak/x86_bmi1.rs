//! KECCAK-p\[1600, n\] with `andn` for χ.

use super::round::two_rounds;
use super::{Rate, Rounds, State, one_by_one};
use adamant_base::ct::barrier;

#[inline(always)]
fn xor(a: u64, b: u64) -> u64 {
    a ^ b
}
#[inline(always)]
fn xor3(a: u64, b: u64, c: u64) -> u64 {
    a ^ b ^ c
}
#[inline(always)]
fn chi(a: u64, b: u64, c: u64) -> u64 {
    a ^ (!b & c)
}
// Behind a barrier: the compiler would look for vectors in all this, for seconds and in vain.
macro_rules! rotate {
    ($a:expr, $bits:literal) => {
        barrier(u64::rotate_left($a, $bits))
    };
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        xor($b, rotate!($c, 1))
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        rotate!(xor($a, $sum), $bits)
    };
}

#[inline(never)] // In `absorb` a call costs nothing.
#[target_feature(enable = "bmi1")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    let mut a = *state;
    for constants in rounds.constants() {
        two_rounds!(a, constants; theta xor rho xor3 chi xor);
    }
    *state = a;
}

#[target_feature(enable = "bmi1")]
pub(super) fn absorb(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    while let Some(block) = rate.next(&mut blocks) {
        for (lane, bytes) in state.iter_mut().zip(block) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        permute(state, rounds);
    }
}

one_by_one!(#[target_feature(enable = "bmi1")]);
