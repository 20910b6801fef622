//! Blocks one by one in 256-bit registers.

use adamant_base::simd::arch::{
    __m256i, _mm_set_epi64x, _mm256_and_si256, _mm256_cvtepu8_epi32, _mm256_cvtsi256_si32,
    _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_shuffle_epi32,
    _mm256_sllv_epi32, _mm256_srai_epi32, _mm256_srlv_epi32, _mm256_sub_epi32, _mm256_xor_si256,
};
use adamant_base::simd::{from_fn, load256};

use super::RoundKeys;
use super::chains::{self, PLACES, TURNS};

/// The case that is shifted to the lowest place is the output.
static CASES: [[[u32; 8]; 2]; 4] = chains::cases(&[[0; 8]; 4]);

struct Tables {
    cases: [[__m256i; 2]; 4],
    places: [__m256i; 4],
    turns: __m256i,
}

impl Tables {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        Tables {
            cases: from_fn(|o| from_fn(|i| load256(&CASES[o][i]))),
            places: from_fn(|o| load256(&PLACES[o])),
            turns: load256(&TURNS),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn turned(&self, x: __m256i) -> __m256i {
        // Shifts by 32 give zero.
        let back = _mm256_sub_epi32(_mm256_set1_epi32(32), self.turns);
        _mm256_or_si256(_mm256_sllv_epi32(x, self.turns), _mm256_srlv_epi32(x, back))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn f(&self, x: __m256i) -> __m256i {
        let inputs = _mm256_and_si256(x, _mm256_set1_epi32(31));
        let one = _mm256_set1_epi32(1);
        let sixth = _mm256_and_si256(_mm256_srai_epi32::<31>(x), one);
        let output = |[zero, added]: [__m256i; 2], place: __m256i| {
            let zero = _mm256_and_si256(_mm256_srlv_epi32(zero, inputs), one);
            let added = _mm256_and_si256(_mm256_srlv_epi32(added, inputs), sixth);
            _mm256_sllv_epi32(_mm256_xor_si256(zero, added), place)
        };
        let ([a, b, c, d], [to_a, to_b, to_c, to_d]) = (self.cases, self.places);
        let ab = _mm256_or_si256(output(a, to_a), output(b, to_b));
        let cd = _mm256_or_si256(output(c, to_c), output(d, to_d));
        let sum = _mm256_or_si256(ab, cd);
        let sum = _mm256_or_si256(sum, _mm256_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm256_or_si256(sum, _mm256_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm256_or_si256(sum, _mm256_permute4x64_epi64::<0b01_00_11_10>(sum))
    }
}

chains::chains! { "avx2" }
