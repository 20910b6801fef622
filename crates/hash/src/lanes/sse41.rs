//! Words of four lanes in 128-bit registers.

pub(crate) mod w32 {
    use adamant_base::simd::arch::{
        __m128i, _mm_add_epi32, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi32, _mm_shuffle_epi8,
        _mm_slli_epi32, _mm_srli_epi32, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32,
        _mm_unpacklo_epi64, _mm_xor_si128,
    };
    use adamant_base::simd::{from_fn, load128, store128};

    /// One word of every lane.
    pub(crate) type V = __m128i;
    pub(crate) const LANES: usize = 4;

    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn splat(word: u32) -> V {
        _mm_set1_epi32(word as i32)
    }
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn add(x: V, y: V) -> V {
        _mm_add_epi32(x, y)
    }
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn xor(x: V, y: V) -> V {
        _mm_xor_si128(x, y)
    }
    /// Rotates right by `R`; `L` is what is missing to the word's width. Whole bytes move.
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn ror<const R: i32, const L: i32>(x: V) -> V {
        const { assert!(R + L == 32) };
        match R {
            8 => _mm_shuffle_epi8(
                x,
                _mm_set_epi64x(0x0c0f_0e0d_080b_0a09, 0x0407_0605_0003_0201),
            ),
            16 => _mm_shuffle_epi8(
                x,
                _mm_set_epi64x(0x0d0c_0f0e_0908_0b0a, 0x0504_0706_0100_0302),
            ),
            _ => _mm_or_si128(_mm_srli_epi32::<R>(x), _mm_slli_epi32::<L>(x)),
        }
    }

    /// Turns rows into columns.
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
        let (ab, ab_high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
        let (cd, cd_high) = (_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
        [
            _mm_unpacklo_epi64(ab, cd),
            _mm_unpackhi_epi64(ab, cd),
            _mm_unpacklo_epi64(ab_high, cd_high),
            _mm_unpackhi_epi64(ab_high, cd_high),
        ]
    }

    /// In how many parts [`load_part_le`] loads.
    pub(crate) const PARTS: usize = 4;

    /// Word i of block j, little-endian, at place j of vector i, for the words of this part.
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn load_part_le(blocks: [&[u8; 64]; 4], part: usize, m: &mut [V; 16]) {
        let mut rows = [splat(0); 4];
        for i in 0..4 {
            rows[i] = load128(&blocks[i].as_chunks::<16>().0[part]);
        }
        m[4 * part..][..4].copy_from_slice(&transpose(rows));
    }

    /// Word i of state j at place j of vector i.
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn load_states(states: &[[u32; 8]; 4]) -> [V; 8] {
        let mut words = [splat(0); 8];
        for half in 0..2 {
            let mut rows = [splat(0); 4];
            for i in 0..4 {
                rows[i] = load128(&states[i].as_chunks::<4>().0[half]);
            }
            words[4 * half..][..4].copy_from_slice(&transpose(rows));
        }
        words
    }

    /// The reverse of [`load_states`].
    #[inline]
    #[target_feature(enable = "sse4.1,ssse3")]
    pub(crate) fn store_states(states: &mut [[u32; 8]; 4], words: &[V; 8]) {
        for half in 0..2 {
            let [a, b, c, d] = from_fn(|i| words[4 * half + i]);
            let rows = transpose([a, b, c, d]);
            for i in 0..4 {
                store128(&mut states[i].as_chunks_mut::<4>().0[half], rows[i]);
            }
        }
    }
}
