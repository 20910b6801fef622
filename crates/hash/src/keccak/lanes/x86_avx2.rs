//! Four states in the lanes of 256-bit registers, twice.

use super::{Blocks, Chain, States, next_blocks};
use crate::keccak::round::two_rounds;
use crate::keccak::{Rate, Rounds};
use adamant_base::simd::arch::{
    __m256i, _mm256_add_epi64, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi64,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_slli_epi64, _mm256_srli_epi64, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
    _mm256_xor_si256,
};
use adamant_base::simd::{Words, from_fn, load256, map, store256};

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(_mm256_xor_si256(a, b), c)
}
#[inline]
#[target_feature(enable = "avx2")]
fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(a, _mm256_andnot_si256(b, c))
}
#[inline]
#[target_feature(enable = "avx2")]
fn iota(a: __m256i, constant: u64) -> __m256i {
    _mm256_xor_si256(a, _mm256_set1_epi64x(constant.cast_signed()))
}
macro_rules! rotate {
    ($a:expr, $bits:literal) => {{
        let a = $a;
        _mm256_or_si256(
            _mm256_slli_epi64::<$bits>(a),
            _mm256_srli_epi64::<{ 64 - $bits }>(a),
        )
    }};
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        _mm256_xor_si256($b, rotate!($c, 1))
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        rotate!(_mm256_xor_si256($a, $sum), $bits)
    };
}

pub(super) const fn break_even() -> usize {
    4
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn permute(states: &mut States, rounds: Rounds) {
    for half in 0..2 {
        let mut a = [_mm256_set1_epi64x(0); 25];
        for i in 0..25 {
            a[i] = load256(&states[i].as_chunks::<4>().0[half]);
        }
        for constants in rounds.constants() {
            two_rounds!(a, constants; theta _mm256_xor_si256 rho xor3 chi iota);
        }
        for i in 0..25 {
            store256(&mut states[i].as_chunks_mut::<4>().0[half], a[i]);
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn chain(blocks: &mut States, kept: &mut [[u64; 8]; 4], keep: &[u64; 8], chain: Chain) {
    let (count, node) = chain.places();
    let one = _mm256_set1_epi64x(Chain::ONE.cast_signed());
    for half in 0..2 {
        let keep = load256(&keep.as_chunks::<4>().0[half]);
        for step in 0..=chain.steps {
            let now = _mm256_cmpeq_epi64(keep, _mm256_set1_epi64x(step.cast_signed()));
            for (to, row) in kept.iter_mut().zip(&blocks[node.clone()]) {
                let to = &mut to.as_chunks_mut::<4>().0[half];
                let row = load256(&row.as_chunks::<4>().0[half]);
                store256(to, _mm256_blendv_epi8(load256(to), row, now));
            }
            if step == chain.steps {
                break;
            }
            let mut a = [one; 25];
            for i in 0..25 {
                a[i] = load256(&blocks[i].as_chunks::<4>().0[half]);
            }
            for constants in Rounds::ALL.constants() {
                two_rounds!(a, constants; theta _mm256_xor_si256 rho xor3 chi iota);
            }
            for (row, word) in blocks[node.clone()].iter_mut().zip(a) {
                store256(&mut row.as_chunks_mut::<4>().0[half], word);
            }
            let row = &mut blocks[count].as_chunks_mut::<4>().0[half];
            store256(row, _mm256_add_epi64(load256(row), one));
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds) {
    for (half, blocks) in blocks.as_chunks::<4>().0.iter().enumerate() {
        for sixth in 0..6 {
            let rows = transpose(from_fn(|i| &blocks[i].as_chunks::<32>().0[sixth]));
            for i in 0..4 {
                let lanes = &mut states[4 * sixth + i].as_chunks_mut::<4>().0[half];
                store256(lanes, _mm256_xor_si256(load256(lanes), rows[i]));
            }
        }
    }
    permute(states, rounds);
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn squeeze(states: &States, blocks: &mut Blocks) {
    for (half, blocks) in blocks.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        for sixth in 0..6 {
            let rows: &[[u64; 8]; 4] = states[4 * sixth..].first_chunk().expect("24 of 25");
            let rows = transpose(from_fn(|i| &rows[i].as_chunks::<4>().0[half]));
            for i in 0..4 {
                store256(&mut blocks[i].as_chunks_mut::<32>().0[sixth], rows[i]);
            }
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn absorb_messages(
    states: &mut States,
    messages: &[&[u8]; 8],
    rate: Rate,
    rounds: Rounds,
) {
    let mut messages = *messages;
    while let Some(blocks) = next_blocks(&mut messages, rate) {
        for (half, blocks) in blocks.as_chunks::<4>().0.iter().enumerate() {
            for i in 0..blocks[0].len() {
                let [a, b, c, d] = map(*blocks, |block| i64::from_le_bytes(block[i]));
                let lanes = &mut states[i].as_chunks_mut::<4>().0[half];
                let row = _mm256_set_epi64x(d, c, b, a);
                store256(lanes, _mm256_xor_si256(load256(lanes), row));
            }
        }
        permute(states, rounds);
    }
}

/// Word i of block j at place j of vector i.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose<W: Words>(blocks: [&W; 4]) -> [__m256i; 4] {
    let (a, b) = (load256(blocks[0]), load256(blocks[1]));
    let (c, d) = (load256(blocks[2]), load256(blocks[3]));
    // Of pairs of blocks words 0 and 2, and words 1 and 3.
    let (ab_even, ab_odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let (cd_even, cd_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    [
        _mm256_permute2x128_si256::<0x20>(ab_even, cd_even),
        _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd),
        _mm256_permute2x128_si256::<0x31>(ab_even, cd_even),
        _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd),
    ]
}
