//! KECCAK-p\[1600, n\] with the instructions of FEAT_SHA3, each lane in a vector register of its own:
//! an exclusive or of three, two with a rotation of one of them or of their sum, and χ.

use super::round::two_rounds;
use super::{Rate, Rounds, State};
use adamant_base::simd::from_fn;
use core::arch::aarch64::{
    uint64x2_t, vbcaxq_u64, vdupq_n_u64, veor3q_u64, veorq_u64, vgetq_lane_u64, vrax1q_u64,
    vxarq_u64,
};

#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn chi(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(a, c, b)
}
#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn iota(a: uint64x2_t, constant: u64) -> uint64x2_t {
    veorq_u64(a, vdupq_n_u64(constant))
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        vrax1q_u64($b, $c)
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        vxarq_u64::<{ 64 - $bits }>($a, $sum)
    };
}
/// Six rounds in a row: at the end of a loop's body each lane is moved to where it was.
macro_rules! six_rounds {
    ($a:ident, $constants:expr) => {
        let [first, second, third] = $constants;
        two_rounds!($a, first; theta veorq_u64 rho veor3q_u64 chi iota);
        two_rounds!($a, second; theta veorq_u64 rho veor3q_u64 chi iota);
        two_rounds!($a, third; theta veorq_u64 rho veor3q_u64 chi iota);
    };
}
pub(super) use {rho, six_rounds, theta};

#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    permute_each(state, &[], Rate::MOST, rounds);
}

#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb(state: &mut State, blocks: &[u8], rate: Rate, rounds: Rounds) {
    if rate.fits(blocks) {
        permute_each(state, blocks, rate, rounds);
    }
}

/// The permutation after each block; once if there is none. In one place: what absorbs also ends.
#[inline(never)]
#[target_feature(enable = "neon,sha3")]
fn permute_each(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    let mut a = from_fn(|i| vdupq_n_u64(state[i]));
    loop {
        if let Some(block) = rate.next(&mut blocks) {
            for i in 0..25 {
                if i < block.len() {
                    a[i] = iota(a[i], u64::from_le_bytes(block[i]));
                }
            }
        }
        for constants in rounds.by_sixes() {
            six_rounds!(a, constants);
        }
        if !rate.fits(blocks) {
            break;
        }
    }
    *state = from_fn(|i| vgetq_lane_u64::<0>(a[i]));
}
