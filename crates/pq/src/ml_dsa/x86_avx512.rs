//! AVX-512 with VBMI: the kernel for vectors of 16 words, and vectors for all the rest.
//!
//! 1. Numbers of any width are cut out of bytes by permutations and shifts of [`Bits32`], and
//!    narrow ones put together by [`Bits16`].
//! 2. Rejection sampling compresses the accepted words.

use super::portable;
use crate::lattice::bits::{Bits16, Bits32};
use crate::sponge::Keccak;
use adamant_base::simd::{load512, load512_partial, store512_partial};
use adamant_base::{Secret, ct};
use adamant_hash::hazmat::keccak;
use core::arch::x86_64::*;

super::kernel::kernel!("avx512f,avx512bw", avx512);

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) fn rej_ntt_poly(to: &mut Poly, mut count: usize, mut bytes: &[u8]) -> usize {
    while !bytes.is_empty() && count < 256 {
        let numbers = and(Bits32::<24>::unpack(bytes), splat32(0x7f_ffff));
        let mut mask = _mm512_cmplt_epi32_mask(numbers, splat32(Q));
        if bytes.len() < 48 {
            // Past the end of the bytes there are no candidates.
            mask &= (1 << (bytes.len() / 3)) - 1;
        }
        let accepted = _mm512_maskz_compress_epi32(mask, numbers);
        let rest = &mut to.0[count..];
        if let Some(place) = rest.first_chunk_mut::<16>() {
            store(place, accepted);
        } else {
            store512_partial(rest, accepted);
        }
        count += mask.count_ones() as usize;
        bytes = bytes.get(48..).unwrap_or_default();
    }
    if count < 256 {
        return count;
    }
    reorder(to);
    256
}

/// Algorithm 15 (CoeffFromHalfByte), of every half of a byte, four times: 2 − (z mod 5), or 4 − z.
const fn coefficients(eta: i8) -> [u8; 64] {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        let z = (i % 16) as i8;
        let c = if eta == 2 { 2 - z % 5 } else { 4 - z };
        all[i] = c.cast_unsigned();
        i += 1;
    }
    all
}
static COEFFICIENTS_2: [u8; 64] = coefficients(2);
static COEFFICIENTS_4: [u8; 64] = coefficients(4);

/// Writes bytes as words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen(to: &mut [i32; 64], bytes: V) {
    let quarters = [
        _mm512_castsi512_si128(bytes),
        _mm512_extracti32x4_epi32::<1>(bytes),
        _mm512_extracti32x4_epi32::<2>(bytes),
        _mm512_extracti32x4_epi32::<3>(bytes),
    ];
    for (to, quarter) in to.as_chunks_mut::<16>().0.iter_mut().zip(quarters) {
        store(to, _mm512_cvtepi8_epi32(quarter));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn rej_bounded_poly(to: &mut Poly, eta: i32, mut count: usize, bytes: &[u8]) -> usize {
    let (bound, coefficients) = match eta {
        2 => (15, &COEFFICIENTS_2),
        _ => (9, &COEFFICIENTS_4),
    };
    let (bound, coefficients) = (_mm512_set1_epi8(bound), load512(coefficients));
    for bytes in bytes.chunks(32) {
        if count == 256 {
            break;
        }
        // Each half in a byte of its own.
        let words = _mm512_castsi512_si256(load512_partial(bytes));
        let words = _mm512_cvtepu8_epi16(words);
        let z = _mm512_or_si512(words, _mm512_slli_epi16::<4>(words));
        let z = and(z, _mm512_set1_epi8(15));
        let there = u64::MAX >> (64 - 2 * bytes.len());
        let mut mask = _mm512_cmplt_epu8_mask(z, bound) & there;
        // Which ones are rejected tells nothing of the others.
        ct::mark_public_value(&mut mask);
        let z = _mm512_maskz_compress_epi8(mask, _mm512_shuffle_epi8(coefficients, z));
        let rest = &mut to.0[count..];
        if let Some(place) = rest.first_chunk_mut() {
            widen(place, z);
        } else {
            let mut last = Secret::new([0; 64]);
            widen(&mut last, z);
            rest.copy_from_slice(&last[..rest.len()]);
        }
        count = 256.min(count + mask.count_ones() as usize);
    }
    count
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

portable::elementwise! {
    "avx512f,avx512bw":
    add(to: &mut [Poly], other: &[Poly]);
    subtract(to: &mut [Poly], other: &[Poly]);
    power2round(polys: &mut [Poly], low: &mut [Poly]);
    decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]);
    norm(polys: &[Poly]) -> i32;
    make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize;
    use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32);
}
