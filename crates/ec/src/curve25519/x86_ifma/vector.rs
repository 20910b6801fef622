//! The registers of one point: four lanes. What the arithmetic needs of them, by names that those
//! of [two points](super::pair) have too.

use super::super::field::Fe;
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load256, map, store256};

pub(in crate::curve25519) use adamant_base::simd::arch::{
    __m256i as Vector, _mm256_add_epi64 as add64, _mm256_and_si256 as and,
    _mm256_madd52hi_epu64 as madd_high, _mm256_madd52lo_epu64 as madd_low,
    _mm256_mask_add_epi64 as mask_add, _mm256_mask_blend_epi64 as mask_blend,
    _mm256_mask_permutex_epi64 as mask_permute, _mm256_mask_sub_epi64 as mask_sub,
    _mm256_permutex_epi64 as permute_lanes, _mm256_permutexvar_epi64 as permute_by,
    _mm256_set1_epi64x as set1, _mm256_setzero_si256 as zero, _mm256_slli_epi64 as shift_left,
    _mm256_srli_epi64 as shift_right, _mm256_xor_si256 as xor,
};

/// What makes a mask of four lanes one of all.
pub(in crate::curve25519) const EVERY: __mmask8 = 1;

/// These four lanes.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn lanes_of(x: [i64; 4]) -> Vector {
    _mm256_setr_epi64x(x[0], x[1], x[2], x[3])
}

/// The permutation that changes nothing.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn identity() -> Vector {
    _mm256_setr_epi64x(0, 1, 2, 3)
}

/// Elements side by side.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn join(elements: [Fe; 4]) -> [Vector; 5] {
    from_fn(|j| load256(&map(elements, |x| x.limbs()[j])))
}

/// The elements, one by one.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn split(x: [Vector; 5]) -> [Fe; 4] {
    let limbs = map(x, |x| {
        let mut lanes = [0u64; 4];
        store256(&mut lanes, x);
        lanes
    });
    from_fn(|lane| Fe::from_limbs(map(limbs, |limb| limb[lane])))
}
