//! KECCAK-p\[1600, n\] with `andn` for χ.

use super::round::two_rounds;
use super::{Rate, Rounds, State};

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
macro_rules! rotate {
    ($a:expr, $bits:literal) => {
        u64::rotate_left($a, $bits)
    };
}

/// Not inlined: the compiler would look for vectors in every copy, for a second and in vain.
#[inline(never)]
#[target_feature(enable = "bmi1")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    let mut a = *state;
    for constants in rounds.constants() {
        two_rounds!(a, constants; xor xor xor3 chi rotate xor);
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
