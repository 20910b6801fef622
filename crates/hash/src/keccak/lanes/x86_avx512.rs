//! Eight states in the lanes of 512-bit registers: all 25 fit into the 32 that there are.

use super::{Blocks, Chain, States, next_blocks};
use crate::keccak::round::two_rounds;
use crate::keccak::{Rate, Rounds};
use adamant_base::simd::{Words, from_fn, load512, map, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_cmpeq_epi64_mask, _mm512_mask_mov_epi64, _mm512_rol_epi64,
    _mm512_set_epi64, _mm512_set1_epi64, _mm512_shuffle_i64x2, _mm512_ternarylogic_epi64,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f")]
fn add_pair(a: __m512i, [b, c]: [__m512i; 2]) -> __m512i {
    xor3(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f")]
fn chi(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xd2>(a, b, c)
}
#[inline]
#[target_feature(enable = "avx512f")]
fn iota(a: __m512i, constant: u64) -> __m512i {
    _mm512_xor_si512(a, _mm512_set1_epi64(constant.cast_signed()))
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        [$b, _mm512_rol_epi64::<1>($c)]
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        _mm512_rol_epi64::<$bits>(add_pair($a, $sum))
    };
}

pub(super) const fn break_even() -> usize {
    2
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f")]
pub(super) fn permute(states: &mut States, rounds: Rounds) {
    let mut a = [_mm512_set1_epi64(0); 25];
    for i in 0..25 {
        a[i] = load512(&states[i]);
    }
    for constants in rounds.constants() {
        two_rounds!(a, constants; theta add_pair rho xor3 chi iota);
    }
    for i in 0..25 {
        store512(&mut states[i], a[i]);
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f")]
pub(super) fn chain(blocks: &mut States, kept: &mut [[u64; 8]; 4], keep: &[u64; 8], chain: Chain) {
    let (count, node) = chain.places();
    let keep = load512(keep);
    let one = _mm512_set1_epi64(Chain::ONE.cast_signed());
    for step in 0..=chain.steps {
        let now = _mm512_cmpeq_epi64_mask(keep, _mm512_set1_epi64(step.cast_signed()));
        if now != 0 {
            for (to, row) in kept.iter_mut().zip(&blocks[node.clone()]) {
                store512(to, _mm512_mask_mov_epi64(load512(to), now, load512(row)));
            }
        }
        if step == chain.steps {
            break;
        }
        let mut a = [one; 25];
        for i in 0..25 {
            a[i] = load512(&blocks[i]);
        }
        for constants in Rounds::ALL.constants() {
            two_rounds!(a, constants; theta add_pair rho xor3 chi iota);
        }
        for (row, word) in blocks[node.clone()].iter_mut().zip(a) {
            store512(row, word);
        }
        let row = &mut blocks[count];
        store512(row, _mm512_add_epi64(load512(row), one));
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f")]
pub(super) fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds) {
    for third in 0..3 {
        let rows = transpose(from_fn(|i| &blocks[i].as_chunks::<64>().0[third]));
        for i in 0..8 {
            let lanes = &mut states[8 * third + i];
            store512(lanes, _mm512_xor_si512(load512(lanes), rows[i]));
        }
    }
    permute(states, rounds);
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f")]
pub(super) fn squeeze(states: &States, blocks: &mut Blocks) {
    for third in 0..3 {
        let rows = transpose(
            states[8 * third..]
                .first_chunk()
                .expect("24 of 25")
                .each_ref(),
        );
        for i in 0..8 {
            store512(&mut blocks[i].as_chunks_mut::<64>().0[third], rows[i]);
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f")]
pub(super) fn absorb_messages(
    states: &mut States,
    messages: &[&[u8]; 8],
    rate: Rate,
    rounds: Rounds,
) {
    let mut messages = *messages;
    while let Some(blocks) = next_blocks(&mut messages, rate) {
        let words = blocks[0].len();
        for eighth in 0..3 {
            if 8 * (eighth + 1) <= words {
                let rows = transpose(map(blocks, |b| {
                    &b.as_flattened().as_chunks::<64>().0[eighth]
                }));
                for i in 0..8 {
                    let lanes = &mut states[8 * eighth + i];
                    store512(lanes, _mm512_xor_si512(load512(lanes), rows[i]));
                }
            }
        }
        for i in words & !7..words {
            let [a, b, c, d, e, f, g, h] = map(blocks, |block| i64::from_le_bytes(block[i]));
            let row = _mm512_set_epi64(h, g, f, e, d, c, b, a);
            let lanes = &mut states[i];
            store512(lanes, _mm512_xor_si512(load512(lanes), row));
        }
        permute(states, rounds);
    }
}

/// Word i of block j at place j of vector i.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose<W: Words>(blocks: [&W; 8]) -> [__m512i; 8] {
    let zero = _mm512_set1_epi64(0);
    let mut r = [zero; 8];
    for i in 0..8 {
        r[i] = load512(blocks[i]);
    }
    // Pairs of blocks: words 0, 2, 4, 6 of both, and words 1, 3, 5, 7.
    let mut pairs = [[zero; 2]; 4];
    for i in 0..4 {
        pairs[i] = [
            _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1]),
            _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1]),
        ];
    }
    let mut rows = [zero; 8];
    for odd in 0..2 {
        let [a, b, c, d] = map(pairs, |pair| pair[odd]);
        // Quarters 0 and 2 of two pairs, and quarters 1 and 3.
        let low = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
        let high = _mm512_shuffle_i64x2::<0b10_00_10_00>(c, d);
        rows[odd] = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
        rows[odd + 4] = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
        let low = _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
        let high = _mm512_shuffle_i64x2::<0b11_01_11_01>(c, d);
        rows[odd + 2] = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
        rows[odd + 6] = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
    }
    rows
}
