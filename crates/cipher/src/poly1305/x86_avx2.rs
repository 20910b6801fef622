//! Poly1305 with AVX2: four lanes.

use adamant_base::simd::arch::{
    __m256i as V, _mm256_add_epi64 as add, _mm256_and_si256 as and, _mm256_mul_epu32 as mul,
    _mm256_or_si256 as or, _mm256_slli_epi64 as shl, _mm256_srli_epi64 as shr,
    _mm256_unpackhi_epi64 as unpack_high, _mm256_unpacklo_epi64 as unpack_low,
};
use adamant_base::simd::{load256 as load, store256 as store};

super::x86_lanes::kernel!("avx2", [0 2 1 3]);
