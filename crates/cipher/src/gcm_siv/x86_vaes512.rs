//! AES-GCM-SIV with VAES and VPCLMULQDQ on 512-bit registers.
//!
//! 1. The keys of a nonce come from one or two registers of encrypted counters. The round keys
//!    are made with `aesenclast`, on registers, while the powers of H are made, each level from
//!    the one before: as many as the message needs.
//! 2. To seal, POLYVAL takes the whole message in, 512 bytes with one reduction, then the counter
//!    mode encrypts it, a long one with states that are kept (`aes::x86_states512`). To open, each
//!    512 bytes are decrypted while those before are taken in.
//! 3. The rest goes through masked loads and stores.
//!
//! A block read lowest byte first is the reverse of GHASH's polynomial with its bytes reversed, so
//! the arithmetic is that of GHASH without the reversals.

use adamant_base::Secret;
use adamant_base::simd::{
    in_order8, load128, load512, load512_partial, store128, store512, store512_partial,
};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_aesenc_si128, _mm_aesenclast_si128, _mm_and_si128, _mm_bsrli_si128,
    _mm_or_si128, _mm_set_epi8, _mm_set_epi32, _mm_set_epi64x, _mm_set1_epi32, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_slli_si128, _mm_xor_si128, _mm512_add_epi32,
    _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_broadcast_i32x4, _mm512_castsi512_si128,
    _mm512_extracti32x4_epi32, _mm512_inserti32x4, _mm512_maskz_expand_epi64,
    _mm512_permutex2var_epi64, _mm512_permutexvar_epi64, _mm512_set_epi32, _mm512_set_epi64,
    _mm512_setzero_si512, _mm512_xor_si512, _mm512_zextsi128_si512,
};

use super::lengths;
use crate::aes::RoundKeys;
use crate::aes::x86_aesni;
use crate::aes::x86_states512::{LONG, Later, States};
use crate::ghash::Powers;
use crate::ghash::x86_vpclmul512::{
    Product, Step, absorb_four, absorb_step, first_lane, four_powers, powers, sum_of_halves, times,
};

/// Blocks whose powers stay in registers.
pub(super) const FEW: usize = 8;

/// The round keys of a message.
type Schedule = [[u8; 16]; 15];

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn expand(key: &[u8], keys: &mut RoundKeys) {
    x86_aesni::expand(key, keys);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn seal(keys: &RoundKeys, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    match keys.rounds() {
        10 => seal_rounds::<10>(keys, nonce, aad, data),
        _ => seal_rounds::<14>(keys, nonce, aad, data),
    }
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn open(
    keys: &RoundKeys,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut [u8],
    tag: &[u8; 16],
) -> [u8; 16] {
    match keys.rounds() {
        10 => open_rounds::<10>(keys, nonce, aad, data, tag),
        _ => open_rounds::<14>(keys, nonce, aad, data, tag),
    }
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn seal_rounds<const ROUNDS: usize>(
    keys: &RoundKeys,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let nonce = words(nonce);
    let mut made = Secret::new([[0; 16]; 15]);
    let h = derive::<ROUNDS>(keys, nonce, &mut made);
    let most = blocks_at_most(aad, data);
    let sum = if most <= FEW {
        few(h, aad, data)
    } else {
        let mut all = Secret::new(Powers::NONE);
        powers(h, &mut all, most);
        let sum = polyval(&all, _mm_setzero_si128(), aad, None);
        polyval(&all, sum, data, Some(lengths(aad.len(), data.len())))
    };
    let mut tag = finish::<ROUNDS>(&made, nonce, sum);
    adamant_base::ct::mark_public_value(&mut tag); // It is sent, and the counters begin with it.

    let mut counter = first_counters(tag);
    let (quads, _) = data.as_chunks_mut::<64>();
    let (steps, _) = quads.as_chunks_mut::<8>();
    let done = size_of_val(steps);
    if steps.len() >= LONG {
        ctr_long::<ROUNDS>(&made, &mut counter, steps);
    } else {
        for step in steps {
            let blocks = counters::<8>(&mut counter);
            encrypt::<ROUNDS>(&made, blocks, step);
        }
    }
    ctr_rest::<ROUNDS>(&made, counter, &mut data[done..]);
    bytes(tag)
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn open_rounds<const ROUNDS: usize>(
    keys: &RoundKeys,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut [u8],
    tag: &[u8; 16],
) -> [u8; 16] {
    let nonce = words(nonce);
    let mut made = Secret::new([[0; 16]; 15]);
    let h = derive::<ROUNDS>(keys, nonce, &mut made);
    let most = blocks_at_most(aad, data);
    let mut counter = first_counters(load128(tag));
    if most <= FEW {
        ctr_rest::<ROUNDS>(&made, counter, data);
        return bytes(finish::<ROUNDS>(&made, nonce, few(h, aad, data)));
    }
    let mut all = Secret::new(Powers::NONE);
    powers(h, &mut all, most);
    let lengths = lengths(aad.len(), data.len());
    let sum = polyval(&all, _mm_setzero_si128(), aad, None);
    let mut sums = _mm512_zextsi128_si512(sum);
    let (steps, rest) = data.split_at_mut(steps_of(data.len() + 16));
    let mut before: Option<[__m512i; 8]> = None;
    for step in steps.as_chunks_mut::<64>().0.as_chunks_mut::<8>().0 {
        let blocks = counters(&mut counter);
        before = Some(match before {
            None => encrypt::<ROUNDS>(&made, blocks, step),
            Some(plain) => {
                let keys = (&*made, &*all);
                let (blocks, next) = encrypt_and_absorb::<ROUNDS>(keys, blocks, step, plain, sums);
                sums = next;
                blocks
            }
        });
    }
    ctr_rest::<ROUNDS>(&made, counter, rest);
    let sum = match before {
        None => polyval(&all, sum, rest, Some(lengths)),
        Some(plain) => {
            sums = absorb_step(&all, sums, plain);
            end(&all, sums, rest, Some(lengths))
        }
    };
    bytes(finish::<ROUNDS>(&made, nonce, sum))
}

/// The nonce after a counter of zero.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn words(nonce: &[u8; 12]) -> __m128i {
    let word = |i: usize| i32::from_le_bytes([nonce[i], nonce[i + 1], nonce[i + 2], nonce[i + 3]]);
    _mm_set_epi32(word(8), word(4), word(0), 0)
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn bytes(block: __m128i) -> [u8; 16] {
    let mut bytes = [0; 16];
    store128(&mut bytes, block);
    bytes
}

/// A round key for every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn round_key(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}

/// A round of AES on some registers.
macro_rules! round {
    ($blocks:ident $key:expr) => {
        let key = round_key($key);
        for block in &mut $blocks {
            *block = _mm512_aesenc_epi128(*block, key);
        }
    };
}

/// All rounds but the last.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn rounds<const ROUNDS: usize, const N: usize>(
    keys: &Schedule,
    mut blocks: [__m512i; N],
) -> [__m512i; N] {
    let first = round_key(&keys[0]);
    for block in &mut blocks {
        *block = _mm512_xor_si512(*block, first);
    }
    for key in &keys[1..ROUNDS] {
        round!(blocks key);
    }
    blocks
}

/// Counter mode on a step; what is then in it.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn encrypt<const ROUNDS: usize>(
    keys: &Schedule,
    blocks: [__m512i; 8],
    data: &mut Step,
) -> [__m512i; 8] {
    let blocks = rounds::<ROUNDS, 8>(keys, blocks);
    last_round(&keys[ROUNDS], blocks, data)
}

/// [`encrypt`] on [`LONG`] steps or more. Not inlined: short messages need no such stack.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn ctr_long<const ROUNDS: usize>(keys: &Schedule, counter: &mut __m512i, steps: &mut [Step]) {
    debug_assert!(steps.len() >= LONG);
    let order = _mm_set_epi64x(0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100);
    let mut later = Later::new(first_lane(*counter), _mm512_broadcast_i32x4(order), keys);
    let mut states = States::new();
    for (n, data) in steps.iter_mut().enumerate() {
        let mut blocks = counters::<8>(counter);
        if n < 8 {
            let first = round_key(&keys[0]);
            for block in &mut blocks {
                *block = _mm512_xor_si512(*block, first);
            }
            round!(blocks & keys[1]);
            round!(blocks & keys[2]);
            states.push(&blocks);
        } else {
            if n % 8 == 0 {
                later.go_on();
            }
            blocks = later.step(n % 8, &states.steps()[n % 8]);
        }
        for key in &keys[3..ROUNDS] {
            round!(blocks key);
        }
        last_round(&keys[ROUNDS], blocks, data);
    }
}

/// The last round, which adds the text along with its key.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn last_round(key: &[u8; 16], mut blocks: [__m512i; 8], data: &mut Step) -> [__m512i; 8] {
    let last = round_key(key);
    for (block, data) in blocks.iter_mut().zip(data) {
        *block = _mm512_aesenclast_epi128(*block, _mm512_xor_si512(load512(data), last));
        store512(data, *block);
    }
    blocks
}

/// [`encrypt`] while another step is taken into the sums.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn encrypt_and_absorb<const ROUNDS: usize>(
    (keys, powers): (&Schedule, &Powers),
    mut blocks: [__m512i; 8],
    data: &mut Step,
    plain: [__m512i; 8],
    sums: __m512i,
) -> ([__m512i; 8], __m512i) {
    let first = round_key(&keys[0]);
    for block in &mut blocks {
        *block = _mm512_xor_si512(*block, first);
    }
    round!(blocks & keys[1]);
    let mut product = Product::of_step(powers, 1, plain[1]);
    product.in_order();
    in_order8(&mut blocks);
    for i in [2, 4, 6] {
        round!(blocks & keys[i]);
        let mut even = Product::of_step(powers, i, plain[i]);
        even.in_order();
        in_order8(&mut blocks);
        round!(blocks & keys[i + 1]);
        product.add_both(even, Product::of_step(powers, i + 1, plain[i + 1]));
        product.in_order();
        in_order8(&mut blocks);
    }
    round!(blocks & keys[8]);
    // The sums are known last, so the register that takes them in comes last.
    product.add(Product::of_step(
        powers,
        0,
        _mm512_xor_si512(plain[0], sums),
    ));
    product.in_order();
    in_order8(&mut blocks);
    for key in &keys[9..ROUNDS] {
        round!(blocks key);
    }
    let sums = product.reduce_lanes();
    (last_round(&keys[ROUNDS], blocks, data), sums)
}

/// The counters of a tag, four to a register, each in the low word of its lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn first_counters(tag: __m128i) -> __m512i {
    let first = _mm_or_si128(
        tag,
        _mm_set_epi8(-128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    );
    let ahead = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    _mm512_add_epi32(_mm512_broadcast_i32x4(first), ahead)
}

/// The next `N` registers of counters.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn counters<const N: usize>(counter: &mut __m512i) -> [__m512i; N] {
    let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
    let mut blocks = [*counter; N];
    for block in &mut blocks {
        *block = *counter;
        *counter = _mm512_add_epi32(*counter, four);
    }
    blocks
}

/// Counter mode on at most nine registers: what [`steps_of`] leaves.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn ctr_rest<const ROUNDS: usize>(keys: &Schedule, counter: __m512i, rest: &mut [u8]) {
    match rest.len() {
        0 => {}
        1..=64 => ctr_few::<ROUNDS, 1>(keys, counter, rest),
        65..=128 => ctr_few::<ROUNDS, 2>(keys, counter, rest),
        129..=256 => ctr_few::<ROUNDS, 4>(keys, counter, rest),
        257..=512 => ctr_few::<ROUNDS, 8>(keys, counter, rest),
        _ => ctr_few::<ROUNDS, 9>(keys, counter, rest),
    }
}

/// Counter mode on at most `64 N` bytes.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn ctr_few<const ROUNDS: usize, const N: usize>(
    keys: &Schedule,
    mut counter: __m512i,
    data: &mut [u8],
) {
    debug_assert!(data.len() <= 64 * N, "{} bytes", data.len());
    let mut stream = rounds::<ROUNDS, N>(keys, counters(&mut counter));
    let last = round_key(&keys[ROUNDS]);
    for block in &mut stream {
        *block = _mm512_aesenclast_epi128(*block, last);
    }
    for (data, stream) in data.chunks_mut(64).zip(stream) {
        store512_partial(data, _mm512_xor_si512(load512_partial(data), stream));
    }
}

/// Bytes of the steps in a string that leave four blocks for the end, and at most 35.
fn steps_of(len: usize) -> usize {
    len.saturating_sub(49) / size_of::<Step>() * size_of::<Step>()
}

/// Blocks of the longer of two strings, the lengths after them.
fn blocks_at_most(aad: &[u8], data: &[u8]) -> usize {
    aad.len().max(data.len()).div_ceil(16) + 1
}

/// The sum of a message with at most seven blocks, and eight of associated data: the powers stay
/// in registers.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn few(h: __m128i, aad: &[u8], data: &[u8]) -> __m128i {
    debug_assert!(blocks_at_most(aad, data) <= FEW);
    let low = four_powers(h);
    let low = (low, sum_of_halves(low));
    let mut high = low;
    if blocks_at_most(aad, data) > 4 {
        high.0 = times(low.0, first_lane(low.0));
        high.1 = sum_of_halves(high.0);
    }
    let multiply = |count: usize, x: __m512i| {
        if count > 4 {
            Product::of(x, high)
        } else {
            Product::of(x, low)
        }
    };
    let mut sum = _mm_setzero_si128();
    if !aad.is_empty() {
        sum = short(sum, aad, None, multiply);
    }
    let lengths = lengths(aad.len(), data.len());
    short(sum, data, Some(lengths), multiply)
}

/// Takes data, the last block filled up with zeros, and the lengths into the sum.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn polyval(powers: &Powers, sum: __m128i, data: &[u8], lengths: Option<u128>) -> __m128i {
    if data.is_empty() && lengths.is_none() {
        return sum;
    }
    let (steps, last) = data.split_at(steps_of(data.len() + 16 * usize::from(lengths.is_some())));
    if steps.is_empty() {
        let multiply = |count: usize, x: __m512i| Product::of_last(powers, count, x);
        return short(sum, data, lengths, multiply);
    }
    let mut sums = _mm512_zextsi128_si512(sum);
    for step in steps.as_chunks::<128>().0.as_chunks().0 {
        sums = absorb_four::<false>(powers, sums, step);
    }
    end(powers, sums, last, lengths)
}

/// A block given as a number.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn number(block: u128) -> __m128i {
    _mm_set_epi64x((block >> 64) as i64, block as i64)
}

/// As [`polyval`], of at most 35 blocks. `multiply(count, x)` is four blocks, when `count` are left
/// with them, times their powers: `count` is a multiple of four, as zeros are put in front, so that
/// powers are read as they were written a moment before.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn short(
    sum: __m128i,
    data: &[u8],
    lengths: Option<u128>,
    multiply: impl Fn(usize, __m512i) -> Product,
) -> __m128i {
    let count = data.len().div_ceil(16) + usize::from(lengths.is_some());
    debug_assert!((1..=35).contains(&count), "{count} blocks");
    let (registers, in_front) = (count.div_ceil(4), count.wrapping_neg() % 4);
    let (head, rest) = data.split_at(data.len().min(64 - 16 * in_front));
    let mut x = _mm512_xor_si512(load512_partial(head), _mm512_zextsi128_si512(sum));
    x = _mm512_maskz_expand_epi64(0xff << (2 * in_front), x);
    let mut product = Product::zero();
    let mut rest = rest.chunks(64);
    for i in 0..registers {
        if i > 0 {
            x = load512_partial(rest.next().unwrap_or_default());
        }
        if i + 1 == registers {
            let last = number(lengths.unwrap_or_default());
            let last = _mm512_inserti32x4::<3>(_mm512_setzero_si512(), last);
            x = _mm512_xor_si512(x, last);
        }
        product.add(multiply(4 * (registers - i), x));
    }
    product.reduce()
}

/// As [`polyval`], of the four to 35 blocks after the steps.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn end(powers: &Powers, mut sums: __m512i, data: &[u8], lengths: Option<u128>) -> __m128i {
    let count = data.len().div_ceil(16) + usize::from(lengths.is_some());
    debug_assert!((4..=35).contains(&count), "{count} blocks");
    let mut product = Product::zero();
    for (i, data) in data.chunks(64).enumerate() {
        let x = _mm512_xor_si512(sums, load512_partial(data));
        product.add(Product::of_last(powers, count - 4 * i, x));
        sums = _mm512_setzero_si512();
    }
    if let Some(lengths) = lengths {
        let x = _mm512_zextsi128_si512(number(lengths));
        product.add(Product::of_last(powers, 1, x));
    }
    product.reduce()
}

/// The tag, from the sum of everything.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn finish<const ROUNDS: usize>(keys: &Schedule, nonce: __m128i, sum: __m128i) -> __m128i {
    let sum = _mm_xor_si128(sum, _mm_bsrli_si128::<4>(nonce));
    let sum = _mm_and_si128(sum, _mm_set_epi64x(i64::MAX, -1));
    let mut tag = _mm_xor_si128(sum, load128(&keys[0]));
    for key in &keys[1..ROUNDS] {
        tag = _mm_aesenc_si128(tag, load128(key));
    }
    _mm_aesenclast_si128(tag, load128(&keys[ROUNDS]))
}

/// The keys of a nonce (RFC 8452, 4): makes the round keys of the message; H.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn derive<const ROUNDS: usize>(keys: &RoundKeys, nonce: __m128i, made: &mut Schedule) -> __m128i {
    let nonce = _mm512_broadcast_i32x4(nonce);
    let counter = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    let first = _mm512_xor_si512(nonce, counter);
    let last = round_key(&keys.encrypt()[ROUNDS]);
    // The low half of each block, in their order: H, and the key of the message.
    if ROUNDS == 10 {
        let [blocks] = rounds::<ROUNDS, 1>(keys.encrypt(), [first]);
        let order = _mm512_set_epi64(0, 0, 0, 0, 6, 4, 2, 0);
        let halves = _mm512_permutexvar_epi64(order, _mm512_aesenclast_epi128(blocks, last));
        expand_128(_mm512_extracti32x4_epi32::<1>(halves), made);
        _mm512_castsi512_si128(halves)
    } else {
        let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
        let second = _mm512_xor_si512(first, four);
        let [a, b] = rounds::<ROUNDS, 2>(keys.encrypt(), [first, second]);
        let order = _mm512_set_epi64(0, 0, 10, 8, 6, 4, 2, 0);
        let (a, b) = (
            _mm512_aesenclast_epi128(a, last),
            _mm512_aesenclast_epi128(b, last),
        );
        let halves = _mm512_permutex2var_epi64(a, order, b);
        let low = _mm512_extracti32x4_epi32::<1>(halves);
        let high = _mm512_extracti32x4_epi32::<2>(halves);
        expand_256(low, high, made);
        _mm512_castsi512_si128(halves)
    }
}

/// SubWord(RotWord(w)) and the round constant, in every word: `w` is the highest word of the key.
/// ShiftRows leaves four like words alone.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn rotated(key: __m128i, constant: i32) -> __m128i {
    let order = _mm_set1_epi32(0x0c0f_0e0d);
    _mm_aesenclast_si128(_mm_shuffle_epi8(key, order), _mm_set1_epi32(constant))
}

/// Each word with all below it added, and `t`.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn sums(key: __m128i, t: __m128i) -> __m128i {
    let key = _mm_xor_si128(key, _mm_slli_si128::<4>(key));
    let key = _mm_xor_si128(key, _mm_slli_si128::<8>(key));
    _mm_xor_si128(key, t)
}

/// The round constants.
const CONSTANTS: [i32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36];

/// KeyExpansion (FIPS 197, 5.2) of a key of 128 bits.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn expand_128(mut key: __m128i, keys: &mut Schedule) {
    store128(&mut keys[0], key);
    for (to, constant) in keys[1..].iter_mut().zip(CONSTANTS) {
        key = sums(key, rotated(key, constant));
        store128(to, key);
    }
}

/// KeyExpansion of a key of 256 bits.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn expand_256(mut low: __m128i, mut high: __m128i, keys: &mut Schedule) {
    store128(&mut keys[0], low);
    for (i, constant) in CONSTANTS[..7].iter().enumerate() {
        store128(&mut keys[2 * i + 1], high);
        low = sums(low, rotated(high, *constant));
        store128(&mut keys[2 * i + 2], low);
        let all = _mm_shuffle_epi32::<0xff>(low);
        high = sums(high, _mm_aesenclast_si128(all, _mm_setzero_si128()));
    }
}
