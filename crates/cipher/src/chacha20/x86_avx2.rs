//! ChaCha20 with AVX2: eight blocks at once.
//!
//! Vector `i` holds word `i` of the eight states, so a quarter round on vectors is eight quarter
//! rounds. After the rounds, two 8 × 8 transpositions bring each block's words together.
//! Rotations by 16 and 8 bits move whole bytes, which one shuffle does.

use super::{CONSTANTS, portable};
use adamant_base::simd::arch::{
    __m256i, _mm256_add_epi32, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi32,
    _mm256_shuffle_epi8, _mm256_slli_epi32, _mm256_srli_epi32, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use adamant_base::simd::{load256, store256};

/// Up to how many blocks making each alone is quicker than making eight.
pub(super) const FEW: usize = 2;

/// For `vpshufb`: rotates each 32-bit word left by 16 bits.
static BY_16: [u8; 32] = rotation(2);
/// Rotates each 32-bit word left by 8 bits.
static BY_8: [u8; 32] = rotation(1);

const fn rotation(bytes: usize) -> [u8; 32] {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        table[i] = ((i & 12) | (i + 4 - bytes) & 3) as u8;
        i += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: __m256i) -> __m256i {
    const { assert!(LEFT + RIGHT == 32) };
    _mm256_or_si256(_mm256_slli_epi32::<LEFT>(x), _mm256_srli_epi32::<RIGHT>(x))
}

/// Transposes an 8 × 8 matrix of words, given as its rows.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(rows: [__m256i; 8]) -> [__m256i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    // Within halves of 128 bits: pairs of rows, then fours.
    let (a0, a1) = (_mm256_unpacklo_epi32(r0, r1), _mm256_unpackhi_epi32(r0, r1));
    let (b0, b1) = (_mm256_unpacklo_epi32(r2, r3), _mm256_unpackhi_epi32(r2, r3));
    let (c0, c1) = (_mm256_unpacklo_epi32(r4, r5), _mm256_unpackhi_epi32(r4, r5));
    let (d0, d1) = (_mm256_unpacklo_epi32(r6, r7), _mm256_unpackhi_epi32(r6, r7));
    let (e0, e1) = (_mm256_unpacklo_epi64(a0, b0), _mm256_unpackhi_epi64(a0, b0));
    let (e2, e3) = (_mm256_unpacklo_epi64(a1, b1), _mm256_unpackhi_epi64(a1, b1));
    let (f0, f1) = (_mm256_unpacklo_epi64(c0, d0), _mm256_unpackhi_epi64(c0, d0));
    let (f2, f3) = (_mm256_unpacklo_epi64(c1, d1), _mm256_unpackhi_epi64(c1, d1));
    // The low halves, then the high ones.
    [
        _mm256_permute2x128_si256::<0x20>(e0, f0),
        _mm256_permute2x128_si256::<0x20>(e1, f1),
        _mm256_permute2x128_si256::<0x20>(e2, f2),
        _mm256_permute2x128_si256::<0x20>(e3, f3),
        _mm256_permute2x128_si256::<0x31>(e0, f0),
        _mm256_permute2x128_si256::<0x31>(e1, f1),
        _mm256_permute2x128_si256::<0x31>(e2, f2),
        _mm256_permute2x128_si256::<0x31>(e3, f3),
    ]
}

#[target_feature(enable = "avx2")]
fn eight_blocks(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [[u8; 64]; 8]) {
    let (by_16, by_8) = (load256(&BY_16), load256(&BY_8));
    let lanes: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let broadcast = |word: u32| _mm256_set1_epi32(word as i32);
    let counters = _mm256_add_epi32(broadcast(counter), load256(&lanes));

    let [mut v0, mut v1, mut v2, mut v3] = CONSTANTS.map(broadcast);
    let [
        mut v4,
        mut v5,
        mut v6,
        mut v7,
        mut v8,
        mut v9,
        mut v10,
        mut v11,
    ] = key.map(broadcast);
    let mut v12 = counters;
    let [mut v13, mut v14, mut v15] = nonce.map(broadcast);

    macro_rules! quarter_round {
        ($a:ident $b:ident $c:ident $d:ident) => {
            $a = _mm256_add_epi32($a, $b);
            $d = _mm256_shuffle_epi8(_mm256_xor_si256($d, $a), by_16);
            $c = _mm256_add_epi32($c, $d);
            $b = rotate_left::<12, 20>(_mm256_xor_si256($b, $c));
            $a = _mm256_add_epi32($a, $b);
            $d = _mm256_shuffle_epi8(_mm256_xor_si256($d, $a), by_8);
            $c = _mm256_add_epi32($c, $d);
            $b = rotate_left::<7, 25>(_mm256_xor_si256($b, $c));
        };
    }
    for _ in 0..10 {
        quarter_round!(v0 v4 v8 v12);
        quarter_round!(v1 v5 v9 v13);
        quarter_round!(v2 v6 v10 v14);
        quarter_round!(v3 v7 v11 v15);
        quarter_round!(v0 v5 v10 v15);
        quarter_round!(v1 v6 v11 v12);
        quarter_round!(v2 v7 v8 v13);
        quarter_round!(v3 v4 v9 v14);
    }

    let [c0, c1, c2, c3] = CONSTANTS;
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let [n0, n1, n2] = *nonce;
    let add = |vector, word: u32| _mm256_add_epi32(vector, broadcast(word));
    let left = transpose([
        add(v0, c0),
        add(v1, c1),
        add(v2, c2),
        add(v3, c3),
        add(v4, k0),
        add(v5, k1),
        add(v6, k2),
        add(v7, k3),
    ]);
    let right = transpose([
        add(v8, k4),
        add(v9, k5),
        add(v10, k6),
        add(v11, k7),
        _mm256_add_epi32(v12, counters),
        add(v13, n0),
        add(v14, n1),
        add(v15, n2),
    ]);
    for ((block, left), right) in data.iter_mut().zip(left).zip(right) {
        if let [first, second] = block.as_chunks_mut::<32>().0 {
            store256(first, _mm256_xor_si256(load256(first), left));
            store256(second, _mm256_xor_si256(load256(second), right));
        }
    }
}

/// The most that [`first`] gives.
pub(crate) const MOST_AT_FIRST: usize = 8;

/// Of this many blocks, how many to make at first if they must be made in two calls.
pub(crate) fn first(blocks: usize) -> usize {
    blocks.min(MOST_AT_FIRST)
}

#[target_feature(enable = "avx2")]
pub(crate) fn xor(key: &[u32; 8], mut counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let (eights, _) = data.as_chunks_mut::<512>();
    let done = eights.as_flattened().len();
    for eight in eights {
        if let Ok(blocks) = eight.as_chunks_mut().0.try_into() {
            eight_blocks(key, counter, nonce, blocks);
        }
        counter = counter.wrapping_add(8);
    }
    let rest = &mut data[done..];
    if rest.len() <= 64 * FEW {
        portable::xor(key, counter, nonce, rest);
    } else {
        let mut stream = adamant_base::Secret::new([[0; 64]; 8]);
        eight_blocks(key, counter, nonce, &mut stream);
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
    }
}
