//! The registers of four lanes, by names that those of [two](super::super::x86_sse2) have too.

pub(super) use core::arch::x86_64::{
    __m256i as Vector, _mm256_add_epi64 as add64, _mm256_and_si256 as and,
    _mm256_mul_epu32 as mul32, _mm256_set1_epi64x as set1, _mm256_slli_epi64 as shift_left,
    _mm256_srli_epi64 as shift_right,
};
