//! SM4-GCM with GFNI and VPCLMULQDQ on 512-bit registers, both halves side by side.
//!
//! 64 blocks at a time: every four rounds of SM4 go with the multiplication of two registers for
//! GHASH, of the same ciphertext when decrypting, of the group before when encrypting. What is
//! left, under 64 blocks, is encrypted in one call with the block that masks the tag.

use adamant_base::simd::{load512, store128, store512};
use core::arch::x86_64::{
    __m128i, _mm_setzero_si128, _mm_shuffle_epi8, _mm512_xor_si512, _mm512_zextsi128_si512,
};

use super::Sm4GcmKey;
use crate::ghash::x86_vpclmul512::{Product, absorb_few, quads, reversal, reverse};
use crate::ghash::{POWERS, Powers, lengths, x86_pclmul, x86_vpclmul512};
use crate::sm4::x86_gfni512::{
    BLOCKS, Group, counters, encrypt_blocks, enter, expand, four_rounds, leave, transpose,
};

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn init(sm4_key: &[u8; 16], key: &mut Sm4GcmKey) {
    expand(sm4_key, &mut key.sm4);
    let mut h = [[0; 16]];
    encrypt_blocks(&key.sm4, &mut h);
    x86_pclmul::init(&h[0], &mut key.powers);
    adamant_base::Wipe::wipe(&mut h);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn ghash(key: &Sm4GcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    x86_vpclmul512::update(&key.powers, sum, blocks);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn seal(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, start, aad, data)
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn open(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, start, aad, data)
}

/// The counter block so many behind the first: 32 bits of it count.
fn count(start: u128, blocks: usize) -> u128 {
    let number = (start as u32).wrapping_add(blocks as u32);
    start >> 32 << 32 | u128::from(number)
}

/// Takes any number of bytes into a reversed sum, the last block filled up with zeros.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn absorb(powers: &Powers, mut sum: __m128i, data: &[u8]) -> __m128i {
    for data in data.chunks(16 * POWERS) {
        sum = absorb_few(powers, sum, data);
    }
    sum
}

#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn crypt<const DECRYPT: bool>(
    key: &Sm4GcmKey,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad.len(), data.len()).to_be_bytes();
    let mut sum = absorb(&key.powers, _mm_setzero_si128(), aad);
    let (registers, _) = data.as_chunks_mut::<64>();
    let (groups, _) = registers.as_chunks_mut::<16>();
    let done = size_of_val(groups);
    let mut before: Option<&Group> = None;
    for (i, group) in groups.iter_mut().enumerate() {
        let first = count(start, 1 + BLOCKS * i);
        // The counters of a group that wraps have no common form.
        if (first as u32).checked_add(BLOCKS as u32).is_none() {
            if let Some(before) = before {
                sum = absorb(&key.powers, sum, before.as_flattened());
            }
            if DECRYPT {
                sum = absorb(&key.powers, sum, group.as_flattened());
            }
            stream(key, start, 1 + BLOCKS * i, group.as_flattened_mut());
            before = if DECRYPT { None } else { Some(group) };
            continue;
        }
        let numbers = [(first >> 64) as u64, first as u64];
        if DECRYPT {
            sum = step::<true>(key, numbers, sum, None, group);
        } else {
            sum = step::<false>(key, numbers, sum, before, group);
            before = Some(group);
        }
    }
    if let Some(before) = before {
        sum = absorb(&key.powers, sum, before.as_flattened());
    }
    // The rest, and the mask of the tag in front of it.
    let rest = &mut data[done..];
    if DECRYPT {
        sum = absorb(&key.powers, sum, rest);
    }
    let mut mask = [0; 16];
    let mut last = [[0; 16]; BLOCKS + 1];
    let last = &mut last[..=rest.len().div_ceil(16)];
    for (i, block) in last.iter_mut().enumerate() {
        // The first counter masks the tag, those behind the groups encrypt.
        let ahead = if i == 0 { 0 } else { done / 16 + i };
        *block = count(start, ahead).to_be_bytes();
    }
    encrypt_blocks(&key.sm4, last);
    if let [first, stream @ ..] = last {
        mask = *first;
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
    }
    if !DECRYPT {
        sum = absorb(&key.powers, sum, rest);
    }
    sum = absorb(&key.powers, sum, &lengths);
    let mut tag = [0; 16];
    store128(&mut tag, _mm_shuffle_epi8(sum, reversal()));
    core::array::from_fn(|i| tag[i] ^ mask[i])
}

/// The exclusive or of data and the key stream, from a block behind the first counter on.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn stream(key: &Sm4GcmKey, start: u128, ahead: usize, data: &mut [u8]) {
    let mut stream: [[u8; 16]; BLOCKS] =
        core::array::from_fn(|i| count(start, ahead + i).to_be_bytes());
    encrypt_blocks(&key.sm4, &mut stream);
    for (byte, s) in data.iter_mut().zip(stream.as_flattened()) {
        *byte ^= s;
    }
}

/// Encrypts or decrypts a group while it, or the one before, is taken into the sum.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn step<const ITSELF: bool>(
    key: &Sm4GcmKey,
    [high, low]: [u64; 2],
    mut sum: __m128i,
    before: Option<&Group>,
    data: &mut Group,
) -> __m128i {
    let (powers, halves) = (quads(&key.powers.power), quads(&key.powers.halves));
    let hashed = if ITSELF { Some(&*data) } else { before };
    let mut words = enter(&counters(high, low));
    let mut product = Product::zero();
    for (i, keys) in key.sm4.bytes.as_chunks::<4>().0.iter().enumerate() {
        four_rounds(&mut words, [&keys[0], &keys[1], &keys[2], &keys[3]]);
        if let Some(hashed) = hashed {
            for j in [2 * i, 2 * i + 1] {
                let mut x = reverse(load512(&hashed[j]));
                if j % 8 == 0 {
                    // The powers reach half a group.
                    if j > 0 {
                        sum = product.reduce();
                        product = Product::zero();
                    }
                    x = _mm512_xor_si512(x, _mm512_zextsi128_si512(sum));
                }
                product.multiply_add(x, &powers[j % 8], &halves[j % 8]);
            }
        }
    }
    for (to, x) in data.iter_mut().zip(transpose(leave(words))) {
        store512(to, _mm512_xor_si512(x, load512(to)));
    }
    if before.is_some() || ITSELF {
        sum = product.reduce();
    }
    sum
}
