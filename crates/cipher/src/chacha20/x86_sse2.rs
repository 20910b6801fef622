//! ChaCha20 with SSE2, which every x86-64 CPU has: four blocks at once.
//!
//! Vector `i` holds word `i` of the four states, so a quarter round on vectors is four quarter
//! rounds. After the rounds, four 4 × 4 transpositions bring each block's words together.

use super::{portable, state};
use adamant_base::Secret;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_or_si128, _mm_shufflehi_epi16, _mm_shufflelo_epi16, _mm_slli_epi32,
    _mm_srli_epi32, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32, _mm_unpacklo_epi64,
    _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// Up to how many blocks making each alone is quicker than making four.
pub(super) const FEW: usize = 1;

#[inline]
#[target_feature(enable = "sse2")]
fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: __m128i) -> __m128i {
    const { assert!(LEFT + RIGHT == 32) };
    _mm_or_si128(_mm_slli_epi32::<LEFT>(x), _mm_srli_epi32::<RIGHT>(x))
}

/// Rotates each word by half its length.
#[inline]
#[target_feature(enable = "sse2")]
fn rotate_16(x: __m128i) -> __m128i {
    _mm_shufflehi_epi16::<0xb1>(_mm_shufflelo_epi16::<0xb1>(x))
}

/// Transposes a 4 × 4 matrix of words, given as its rows.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose([r0, r1, r2, r3]: [__m128i; 4]) -> [__m128i; 4] {
    let (a0, a1) = (_mm_unpacklo_epi32(r0, r1), _mm_unpackhi_epi32(r0, r1));
    let (b0, b1) = (_mm_unpacklo_epi32(r2, r3), _mm_unpackhi_epi32(r2, r3));
    [
        _mm_unpacklo_epi64(a0, b0),
        _mm_unpackhi_epi64(a0, b0),
        _mm_unpacklo_epi64(a1, b1),
        _mm_unpackhi_epi64(a1, b1),
    ]
}

#[target_feature(enable = "sse2")]
fn four_blocks(start: &[[u32; 4]; 16], data: &mut [[u8; 64]; 4]) {
    let mut v: [__m128i; 16] = core::array::from_fn(|i| load128(&start[i]));
    macro_rules! quarter_round {
        ($a:literal $b:literal $c:literal $d:literal) => {
            v[$a] = _mm_add_epi32(v[$a], v[$b]);
            v[$d] = rotate_16(_mm_xor_si128(v[$d], v[$a]));
            v[$c] = _mm_add_epi32(v[$c], v[$d]);
            v[$b] = rotate_left::<12, 20>(_mm_xor_si128(v[$b], v[$c]));
            v[$a] = _mm_add_epi32(v[$a], v[$b]);
            v[$d] = rotate_left::<8, 24>(_mm_xor_si128(v[$d], v[$a]));
            v[$c] = _mm_add_epi32(v[$c], v[$d]);
            v[$b] = rotate_left::<7, 25>(_mm_xor_si128(v[$b], v[$c]));
        };
    }
    for _ in 0..10 {
        quarter_round!(0 4 8 12);
        quarter_round!(1 5 9 13);
        quarter_round!(2 6 10 14);
        quarter_round!(3 7 11 15);
        quarter_round!(0 5 10 15);
        quarter_round!(1 6 11 12);
        quarter_round!(2 7 8 13);
        quarter_round!(3 4 9 14);
    }
    for i in 0..4 {
        let rows = [0, 1, 2, 3].map(|j| _mm_add_epi32(v[4 * i + j], load128(&start[4 * i + j])));
        for (block, row) in data.iter_mut().zip(transpose(rows)) {
            let quarter = &mut block.as_chunks_mut().0[i];
            store128::<[u8; 16]>(quarter, _mm_xor_si128(load128(quarter), row));
        }
    }
}

/// The most that [`first`] gives.
pub(crate) const MOST_AT_FIRST: usize = 4;

/// Of this many blocks, how many to make at first if they must be made in two calls.
pub(crate) fn first(blocks: usize) -> usize {
    blocks.min(MOST_AT_FIRST)
}

#[target_feature(enable = "sse2")]
pub(crate) fn xor(key: &[u32; 8], mut counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut start = Secret::new(state(key, counter, nonce).map(|word| [word; 4]));
    let (blocks, _) = data.as_chunks_mut::<64>();
    let (fours, _) = blocks.as_chunks_mut::<4>();
    let done = size_of_val(fours);
    for four in fours {
        start[12] = [0, 1, 2, 3].map(|lane| counter.wrapping_add(lane));
        four_blocks(&start, four);
        counter = counter.wrapping_add(4);
    }
    let rest = &mut data[done..];
    if rest.len() <= 64 * FEW {
        portable::xor(key, counter, nonce, rest);
    } else {
        start[12] = [0, 1, 2, 3].map(|lane| counter.wrapping_add(lane));
        let mut stream = Secret::new([[0; 64]; 4]);
        four_blocks(&start, &mut stream);
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
    }
}
