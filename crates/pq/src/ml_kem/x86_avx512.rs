//! AVX-512 with VBMI: the kernel for vectors of 32 words, and vectors for all the rest.
//!
//! 1. Numbers of any width are cut out of bytes, and put together, by permutations and shifts of
//!    [`Bits16`]; binomial samples and candidates for uniform ones, too.
//! 2. Uniform sampling (of the matrix, which is public) compresses the accepted words.

use crate::lattice::bits::Bits16;
use crate::sponge::Keccak;
use adamant_base::Secret;
use adamant_base::ct::Choice;
use adamant_base::simd::store512_partial;
use adamant_hash::hazmat::keccak;
use core::arch::x86_64::*;

super::kernel::kernel!("avx512f,avx512bw", avx512);

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::best(),
        eight: keccak::lanes::Backend::best(),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn sample_ntt(to: &mut Poly, mut count: usize, mut bytes: &[u8]) -> usize {
    // Vectors of candidates that fit in any case, then the last ones.
    while let (Some(head), Some(place)) = (
        bytes.first_chunk::<64>(),
        to.0.get_mut(count..)
            .and_then(|rest| rest.first_chunk_mut::<LANES16>()),
    ) {
        let candidates = Bits16::<12>::unpack(head);
        let mask = _mm512_cmplt_epu16_mask(candidates, splat16(Q));
        store(place, _mm512_maskz_compress_epi16(mask, candidates));
        count += mask.count_ones() as usize;
        bytes = &bytes[48..];
    }
    while !bytes.is_empty() && count < 256 {
        let candidates = Bits16::<12>::unpack(bytes);
        let mut mask = _mm512_cmplt_epu16_mask(candidates, splat16(Q));
        if bytes.len() < 48 {
            // Past the end of the bytes there are no candidates.
            mask &= (1 << (bytes.len() * 2 / 3)) - 1;
        }
        store512_partial(
            &mut to.0[count..],
            _mm512_maskz_compress_epi16(mask, candidates),
        );
        count += mask.count_ones() as usize;
        bytes = bytes.get(48..).unwrap_or_default();
    }
    if count < 256 {
        return count;
    }
    reorder(to);
    256
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]) {
    let to = to.0.as_chunks_mut::<LANES16>().0;
    if bytes.len() == 128 {
        for (to, bytes) in to.iter_mut().zip(bytes.as_chunks::<16>().0) {
            store(to, binomial::<2>(Bits16::<4>::unpack(bytes)));
        }
    } else {
        for (to, bytes) in to.iter_mut().zip(bytes.as_chunks::<24>().0) {
            store(to, binomial::<3>(Bits16::<6>::unpack(bytes)));
        }
    }
}

/// The sum of the lower η bits of each word without that of the upper ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn binomial<const ETA: usize>(words: V) -> V {
    // The number of ones among three bits.
    let ones = _mm512_set4_epi32(0, 0, 0x0302_0201, 0x0201_0100);
    let mask = splat16((1 << ETA) - 1);
    let x = and(words, mask);
    let y = _mm512_srl_epi16(words, _mm_set_epi64x(0, ETA as i64));
    let nothing = splat16(0xff);
    // The upper byte of a word looks up the number of ones in 0, which is 0.
    let count = |bits| and(_mm512_shuffle_epi8(ones, bits), nothing);
    sub16(count(x), count(y))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn encode_ntt(to: &mut [u8; 384], from: &Poly) {
    let from = in_order(from);
    for (to, from) in to
        .as_chunks_mut::<48>()
        .0
        .iter_mut()
        .zip(from.0.as_chunks().0)
    {
        Bits16::<12>::pack(to, load::<[i16; LANES16]>(from));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn decode_ntt(to: &mut Poly, from: &[u8; 384]) -> Choice {
    let mut wrong = 0;
    let places = to.0.as_chunks_mut::<LANES16>().0;
    for (i, to) in places.iter_mut().enumerate() {
        let numbers = Bits16::<12>::unpack(&from[48 * i..]);
        wrong |= _mm512_cmpge_epu16_mask(numbers, splat16(Q));
        // Below 2^12, so once is enough.
        store(to, _mm512_min_epu16(numbers, sub16(numbers, splat16(Q))));
    }
    reorder(to);
    !Choice::nonzero(u64::from(wrong))
}

/// 2^27 / q: its floor, and 16 bits after the point.
const SCALE: u64 = (1 << 43) / Q as u64;

/// ⌊2^15 · x / q⌋ for x below q.
///
/// The product of 16·x and 2^27/q has the result in its bits from 16 on. What the constant lacks
/// is below 2^-16, so the product lacks less than 1; a multiple of 2^15/q that is not an integer is
/// 1/q, 19 units, away from one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn scale(x: V) -> V {
    let x = _mm512_slli_epi16::<4>(x);
    let whole = splat16((SCALE >> 16) as u16 as i16);
    let part = splat16(SCALE as u16 as i16);
    let high = _mm512_mulhi_epu16(x, whole);
    let low = mullo16(x, whole);
    let sum = add16(low, _mm512_mulhi_epu16(x, part));
    let carry = _mm512_cmplt_epu16_mask(sum, low);
    _mm512_mask_add_epi16(high, carry, high, splat16(1))
}

/// Compress_d: ⌊(2^15 · x / q + 2^(14 - d)) / 2^(15 - d)⌋ mod 2^d, as rounding down twice is
/// rounding down.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn compress_numbers<const D: usize>(x: V) -> V {
    let x = add16(scale(canonical(x)), splat16(1 << (14 - D)));
    let x = _mm512_srl_epi16(x, _mm_set_epi64x(0, 15 - D as i64));
    and(x, splat16((1 << D) - 1))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn compress_to<const D: usize>(to: &mut [u8], from: &Poly) {
    for (to, from) in to.chunks_exact_mut(4 * D).zip(from.0.as_chunks().0) {
        Bits16::<D>::pack(to, compress_numbers::<D>(load::<[i16; LANES16]>(from)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn compress(to: &mut [u8], from: &Poly) {
    match to.len() / 32 {
        4 => compress_to::<4>(to, from),
        5 => compress_to::<5>(to, from),
        10 => compress_to::<10>(to, from),
        _ => compress_to::<11>(to, from),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn decompress_from<const D: usize>(to: &mut Poly, from: &[u8]) {
    let to = to.0.as_chunks_mut::<LANES16>().0;
    for (i, to) in to.iter_mut().enumerate() {
        let y = Bits16::<D>::unpack(&from[4 * D * i..]);
        // `vpmulhrsw` is ⌊(x · q + 2^14) / 2^15⌋.
        let y = _mm512_sll_epi16(y, _mm_set_epi64x(0, 15 - D as i64));
        store(to, mulhrs16(y, splat16(Q)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn decompress(to: &mut Poly, from: &[u8]) {
    match from.len() / 32 {
        4 => decompress_from::<4>(to, from),
        5 => decompress_from::<5>(to, from),
        10 => decompress_from::<10>(to, from),
        _ => decompress_from::<11>(to, from),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn to_message(to: &mut [u8; 32], from: &Poly) {
    for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from.0.as_chunks().0) {
        let bits = compress_numbers::<1>(load::<[i16; LANES16]>(from));
        *to = _mm512_test_epi16_mask(bits, splat16(1)).to_le_bytes();
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn add_message(to: &mut Poly, from: &[u8; 32]) {
    let to = to.0.as_chunks_mut::<LANES16>().0;
    for (to, bits) in to.iter_mut().zip(from.as_chunks().0) {
        let v = load(to);
        let half = splat16((Q + 1) / 2);
        store(
            to,
            _mm512_mask_add_epi16(v, u32::from_le_bytes(*bits), v, half),
        );
    }
}
