//! DES on 256 blocks side by side, in 256-bit registers.

use adamant_base::simd::arch::{
    __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_sll_epi64, _mm256_srl_epi64, _mm256_xor_si256,
};
use adamant_base::simd::{load256, store256};

use super::RoundKeys;
use super::circuit;
use super::tables::{INITIAL, SCHEDULE, TARGET, selected};
use super::x86_avx2_chains::crypt_each;
pub(super) use super::x86_avx2_chains::{cbc_encrypt, cbc_mac};

type V = __m256i;

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 15;

#[inline]
#[target_feature(enable = "avx2")]
fn zero() -> V {
    _mm256_setzero_si256()
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u64) -> V {
    _mm256_set1_epi64x(x as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor(a: V, b: V) -> V {
    _mm256_xor_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn and(a: V, b: V) -> V {
    _mm256_and_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn not(a: V) -> V {
    xor(a, splat(u64::MAX))
}

#[inline]
#[target_feature(enable = "avx2")]
fn left(x: V, by: u32) -> V {
    _mm256_sll_epi64(x, _mm_cvtsi32_si128(by as i32))
}

#[inline]
#[target_feature(enable = "avx2")]
fn right(x: V, by: u32) -> V {
    _mm256_srl_epi64(x, _mm_cvtsi32_si128(by as i32))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(row: &[[u8; 8]; 4]) -> V {
    load256(&row.map(u64::from_ne_bytes))
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(row: &mut [[u8; 8]; 4], x: V) {
    let mut words = [0u64; 4];
    store256(&mut words, x);
    *row = words.map(u64::to_ne_bytes);
}

#[inline]
#[target_feature(enable = "avx2")]
fn s_box<const S: usize>(x: [V; 6]) -> [V; 4] {
    circuit::polynomials!(S, x, zero())
}

circuit::lanes! { features: ["avx2"], words: 4, at_once: 256 }
