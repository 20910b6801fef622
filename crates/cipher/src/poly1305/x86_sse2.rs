//! Poly1305 with SSE2: two lanes.

use adamant_base::simd::arch::{
    __m128i as V, _mm_add_epi64 as add, _mm_and_si128 as and, _mm_mul_epu32 as mul,
    _mm_or_si128 as or, _mm_slli_epi64 as shl, _mm_srli_epi64 as shr,
    _mm_unpackhi_epi64 as unpack_high, _mm_unpacklo_epi64 as unpack_low,
};
use adamant_base::simd::{load128 as load, store128 as store};

super::x86_lanes::kernel!("sse2", [0 1]);
