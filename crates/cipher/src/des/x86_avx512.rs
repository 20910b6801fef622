//! DES on 512 blocks side by side, in 512-bit registers.
//!
//! With ternary logic an S-box is its truth table: eight functions of three inputs, one instruction
//! each, for the eight values of the others, which then choose between them.

use adamant_base::simd::{load512, store512};
use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_and_si512, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sll_epi64, _mm512_srl_epi64, _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

use super::RoundKeys;
use super::circuit;
use super::tables::{INITIAL, SCHEDULE, TARGET, selected, truth};
use super::x86_avx512_chains::crypt_each;
pub(super) use super::x86_avx512_chains::{cbc_encrypt, cbc_mac};

type V = __m512i;

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 20;

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn zero() -> V {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn splat(x: u64) -> V {
    _mm512_set1_epi64(x as i64)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor(a: V, b: V) -> V {
    _mm512_xor_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn and(a: V, b: V) -> V {
    _mm512_and_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn left(x: V, by: u32) -> V {
    _mm512_sll_epi64(x, _mm_cvtsi32_si128(by as i32))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn right(x: V, by: u32) -> V {
    _mm512_srl_epi64(x, _mm_cvtsi32_si128(by as i32))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn load(row: &[[u8; 8]; 8]) -> V {
    load512(&row.map(u64::from_ne_bytes))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store(row: &mut [[u8; 8]; 8], x: V) {
    let mut words = [0u64; 8];
    store512(&mut words, x);
    *row = words.map(u64::to_ne_bytes);
}

/// The truth table of an output for the last three inputs, given the first three.
const fn part(s: usize, o: usize, first: usize) -> i32 {
    (truth(s, o) >> (8 * first) & 0xff) as i32
}

/// Of every bit y where x is set, z where it is not.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn choose(x: V, y: V, z: V) -> V {
    _mm512_ternarylogic_epi64::<0xca>(x, y, z)
}

macro_rules! output {
    ($s:literal $o:literal, $x:ident: $($first:literal)+) => {{
        let [d, e, f, a, b, c] = $x;
        let leaf = [$(_mm512_ternarylogic_epi64::<{ part($s, $o, $first) }>(a, b, c)),+];
        let g = choose(f, leaf[1], leaf[0]);
        let h = choose(f, leaf[3], leaf[2]);
        let i = choose(f, leaf[5], leaf[4]);
        let j = choose(f, leaf[7], leaf[6]);
        choose(d, choose(e, j, i), choose(e, h, g))
    }};
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn s_box<const S: usize>(x: [V; 6]) -> [V; 4] {
    macro_rules! of {
        ($s:literal) => {
            [
                output!($s 0, x: 0 1 2 3 4 5 6 7),
                output!($s 1, x: 0 1 2 3 4 5 6 7),
                output!($s 2, x: 0 1 2 3 4 5 6 7),
                output!($s 3, x: 0 1 2 3 4 5 6 7),
            ]
        };
    }
    match S {
        0 => of!(0),
        1 => of!(1),
        2 => of!(2),
        3 => of!(3),
        4 => of!(4),
        5 => of!(5),
        6 => of!(6),
        _ => of!(7),
    }
}

circuit::lanes! { features: ["avx512f,avx512vl"], words: 8, at_once: 512 }
