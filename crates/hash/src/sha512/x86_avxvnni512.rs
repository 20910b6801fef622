//! SHA-512 with scalar rounds (BMI2) beside the message schedules of four blocks (AVX-512), where
//! there are five units for integers or more, as in all CPUs with these features.
//!
//! Differences from the portable code:
//!
//! 1. The schedule of a block does not depend on the state before it. A register holds two words
//!    of four blocks, so an instruction does four times the work, and vectors rotate in one.
//! 2. While the rounds go over four blocks, the schedules of the next four are made, a group of
//!    blocks ahead.
//! 3. The rounds are those of [`rounds`](super::rounds). What is left after the last whole group
//!    goes through `x86_avxvnni`.

use super::rounds::Working;
use super::{K, x86_avxvnni};
use adamant_base::simd::{from_fn, in_place, load128, load512, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_alignr_epi8, _mm512_broadcast_i32x4, _mm512_castsi128_si512,
    _mm512_inserti32x4, _mm512_ror_epi64, _mm512_set4_epi32, _mm512_shuffle_epi8,
    _mm512_srli_epi64, _mm512_ternarylogic_epi64,
};

/// Blocks of a group.
pub(super) const GROUP: usize = 4;

/// From how many groups on their schedules are made together: nothing hides the first one's.
pub(super) const LEAST: usize = 2;

/// Words 2s and 2s + 1 of each block of a group at `[s]`, aligned so that no vector crosses a
/// cache line.
#[repr(align(64))]
struct Schedule([[u64; 2 * GROUP]; 40]);

impl Schedule {
    const ZERO: Self = Schedule([[0; 2 * GROUP]; 40]);
}

/// Stores the words of step `s`, whose constants are in `k`.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(w: &mut Schedule, wk: &mut Schedule, k: &[u64; 80], s: usize, words: __m512i) {
    let k = _mm512_broadcast_i32x4(load128(&k.as_chunks::<2>().0[s]));
    store512(&mut w.0[s], words);
    store512(&mut wk.0[s], _mm512_add_epi64(words, k));
}

/// The first sixteen words: the blocks themselves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn first_words(w: &mut Schedule, wk: &mut Schedule, blocks: &[[u8; 128]; GROUP]) {
    let big_endian = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
    let k = in_place(&K);
    for s in 0..8 {
        let [a, b, c, d] = from_fn(|i| load128(&blocks[i].as_chunks::<16>().0[s]));
        let ab = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
        let abcd = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(ab, c), d);
        store(w, wk, k, s, _mm512_shuffle_epi8(abcd, big_endian));
    }
}

/// The words of step `s`, 8 or later, from those of the eight steps before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn next_words(w: &mut Schedule, wk: &mut Schedule, s: usize) {
    let xor3 = |a, b, c| _mm512_ternarylogic_epi64::<0x96>(a, b, c);
    let before = |i: usize| load512(&w.0[s - i]);
    let w15 = _mm512_alignr_epi8::<8>(before(7), before(8));
    let w7 = _mm512_alignr_epi8::<8>(before(3), before(4));
    let w2 = before(1);
    let sigma0 = xor3(
        _mm512_ror_epi64::<1>(w15),
        _mm512_ror_epi64::<8>(w15),
        _mm512_srli_epi64::<7>(w15),
    );
    let sigma1 = xor3(
        _mm512_ror_epi64::<19>(w2),
        _mm512_ror_epi64::<61>(w2),
        _mm512_srli_epi64::<6>(w2),
    );
    let early = _mm512_add_epi64(_mm512_add_epi64(before(8), w7), sigma0);
    store(w, wk, &K, s, _mm512_add_epi64(early, sigma1));
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2")]
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    let (mut groups, mut rest) = blocks.as_chunks::<GROUP>();
    if groups.len() < LEAST {
        (groups, rest) = (&[], blocks);
    }
    if let [first, groups @ ..] = groups {
        in_groups(state, first, groups);
    }
    x86_avxvnni::compress(state, rest);
}

/// Groups of blocks. Not inlined: the schedules are 8 KB of stack, which short messages need not
/// have.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn in_groups(state: &mut [u64; 8], first: &[[u8; 128]; GROUP], groups: &[[[u8; 128]; GROUP]]) {
    let mut w = Schedule::ZERO;
    let (mut a, mut b) = (Schedule::ZERO, Schedule::ZERO);
    let (mut wk, mut next_wk) = (&mut a, &mut b);
    first_words(&mut w, wk, first);
    for s in 8..40 {
        next_words(&mut w, wk, s);
    }
    for next in groups {
        first_words(&mut w, next_wk, next);
        rounds(state, wk, &mut w, Some(next_wk));
        core::mem::swap(&mut wk, &mut next_wk);
    }
    rounds(state, wk, &mut w, None);
}

/// The rounds of a group's blocks; beside them the schedule of the next group, if there is one, from
/// its first words.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn rounds(
    state: &mut [u64; 8],
    wk: &Schedule,
    w: &mut Schedule,
    mut next_wk: Option<&mut Schedule>,
) {
    for block in 0..GROUP {
        let mut working = Working::new(state);
        // W[t] + K[t] of sixteen rounds.
        let sixteen = |i: usize| wk.0.as_flattened()[64 * i + 2 * block..].first_chunk::<58>();
        for i in 0..5 {
            let Some(wk) = sixteen(i) else { return }; // never
            let s = 8 + 8 * block + 2 * i;
            working.two_rounds::<0, 1, 58>(wk);
            working.two_rounds::<8, 9, 58>(wk);
            if let (Some(next_wk), 0..4) = (&mut next_wk, i) {
                next_words(w, next_wk, s);
            }
            working.two_rounds::<16, 17, 58>(wk);
            working.two_rounds::<24, 25, 58>(wk);
            working.two_rounds::<32, 33, 58>(wk);
            working.two_rounds::<40, 41, 58>(wk);
            if let (Some(next_wk), 0..4) = (&mut next_wk, i) {
                next_words(w, next_wk, s + 1);
            }
            working.two_rounds::<48, 49, 58>(wk);
            working.two_rounds::<56, 57, 58>(wk);
        }
        working.add_to(state);
    }
}
