//! What [`x86_avx512`](super::x86_avx512) has for many chunks or nodes; one message is compressed in
//! the [vectors](crate::blake2::vectors) of BLAKE2.

use super::lanes::row;
use super::x86_avx512::{x4, x8, x16};

pub(super) use single::{blocks, compress};

row! {
    features: "avx512f,avx512bw,avx512vl",
    kernels: [x16: 2 from 17, x16: 1 from 9, x8: 1 from 5, x4: 1 from 2],
    single: single
}

/// One chunk or node after the other.
mod single {
    use super::super::{CHUNK_END, CHUNK_START, IV, SCHEDULE};

    crate::blake2::vectors::words32! { schedule: SCHEDULE }
    crate::blake2::vectors::rounds! { features: "avx512f,avx512vl", rotations: [16 12 8 7], }

    /// The rows of the working variables behind the rounds, and those of `h`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn mix(h: [V; 2], m: M, t: u64, len: u32, flags: u32) -> [V; 4] {
        let [a, b, c, d, ..] = IV;
        let inputs = [t as u32, (t >> 32) as u32, len, flags];
        let mut v = [h[0], h[1], load(&[a, b, c, d]), load(&inputs)];
        v = round::<0>(v, m);
        v = round::<1>(v, m);
        v = round::<2>(v, m);
        v = round::<3>(v, m);
        v = round::<4>(v, m);
        v = round::<5>(v, m);
        round::<6>(v, m)
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
    fn put(out: &mut [u32; 8], rows: [V; 2]) {
        for (out, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(rows) {
            store(out, row);
        }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn compress(h: &[u32; 8], m: &[u32; 16], t: u64, len: u32, flags: u32) -> [u32; 16] {
        let h = rows(h);
        let [a, b, c, d] = mix(h, load512(m), t, len, flags);
        let mut out = [0; 16];
        let rows = [xor(a, c), xor(b, d), xor(c, h[0]), xor(d, h[1])];
        for (out, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(rows) {
            store(out, row);
        }
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
            let [a, b, c, d] = mix(now, words(block), t, 64, flags | first | last);
            now = [xor(a, c), xor(b, d)];
        }
        put(h, now);
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
            let [a, b, c, d] = mix(rows(key), load512(children), 0, 64, flags);
            put(out, [xor(a, c), xor(b, d)]);
        }
    }
}
