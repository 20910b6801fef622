//! Words of many lanes in 512-bit registers: what the kernels are written over.
//!
//! `w32` has sixteen lanes of 32 bits, `w64` eight of 64.

/// The operations that do not move words between lanes.
macro_rules! arithmetic {
    ($word:ty, $signed:ty, $lanes:literal: $set1:ident $add:ident $ternary:ident $ror:ident) => {
        /// One word of every lane.
        pub(crate) type V = __m512i;
        pub(crate) const LANES: usize = $lanes;
        /// Whether kernels leave the words of a message in memory until they are used.
        pub(crate) const FROM_MEMORY: bool = true;

        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn splat(word: $word) -> V {
            $set1(word as $signed)
        }
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn add(x: V, y: V) -> V {
            $add(x, y)
        }
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn xor(x: V, y: V) -> V {
            _mm512_xor_si512(x, y)
        }
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn xor3(x: V, y: V, z: V) -> V {
            $ternary::<0x96>(x, y, z)
        }
        /// Of every bit y where x is set, z where it is not.
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn choose(x: V, y: V, z: V) -> V {
            $ternary::<0xca>(x, y, z)
        }
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn majority(x: V, y: V, z: V) -> V {
            $ternary::<0xe8>(x, y, z)
        }
        /// Rotates right by `R`; `L` is what is missing to the word's width.
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn ror<const R: i32, const L: i32>(x: V) -> V {
            const { assert!(R + L == <$word>::BITS as i32) };
            $ror::<R>(x)
        }
    };
}

pub(crate) mod w32 {
    use adamant_base::simd::{from_fn, load128, load256, map, store256};
    use core::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_castsi128_si512, _mm512_castsi256_si512,
        _mm512_castsi512_si256, _mm512_cmpeq_epi32_mask, _mm512_extracti64x4_epi64,
        _mm512_inserti32x4, _mm512_inserti64x4, _mm512_maskz_set1_epi32, _mm512_permutex2var_epi64,
        _mm512_ror_epi32, _mm512_set_epi64, _mm512_set1_epi32, _mm512_set4_epi32,
        _mm512_shuffle_epi8, _mm512_srli_epi32, _mm512_ternarylogic_epi32, _mm512_unpackhi_epi32,
        _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
    };

    arithmetic!(u32, i32, 16: _mm512_set1_epi32 _mm512_add_epi32 _mm512_ternarylogic_epi32
        _mm512_ror_epi32);

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shr<const N: u32>(x: V) -> V {
        _mm512_srli_epi32::<N>(x)
    }

    /// All bits of a word where x is y, none elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn equal(x: V, y: V) -> V {
        _mm512_maskz_set1_epi32(_mm512_cmpeq_epi32_mask(x, y), -1)
    }

    /// y ⊕ (x ∨ ¬z).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn or_not_xor(x: V, y: V, z: V) -> V {
        _mm512_ternarylogic_epi32::<0x39>(x, y, z)
    }

    /// Of four rows squares of two words, then of four: the first step of a transposition.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn four_rows([a, b, c, d]: [V; 4]) -> [V; 4] {
        let (ab, ab_high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (cd, cd_high) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        [
            _mm512_unpacklo_epi64(ab, cd),
            _mm512_unpackhi_epi64(ab, cd),
            _mm512_unpacklo_epi64(ab_high, cd_high),
            _mm512_unpackhi_epi64(ab_high, cd_high),
        ]
    }

    /// [`four_rows`] of the first four, and of the next four.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn eight_rows([a, b, c, d, e, f, g, h]: [V; 8]) -> [V; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (four_rows([a, b, c, d]), four_rows([e, f, g, h]));
        [a, b, c, d, e, f, g, h]
    }

    /// Word i of block j, big-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_blocks(blocks: [&[u8; 64]; 16]) -> [V; 16] {
        let swap = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
        let mut m = [splat(0); 16];
        for part in 0..PARTS {
            let rows = map(quarters(blocks, part), |rows| {
                _mm512_shuffle_epi8(rows, swap)
            });
            m[4 * part..][..4].copy_from_slice(&four_rows(rows));
        }
        m
    }

    /// In how many parts [`load_part_le`] loads.
    pub(crate) const PARTS: usize = 4;

    /// Word i of block j, little-endian, at place j of vector i, for the words of this part.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_part_le(blocks: [&[u8; 64]; 16], part: usize, m: &mut [V; 16]) {
        m[4 * part..][..4].copy_from_slice(&four_rows(quarters(blocks, part)));
    }

    /// Word i of block j, little-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_blocks_le(blocks: [&[u8; 64]; 16]) -> [V; 16] {
        let mut m = [splat(0); 16];
        for part in 0..PARTS {
            load_part_le(blocks, part, &mut m);
        }
        m
    }

    /// Quarter q of the blocks r, r + 4, r + 8 and r + 12 at place r: insertions from memory are
    /// cheaper than moving quarters between vectors.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn quarters(blocks: [&[u8; 64]; 16], q: usize) -> [V; 4] {
        let mut m = [splat(0); 4];
        for r in 0..4 {
            let [a, b, c, d] = from_fn(|i| load128(&blocks[4 * i + r].as_chunks::<16>().0[q]));
            let ab = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
            m[r] = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(ab, c), d);
        }
        m
    }

    /// Word i of state j at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_states(states: &[[u32; 8]; 16]) -> [V; 8] {
        let mut m = [splat(0); 8];
        for i in 0..8 {
            // States 0 to 3 and 8 to 11 above each other, then those between and after.
            let (left, right) = (&states[i], &states[i + 8]);
            m[i] = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(load256(left)), load256(right));
        }
        let m = eight_rows(m);
        let low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
        let high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
        columns(&m, [low, high])
    }

    /// The reverse of [`load_states`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_states(states: &mut [[u32; 8]; 16], words: &[V; 8]) {
        let m = eight_rows(*words);
        // m[4 r + c] has, in its quarter q, words 4 r to 4 r + 3 of state 4 q + c.
        let low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        let m = columns(&m, [low, high]);
        for i in 0..8 {
            let first = if i < 4 { i } else { i + 4 };
            store256(&mut states[first], _mm512_castsi512_si256(m[i]));
            store256(&mut states[first + 4], _mm512_extracti64x4_epi64::<1>(m[i]));
        }
    }

    /// Quarters of the upper and the lower four rows put together in two ways.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn columns(m: &[V; 8], [low, high]: [V; 2]) -> [V; 8] {
        let mut out = [splat(0); 8];
        for c in 0..4 {
            out[c] = _mm512_permutex2var_epi64(m[c], low, m[c + 4]);
            out[c + 4] = _mm512_permutex2var_epi64(m[c], high, m[c + 4]);
        }
        out
    }
}

pub(crate) mod w64 {
    use adamant_base::simd::{load512, store512};
    use core::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_ror_epi64, _mm512_set1_epi64, _mm512_set4_epi32,
        _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_srli_epi64, _mm512_ternarylogic_epi64,
        _mm512_unpackhi_epi64, _mm512_unpacklo_epi64, _mm512_xor_si512,
    };

    arithmetic!(u64, i64, 8: _mm512_set1_epi64 _mm512_add_epi64 _mm512_ternarylogic_epi64
        _mm512_ror_epi64);

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shr<const N: u32>(x: V) -> V {
        _mm512_srli_epi64::<N>(x)
    }

    /// Turns rows into columns.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn transpose(r: &[V; 8]) -> [V; 8] {
        let mut columns = [splat(0); 8];
        for odd in 0..2 {
            let mut pairs = [splat(0); 4];
            for i in 0..4 {
                let (x, y) = (r[2 * i], r[2 * i + 1]);
                pairs[i] = if odd == 0 {
                    _mm512_unpacklo_epi64(x, y)
                } else {
                    _mm512_unpackhi_epi64(x, y)
                };
            }
            // Quarters 0 and 2 of two pairs, and quarters 1 and 3.
            let [a, b, c, d] = pairs;
            let low = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
            let high = _mm512_shuffle_i64x2::<0b10_00_10_00>(c, d);
            columns[odd] = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
            columns[odd + 4] = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
            let low = _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
            let high = _mm512_shuffle_i64x2::<0b11_01_11_01>(c, d);
            columns[odd + 2] = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
            columns[odd + 6] = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
        }
        columns
    }

    /// Word i of block j, big-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_blocks(blocks: [&[u8; 128]; 8]) -> [V; 16] {
        let swap = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
        let mut m = load_blocks_le(blocks);
        for i in 0..16 {
            m[i] = _mm512_shuffle_epi8(m[i], swap);
        }
        m
    }

    /// Word i of block j, little-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_blocks_le(blocks: [&[u8; 128]; 8]) -> [V; 16] {
        let mut m = [splat(0); 16];
        for half in 0..2 {
            let mut rows = [splat(0); 8];
            for i in 0..8 {
                rows[i] = load512(&blocks[i].as_chunks::<64>().0[half]);
            }
            m[8 * half..][..8].copy_from_slice(&transpose(&rows));
        }
        m
    }

    /// Word i of state j at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_states(states: &[[u64; 8]; 8]) -> [V; 8] {
        let mut rows = [splat(0); 8];
        for i in 0..8 {
            rows[i] = load512(&states[i]);
        }
        transpose(&rows)
    }

    /// The reverse of [`load_states`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_states(states: &mut [[u64; 8]; 8], words: &[V; 8]) {
        let rows = transpose(words);
        for i in 0..8 {
            store512(&mut states[i], rows[i]);
        }
    }
}
