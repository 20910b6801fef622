//! Compression in rows: the words of the state that G takes at once lie in one vector, as in the
//! [vectors](crate::blake2::vectors) of BLAKE2. One message or node in 128 bits; four in 512, and
//! twice as many side by side, where lanes of words would be empty for the most part. From nine on
//! the [lanes](super::lanes) of AVX-512.

use super::lanes::row;
use super::x86_avx512::x16;

pub(super) use single::{blocks, compress};

row! {
    features: "avx512f,avx512bw,avx512vl",
    kernels: [x16: 2 from 17, x16: 1 from 9, quads: 2 from 5, quads: 1 from 2],
    single: single
}

/// One chunk or node after the other.
mod single {
    use super::super::{CHUNK_END, CHUNK_START, IV, SCHEDULE};

    crate::blake2::vectors::words32! { schedule: SCHEDULE }
    crate::blake2::vectors::rounds! { features: "avx512f,avx512vl", rotations: [16 12 8 7], }

    /// The rows of the working variables behind the rounds, of two callers: as a function, they
    /// would go through memory.
    macro_rules! mix {
        ($h:expr, $m:expr, $t:expr, $len:expr, $flags:expr) => {{
            let [a, b, c, d, ..] = IV;
            let inputs = [$t as u32, ($t >> 32) as u32, $len, $flags];
            let (h, m) = ($h, $m);
            let v = [h[0], h[1], load(&[a, b, c, d]), load(&inputs)];
            let v = round::<2>(round::<1>(round::<0>(v, m), m), m);
            let v = round::<4>(round::<3>(v, m), m);
            round::<6>(round::<5>(v, m), m)
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
        let [
            m0,
            m1,
            m2,
            m3,
            m4,
            m5,
            m6,
            m7,
            m8,
            m9,
            m10,
            m11,
            m12,
            m13,
            m14,
            m15,
        ] = *m;
        let halves = [
            [m0, m1, m2, m3, m4, m5, m6, m7],
            [m8, m9, m10, m11, m12, m13, m14, m15],
        ];
        let [a, b, c, d] = mix!(h, words(&halves), t, len, flags);
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
            let Some(halves) = block.as_chunks::<32>().0.first_chunk() else {
                return; // never
            };
            let [a, b, c, d] = mix!(now, words(halves), t, 64, flags | first | last);
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
    use super::super::{CHUNK_END, CHUNK_START, IV, SCHEDULE};
    use adamant_base::simd::{Words, load128, load512, store128};
    use core::arch::x86_64::{
        __m512i as V, _mm512_add_epi32 as add, _mm512_broadcast_i32x4, _mm512_extracti32x4_epi32,
        _mm512_mask_blend_epi32, _mm512_maskz_set1_epi32, _mm512_permutex2var_epi32,
        _mm512_ror_epi32, _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_shuffle_i32x4,
        _mm512_xor_si512 as xor,
    };

    pub(super) const LANES: usize = 4;

    /// Words 4 q to 4 q + 3 of four blocks at place q.
    type M = [V; 4];

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn ror<const N: i32>(x: V) -> V {
        _mm512_ror_epi32::<N>(x)
    }

    crate::lanes::turn!("avx512f", _mm512_shuffle_epi32);
    crate::blake2::vectors::rounds! { features: "avx512f", rotations: [16 12 8 7], }

    /// Where the four words at these places lie in a pair of vectors of the message, in every
    /// quarter; the second bits of `1 << place` stand for the pair behind.
    const fn places(words: [usize; 4]) -> ([u32; 16], u16) {
        let (mut index, mut behind) = ([0; 16], 0);
        let mut i = 0;
        while i < 16 {
            let word = words[i % 4];
            index[i] = (16 * (word / 4 % 2) + i / 4 * 4 + word % 4) as u32;
            behind |= ((word / 8) as u16) << i;
            i += 1;
        }
        (index, behind)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn half_round<const ROUND: usize, const HALF: usize>(m: M) -> [V; 2] {
        #[repr(align(64))]
        struct Places([u32; 16], u16);
        let xy = const {
            let [a, b, c, d, e, f, g, h] = crate::blake2::vectors::order(&SCHEDULE[ROUND], HALF);
            let (x, y) = (places([a, b, c, d]), places([e, f, g, h]));
            &[Places(x.0, x.1), Places(y.0, y.1)]
        };
        let mut out = [m[0]; 2];
        for (out, Places(index, behind)) in out.iter_mut().zip(xy) {
            let index = load512(index);
            let first = _mm512_permutex2var_epi32(m[0], index, m[1]);
            let second = _mm512_permutex2var_epi32(m[2], index, m[3]);
            *out = _mm512_mask_blend_epi32(*behind, first, second);
        }
        out
    }

    /// The blocks, of 64 bytes each.
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
        [
            _mm512_shuffle_i32x4::<0b10_00_10_00>(ab, cd),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(ab, cd),
            _mm512_shuffle_i32x4::<0b10_00_10_00>(above_ab, above_cd),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(above_ab, above_cd),
        ]
    }

    /// Blocks into the chaining values `h`, with the counters and lengths in `inputs`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn compress<const K: usize>(h: &mut [[V; 2]; K], m: &[M; K], inputs: &[V; K], flags: u32) {
        let [a, b, c, d, ..] = IV;
        let iv = _mm512_broadcast_i32x4(load128(&[a, b, c, d]));
        let flags = _mm512_maskz_set1_epi32(0x8888, flags.cast_signed());
        let mut v = [[iv; 4]; K];
        for k in 0..K {
            v[k] = [h[k][0], h[k][1], iv, xor(inputs[k], flags)];
        }
        macro_rules! rounds {
            ($($round:literal)+) => { $(
                for k in 0..K {
                    v[k] = round::<$round>(v[k], m[k]);
                }
            )+ };
        }
        rounds!(0 1 2 3 4 5 6);
        for k in 0..K {
            h[k] = [xor(v[k][0], v[k][2]), xor(v[k][1], v[k][3])];
        }
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
                m[k] = message(lanes[k].map(|chunk| &chunk.as_chunks::<64>().0[block]));
            }
            let place = match block {
                0 => CHUNK_START,
                15 => CHUNK_END,
                _ => 0,
            };
            compress(&mut h, &m, &inputs, flags | place);
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
        compress(&mut h, &m, &[inputs; K], flags);
        store(&h, out);
    }
}
