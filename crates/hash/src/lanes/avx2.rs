//! Words of many lanes in 256-bit registers: what the kernels are written over.
//!
//! `w32` has eight lanes of 32 bits, `w64` four of 64. Rotations are two shifts and an `or`,
//! or move whole bytes.

/// From which place of its half each byte comes, if words of `width` bytes are rotated right by
/// `bits`, whole bytes.
const fn bytes_rotated(bits: i32, width: usize) -> [u8; 32] {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        let word = i % 16 / width * width;
        places[i] = (word + (i + bits as usize / 8) % width) as u8;
        i += 1;
    }
    places
}

/// The operations that do not move words between lanes.
macro_rules! arithmetic {
    ($word:ty, $signed:ty, $lanes:literal: $set1:ident $add:ident $shl:ident $shr:ident) => {
        /// One word of every lane.
        pub(crate) type V = __m256i;
        pub(crate) const LANES: usize = $lanes;
        /// Whether kernels leave the words of a message in memory until they are used.
        pub(crate) const FROM_MEMORY: bool = false;

        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn splat(word: $word) -> V {
            $set1(word as $signed)
        }
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn add(x: V, y: V) -> V {
            $add(x, y)
        }
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn xor(x: V, y: V) -> V {
            _mm256_xor_si256(x, y)
        }
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn xor3(x: V, y: V, z: V) -> V {
            xor(xor(x, y), z)
        }
        /// Of every bit y where x is set, z where it is not.
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn choose(x: V, y: V, z: V) -> V {
            xor(_mm256_and_si256(x, xor(y, z)), z)
        }
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn majority(x: V, y: V, z: V) -> V {
            xor(_mm256_and_si256(xor(x, y), xor(y, z)), y)
        }
        /// Rotates right by `R`; `L` is what is missing to the word's width. Whole bytes move.
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn ror<const R: i32, const L: i32>(x: V) -> V {
            const { assert!(R + L == <$word>::BITS as i32) };
            if R % 8 == 0 {
                _mm256_shuffle_epi8(x, load256(const { &bytes_rotated(R, size_of::<$word>()) }))
            } else {
                _mm256_or_si256($shr::<R>(x), $shl::<L>(x))
            }
        }
    };
}

pub(crate) mod w32 {
    use super::bytes_rotated;
    use adamant_base::simd::arch::{
        __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_cmpeq_epi32, _mm256_or_si256,
        _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi32, _mm256_shuffle_epi8,
        _mm256_slli_epi32, _mm256_srli_epi32, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64,
        _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
    };
    use adamant_base::simd::{load256, store256};

    arithmetic!(u32, i32, 8: _mm256_set1_epi32 _mm256_add_epi32 _mm256_slli_epi32
        _mm256_srli_epi32);

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shr<const N: i32>(x: V) -> V {
        _mm256_srli_epi32::<N>(x)
    }

    /// All bits of a word where x is y, none elsewhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn equal(x: V, y: V) -> V {
        _mm256_cmpeq_epi32(x, y)
    }

    /// y ⊕ (x ∨ ¬z).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn or_not_xor(x: V, y: V, z: V) -> V {
        let all = _mm256_set1_epi32(-1);
        xor(y, _mm256_or_si256(x, xor(z, all)))
    }

    /// Turns rows into columns.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transpose(rows: &[V; 8]) -> [V; 8] {
        let mut m = *rows;
        for i in (0..8).step_by(4) {
            let [a, b, c, d] = [m[i], m[i + 1], m[i + 2], m[i + 3]];
            let (ab, ab_high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let (cd, cd_high) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            m[i] = _mm256_unpacklo_epi64(ab, cd);
            m[i + 1] = _mm256_unpackhi_epi64(ab, cd);
            m[i + 2] = _mm256_unpacklo_epi64(ab_high, cd_high);
            m[i + 3] = _mm256_unpackhi_epi64(ab_high, cd_high);
        }
        let mut columns = [splat(0); 8];
        for c in 0..4 {
            columns[c] = _mm256_permute2x128_si256::<0x20>(m[c], m[c + 4]);
            columns[c + 4] = _mm256_permute2x128_si256::<0x31>(m[c], m[c + 4]);
        }
        columns
    }

    /// Word i of block j, big-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks(blocks: [&[u8; 64]; 8]) -> [V; 16] {
        let swap = _mm256_set_epi64x(
            0x0c0d_0e0f_0809_0a0b,
            0x0405_0607_0001_0203,
            0x0c0d_0e0f_0809_0a0b,
            0x0405_0607_0001_0203,
        );
        let mut m = [splat(0); 16];
        for half in 0..2 {
            let mut rows = [splat(0); 8];
            for i in 0..8 {
                let bytes = &blocks[i].as_chunks::<32>().0[half];
                rows[i] = _mm256_shuffle_epi8(load256(bytes), swap);
            }
            m[8 * half..][..8].copy_from_slice(&transpose(&rows));
        }
        m
    }

    /// In how many parts [`load_part_le`] loads.
    pub(crate) const PARTS: usize = 2;

    /// Word i of block j, little-endian, at place j of vector i, for the words of this part.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_part_le(blocks: [&[u8; 64]; 8], part: usize, m: &mut [V; 16]) {
        let mut rows = [splat(0); 8];
        for i in 0..8 {
            rows[i] = load256(&blocks[i].as_chunks::<32>().0[part]);
        }
        m[8 * part..][..8].copy_from_slice(&transpose(&rows));
    }

    /// Word i of block j, little-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks_le(blocks: [&[u8; 64]; 8]) -> [V; 16] {
        let mut m = [splat(0); 16];
        for part in 0..PARTS {
            load_part_le(blocks, part, &mut m);
        }
        m
    }

    /// Word i of state j at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_states(states: &[[u32; 8]; 8]) -> [V; 8] {
        let mut rows = [splat(0); 8];
        for i in 0..8 {
            rows[i] = load256(&states[i]);
        }
        transpose(&rows)
    }

    /// The reverse of [`load_states`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_states(states: &mut [[u32; 8]; 8], words: &[V; 8]) {
        let rows = transpose(words);
        for i in 0..8 {
            store256(&mut states[i], rows[i]);
        }
    }
}

pub(crate) mod w64 {
    use super::bytes_rotated;
    use adamant_base::simd::arch::{
        __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_or_si256, _mm256_permute2x128_si256,
        _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_slli_epi64,
        _mm256_srli_epi64, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _mm256_xor_si256,
    };
    use adamant_base::simd::{from_fn, load256, store256};

    arithmetic!(u64, i64, 4: _mm256_set1_epi64x _mm256_add_epi64 _mm256_slli_epi64
        _mm256_srli_epi64);

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shr<const N: i32>(x: V) -> V {
        _mm256_srli_epi64::<N>(x)
    }

    /// Turns rows into columns.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transpose([a, b, c, d]: [V; 4]) -> [V; 4] {
        // Of pairs of rows words 0 and 2, and words 1 and 3.
        let (ab_even, ab_odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        [
            _mm256_permute2x128_si256::<0x20>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd),
            _mm256_permute2x128_si256::<0x31>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd),
        ]
    }

    /// Word i of block j, big-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks(blocks: [&[u8; 128]; 4]) -> [V; 16] {
        let swap = _mm256_set_epi64x(
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
        );
        let mut m = load_blocks_le(blocks);
        for i in 0..16 {
            m[i] = _mm256_shuffle_epi8(m[i], swap);
        }
        m
    }

    /// Word i of block j, little-endian, at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks_le(blocks: [&[u8; 128]; 4]) -> [V; 16] {
        let mut m = [splat(0); 16];
        for quarter in 0..4 {
            let mut rows = [splat(0); 4];
            for i in 0..4 {
                rows[i] = load256(&blocks[i].as_chunks::<32>().0[quarter]);
            }
            m[4 * quarter..][..4].copy_from_slice(&transpose(rows));
        }
        m
    }

    /// Word i of state j at place j of vector i.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_states(states: &[[u64; 8]; 4]) -> [V; 8] {
        let mut words = [splat(0); 8];
        for half in 0..2 {
            let mut rows = [splat(0); 4];
            for i in 0..4 {
                rows[i] = load256(&states[i].as_chunks::<4>().0[half]);
            }
            words[4 * half..][..4].copy_from_slice(&transpose(rows));
        }
        words
    }

    /// The reverse of [`load_states`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_states(states: &mut [[u64; 8]; 4], words: &[V; 8]) {
        for half in 0..2 {
            let [a, b, c, d] = from_fn(|i| words[4 * half + i]);
            let rows = transpose([a, b, c, d]);
            for i in 0..4 {
                store256(&mut states[i].as_chunks_mut::<4>().0[half], rows[i]);
            }
        }
    }
}
