//! KECCAK-p\[1600, n\] with each lane in a vector register of its own.
//!
//! AVX-512VL has 32 registers, so the whole state stays in them, a rotation in one instruction,
//! and `vpternlogq`, which makes χ and an exclusive or of three of one instruction each. That the
//! upper halves of the registers do nothing costs nothing.

use super::round::two_rounds;
use super::{Rate, Rounds, State, one_by_one};
use adamant_base::simd::from_fn;
use core::arch::x86_64::{
    __m128i, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_rol_epi64, _mm_ternarylogic_epi64,
    _mm_xor_si128,
};

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    _mm_ternarylogic_epi64::<0x96>(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn add_pair(a: __m128i, [b, c]: [__m128i; 2]) -> __m128i {
    xor3(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn chi(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    _mm_ternarylogic_epi64::<0xd2>(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn iota(a: __m128i, constant: u64) -> __m128i {
    _mm_xor_si128(a, _mm_cvtsi64_si128(constant.cast_signed()))
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        [$b, _mm_rol_epi64::<1>($c)]
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        _mm_rol_epi64::<$bits>(add_pair($a, $sum))
    };
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    permute_each(state, &[], Rate::MOST, rounds);
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn absorb(state: &mut State, blocks: &[u8], rate: Rate, rounds: Rounds) {
    if rate.fits(blocks) {
        permute_each(state, blocks, rate, rounds);
    }
}

/// The permutation after each block; once if there is none. In one place: what absorbs also ends.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn permute_each(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    let mut a = from_fn(|i| _mm_cvtsi64_si128(state[i].cast_signed()));
    loop {
        if let Some(block) = rate.next(&mut blocks) {
            for i in 0..25 {
                if i < block.len() {
                    a[i] = iota(a[i], u64::from_le_bytes(block[i]));
                }
            }
        }
        for constants in rounds.constants() {
            two_rounds!(a, constants; theta add_pair rho xor3 chi iota);
        }
        if !rate.fits(blocks) {
            break;
        }
    }
    *state = from_fn(|i| _mm_cvtsi128_si64(a[i]).cast_unsigned());
}

one_by_one!(#[target_feature(enable = "avx512f,avx512vl")]);
