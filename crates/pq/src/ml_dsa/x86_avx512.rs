//! AVX-512 with VBMI: the kernel for vectors of 16 words, and vectors for all the rest.
//!
//! 1. Numbers of any width are cut out of bytes by permutations and shifts of [`Bits32`], and
//!    narrow ones put together by [`Bits16`].
//! 2. Rejection sampling compresses the accepted words.

use super::portable;
use crate::lattice::bits::{Bits16, Bits32};
use crate::sponge::Keccak;
use adamant_base::ct;
use adamant_hash::keccak;
use core::arch::x86_64::*;

super::kernel::kernel!("avx512f,avx512bw", avx512);

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

/// Writes the words that the mask selects to the place of number `count`, and counts them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn accept(to: &mut Poly, count: &mut usize, words: V, mask: u16) {
    let accepted = _mm512_maskz_compress_epi32(mask, words);
    let rest = &mut to.0[*count..];
    if let Some(place) = rest.first_chunk_mut::<16>() {
        store(place, accepted);
    } else {
        let mut last = [0i32; 16];
        store(&mut last, accepted);
        rest.copy_from_slice(&last[..rest.len()]);
    }
    *count = 256.min(*count + mask.count_ones() as usize);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn rej_ntt_poly(to: &mut Poly, bytes: &[u8]) -> bool {
    let mut count = 0;
    for chunk in bytes.chunks(48) {
        if count == 256 {
            break;
        }
        let numbers = Bits32::<24>::unpack(chunk);
        let numbers = and(numbers, splat32(0x7f_ffff));
        // Behind the end of the bytes there are no candidates.
        let there = u16::MAX >> (16 - chunk.len() / 3);
        let mask = _mm512_cmplt_epi32_mask(numbers, splat32(Q)) & there;
        accept(to, &mut count, numbers, mask);
    }
    reorder(to);
    count == 256
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn rej_bounded_poly(to: &mut Poly, eta: i32, bytes: &[u8]) -> bool {
    let mut count = 0;
    for chunk in bytes.as_chunks::<8>().0 {
        if count == 256 {
            break;
        }
        let z = Bits32::<4>::unpack(chunk);
        let bound = splat32(if eta == 2 { 15 } else { 9 });
        let mut mask = _mm512_cmplt_epi32_mask(z, bound);
        // Which ones are rejected tells nothing of the others.
        ct::mark_public_value(&mut mask);
        let z = if eta == 2 {
            // z mod 5, as 205 / 1024 is just above 1/5.
            let fifth = _mm512_srli_epi32::<10>(mullo32(z, splat32(205)));
            sub32(splat32(2), sub32(z, mullo32(fifth, splat32(5))))
        } else {
            sub32(splat32(4), z)
        };
        accept(to, &mut count, z, mask);
    }
    count == 256
}

/// Packs numbers of few bits: 32 at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack<const D: usize>(to: &mut [u8], number: impl Fn(V) -> V, from: &Poly) {
    let from = from.0.as_chunks::<16>().0.as_chunks::<2>().0;
    for (to, [low, high]) in to.chunks_exact_mut(4 * D).zip(from) {
        let low = _mm512_cvtepi32_epi16(number(load(low)));
        let high = _mm512_cvtepi32_epi16(number(load(high)));
        let words = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        Bits16::<D>::pack(to, words);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn simple_bit_pack(to: &mut [u8], from: &Poly) {
    match to.len() / 32 {
        4 => pack::<4>(to, |x| x, from),
        6 => pack::<6>(to, |x| x, from),
        10 => pack::<10>(to, |x| x, from),
        _ => portable::simple_bit_pack(to, from),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn bit_pack(to: &mut [u8], from: &Poly, b: i32) {
    let b_vector = splat32(b);
    match to.len() / 32 {
        3 => pack::<3>(to, |x| sub32(b_vector, x), from),
        4 => pack::<4>(to, |x| sub32(b_vector, x), from),
        13 => pack::<13>(to, |x| sub32(b_vector, x), from),
        _ => portable::bit_pack(to, from, b),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn unpack<const D: usize>(to: &mut Poly, from: &[u8], coefficient: impl Fn(V) -> V) {
    for (i, to) in to.0.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        store(to, coefficient(Bits32::<D>::unpack(&from[2 * D * i..])));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn simple_bit_unpack(to: &mut Poly, from: &[u8]) {
    match from.len() / 32 {
        10 => unpack::<10>(to, from, |x| x),
        _ => portable::simple_bit_unpack(to, from),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn bit_unpack(to: &mut Poly, from: &[u8], b: i32) {
    let b_vector = splat32(b);
    match from.len() / 32 {
        3 => unpack::<3>(to, from, |x| sub32(b_vector, x)),
        4 => unpack::<4>(to, from, |x| sub32(b_vector, x)),
        13 => unpack::<13>(to, from, |x| sub32(b_vector, x)),
        18 => unpack::<18>(to, from, |x| sub32(b_vector, x)),
        20 => unpack::<20>(to, from, |x| sub32(b_vector, x)),
        _ => portable::bit_unpack(to, from, b),
    }
}

super::kernel::elementwise! {
    "avx512f,avx512bw":
    add(to: &mut [Poly], other: &[Poly]);
    subtract(to: &mut [Poly], other: &[Poly]);
    power2round(polys: &mut [Poly], low: &mut [Poly]);
    decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]);
    norm(polys: &[Poly]) -> i32;
    make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize;
    use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32);
}
