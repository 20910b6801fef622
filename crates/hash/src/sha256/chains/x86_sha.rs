//! Two chains with the SHA extensions of x86-64, interleaved.
//!
//! A chain stays in registers: nodes are bytes in their order, and `palignr` puts them after the
//! 22 bytes of the address.

use super::super::lanes::x86_sha::take_in;
use super::{Chains, by_pairs, length};
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_set_epi32, _mm_set_epi64x,
    _mm_shuffle_epi8, _mm_shuffle_epi32,
};
use adamant_base::simd::{from_fn, load128, map, store128};

by_pairs!("sha,sse4.1,ssse3");

/// `S` chains with nodes of `N` words.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn run_streams<const S: usize, const N: usize>(chains: Chains, steps: u32) {
    let swap = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let zero = _mm_set_epi64x(0, 0);
    let one = _mm_set_epi32(0, 0, 1 << 16, 0);
    // After the node a one bit, at the end the length; as words in reverse.
    let bit = _mm_set_epi64x(0, 0x80);
    let end = _mm_set_epi32(length(N).cast_signed(), 0, 0, 0);
    let mut prefixes = [[0; 8]; S];
    prefixes.copy_from_slice(chains.prefixes);
    let prefix = load(&prefixes);
    let mut w0 = [zero; S];
    // Words 4 and 5 of the block where the count lies, as the words of a vector.
    let mut counter = [zero; S];
    let mut node = [[zero; 2]; S];
    for s in 0..S {
        let [a, b, c, d, e, f] = map(chains.addresses[s], u32::cast_signed);
        w0[s] = _mm_set_epi32(d, c, b, a);
        counter[s] = _mm_set_epi32(0, 0, f, e);
        for i in 0..2 {
            let words = load128(&chains.nodes[s].as_chunks::<4>().0[i]);
            node[s][i] = _mm_shuffle_epi8(words, swap);
        }
    }
    for step in 0..=steps {
        for s in 0..S {
            if chains.keep[s] == step {
                put(&mut chains.kept[s], node[s], swap);
            }
        }
        if step == steps {
            break;
        }
        let mut w = [[zero; 4]; S];
        for s in 0..S {
            // Six bytes of the address at the upper end.
            let head = _mm_alignr_epi8::<6>(_mm_shuffle_epi8(counter[s], swap), zero);
            counter[s] = _mm_add_epi32(counter[s], one);
            let [low, high] = node[s];
            let [second, third, fourth] = match N {
                4 => [low, bit, zero],
                6 => [
                    low,
                    _mm_blend_epi16::<0x0f>(_mm_alignr_epi8::<8>(bit, zero), high),
                    zero,
                ],
                _ => [low, high, bit],
            };
            w[s] = [
                w0[s],
                _mm_shuffle_epi8(_mm_alignr_epi8::<10>(second, head), swap),
                _mm_shuffle_epi8(_mm_alignr_epi8::<10>(third, second), swap),
                _mm_add_epi32(
                    _mm_shuffle_epi8(_mm_alignr_epi8::<10>(fourth, third), swap),
                    end,
                ),
            ];
        }
        let (abef, cdgh) = take_in(prefix, w);
        for s in 0..S {
            let words = in_order(abef[s], cdgh[s]);
            node[s] = map(words, |words| _mm_shuffle_epi8(words, swap));
        }
    }
    for s in 0..S {
        put(&mut chains.nodes[s], node[s], swap);
    }
}

/// Writes a node as words.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn put(to: &mut [u32; 8], node: [__m128i; 2], swap: __m128i) {
    for (to, half) in to.as_chunks_mut::<4>().0.iter_mut().zip(node) {
        store128(to, _mm_shuffle_epi8(half, swap));
    }
}

/// The states as A B E F and C D G H (highest first), from the words in order.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load<const S: usize>(states: &[[u32; 8]; S]) -> ([__m128i; S], [__m128i; S]) {
    let (mut abef, mut cdgh) = ([_mm_set_epi64x(0, 0); S], [_mm_set_epi64x(0, 0); S]);
    for s in 0..S {
        let [dcba, hgfe] = from_fn(|half| load128(&states[s].as_chunks::<4>().0[half]));
        let (cdab, efgh) = (
            _mm_shuffle_epi32::<0xb1>(dcba),
            _mm_shuffle_epi32::<0x1b>(hgfe),
        );
        abef[s] = _mm_alignr_epi8::<8>(cdab, efgh);
        cdgh[s] = _mm_blend_epi16::<0xf0>(efgh, cdab);
    }
    (abef, cdgh)
}

/// The words of a state in order (lowest first).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn in_order(abef: __m128i, cdgh: __m128i) -> [__m128i; 2] {
    let feba = _mm_shuffle_epi32::<0x1b>(abef);
    let dchg = _mm_shuffle_epi32::<0xb1>(cdgh);
    [
        _mm_blend_epi16::<0xf0>(feba, dchg),
        _mm_alignr_epi8::<8>(dchg, feba),
    ]
}
