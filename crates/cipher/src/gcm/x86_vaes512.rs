//! AES-GCM with VAES and VPCLMULQDQ on 512-bit registers, both halves side by side.
//!
//! 1. Messages are worked on 512 bytes at a time: each round of AES on eight registers goes with
//!    the multiplication of one register for GHASH, of the same ciphertext when decrypting, of the
//!    ciphertext before when encrypting. The two use different units of the CPU.
//! 2. What is left, under 512 bytes, goes through masked loads and stores; the block that masks
//!    the tag is encrypted along with it, and the block of lengths shares the last reduction.

use super::AesGcmKey;
use crate::aes::x86_aesni;
use crate::ghash::x86_vpclmul512::{Product, absorb_few, quads, reversal, reverse};
use crate::ghash::{POWERS, Powers, lengths, x86_pclmul, x86_vpclmul512};
use adamant_base::simd::{
    in_order8, load128, load512, load512_partial, store128, store512, store512_partial,
};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_xor_si128,
    _mm512_add_epi32, _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_broadcast_i32x4,
    _mm512_castsi512_si128, _mm512_maskz_mov_epi8, _mm512_set_epi32, _mm512_xor_si512,
    _mm512_zextsi128_si512,
};

/// Bytes of a whole step: eight registers.
type Step = [[u8; 64]; 8];

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn init(aes_key: &[u8], key: &mut AesGcmKey) {
    x86_aesni::expand(aes_key, &mut key.aes);
    let mut h = [[0; 16]];
    x86_aesni::encrypt_blocks(&key.aes, &mut h);
    x86_pclmul::init(&h[0], &mut key.powers);
    adamant_base::Wipe::wipe(&mut h);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn ghash(key: &AesGcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    x86_vpclmul512::update(&key.powers, sum, blocks);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn seal(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, start, aad, data)
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn open(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, start, aad, data)
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn crypt<const DECRYPT: bool>(
    key: &AesGcmKey,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad.len(), data.len());
    let mut sum = _mm_setzero_si128();
    for aad in aad.chunks(16 * POWERS) {
        sum = absorb_few(&key.powers, sum, aad);
    }
    // Four counters, the number lowest in each lane.
    let mut counter = _mm512_add_epi32(
        _mm512_broadcast_i32x4(number(start)),
        _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1),
    );
    let (quads, _) = data.as_chunks_mut::<64>();
    let (steps, _) = quads.as_chunks_mut::<8>();
    let done = size_of_val(steps);
    if !steps.is_empty() {
        sum = match key.aes.rounds() {
            10 => bulk::<10, DECRYPT>(key, &mut counter, sum, steps),
            12 => bulk::<12, DECRYPT>(key, &mut counter, sum, steps),
            _ => bulk::<14, DECRYPT>(key, &mut counter, sum, steps),
        };
    }
    let rest = &mut data[done..];
    let tag = match rest.len() {
        0..=64 => finish::<1, DECRYPT>(key, counter, start, sum, rest, lengths),
        65..=128 => finish::<2, DECRYPT>(key, counter, start, sum, rest, lengths),
        129..=256 => finish::<4, DECRYPT>(key, counter, start, sum, rest, lengths),
        _ => finish::<8, DECRYPT>(key, counter, start, sum, rest, lengths),
    };
    let mut out = [0; 16];
    store128(&mut out, tag);
    out
}

/// A block given as a big-endian number, its bytes reversed.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn number(block: u128) -> __m128i {
    _mm_set_epi64x((block >> 64) as i64, block as i64)
}

/// A round key for every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn round_key(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}

/// The next `N` registers of counters, as blocks.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn counters<const N: usize>(counter: &mut __m512i) -> [__m512i; N] {
    let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
    let mut blocks = [*counter; N];
    for block in &mut blocks {
        *block = reverse(*counter);
        *counter = _mm512_add_epi32(*counter, four);
    }
    blocks
}

/// Takes part of a step into the product: register `i`, with the sum before it in the first.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn absorb(product: &mut Product, powers: &Powers, sum: __m128i, step: &Step, i: usize) {
    let mut x = reverse(load512(&step[i]));
    if i == 0 {
        x = _mm512_xor_si512(x, _mm512_zextsi128_si512(sum));
    }
    product.multiply_add(x, &quads(&powers.power)[i], &quads(&powers.halves)[i]);
}

/// What goes into the sum while a step is encrypted or decrypted.
#[derive(Clone, Copy)]
enum Hashed<'a> {
    /// Nothing: the first step of an encryption.
    Nothing,
    /// The step before: the others.
    Before(&'a Step),
    /// The step itself, before it is decrypted.
    Itself,
}

/// Rounds of AES on eight registers, each with one register for GHASH.
macro_rules! rounds {
    ($blocks:ident $keys:ident, $product:ident $powers:ident $sum:ident $hashed:ident $data:ident: $($round:literal: $i:literal)*) => { $(
        let key = round_key(&$keys[$round]);
        for block in &mut $blocks {
            *block = _mm512_aesenc_epi128(*block, key);
        }
        match $hashed {
            Hashed::Nothing => {}
            Hashed::Before(step) => absorb(&mut $product, $powers, $sum, step, $i),
            Hashed::Itself => absorb(&mut $product, $powers, $sum, $data, $i),
        }
        $product.in_order();
        in_order8(&mut $blocks);
    )* };
}

/// Encrypts or decrypts one step while another is taken into the sum.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn step<const ROUNDS: usize>(
    key: &AesGcmKey,
    counter: &mut __m512i,
    sum: __m128i,
    hashed: Hashed<'_>,
    data: &mut Step,
) -> __m128i {
    let (keys, powers) = (key.aes.encrypt(), &key.powers);
    let mut blocks = counters::<8>(counter);
    let first = round_key(&keys[0]);
    for block in &mut blocks {
        *block = _mm512_xor_si512(*block, first);
    }
    let mut product = Product::zero();
    // The sum of the step before is known last, so the register that takes it in comes last.
    rounds!(blocks keys, product powers sum hashed data: 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:0);
    for key in &keys[9..ROUNDS] {
        let key = round_key(key);
        for block in &mut blocks {
            *block = _mm512_aesenc_epi128(*block, key);
        }
        in_order8(&mut blocks);
    }
    let last = round_key(&keys[ROUNDS]);
    for (block, data) in blocks.iter().zip(data) {
        // The last round adds the text along with its key.
        let text = _mm512_xor_si512(load512(data), last);
        store512(data, _mm512_aesenclast_epi128(*block, text));
    }
    match hashed {
        Hashed::Nothing => sum,
        _ => product.reduce(),
    }
}

/// Whole steps; the sum behind them.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn bulk<const ROUNDS: usize, const DECRYPT: bool>(
    key: &AesGcmKey,
    counter: &mut __m512i,
    mut sum: __m128i,
    steps: &mut [Step],
) -> __m128i {
    if DECRYPT {
        for data in steps {
            sum = step::<ROUNDS>(key, counter, sum, Hashed::Itself, data);
        }
        return sum;
    }
    let Some((mut previous, rest)) = steps.split_first_mut() else {
        return sum;
    };
    step::<ROUNDS>(key, counter, sum, Hashed::Nothing, previous);
    for data in rest {
        sum = step::<ROUNDS>(key, counter, sum, Hashed::Before(previous), data);
        previous = data;
    }
    let mut product = Product::zero();
    for i in 0..8 {
        absorb(&mut product, &key.powers, sum, previous, i);
    }
    product.reduce()
}

/// The last bytes, at most `64 N` and below 512, and the tag.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn finish<const N: usize, const DECRYPT: bool>(
    key: &AesGcmKey,
    mut counter: __m512i,
    start: u128,
    mut sum: __m128i,
    data: &mut [u8],
    lengths: u128,
) -> __m128i {
    // The stream, and the mask of the tag.
    let keys = &key.aes.encrypt()[..=key.aes.rounds()];
    let mut blocks = counters::<N>(&mut counter);
    let mut mask = _mm512_zextsi128_si512(_mm_shuffle_epi8(number(start), reversal()));
    if let [first, middle @ .., last] = keys {
        let first = round_key(first);
        for block in blocks.iter_mut().chain([&mut mask]) {
            *block = _mm512_xor_si512(*block, first);
        }
        for key in middle {
            let key = round_key(key);
            for block in &mut blocks {
                *block = _mm512_aesenc_epi128(*block, key);
            }
            mask = _mm512_aesenc_epi128(mask, key);
        }
        let last = round_key(last);
        for block in &mut blocks {
            *block = _mm512_aesenclast_epi128(*block, last);
        }
        mask = _mm512_aesenclast_epi128(mask, last);
    }
    // The blocks of data and that of the lengths, with as many powers. There are 32 powers: with
    // 32 blocks of data the lengths take a reduction of their own.
    let count = data.len().div_ceil(16);
    let together = count < POWERS;
    let skipped = POWERS - count - usize::from(together);
    let powers = key.powers.power[skipped..]
        .as_flattened()
        .as_chunks::<64>()
        .0;
    let halves = key.powers.halves[skipped..]
        .as_flattened()
        .as_chunks::<64>()
        .0;
    let mut product = Product::zero();
    let each = data.chunks_mut(64).zip(blocks);
    for (i, (data, stream)) in each.enumerate() {
        let input = load512_partial(data);
        let output = _mm512_xor_si512(input, stream);
        store512_partial(data, output);
        let cipher = if DECRYPT {
            input
        } else {
            _mm512_maskz_mov_epi8(u64::MAX >> (64 - data.len()), output)
        };
        let mut x = reverse(cipher);
        if i == 0 {
            x = _mm512_xor_si512(x, _mm512_zextsi128_si512(sum));
        }
        product.multiply_add(x, &powers[i], &halves[i]);
    }
    let mut lengths = number(lengths);
    if count > 0 && !together {
        sum = product.reduce();
        product = Product::zero();
    }
    if count == 0 || !together {
        lengths = _mm_xor_si128(lengths, sum);
    }
    // Behind H there are only zeros.
    product.multiply_add(
        _mm512_zextsi128_si512(lengths),
        &key.powers.power[POWERS - 1..].as_flattened().as_chunks().0[0],
        &key.powers.halves[POWERS - 1..].as_flattened().as_chunks().0[0],
    );
    let tag = _mm_shuffle_epi8(product.reduce(), reversal());
    _mm_xor_si128(tag, _mm512_castsi512_si128(mask))
}
