//! AES-GCM-SIV with VAES and VPCLMULQDQ on 512-bit registers.
//!
//! 1. The keys of a nonce come from one or two registers of encrypted counters. The round keys
//!    are made with `aesenclast`, on registers, while the powers of H are made, each level from
//!    the one before: as many as the message needs.
//! 2. To seal, POLYVAL takes the whole message in, 512 bytes with one reduction, then the counter
//!    mode encrypts it. To open, each 512 bytes are decrypted while those before are taken in.
//! 3. What is left goes through masked loads and stores.
//!
//! A block read lowest byte first is the reverse of GHASH's polynomial with its bytes reversed, so
//! the arithmetic is that of GHASH without the reversals.

use adamant_base::simd::{load128, load512, load512_partial, store128, store512, store512_partial};
use adamant_base::{Secret, Wipe};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_aesenc_si128, _mm_aesenclast_si128, _mm_and_si128, _mm_bsrli_si128,
    _mm_or_si128, _mm_set_epi8, _mm_set_epi64x, _mm_set1_epi32, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_slli_si128, _mm_xor_si128, _mm512_add_epi32,
    _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_broadcast_i32x4, _mm512_bslli_epi128,
    _mm512_bsrli_epi128, _mm512_castsi512_si128, _mm512_clmulepi64_epi128,
    _mm512_extracti32x4_epi32, _mm512_mask_blend_epi64, _mm512_permutex2var_epi64,
    _mm512_permutexvar_epi64, _mm512_set_epi32, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_ternarylogic_epi64, _mm512_xor_si512,
    _mm512_zextsi128_si512,
};

use super::lengths;
use crate::aes::RoundKeys;
use crate::aes::x86_aesni;
use crate::ghash::x86_pclmul::POLYNOMIAL;
use crate::ghash::x86_vpclmul512::{Product, quads};
use crate::ghash::{POWERS, Powers};

/// Bytes of a whole step: eight registers.
type Step = [[u8; 64]; 8];

/// The keys of a nonce.
struct Keys {
    aes: [[u8; 16]; 15],
    powers: Powers,
}

impl Keys {
    const NONE: Self = Keys {
        aes: [[0; 16]; 15],
        powers: Powers::NONE,
    };
}

impl Wipe for Keys {
    fn wipe(&mut self) {
        self.aes.wipe();
        self.powers.wipe();
    }
}

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
    let mut made = Secret::new(Keys::NONE);
    derive::<ROUNDS>(keys, nonce, aad.len().max(data.len()), &mut made);
    let keys = &*made;
    let mut sum = absorb_header(&keys.powers, aad);
    let lengths = lengths(aad.len(), data.len());
    let (quads, _) = data.as_chunks::<64>();
    let (steps, _) = quads.as_chunks::<8>();
    for step in steps {
        sum = absorb(&keys.powers, sum, step);
    }
    let tag = finish::<ROUNDS>(keys, nonce, sum, &data[size_of_val(steps)..], lengths);

    let mut counter = first_counters(tag);
    let (quads, _) = data.as_chunks_mut::<64>();
    let (steps, _) = quads.as_chunks_mut::<8>();
    let done = size_of_val(steps);
    for step in steps {
        let blocks = encrypt::<ROUNDS, 8>(&keys.aes, counters(&mut counter), |_| {});
        exclusive_or(&blocks, step);
    }
    ctr_rest::<ROUNDS>(&keys.aes, counter, &mut data[done..]);
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
    let mut made = Secret::new(Keys::NONE);
    derive::<ROUNDS>(keys, nonce, aad.len().max(data.len()), &mut made);
    let keys = &*made;
    let mut counter = first_counters(load128(tag));
    let mut sum = absorb_header(&keys.powers, aad);
    let lengths = lengths(aad.len(), data.len());
    let (quads, _) = data.as_chunks_mut::<64>();
    let (steps, _) = quads.as_chunks_mut::<8>();
    let done = size_of_val(steps);
    let mut before: Option<&mut Step> = None;
    for step in steps {
        let blocks = counters(&mut counter);
        let blocks = match &before {
            None => encrypt::<ROUNDS, 8>(&keys.aes, blocks, |_| {}),
            Some(before) => {
                let mut product = Product::zero();
                // The sum so far is known last, so the register that takes it in comes last.
                let blocks = encrypt::<ROUNDS, 8>(&keys.aes, blocks, |round| {
                    if round <= 8 {
                        multiply_add(&mut product, &keys.powers, sum, before, round % 8);
                        product.in_order();
                    }
                });
                sum = product.reduce();
                blocks
            }
        };
        exclusive_or(&blocks, step);
        before = Some(step);
    }
    if let Some(before) = before {
        sum = absorb(&keys.powers, sum, before);
    }
    let rest = &mut data[done..];
    ctr_rest::<ROUNDS>(&keys.aes, counter, rest);
    bytes(finish::<ROUNDS>(keys, nonce, sum, rest, lengths))
}

/// The nonce behind a counter of zero.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn words(nonce: &[u8; 12]) -> __m128i {
    let mut block = [0; 16];
    block[4..].copy_from_slice(nonce);
    load128(&block)
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

/// Encrypts `4 N` blocks; calls `meanwhile` with the number of each round but the last.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn encrypt<const ROUNDS: usize, const N: usize>(
    keys: &[[u8; 16]; 15],
    mut blocks: [__m512i; N],
    mut meanwhile: impl FnMut(usize),
) -> [__m512i; N] {
    let first = round_key(&keys[0]);
    for block in &mut blocks {
        *block = _mm512_xor_si512(*block, first);
    }
    for (round, key) in keys[..ROUNDS].iter().enumerate().skip(1) {
        let key = round_key(key);
        for block in &mut blocks {
            *block = _mm512_aesenc_epi128(*block, key);
        }
        meanwhile(round);
    }
    let last = round_key(&keys[ROUNDS]);
    for block in &mut blocks {
        *block = _mm512_aesenclast_epi128(*block, last);
    }
    blocks
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

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn exclusive_or(stream: &[__m512i; 8], data: &mut Step) {
    for (stream, data) in stream.iter().zip(data) {
        store512(data, _mm512_xor_si512(load512(data), *stream));
    }
}

/// Counter mode on less than a step.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn ctr_rest<const ROUNDS: usize>(keys: &[[u8; 16]; 15], counter: __m512i, rest: &mut [u8]) {
    match rest.len() {
        0 => {}
        1..=64 => ctr_few::<ROUNDS, 1>(keys, counter, rest),
        65..=128 => ctr_few::<ROUNDS, 2>(keys, counter, rest),
        129..=256 => ctr_few::<ROUNDS, 4>(keys, counter, rest),
        _ => ctr_few::<ROUNDS, 8>(keys, counter, rest),
    }
}

/// Counter mode on at most `64 N` bytes.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn ctr_few<const ROUNDS: usize, const N: usize>(
    keys: &[[u8; 16]; 15],
    mut counter: __m512i,
    data: &mut [u8],
) {
    let stream = encrypt::<ROUNDS, N>(keys, counters(&mut counter), |_| {});
    for (data, stream) in data.chunks_mut(64).zip(stream) {
        store512_partial(data, _mm512_xor_si512(load512_partial(data), stream));
    }
}

/// Takes register `i` of a step into the product, the sum so far in the first.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn multiply_add(product: &mut Product, powers: &Powers, sum: __m128i, step: &Step, i: usize) {
    let mut x = load512(&step[i]);
    if i == 0 {
        x = _mm512_xor_si512(x, _mm512_zextsi128_si512(sum));
    }
    product.multiply_add(x, &quads(&powers.power)[i], &quads(&powers.halves)[i]);
}

/// Takes a step into the sum.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn absorb(powers: &Powers, sum: __m128i, step: &Step) -> __m128i {
    let mut product = Product::zero();
    for i in [1, 2, 3, 4, 5, 6, 7, 0] {
        multiply_add(&mut product, powers, sum, step, i);
    }
    product.reduce()
}

/// Takes in data of at most 32 blocks, the last one filled up with zeros, and the block `last`
/// behind them: they may be 32 together.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn absorb_few(powers: &Powers, sum: __m128i, data: &[u8], last: Option<__m128i>) -> __m128i {
    let skipped = POWERS - data.len().div_ceil(16) - usize::from(last.is_some());
    let power = powers.power[skipped..].as_flattened().as_chunks::<64>().0;
    let halves = powers.halves[skipped..].as_flattened().as_chunks::<64>().0;
    let mut product = Product::zero();
    let mut carried = _mm512_zextsi128_si512(sum);
    for ((data, power), halves) in data.chunks(64).zip(power).zip(halves) {
        let x = _mm512_xor_si512(carried, load512_partial(data));
        product.multiply_add(x, power, halves);
        carried = _mm512_setzero_si512();
    }
    if let Some(last) = last {
        // Behind H there are only zeros.
        product.multiply_add(
            _mm512_xor_si512(carried, _mm512_zextsi128_si512(last)),
            &powers.power[POWERS - 1..].as_flattened().as_chunks().0[0],
            &powers.halves[POWERS - 1..].as_flattened().as_chunks().0[0],
        );
    }
    product.reduce()
}

/// The sum behind the associated data.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn absorb_header(powers: &Powers, aad: &[u8]) -> __m128i {
    let mut sum = _mm_setzero_si128();
    for aad in aad.chunks(16 * POWERS) {
        sum = absorb_few(powers, sum, aad, None);
    }
    sum
}

/// Takes in the last bytes of the message, less than a step, and the lengths; the tag.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn finish<const ROUNDS: usize>(
    keys: &Keys,
    nonce: __m128i,
    mut sum: __m128i,
    mut rest: &[u8],
    lengths: u128,
) -> __m128i {
    let lengths = _mm_set_epi64x((lengths >> 64) as i64, lengths as i64);
    if rest.len() > 16 * (POWERS - 1) {
        sum = absorb_few(&keys.powers, sum, rest, None);
        rest = &[];
    }
    sum = absorb_few(&keys.powers, sum, rest, Some(lengths));
    sum = _mm_xor_si128(sum, nonce_behind(nonce));
    sum = _mm_and_si128(sum, _mm_set_epi64x(i64::MAX, -1));
    let mut tag = _mm_xor_si128(sum, load128(&keys.aes[0]));
    for key in &keys.aes[1..ROUNDS] {
        tag = _mm_aesenc_si128(tag, load128(key));
    }
    _mm_aesenclast_si128(tag, load128(&keys.aes[ROUNDS]))
}

/// The nonce at the start of a block, from one behind a counter.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn nonce_behind(nonce: __m128i) -> __m128i {
    _mm_bsrli_si128::<4>(nonce)
}

/// The keys of a nonce (RFC 8452, 4), for parts of at most `len` bytes.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn derive<const ROUNDS: usize>(keys: &RoundKeys, nonce: __m128i, len: usize, made: &mut Keys) {
    let nonce = _mm512_broadcast_i32x4(nonce);
    let counter = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    let first = _mm512_xor_si512(nonce, counter);
    // The low half of each block, in their order: H, and the key of the message.
    if ROUNDS == 10 {
        let [blocks] = encrypt::<ROUNDS, 1>(keys.encrypt(), [first], |_| {});
        let order = _mm512_set_epi64(0, 0, 0, 0, 6, 4, 2, 0);
        let halves = _mm512_permutexvar_epi64(order, blocks);
        let key = _mm512_extracti32x4_epi32::<1>(halves);
        expand_128(key, &mut made.aes);
        powers(_mm512_castsi512_si128(halves), &mut made.powers, len);
    } else {
        let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
        let second = _mm512_xor_si512(first, four);
        let [a, b] = encrypt::<ROUNDS, 2>(keys.encrypt(), [first, second], |_| {});
        let order = _mm512_set_epi64(0, 0, 10, 8, 6, 4, 2, 0);
        let halves = _mm512_permutex2var_epi64(a, order, b);
        let low = _mm512_extracti32x4_epi32::<1>(halves);
        let high = _mm512_extracti32x4_epi32::<2>(halves);
        expand_256(low, high, &mut made.aes);
        powers(_mm512_castsi512_si128(halves), &mut made.powers, len);
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
fn expand_128(mut key: __m128i, keys: &mut [[u8; 16]; 15]) {
    store128(&mut keys[0], key);
    for (to, constant) in keys[1..].iter_mut().zip(CONSTANTS) {
        key = sums(key, rotated(key, constant));
        store128(to, key);
    }
}

/// KeyExpansion of a key of 256 bits.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn expand_256(mut low: __m128i, mut high: __m128i, keys: &mut [[u8; 16]; 15]) {
    store128(&mut keys[0], low);
    for (i, constant) in CONSTANTS[..7].iter().enumerate() {
        store128(&mut keys[2 * i + 1], high);
        low = sums(low, rotated(high, *constant));
        store128(&mut keys[2 * i + 2], low);
        let all = _mm_shuffle_epi32::<0xff>(low);
        high = sums(high, _mm_aesenclast_si128(all, _mm_setzero_si128()));
    }
}

/// The products of lanes, reduced.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn multiply(a: __m512i, b: __m512i) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(a, b);
    let high = _mm512_clmulepi64_epi128::<0x11>(a, b);
    let mid = _mm512_xor_si512(
        _mm512_clmulepi64_epi128::<0x01>(a, b),
        _mm512_clmulepi64_epi128::<0x10>(a, b),
    );
    let low = _mm512_xor_si512(low, _mm512_bslli_epi128::<8>(mid));
    let high = _mm512_xor_si512(high, _mm512_bsrli_epi128::<8>(mid));
    // The low half folded into the high one, 64 bits at a time.
    let polynomial = _mm512_set1_epi64(POLYNOMIAL as i64);
    let t = _mm512_clmulepi64_epi128::<0x00>(low, polynomial);
    let low = _mm512_xor_si512(_mm512_shuffle_epi32::<0x4e>(low), t);
    let t = _mm512_clmulepi64_epi128::<0x00>(low, polynomial);
    let swapped = _mm512_shuffle_epi32::<0x4e>(low);
    _mm512_ternarylogic_epi64::<0x96>(high, swapped, t)
}

/// Four powers and the sums of their halves, at `quad` of nine.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn store_powers(powers: &mut Powers, quad: usize, four: __m512i) {
    let sums = _mm512_xor_si512(four, _mm512_shuffle_epi32::<0x4e>(four));
    store512(
        &mut powers.power.as_flattened_mut().as_chunks_mut::<64>().0[quad],
        four,
    );
    store512(
        &mut powers.halves.as_flattened_mut().as_chunks_mut::<64>().0[quad],
        sums,
    );
}

/// The highest power of four in every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn highest(four: __m512i) -> __m512i {
    _mm512_broadcast_i32x4(_mm512_castsi512_si128(four))
}

/// The powers of H for parts of at most `len` bytes and one block more. Each level doubles them.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn powers(h: __m128i, powers: &mut Powers, len: usize) {
    let first = _mm512_broadcast_i32x4(h);
    let second = multiply(first, first);
    // Lanes from the lowest: H^2 H H^2 H, and the lower two times H^2.
    let pair = _mm512_mask_blend_epi64(0b1100_1100, second, first);
    let higher = multiply(pair, second);
    let four = _mm512_mask_blend_epi64(0b0000_1111, pair, higher);
    store_powers(powers, 7, four);
    if len <= 3 * 16 {
        return;
    }
    let by = highest(four);
    let eight = multiply(four, by);
    store_powers(powers, 6, eight);
    if len <= 7 * 16 {
        return;
    }
    let by = highest(eight);
    let (a, b) = (multiply(four, by), multiply(eight, by));
    store_powers(powers, 5, a);
    store_powers(powers, 4, b);
    if len <= 15 * 16 {
        return;
    }
    let by = highest(b);
    for (quad, lower) in [(3, four), (2, eight), (1, a), (0, b)] {
        store_powers(powers, quad, multiply(lower, by));
    }
}
