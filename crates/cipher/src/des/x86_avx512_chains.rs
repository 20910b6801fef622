//! Blocks one by one in 256-bit registers, with rotations and ternary logic.

use adamant_base::simd::{from_fn, load256, map};
use core::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_and_si256, _mm256_cvtepu8_epi32, _mm256_cvtsi256_si32,
    _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_rolv_epi32, _mm256_rorv_epi32,
    _mm256_set1_epi32, _mm256_shuffle_epi32, _mm256_sllv_epi32, _mm256_srai_epi32,
    _mm256_srlv_epi32, _mm256_ternarylogic_epi32, _mm256_xor_si256,
};

use super::RoundKeys;
use super::chains::{self, PLACES, TURNS};

/// A case is rotated to the place of the output.
static CASES: [[[u32; 8]; 2]; 4] = chains::cases(&PLACES);

struct Tables {
    cases: [[__m256i; 2]; 4],
    /// Where the first output goes, the third, the first two, the last two.
    first: __m256i,
    third: __m256i,
    first_two: __m256i,
    last_two: __m256i,
    turns: __m256i,
}

impl Tables {
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn new() -> Self {
        let one = _mm256_set1_epi32(1);
        let bits = map(PLACES, |places| _mm256_sllv_epi32(one, load256(&places)));
        Tables {
            cases: from_fn(|o| from_fn(|i| load256(&CASES[o][i]))),
            first: bits[0],
            third: bits[2],
            first_two: _mm256_or_si256(bits[0], bits[1]),
            last_two: _mm256_or_si256(bits[2], bits[3]),
            turns: load256(&TURNS),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn turned(&self, x: __m256i) -> __m256i {
        _mm256_rolv_epi32(x, self.turns)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn f(&self, x: __m256i) -> __m256i {
        let sixth = _mm256_srai_epi32::<31>(x);
        let [a, b, c, d] = map(self.cases, |[zero, added]| {
            let (zero, added) = (_mm256_rorv_epi32(zero, x), _mm256_rorv_epi32(added, x));
            // zero + added sixth
            _mm256_ternarylogic_epi32::<0x78>(zero, added, sixth)
        });
        // Of the first where the mask has ones, of the second where it has none.
        let ab = _mm256_ternarylogic_epi32::<0xca>(self.first, a, b);
        let cd = _mm256_ternarylogic_epi32::<0xca>(self.third, c, d);
        let cd = _mm256_and_si256(cd, self.last_two);
        // first_two ab or cd
        let sum = _mm256_ternarylogic_epi32::<0xea>(self.first_two, ab, cd);
        let sum = _mm256_or_si256(sum, _mm256_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm256_or_si256(sum, _mm256_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm256_or_si256(sum, _mm256_permute4x64_epi64::<0b01_00_11_10>(sum))
    }
}

chains::chains! { "avx512f,avx512vl" }
