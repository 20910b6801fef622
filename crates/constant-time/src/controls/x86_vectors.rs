//! Leaks by vectors.

use core::arch::x86_64::*;
use core::hint::black_box;

macro_rules! kernels {
    ($($(#[$meta:meta])* fn $f:ident($($arg:ident: $t:ty),*) -> $r:ty $body:block)*) => { $(
        #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        #[target_feature(enable = "avx512vbmi2,vaes,gfni,sha")]
        pub(super) fn $f($($arg: $t),*) -> $r $body
    )* };
}

kernels! {
    fn branch(x: u64) -> u64 {
        let mask = _mm512_cmpeq_epi64_mask(_mm512_set1_epi64(x as i64), _mm512_set1_epi64(1));
        if mask == 0xff { black_box(1) } else { black_box(2) }
    }

    fn index(x: u64, table: &[u8; 256]) -> u64 {
        let x = _mm512_set1_epi64(x as i64);
        let product = _mm512_madd52lo_epu64(x, x, x);
        let lane = _mm256_extract_epi64::<1>(_mm512_extracti64x4_epi64::<1>(product));
        u64::from(table[lane as usize & 255])
    }

    fn divide(x: u64) -> u64 {
        let x = _mm256_set1_epi64x(x as i64);
        let round = _mm256_aesenc_epi128(x, x);
        black_box(1000) / (_mm256_extract_epi64::<3>(round) as u64 | 1)
    }

    fn hash(x: u64, table: &[u8; 256]) -> u64 {
        let x = _mm_set1_epi64x(x as i64);
        let round = _mm_sha256rnds2_epu32(_mm_setzero_si128(), _mm_setzero_si128(), x);
        u64::from(table[_mm_extract_epi8::<7>(round) as usize & 255])
    }

    fn compress(x: u64) -> u64 {
        let x = _mm512_set1_epi64(x as i64);
        let mask = _mm512_test_epi8_mask(x, x);
        let mut left = _mm512_maskz_compress_epi8(mask, _mm512_set1_epi8(1));
        let mut count = 0;
        while _mm_cvtsi128_si32(_mm512_castsi512_si128(left)) & 1 == 1 {
            left = _mm512_maskz_compress_epi8(!1, left);
            count += black_box(1);
        }
        count
    }

    fn field(x: u64) -> u64 {
        let x = _mm_set1_epi64x(x as i64);
        let product = _mm_gf2p8mul_epi8(x, _mm_set1_epi8(3));
        if _mm_extract_epi16::<2>(product) == 5 { black_box(1) } else { black_box(2) }
    }

    fn gather(x: u64, table: &[i32; 64]) -> u64 {
        // The compiler makes a gather, or loads one by one, of this.
        let places = _mm256_and_si256(_mm256_set1_epi32(x as i32), _mm256_set1_epi32(63));
        let places: [i32; 8] = [
            _mm256_extract_epi32::<0>(places), _mm256_extract_epi32::<1>(places),
            _mm256_extract_epi32::<2>(places), _mm256_extract_epi32::<3>(places),
            _mm256_extract_epi32::<4>(places), _mm256_extract_epi32::<5>(places),
            _mm256_extract_epi32::<6>(places), _mm256_extract_epi32::<7>(places),
        ];
        places.iter().map(|&place| table[place as usize & 63] as u64).sum()
    }

    fn clean(x: u64, y: u64, table: &[i32; 64]) -> [u64; 2] {
        let both = _mm512_set_epi64(1, 2, y as i64, 3, x as i64, 4, 5, 6);
        let chosen = _mm512_mask_blend_epi64(black_box(0b1010), both, _mm512_set1_epi64(y as i64));
        let twice = _mm512_add_epi64(both, both);
        let turned = _mm512_alignr_epi64::<3>(twice, twice);
        let swapped = _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm512_castsi512_si256(turned));
        let places = _mm256_set1_epi32(y as i32 & 63);
        let of_public = _mm256_extract_epi64::<0>(swapped) as u64;
        let of_secret = _mm256_extract_epi64::<1>(_mm512_castsi512_si256(chosen)) as u64;
        let one = table[_mm256_extract_epi32::<3>(places) as usize & 63] as u64;
        [of_secret ^ _mm256_extract_epi64::<3>(swapped) as u64, of_public ^ one]
    }
}
