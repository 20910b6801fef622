//! AES with VAES on 512-bit registers: four blocks to a register, eight registers side by side.
//!
//! Work on one block at a time (the key schedule, the chain of CBC encryption) is left to
//! AES-NI. Few blocks, and those that are left after whole registers, go by registers of 256 bits:
//! a masked store is not forwarded to the next load, and their setup is shorter.

use super::counter::Counter;
use super::groups::for_all;
use super::x86_states512::{LONG, Later, States};
use super::x86_vaes256;
use super::{RoundKeys, x86_aesni};
use adamant_base::simd::{
    in_order8, load128, load512, load512_partial, store128, store512, store512_partial,
};
use core::arch::x86_64::{
    __m512i, _mm_set_epi64x, _mm512_add_epi64, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128,
    _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_alignr_epi64, _mm512_broadcast_i32x4,
    _mm512_bslli_epi128, _mm512_bsrli_epi128, _mm512_clmulepi64_epi128, _mm512_extracti32x4_epi32,
    _mm512_set_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_shuffle_i64x2, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_sub_epi64,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};
use core::array;

pub(super) use x86_aesni::{cbc_encrypt, cbc_mac, expand};

/// Bytes of eight registers.
pub(super) const STEP: usize = 512;
/// Up to this many blocks half the width is as quick.
pub(super) const FEW: usize = 16;

/// A round key for every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn round_key(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}

/// A round on each register. A function would pass its registers through memory.
macro_rules! round {
    ($round:ident $words:ident $key:expr) => {
        let key = round_key($key);
        for word in &mut $words {
            *word = $round(*word, key);
        }
    };
}

macro_rules! cipher {
    ($(#[$meta:meta])* $name:ident, $keys:ident, $round:ident, $last:ident) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
        fn $name<const N: usize>(keys: &RoundKeys, mut words: [__m512i; N]) -> [__m512i; N] {
            round!(_mm512_xor_si512 words &keys.$keys[0]);
            for key in &keys.$keys[1..keys.rounds] {
                round!($round words key);
            }
            round!($last words &keys.$keys[keys.rounds]);
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

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    if let [block] = blocks {
        return x86_aesni::encrypt_block(keys, block);
    }
    if blocks.len() <= FEW {
        return x86_vaes256::encrypt_blocks(keys, blocks);
    }
    let rest = for_all!(64, blocks, encrypt_words(keys));
    x86_vaes256::encrypt_blocks(keys, rest);
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    if let [block] = blocks {
        return x86_aesni::decrypt_block(keys, block);
    }
    if blocks.len() <= FEW {
        return x86_vaes256::decrypt_blocks(keys, blocks);
    }
    let rest = for_all!(64, blocks, decrypt_words(keys));
    x86_vaes256::decrypt_blocks(keys, rest);
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

/// [`ctr_words`] on [`LONG`] steps or more. Not inlined: short streams need no such stack.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn ctr_long(keys: &RoundKeys, mut counter: __m512i, steps: &mut [[[u8; 64]; 8]]) {
    debug_assert!(steps.len() >= LONG);
    let order = _mm512_broadcast_i32x4(load128(&REVERSE));
    let four = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    let mut states = States::new();
    let mut later = Later::new(
        _mm512_shuffle_i64x2::<0x00>(counter, counter),
        order,
        &keys.encrypt,
    );
    for (n, data) in steps.iter_mut().enumerate() {
        let mut words = [counter; 8];
        if n < 8 {
            for word in &mut words {
                *word = _mm512_shuffle_epi8(counter, order);
                counter = _mm512_add_epi64(counter, four);
            }
            round!(_mm512_xor_si512 words &keys.encrypt[0]);
            round!(_mm512_aesenc_epi128 words &keys.encrypt[1]);
            round!(_mm512_aesenc_epi128 words &keys.encrypt[2]);
            states.push(&words);
        } else {
            if n % 8 == 0 {
                later.go_on();
            }
            words = later.step(n % 8, &states.steps()[n % 8]);
        }
        for key in &keys.encrypt[3..keys.rounds] {
            round!(_mm512_aesenc_epi128 words key);
        }
        let last = round_key(&keys.encrypt[keys.rounds]);
        for (word, data) in words.iter_mut().zip(&*data) {
            let data = load512(data);
            *word = _mm512_aesenclast_epi128(*word, _mm512_xor_si512(data, last));
        }
        store(data, &words);
    }
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
        if blocks.len() <= FEW {
            x86_vaes256::ctr_from(keys, high, low, blocks);
        } else {
            ctr_from(keys, high, low, blocks);
        }
    }
}

/// The counters of four blocks from one on, which is given by its halves.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn counters(high: u64, low: u64) -> __m512i {
    let first = _mm512_broadcast_i32x4(_mm_set_epi64x(high as i64, low as i64));
    _mm512_add_epi64(first, _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0))
}

/// From a counter on, given by its halves; the low one does not wrap. Not inlined: what the loop
/// around it would keep over its turns costs short messages more than it saves.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn ctr_from(keys: &RoundKeys, high: u64, mut low: u64, mut blocks: &mut [[u8; 16]]) {
    debug_assert!(super::counter::fits(low, blocks.len()));
    // Where many have the high 32 bits of the low half in common.
    if blocks.len() >= 32 * LONG && (low as u32).checked_add(1 << 30).is_some() {
        let many = blocks.len().min(1 << 29) / 32 * 32;
        if let Some(many) = blocks.split_off_mut(..many) {
            let (quads, _) = many.as_flattened_mut().as_chunks_mut::<64>();
            ctr_long(keys, counters(high, low), quads.as_chunks_mut::<8>().0);
        }
        low = low.wrapping_add(many as u64);
    }
    let mut counter = counters(high, low);
    low = low.wrapping_add((blocks.len() / 4 * 4) as u64);
    let rest = for_all!(64, blocks, ctr_words(keys, &mut counter));
    x86_vaes256::ctr_from(keys, high, low, rest);
}

/// `previous` has the block before in its highest lane, then the last one of `data`.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn cbc_words<const N: usize>(keys: &RoundKeys, previous: &mut __m512i, data: &mut [[u8; 64]; N]) {
    let cipher = load(data);
    let mut words = decrypt(keys, cipher);
    for (word, c) in words.iter_mut().zip(cipher) {
        // The three low lanes of `c` after the highest of what came before.
        *word = _mm512_xor_si512(*word, _mm512_alignr_epi64::<6>(c, *previous));
        *previous = c;
    }
    store(data, &words);
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    if blocks.len() <= FEW {
        return x86_vaes256::cbc_decrypt(keys, iv, blocks);
    }
    let mut previous = _mm512_broadcast_i32x4(load128(iv));
    let rest = for_all!(64, blocks, cbc_words(keys, &mut previous));
    store128(iv, _mm512_extracti32x4_epi32::<3>(previous));
    x86_vaes256::cbc_decrypt(keys, iv, rest);
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

/// 32 tweaks from the first one, which is multiplied by x^k for k below 32. The bits that leave a
/// lane, fewer than 31, come back times x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn tweaks(first: &[u8; 16]) -> [__m512i; 8] {
    let first = _mm512_broadcast_i32x4(load128(first));
    let mut left = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
    let mut right = _mm512_sub_epi64(_mm512_set1_epi64(64), left);
    let mut t = [first; 8];
    for t in &mut t {
        let out = _mm512_srlv_epi64(first, right);
        let back = _mm512_clmulepi64_epi128::<0x01>(out, _mm512_set1_epi64(0x87));
        let across = _mm512_bslli_epi128::<8>(out);
        let stay = _mm512_sllv_epi64(first, left);
        *t = _mm512_ternarylogic_epi64::<0x96>(stay, across, back);
        left = _mm512_add_epi64(left, _mm512_set1_epi64(4));
        right = _mm512_sub_epi64(right, _mm512_set1_epi64(4));
    }
    t
}

/// XTS: 32 blocks at once with their tweaks in registers. A tweak is added along with the first key
/// and with the last.
macro_rules! xts {
    (@first $words:ident, $t:expr, $key:expr) => {
        let key = round_key($key);
        for (word, t) in $words.iter_mut().zip($t) {
            *word = _mm512_ternarylogic_epi64::<0x96>(*word, *t, key);
        }
    };
    (@beside $words:ident, $last:ident, $t:ident, $keys:expr, $round:ident: $($i:literal)*) => { $(
        round!($round $words &$keys[$i + 1]);
        $last[$i] = _mm512_xor_si512($last[$i], $t[$i]);
        $t[$i] = times_x32($t[$i]);
        in_order8(&mut $words);
    )* };
    ($name:ident, $words:ident, $keys:ident, $round:ident, $last:ident) => {
        /// `4 N` blocks.
        #[inline]
        #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
        fn $words<const N: usize>(
            keys: &RoundKeys,
            t: &[__m512i; N],
            mut words: [__m512i; N],
        ) -> [__m512i; N] {
            xts!(@first words, t, &keys.$keys[0]);
            for key in &keys.$keys[1..keys.rounds] {
                round!($round words key);
            }
            let last = round_key(&keys.$keys[keys.rounds]);
            for (word, t) in words.iter_mut().zip(t) {
                *word = $last(*word, _mm512_xor_si512(last, *t));
            }
            words
        }

        #[inline]
        #[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
        pub(super) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            // Single blocks are not worth the making of 32 tweaks.
            if blocks.len() < 4 {
                return x86_aesni::$name(keys, tweak, blocks);
            }
            let mut t = tweaks(tweak);
            let (quads, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
            let (eights, mut quads) = quads.as_chunks_mut::<8>();
            for data in eights {
                let mut words = load(data);
                xts!(@first words, &t, &keys.$keys[0]);
                let mut last = [round_key(&keys.$keys[keys.rounds]); 8];
                xts!(@beside words, last, t, keys.$keys, $round: 0 1 2 3 4 5 6 7);
                for key in &keys.$keys[9..keys.rounds] {
                    round!($round words key);
                }
                for (word, last) in words.iter_mut().zip(last) {
                    *word = $last(*word, last);
                }
                store(data, &words);
            }
            // The tweak after all.
            let left = 4 * quads.len() + rest.len() / 16;
            let mut four = [0u8; 64];
            store512(&mut four, t[left / 4]);
            *tweak = four.as_chunks().0[left % 4];
            let mut t = &t[..];
            macro_rules! some {
                ($n:literal) => {
                    if let Some(data) = quads.split_off_mut(..$n)
                        && let Some(data) = data.first_chunk_mut::<$n>()
                        && let Some(t) = t.split_off(..$n)
                        && let Some(t) = t.first_chunk::<$n>()
                    {
                        let words = $words(keys, t, load(data));
                        store(data, &words);
                    }
                };
            }
            some!(4);
            some!(2);
            some!(1);
            if let ([t, ..], false) = (t, rest.is_empty()) {
                let [word] = $words(keys, array::from_ref(t), [load512_partial(rest)]);
                store512_partial(rest, word);
            }
        }
    };
}
xts!(
    xts_encrypt,
    xts_encrypt_words,
    encrypt,
    _mm512_aesenc_epi128,
    _mm512_aesenclast_epi128
);
xts!(
    xts_decrypt,
    xts_decrypt_words,
    decrypt,
    _mm512_aesdec_epi128,
    _mm512_aesdeclast_epi128
);
