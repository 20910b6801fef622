//! BLAKE3 on sixteen chunks or sixteen nodes at once, with AVX-512.
//!
//! What this does differently from the portable code:
//!
//! 1. A register holds one word of the state, or of the message, of sixteen chunks.
//! 2. The blocks of sixteen chunks are the rows of a matrix whose columns are needed: it is
//!    transposed in registers, and so are the chaining values at the end.
//! 3. Thirty-two go as two such sixteens side by side, as one alone waits for its own results; the
//!    message then stays in memory.
//! 4. Fewer than sixteen are done all the same, with the first one repeated; a single one goes to
//!    the portable code.

pub(super) use super::portable::compress;
use super::{CHUNK_END, CHUNK_START, IV, SCHEDULE, portable};
use adamant_base::simd::{load512, store256};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_castsi512_si256, _mm512_ror_epi32, _mm512_set1_epi32,
    _mm512_shuffle_i32x4, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32,
    _mm512_unpacklo_epi64, _mm512_xor_si512,
};

const LANES: usize = 16;

/// Turns rows into columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(m: &mut [__m512i; 16]) {
    // Squares of two words, of four, and then the four quarters of the registers, twice.
    for i in (0..16).step_by(2) {
        let (a, b) = (m[i], m[i + 1]);
        m[i] = _mm512_unpacklo_epi32(a, b);
        m[i + 1] = _mm512_unpackhi_epi32(a, b);
    }
    for i in (0..16).step_by(4) {
        let [a, b, c, d] = [m[i], m[i + 1], m[i + 2], m[i + 3]];
        m[i] = _mm512_unpacklo_epi64(a, c);
        m[i + 1] = _mm512_unpackhi_epi64(a, c);
        m[i + 2] = _mm512_unpacklo_epi64(b, d);
        m[i + 3] = _mm512_unpackhi_epi64(b, d);
    }
    // m[4 r + c] now has, in its quarter q, column 4 q + c of the rows 4 r to 4 r + 3.
    for c in 0..4 {
        let [r0, r1, r2, r3] = [m[c], m[c + 4], m[c + 8], m[c + 12]];
        let even_top = _mm512_shuffle_i32x4::<0b10_00_10_00>(r0, r1);
        let even_bottom = _mm512_shuffle_i32x4::<0b10_00_10_00>(r2, r3);
        let odd_top = _mm512_shuffle_i32x4::<0b11_01_11_01>(r0, r1);
        let odd_bottom = _mm512_shuffle_i32x4::<0b11_01_11_01>(r2, r3);
        m[c] = _mm512_shuffle_i32x4::<0b10_00_10_00>(even_top, even_bottom);
        m[c + 4] = _mm512_shuffle_i32x4::<0b10_00_10_00>(odd_top, odd_bottom);
        m[c + 8] = _mm512_shuffle_i32x4::<0b11_01_11_01>(even_top, even_bottom);
        m[c + 12] = _mm512_shuffle_i32x4::<0b11_01_11_01>(odd_top, odd_bottom);
    }
}

/// The mixing function G.
#[inline]
#[target_feature(enable = "avx512f")]
fn g(v: &mut [__m512i; 16], [a, b, c, d]: [usize; 4], x: __m512i, y: __m512i) {
    v[a] = _mm512_add_epi32(_mm512_add_epi32(v[a], x), v[b]);
    v[d] = _mm512_ror_epi32::<16>(_mm512_xor_si512(v[d], v[a]));
    v[c] = _mm512_add_epi32(v[c], v[d]);
    v[b] = _mm512_ror_epi32::<12>(_mm512_xor_si512(v[b], v[c]));
    v[a] = _mm512_add_epi32(_mm512_add_epi32(v[a], y), v[b]);
    v[d] = _mm512_ror_epi32::<8>(_mm512_xor_si512(v[d], v[a]));
    v[c] = _mm512_add_epi32(v[c], v[d]);
    v[b] = _mm512_ror_epi32::<7>(_mm512_xor_si512(v[b], v[c]));
}

/// Whole blocks, one of each lane, into the chaining values `h`; `K` sixteens of lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress_x16<const K: usize>(
    h: &mut [[__m512i; 8]; K],
    m: &[[__m512i; 16]; K],
    t: &[[__m512i; 2]; K],
    flags: u32,
) {
    let all = |word: u32| _mm512_set1_epi32(word.cast_signed());
    let mut v = [[all(0); 16]; K];
    for k in 0..K {
        let [h0, h1, h2, h3, h4, h5, h6, h7] = h[k];
        let [i0, i1, i2, i3, ..] = IV.map(all);
        let [t0, t1] = t[k];
        let (len, flags) = (all(64), all(flags));
        v[k] = [
            h0, h1, h2, h3, h4, h5, h6, h7, i0, i1, i2, i3, t0, t1, len, flags,
        ];
    }
    macro_rules! rounds {
        ($($round:literal)+) => { $(
            let s = &SCHEDULE[$round];
            for (v, m) in v.iter_mut().zip(m) {
                g(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
                g(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
                g(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
                g(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
            }
            for (v, m) in v.iter_mut().zip(m) {
                g(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
                g(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
                g(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
                g(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
            }
        )+ };
    }
    rounds!(0 1 2 3 4 5 6);
    for k in 0..K {
        for i in 0..8 {
            h[k][i] = _mm512_xor_si512(v[k][i], v[k][i + 8]);
        }
    }
}

/// Stores the chaining values of the first lanes, as many as `out` has places.
#[inline]
#[target_feature(enable = "avx512f")]
fn store<const K: usize>(h: [[__m512i; 8]; K], out: &mut [[u32; 8]]) {
    for (h, out) in h.into_iter().zip(out.chunks_mut(LANES)) {
        // The columns behind the eighth are of no interest.
        let [h0, h1, h2, h3, h4, h5, h6, h7] = h;
        let mut rows = [
            h0, h1, h2, h3, h4, h5, h6, h7, h0, h1, h2, h3, h4, h5, h6, h7,
        ];
        transpose(&mut rows);
        for (out, row) in out.iter_mut().zip(rows) {
            store256(out, _mm512_castsi512_si256(row));
        }
    }
}

/// One chunk in each lane of `K` sixteens.
#[inline]
#[target_feature(enable = "avx512f")]
fn chunks_x16<const K: usize>(
    key: &[u32; 8],
    chunks: &[[&[u8; 1024]; LANES]; K],
    t: u64,
    flags: u32,
) -> [[__m512i; 8]; K] {
    let mut numbers = [[_mm512_set1_epi32(0); 2]; K];
    for (k, numbers) in numbers.iter_mut().enumerate() {
        let lane = |i: usize| t.wrapping_add((k * LANES + i) as u64);
        let low: [u32; LANES] = core::array::from_fn(|i| lane(i) as u32);
        let high: [u32; LANES] = core::array::from_fn(|i| (lane(i) >> 32) as u32);
        *numbers = [load512(&low), load512(&high)];
    }
    let mut h = [key.map(|word| _mm512_set1_epi32(word.cast_signed())); K];
    for block in 0..16 {
        let mut m = [[_mm512_set1_epi32(0); 16]; K];
        for (m, chunks) in m.iter_mut().zip(chunks) {
            for (row, chunk) in m.iter_mut().zip(chunks) {
                *row = load512(&chunk.as_chunks::<64>().0[block]);
            }
            transpose(m);
        }
        let place = match block {
            0 => CHUNK_START,
            15 => CHUNK_END,
            _ => 0,
        };
        compress_x16(&mut h, &m, &numbers, flags | place);
    }
    h
}

#[target_feature(enable = "avx512f")]
pub(super) fn chunks(
    key: &[u32; 8],
    chunks: &[[u8; 1024]],
    mut t: u64,
    flags: u32,
    out: &mut [[u32; 8]],
) {
    let (pairs, chunks) = chunks.as_chunks::<{ 2 * LANES }>();
    let (pairs_out, out) = out.as_chunks_mut::<{ 2 * LANES }>();
    for (chunks, out) in pairs.iter().zip(pairs_out) {
        let chunks = core::array::from_fn(|k| core::array::from_fn(|i| &chunks[k * LANES + i]));
        store(chunks_x16::<2>(key, &chunks, t, flags), out);
        t = t.wrapping_add(2 * LANES as u64);
    }
    for (chunks, out) in chunks.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let [first, _, ..] = chunks else {
            portable::chunks(key, chunks, t, flags, out);
            return;
        };
        let mut lanes = [first; LANES];
        for (lane, chunk) in lanes.iter_mut().zip(chunks) {
            *lane = chunk;
        }
        store(chunks_x16(key, &[lanes], t, flags), out);
        t = t.wrapping_add(LANES as u64);
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn parents(key: &[u32; 8], children: &[[u32; 16]], flags: u32, out: &mut [[u32; 8]]) {
    for (children, out) in children.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let Some(first) = children.first() else {
            return; // never: pieces are not empty
        };
        let zero = _mm512_set1_epi32(0);
        let mut h = [key.map(|word| _mm512_set1_epi32(word.cast_signed()))];
        let mut m = [[load512(first); 16]];
        for (row, children) in m[0].iter_mut().zip(children) {
            *row = load512(children);
        }
        transpose(&mut m[0]);
        compress_x16(&mut h, &m, &[[zero; 2]], flags);
        store(h, out);
    }
}
