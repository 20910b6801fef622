//! SHA-1 with the rounds of the SHA extensions of x86-64, and the rest in AVX-512VL.
//!
//! On Intel's CPUs `sha1rnds4` keeps its unit for three cycles, `sha1nexte` for two and `sha1msg2`
//! for four, and one group of four rounds only has to wait four for the one before. So the message
//! schedule and the rotation of E are left to the vector units:
//! W\[t\] = (W\[t-16\] ⊕ W\[t-14\] ⊕ W\[t-8\] ⊕ W\[t-3\]) <<< 1, four words at a time, the first one
//! highest. The fourth needs the first, which is added to it afterwards, rotated by two.

use super::x86_sha::kernel;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_extract_epi32, _mm_maskz_rol_epi32, _mm_rol_epi32,
    _mm_set_epi32, _mm_set_epi64x, _mm_sha1rnds4_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
    _mm_slli_si128, _mm_srli_si128, _mm_ternarylogic_epi32, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// `w` with the E in it that follows from A B C D of four rounds ago, in the highest word.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn next_e(before: __m128i, w: __m128i) -> __m128i {
    _mm_add_epi32(w, _mm_maskz_rol_epi32::<30>(0b1000, before))
}

/// The next four words of the schedule from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn schedule(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    let w14 = _mm_alignr_epi8::<8>(w0, w1); // W[t-14..t-10]
    let w_3 = _mm_slli_si128::<4>(w3); // W[t-3..t], and zero for W[t]
    let x = _mm_xor_si128(_mm_ternarylogic_epi32::<0x96>(w0, w14, w2), w_3);
    // W[t], rotated by one in W[t+3], by two of x.
    let first = _mm_rol_epi32::<2>(_mm_srli_si128::<12>(x));
    _mm_xor_si128(_mm_rol_epi32::<1>(x), first)
}

kernel!("sha,avx512f,avx512vl");
