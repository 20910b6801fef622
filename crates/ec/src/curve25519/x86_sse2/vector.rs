//! The registers of two lanes, by names that those of [four](super::super::x86_avx2_x4) have too.

pub(super) use core::arch::x86::{
    __m128i as Vector, _mm_add_epi64 as add64, _mm_and_si128 as and, _mm_mul_epu32 as mul32,
    _mm_set1_epi64x as set1, _mm_slli_epi64 as shift_left, _mm_srli_epi64 as shift_right,
};
