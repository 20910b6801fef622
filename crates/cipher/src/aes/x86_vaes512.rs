//! AES with VAES on 512-bit registers: four blocks to a register, eight registers side by side.
//!
//! What works on one block at a time (the key schedule, the chain of CBC encryption) is that of
//! AES-NI.

use super::counter::Counter;
use super::{RoundKeys, tweaks, x86_aesni};
use adamant_base::simd::{load128, load512, store128, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128,
    _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_alignr_epi64, _mm512_broadcast_i32x4,
    _mm512_bslli_epi128, _mm512_bsrli_epi128, _mm512_castsi512_si128, _mm512_clmulepi64_epi128,
    _mm512_set_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_xor_si512,
};

pub(super) use x86_aesni::{cbc_encrypt, cbc_mac, expand};

/// A round key for every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn round_key(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}

macro_rules! cipher {
    ($(#[$meta:meta])* $name:ident, $keys:ident, $round:ident, $last:ident) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
        fn $name<const N: usize>(keys: &RoundKeys, mut words: [__m512i; N]) -> [__m512i; N] {
            let key = round_key(&keys.$keys[0]);
            for word in &mut words {
                *word = _mm512_xor_si512(*word, key);
            }
            for key in &keys.$keys[1..keys.rounds] {
                let key = round_key(key);
                for word in &mut words {
                    *word = $round(*word, key);
                }
            }
            let key = round_key(&keys.$keys[keys.rounds]);
            for word in &mut words {
                *word = $last(*word, key);
            }
            words
        }
    };
}
cipher! {
    /// Cipher (FIPS 197, 5.1) on `4 N` blocks.
    encrypt, encrypt, _mm512_aesenc_epi128, _mm512_aesenclast_epi128
}
cipher! {
    /// The equivalent inverse cipher (5.3.5) on `4 N` blocks.
    decrypt, decrypt, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn load<const N: usize>(from: &[[u8; 64]; N]) -> [__m512i; N] {
    let mut words = [_mm512_setzero_si512(); N];
    for (word, from) in words.iter_mut().zip(from) {
        *word = load512(from);
    }
    words
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn store<const N: usize>(to: &mut [[u8; 64]; N], words: &[__m512i; N]) {
    for (to, word) in to.iter_mut().zip(words) {
        store512(to, *word);
    }
}

/// Runs `$kernel::<N>` over the registers' worth of `$blocks` with N of 8, 4, 2 and 1; what is
/// left, less than a register, goes through a buffer.
macro_rules! for_all {
    ($blocks:ident, $kernel:ident($($argument:expr),*)) => {
        let (quads, rest) = $blocks.as_flattened_mut().as_chunks_mut::<64>();
        let (eights, quads) = quads.as_chunks_mut::<8>();
        for words in eights {
            $kernel($($argument,)* words);
        }
        let (fours, quads) = quads.as_chunks_mut::<4>();
        for words in fours {
            $kernel($($argument,)* words);
        }
        let (twos, ones) = quads.as_chunks_mut::<2>();
        for words in twos {
            $kernel($($argument,)* words);
        }
        for word in ones {
            $kernel($($argument,)* core::array::from_mut(word));
        }
        if !rest.is_empty() {
            let mut buffer = [[0; 64]];
            buffer[0][..rest.len()].copy_from_slice(rest);
            $kernel($($argument,)* &mut buffer);
            rest.copy_from_slice(&buffer[0][..rest.len()]);
        }
    };
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn encrypt_words<const N: usize>(keys: &RoundKeys, data: &mut [[u8; 64]; N]) {
    let words = encrypt(keys, load(data));
    store(data, &words);
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn decrypt_words<const N: usize>(keys: &RoundKeys, data: &mut [[u8; 64]; N]) {
    let words = decrypt(keys, load(data));
    store(data, &words);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    for_all!(blocks, encrypt_words(keys));
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    for_all!(blocks, decrypt_words(keys));
}

/// Encrypts the counters from `counter` on, whose lanes count on by four.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn ctr_words<const N: usize>(keys: &RoundKeys, counter: &mut __m512i, data: &mut [[u8; 64]; N]) {
    let big_endian = _mm512_broadcast_i32x4(load128(&REVERSE));
    let four = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    let mut words = [*counter; N];
    for word in &mut words {
        *word = _mm512_shuffle_epi8(*counter, big_endian);
        *counter = _mm512_add_epi64(*counter, four);
    }
    let mut words = encrypt(keys, words);
    for (word, from) in words.iter_mut().zip(&*data) {
        *word = _mm512_xor_si512(*word, load512(from));
    }
    store(data, &words);
}

/// The bytes of a block in reverse order.
const REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(crate) fn ctr(
    keys: &RoundKeys,
    counter: &mut [u8; 16],
    width: usize,
    mut blocks: &mut [[u8; 16]],
) {
    let mut counter = Counter::new(counter, width);
    while let Some((high, low, blocks)) = counter.take(&mut blocks) {
        let (high, low) = (high as i64, low as i64);
        let at = |i| low.wrapping_add(i);
        let mut counter = _mm512_set_epi64(high, at(3), high, at(2), high, at(1), high, low);
        for_all!(blocks, ctr_words(keys, &mut counter));
    }
}

/// `previous` has the block before in its highest lane, then the last one of `data`.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn cbc_words<const N: usize>(keys: &RoundKeys, previous: &mut __m512i, data: &mut [[u8; 64]; N]) {
    let cipher = load(data);
    let mut words = decrypt(keys, cipher);
    for (word, c) in words.iter_mut().zip(cipher) {
        // The three low lanes of `c` behind the highest of what came before.
        *word = _mm512_xor_si512(*word, _mm512_alignr_epi64::<6>(c, *previous));
        *previous = c;
    }
    store(data, &words);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let Some(&last) = blocks.last() else {
        return;
    };
    let mut previous = _mm512_broadcast_i32x4(load128(iv));
    for_all!(blocks, cbc_words(keys, &mut previous));
    *iv = last;
}

/// Four tweaks times x^32: the four bytes that leave a lane come back times
/// x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn times_x32(t: __m512i) -> __m512i {
    let reduction = _mm512_set_epi64(0, 0x87, 0, 0x87, 0, 0x87, 0, 0x87);
    let left = _mm512_bsrli_epi128::<12>(t);
    let back = _mm512_clmulepi64_epi128::<0x00>(left, reduction);
    _mm512_xor_si512(_mm512_bslli_epi128::<4>(t), back)
}

/// Four tweaks times x^8.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn times_x8(t: __m512i) -> __m512i {
    let reduction = _mm512_set_epi64(0, 0x87, 0, 0x87, 0, 0x87, 0, 0x87);
    let left = _mm512_bsrli_epi128::<15>(t);
    let back = _mm512_clmulepi64_epi128::<0x00>(left, reduction);
    _mm512_xor_si512(_mm512_bslli_epi128::<1>(t), back)
}

/// XTS: 32 blocks at once with their tweaks in registers, the rest as AES-NI does it.
macro_rules! xts {
    ($name:ident, $cipher:ident) => {
        #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
        pub(crate) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let (quads, _) = blocks.as_flattened_mut().as_chunks_mut::<64>();
            let (wide, _) = quads.as_chunks_mut::<8>();
            let done = 32 * wide.len();
            if !wide.is_empty() {
                let first = tweaks::<8>(tweak);
                let mut t = [_mm512_setzero_si512(); 8];
                for (t, quad) in t.iter_mut().zip(first.as_flattened().as_chunks::<64>().0) {
                    *t = load512(quad);
                }
                for i in 2..8 {
                    t[i] = times_x8(t[i - 2]);
                }
                for data in wide {
                    let mut words = load(data);
                    for (word, t) in words.iter_mut().zip(&t) {
                        *word = _mm512_xor_si512(*word, *t);
                    }
                    words = $cipher(keys, words);
                    for (word, t) in words.iter_mut().zip(&mut t) {
                        *word = _mm512_xor_si512(*word, *t);
                        *t = times_x32(*t);
                    }
                    store(data, &words);
                }
                store128(tweak, _mm512_castsi512_si128(t[0]));
            }
            x86_aesni::$name(keys, tweak, &mut blocks[done..]);
        }
    };
}
xts!(xts_encrypt, encrypt);
xts!(xts_decrypt, decrypt);
