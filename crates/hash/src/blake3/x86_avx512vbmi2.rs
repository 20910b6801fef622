//! Compression in rows: the words of the state that G takes at once lie in one vector, as in the
//! [vectors](crate::blake2::vectors) of BLAKE2. One message or node in 128 bits; four in 512, and
//! twice as many side by side, where lanes of words would be empty for the most part. From nine on,
//! and for chunks from five on, the [lanes](super::lanes) of AVX-512.
//!
//! The chain of G leaves no room: a shuffle that takes three cycles, as those do that take words
//! from anywhere, keeps an operation of the chain waiting every now and then. So the words of a
//! round are made out of those of the round before, whose order is the same for all rounds, with
//! shuffles that take one.

use super::lanes::row;
use super::x86_avx512::{x8, x16};

pub(super) use single::{blocks, compress};

row! {
    features: "avx512f,avx512bw,avx512vl",
    chunks: [x16: 1 from 9, x8: 1 from 5, quads: 1 from 2],
    parents: [x16: 1 from 9, quads: 2 from 5, quads: 1 from 2],
    single: single
}

/// Makes the message `M` in vectors of rows of four words.
macro_rules! message {
    (features: $features:literal, registers: $class:ident) => {
        /// What the halves of a round take, columns before diagonals: x and y of the calls of G.
        type M = [V; 4];

        #[inline]
        #[target_feature(enable = $features)]
        fn half_round<const ROUND: usize, const HALF: usize>(m: M) -> [V; 2] {
            [m[2 * HALF], m[2 * HALF + 1]]
        }

        /// The first round's words, out of words 4 q to 4 q + 3 at place q. In the diagonals,
        /// place j has the call whose b is word 4 + j.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_round([a, b, c, d]: [V; 4]) -> M {
            let (x, y) = (turn::<3>(evens(c, d)), turn::<3>(odds(c, d)));
            [evens(a, b), odds(a, b), x, y]
        }

        /// The next round's words.
        ///
        /// A round's are 0 2 4 6, 1 3 5 7, e 8 a c and f 9 b d by their places in its order. Table
        /// 2 puts 2 3 7 4, 6 a 0 d, f 1 c 9 and 8 b 5 e there.
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)] // A compiler gathers these into shuffles that take three cycles.
        fn next_round([a, b, c, d]: M) -> M {
            let even = pattern([u32::MAX, 0, u32::MAX, 0]);
            let outer = pattern([u32::MAX, 0, 0, u32::MAX]);
            let (x, y, z, w, _t): (V, V, V, V, V);
            // SAFETY: the block changes only the named registers.
            unsafe {
                core::arch::asm!(
                    "vshufps {t}, {a}, {b}, 0xd9", // 2 4 3 7
                    "vpshufd {x}, {t}, 0x78",
                    "vshufps {y}, {c}, {d}, 0xc8", // e a f d
                    "vpshufd {t}, {a}, 0x03", // 6 0 0 0
                    "vpternlogd {y}, {t}, {even}, 0xd8",
                    "vshufps {z}, {b}, {c}, 0x30", // 1 1 c e
                    "vpshufd {t}, {d}, 0x40", // f f f 9
                    "vpternlogd {z}, {t}, {outer}, 0xd8",
                    "vshufps {w}, {d}, {b}, 0x28", // f b 5 1
                    "vpshufd {t}, {c}, 0x01", // 8 e e e
                    "vpternlogd {w}, {t}, {outer}, 0xd8",
                    a = in($class) a,
                    b = in($class) b,
                    c = in($class) c,
                    d = in($class) d,
                    even = in($class) even,
                    outer = in($class) outer,
                    x = out($class) x,
                    y = out($class) y,
                    z = out($class) z,
                    w = out($class) w,
                    t = out($class) _t,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            [x, y, z, w]
        }
    };
}

/// One chunk or node after the other.
mod single {
    use super::super::{CHUNK_END, CHUNK_START, IV};
    use adamant_base::simd::{Words, load128 as load, store128 as store};
    use core::arch::x86_64::{
        __m128i as V, _mm_add_epi32 as add, _mm_castps_si128, _mm_castsi128_ps, _mm_ror_epi32,
        _mm_shuffle_epi32, _mm_shuffle_ps, _mm_xor_si128 as xor,
    };

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn ror<const N: i32>(x: V) -> V {
        _mm_ror_epi32::<N>(x)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn evens(x: V, y: V) -> V {
        let (x, y) = (_mm_castsi128_ps(x), _mm_castsi128_ps(y));
        _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(x, y))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn odds(x: V, y: V) -> V {
        let (x, y) = (_mm_castsi128_ps(x), _mm_castsi128_ps(y));
        _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(x, y))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn pattern(words: [u32; 4]) -> V {
        load(&words)
    }

    crate::lanes::turn!("avx512f,avx512vl", _mm_shuffle_epi32);
    message! { features: "avx512f,avx512vl", registers: xmm_reg }
    crate::blake2::vectors::rounds! { features: "avx512f,avx512vl", rotations: [16 12 8 7], }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn words<W: Words>([a, b, c, d]: &[W; 4]) -> M {
        first_round([load(a), load(b), load(c), load(d)])
    }

    /// The rows of the working variables after the rounds, of two callers: as a function, they
    /// would go through memory.
    macro_rules! mix {
        ($h:expr, $m:expr, $t:expr, $len:expr, $flags:expr) => {{
            let [a, b, c, d, ..] = IV;
            let inputs = [$t as u32, ($t >> 32) as u32, $len, $flags];
            let (h, m) = ($h, $m);
            let v = [h[0], h[1], load(&[a, b, c, d]), load(&inputs)];
            let (v, m) = (round::<0>(v, m), next_round(m));
            let (v, m) = (round::<1>(v, m), next_round(m));
            let (v, m) = (round::<2>(v, m), next_round(m));
            let (v, m) = (round::<3>(v, m), next_round(m));
            let (v, m) = (round::<4>(v, m), next_round(m));
            let (v, m) = (round::<5>(v, m), next_round(m));
            round::<6>(v, m)
        }};
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn rows(h: &[u32; 8]) -> [V; 2] {
        let ([low, high], _) = h.as_chunks::<4>() else {
            return [load(&[0; 4]); 2]; // never
        };
        [load(low), load(high)]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn put(out: &mut [u32], rows: &[V]) {
        for (out, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(rows) {
            store(out, *row);
        }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn compress(h: &[u32; 8], m: &[u32; 16], t: u64, len: u32, flags: u32) -> [u32; 16] {
        let h = rows(h);
        let Some(m) = m.as_chunks::<4>().0.first_chunk() else {
            return [0; 16]; // never: sixteen words are four chunks
        };
        let [a, b, c, d] = mix!(h, words(m), t, len, flags);
        let mut out = [0; 16];
        put(
            &mut out,
            &[xor(a, c), xor(b, d), xor(c, h[0]), xor(d, h[1])],
        );
        out
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn blocks(
        h: &mut [u32; 8],
        blocks: &[[u8; 64]],
        t: u64,
        flags: u32,
        start: u32,
        end: u32,
    ) {
        let mut now = rows(h);
        let last = blocks.len().wrapping_sub(1);
        for (i, block) in blocks.iter().enumerate() {
            let first = if i == 0 { start } else { 0 };
            let last = if i == last { end } else { 0 };
            let Some(m) = block.as_chunks::<16>().0.first_chunk() else {
                return; // never
            };
            let [a, b, c, d] = mix!(now, words(m), t, 64, flags | first | last);
            now = [xor(a, c), xor(b, d)];
        }
        put(h, &now);
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn chunks(
        key: &[u32; 8],
        chunks: &[[u8; 1024]],
        t: u64,
        flags: u32,
        out: &mut [[u32; 8]],
    ) {
        for ((chunk, out), t) in chunks.iter().zip(out).zip(t..) {
            *out = *key;
            blocks(out, chunk.as_chunks().0, t, flags, CHUNK_START, CHUNK_END);
        }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn parents(
        key: &[u32; 8],
        children: &[[u32; 16]],
        flags: u32,
        out: &mut [[u32; 8]],
    ) {
        for (children, out) in children.iter().zip(out) {
            out.copy_from_slice(&compress(key, children, 0, 64, flags)[..8]);
        }
    }
}

/// Four chunks or nodes in the four quarters of a vector, `K` times.
mod quads {
    use super::super::{CHUNK_END, CHUNK_START, IV};
    use adamant_base::simd::{Words, load128, load512, map, store128};
    use core::arch::x86_64::{
        __m512i as V, _mm512_add_epi32 as add, _mm512_broadcast_i32x4, _mm512_castps_si512,
        _mm512_castsi512_ps, _mm512_extracti32x4_epi32, _mm512_maskz_set1_epi32, _mm512_ror_epi32,
        _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_shuffle_ps,
        _mm512_xor_si512 as xor,
    };

    pub(super) const LANES: usize = 4;

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn ror<const N: i32>(x: V) -> V {
        _mm512_ror_epi32::<N>(x)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn evens(x: V, y: V) -> V {
        let (x, y) = (_mm512_castsi512_ps(x), _mm512_castsi512_ps(y));
        _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(x, y))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn odds(x: V, y: V) -> V {
        let (x, y) = (_mm512_castsi512_ps(x), _mm512_castsi512_ps(y));
        _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(x, y))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn pattern(words: [u32; 4]) -> V {
        _mm512_broadcast_i32x4(load128(&words))
    }

    crate::lanes::turn!("avx512f", _mm512_shuffle_epi32);
    message! { features: "avx512f", registers: zmm_reg }
    crate::blake2::vectors::rounds! { features: "avx512f", rotations: [16 12 8 7], }

    /// The first round's words of blocks of 64 bytes each.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn message<W: Words>(blocks: [&W; LANES]) -> M {
        let [a, b, c, d] = [
            load512(blocks[0]),
            load512(blocks[1]),
            load512(blocks[2]),
            load512(blocks[3]),
        ];
        // The lower quarters of two blocks, and the upper ones.
        let (ab, cd) = (
            _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
            _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
        );
        let (above_ab, above_cd) = (
            _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
            _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
        );
        first_round([
            _mm512_shuffle_i32x4::<0b10_00_10_00>(ab, cd),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(ab, cd),
            _mm512_shuffle_i32x4::<0b10_00_10_00>(above_ab, above_cd),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(above_ab, above_cd),
        ])
    }

    /// Blocks into the chaining values `$h`, with the counters and lengths in `$inputs`, for two
    /// callers: as a function, they would go through memory.
    macro_rules! compress {
        ($h:ident, $m:ident, $inputs:expr, $flags:expr) => {
            let [a, b, c, d, ..] = IV;
            let iv = _mm512_broadcast_i32x4(load128(&[a, b, c, d]));
            let flags = _mm512_maskz_set1_epi32(0x8888, $flags.cast_signed());
            let (mut v, mut m) = ([[iv; 4]; K], $m);
            for k in 0..K {
                v[k] = [$h[k][0], $h[k][1], iv, xor($inputs[k], flags)];
            }
            round_of_all!(v m 0);
            round_of_all!(v m 1);
            round_of_all!(v m 2);
            round_of_all!(v m 3);
            round_of_all!(v m 4);
            round_of_all!(v m 5);
            round_of_all!(v m 6);
            for k in 0..K {
                $h[k] = [xor(v[k][0], v[k][2]), xor(v[k][1], v[k][3])];
            }
        };
    }

    macro_rules! round_of_all {
        ($v:ident $m:ident $round:literal) => {
            for k in 0..K {
                $v[k] = round::<$round>($v[k], $m[k]);
                $m[k] = next_round($m[k]);
            }
        };
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn start(key: &[u32; 8]) -> [V; 2] {
        let halves = key.as_chunks::<4>().0;
        [
            _mm512_broadcast_i32x4(load128(&halves[0])),
            _mm512_broadcast_i32x4(load128(&halves[1])),
        ]
    }

    /// Stores the first chaining values, as many as `out` has places.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(h: &[[V; 2]], out: &mut [[u32; 8]]) {
        for (h, out) in h.iter().zip(out.chunks_mut(LANES)) {
            let mut rows = [[0; 8]; LANES];
            for half in 0..2 {
                let quarters = [
                    _mm512_extracti32x4_epi32::<0>(h[half]),
                    _mm512_extracti32x4_epi32::<1>(h[half]),
                    _mm512_extracti32x4_epi32::<2>(h[half]),
                    _mm512_extracti32x4_epi32::<3>(h[half]),
                ];
                for (row, quarter) in rows.iter_mut().zip(quarters) {
                    store128(&mut row.as_chunks_mut::<4>().0[half], quarter);
                }
            }
            out.copy_from_slice(&rows[..out.len()]);
        }
    }

    /// The chaining values of chunks: one at least, and `4 K` at most.
    #[target_feature(enable = "avx512f")]
    pub(super) fn chunks<const K: usize>(
        key: &[u32; 8],
        chunks: &[[u8; 1024]],
        t: u64,
        flags: u32,
        out: &mut [[u32; 8]],
    ) {
        debug_assert!(!chunks.is_empty() && chunks.len() <= K * LANES);
        let mut lanes = [[&chunks[0]; LANES]; K];
        for (lane, chunk) in lanes.as_flattened_mut().iter_mut().zip(chunks) {
            *lane = chunk;
        }
        let mut inputs = [_mm512_setzero_si512(); K];
        for k in 0..K {
            let mut rows = [0; 16];
            for (i, row) in rows.as_chunks_mut().0.iter_mut().enumerate() {
                let t = t.wrapping_add((LANES * k + i) as u64);
                *row = [t as u32, (t >> 32) as u32, 64, 0];
            }
            inputs[k] = load512(&rows);
        }
        let mut h = [start(key); K];
        for block in 0..16 {
            let mut m = [[_mm512_setzero_si512(); 4]; K];
            for k in 0..K {
                m[k] = message(map(lanes[k], |chunk| &chunk.as_chunks::<64>().0[block]));
            }
            let place = match block {
                0 => CHUNK_START,
                15 => CHUNK_END,
                _ => 0,
            };
            compress!(h, m, inputs, (flags | place));
        }
        store(&h, out);
    }

    /// The chaining values of nodes: one at least, and `4 K` at most.
    #[target_feature(enable = "avx512f")]
    pub(super) fn parents<const K: usize>(
        key: &[u32; 8],
        children: &[[u32; 16]],
        flags: u32,
        out: &mut [[u32; 8]],
    ) {
        let mut m = [[_mm512_setzero_si512(); 4]; K];
        for k in 0..K {
            let lane = |i: usize| children.get(LANES * k + i).unwrap_or(&children[0]);
            m[k] = message([lane(0), lane(1), lane(2), lane(3)]);
        }
        let inputs = _mm512_broadcast_i32x4(load128(&[0u32, 0, 64, 0]));
        let mut h = [start(key); K];
        compress!(h, m, [inputs; K], flags);
        store(&h, out);
    }
}
