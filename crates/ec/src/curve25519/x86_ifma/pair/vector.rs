//! The registers of two points: four lanes each, by the names that the arithmetic of
//! [one](super::super::vector) uses.

use adamant_base::simd::arch::*;

pub(in crate::curve25519) use adamant_base::simd::arch::{
    __m512i as Vector, _mm512_add_epi64 as add64, _mm512_and_si512 as and,
    _mm512_madd52hi_epu64 as madd_high, _mm512_madd52lo_epu64 as madd_low,
    _mm512_mask_add_epi64 as mask_add, _mm512_mask_permutex_epi64 as mask_permute,
    _mm512_mask_sub_epi64 as mask_sub, _mm512_permutex_epi64 as permute_lanes,
    _mm512_permutexvar_epi64 as permute_by, _mm512_set1_epi64 as set1,
    _mm512_setzero_si512 as zero, _mm512_slli_epi64 as shift_left,
    _mm512_srli_epi64 as shift_right, _mm512_xor_si512 as xor,
};

/// What makes a mask of four lanes one of all.
pub(in crate::curve25519) const EVERY: __mmask8 = 0x11;

/// These four lanes, twice.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn lanes_of(x: [i64; 4]) -> Vector {
    let [a, b, c, d] = x;
    _mm512_setr_epi64(a, b, c, d, a, b, c, d)
}

/// The permutation that changes nothing.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn identity() -> Vector {
    _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)
}

/// One number in the lanes of the first point, another in those of the second.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn spread(x: [u64; 2]) -> Vector {
    _mm512_inserti64x4::<1>(
        _mm512_set1_epi64(x[0] as i64),
        _mm256_set1_epi64x(x[1] as i64),
    )
}
