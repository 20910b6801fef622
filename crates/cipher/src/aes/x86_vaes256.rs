//! AES with VAES on 256-bit registers, for CPUs without AVX-512: two blocks to a register, eight
//! registers side by side.
//!
//! AES-NI does the rest of a message, which is less than a register, and all that works on one
//! block at a time.

use super::counter::Counter;
use super::groups::for_all;
use super::{RoundKeys, x86_aesni};
use adamant_base::simd::arch::{
    __m256i, _mm_xor_si128, _mm256_add_epi64, _mm256_aesdec_epi128, _mm256_aesdeclast_epi128,
    _mm256_aesenc_epi128, _mm256_aesenclast_epi128, _mm256_broadcastsi128_si256,
    _mm256_bslli_epi128, _mm256_bsrli_epi128, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_permute2x128_si256, _mm256_set_epi8, _mm256_set_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_xor_si256,
};
use adamant_base::simd::{load128, load256, store128, store256};

pub(crate) use x86_aesni::{cbc_encrypt, cbc_mac, expand};

/// A round key for both lanes.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn round_key(key: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load128(key))
}

macro_rules! cipher {
    ($(#[$meta:meta])* $name:ident, $blocks:ident, $words:ident, $keys:ident, $round:ident, $last:ident) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
        fn $name<const N: usize>(keys: &RoundKeys, mut words: [__m256i; N]) -> [__m256i; N] {
            if cfg!(target_arch = "x86") && N == 8 {
                // As many registers as there are: none is left for a key.
                for half in words.as_chunks_mut::<4>().0 {
                    *half = $name(keys, *half);
                }
                return words;
            }
            let key = round_key(&keys.$keys[0]);
            for word in &mut words {
                *word = _mm256_xor_si256(*word, key);
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

        #[inline]
        #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
        fn $words<const N: usize>(keys: &RoundKeys, data: &mut [[u8; 32]; N]) {
            let words = $name(keys, load(data));
            store(data, &words);
        }

        #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
        pub(crate) fn $blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            let rest = for_all!(32, blocks, $words(keys));
            x86_aesni::$blocks(keys, rest);
        }
    };
}

cipher! {
    /// Cipher (FIPS 197, 5.1) on `2 N` blocks.
    encrypt, encrypt_blocks, encrypt_words, encrypt, _mm256_aesenc_epi128, _mm256_aesenclast_epi128
}
cipher! {
    /// The equivalent inverse cipher (5.3.5) on `2 N` blocks.
    decrypt, decrypt_blocks, decrypt_words, decrypt, _mm256_aesdec_epi128, _mm256_aesdeclast_epi128
}

#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn load<const N: usize>(from: &[[u8; 32]; N]) -> [__m256i; N] {
    let mut words = [_mm256_setzero_si256(); N];
    for (word, from) in words.iter_mut().zip(from) {
        *word = load256(from);
    }
    words
}

#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn store<const N: usize>(to: &mut [[u8; 32]; N], words: &[__m256i; N]) {
    for (to, word) in to.iter_mut().zip(words) {
        store256(to, *word);
    }
}

/// Encrypts the counters from `counter` on, whose lanes count on by two.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn ctr_words<const N: usize>(keys: &RoundKeys, counter: &mut __m256i, data: &mut [[u8; 32]; N]) {
    let words = encrypt::<N>(keys, counters(counter));
    for (word, data) in words.iter().zip(data) {
        let text = _mm256_xor_si256(*word, load256(data));
        store256(data, text);
    }
}

/// The next counters as blocks.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn counters<const N: usize>(counter: &mut __m256i) -> [__m256i; N] {
    let big_endian = _mm256_set_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        12, 13, 14, 15,
    );
    let mut words = [*counter; N];
    for word in &mut words {
        *word = _mm256_shuffle_epi8(*counter, big_endian);
        *counter = _mm256_add_epi64(*counter, _mm256_set_epi64x(0, 2, 0, 2));
    }
    words
}

#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
pub(crate) fn ctr(
    keys: &RoundKeys,
    counter: &mut [u8; 16],
    width: usize,
    mut blocks: &mut [[u8; 16]],
) {
    let mut counter = Counter::new(counter, width);
    while let Some((high, low, blocks)) = counter.take(&mut blocks) {
        ctr_from(keys, high, low, blocks);
    }
}

/// From a counter on, given by its halves; the low one does not wrap.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
pub(super) fn ctr_from(keys: &RoundKeys, high: u64, low: u64, blocks: &mut [[u8; 16]]) {
    debug_assert!(super::counter::fits(low, blocks.len()));
    let (high, low) = (high as i64, low as i64);
    let mut counter = _mm256_set_epi64x(high, low.wrapping_add(1), high, low);
    for block in for_all!(32, blocks, ctr_words(keys, &mut counter)) {
        let [word] = encrypt(keys, counters(&mut counter));
        let text = _mm_xor_si128(_mm256_castsi256_si128(word), load128(block));
        store128(block, text);
    }
}

/// `previous` has the block before in its high lane, then the last one of `data`.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn cbc_words<const N: usize>(keys: &RoundKeys, previous: &mut __m256i, data: &mut [[u8; 32]; N]) {
    let cipher = load(data);
    let mut words = decrypt(keys, cipher);
    for (word, c) in words.iter_mut().zip(cipher) {
        // The low lane of `c` after the high one of what came before.
        let before = _mm256_permute2x128_si256::<0x21>(*previous, c);
        *word = _mm256_xor_si256(*word, before);
        *previous = c;
    }
    store(data, &words);
}

#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
pub(crate) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let mut previous = _mm256_broadcastsi128_si256(load128(iv));
    let rest = for_all!(32, blocks, cbc_words(keys, &mut previous));
    store128(iv, _mm256_extracti128_si256::<1>(previous));
    x86_aesni::cbc_decrypt(keys, iv, rest);
}

/// The tweaks of the sixteen blocks that come next.
struct Tweaks {
    t: [__m256i; 8],
    /// How many registers of them are used.
    used: usize,
}

impl Tweaks {
    #[inline]
    #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
    fn new(first: &[u8; 16]) -> Self {
        let tweaks = super::tweaks::<16>(first);
        let mut t = [_mm256_setzero_si256(); 8];
        for (t, pair) in t.iter_mut().zip(tweaks.as_flattened().as_chunks::<32>().0) {
            *t = load256(pair);
        }
        Tweaks { t, used: 0 }
    }

    /// Those of the next `2 N` blocks.
    #[inline]
    #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
    fn take<const N: usize>(&mut self) -> [__m256i; N] {
        let mut taken = [self.t[0]; N];
        if N == 8 {
            taken.copy_from_slice(&self.t[..N]);
            for t in &mut self.t {
                *t = times_x16(*t);
            }
        } else {
            debug_assert!(
                self.used + N <= 8,
                "what is left takes seven registers at most"
            );
            taken.copy_from_slice(&self.t[self.used..][..N]);
            self.used += N;
        }
        taken
    }
}

/// Tweaks times x^16: the two bytes that leave a lane come back times x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
fn times_x16(t: __m256i) -> __m256i {
    let left = _mm256_bsrli_epi128::<14>(t);
    let by_1 = _mm256_xor_si256(left, _mm256_slli_epi64::<1>(left));
    let by_7 = _mm256_xor_si256(_mm256_slli_epi64::<2>(left), _mm256_slli_epi64::<7>(left));
    let stay = _mm256_xor_si256(_mm256_bslli_epi128::<2>(t), by_1);
    _mm256_xor_si256(stay, by_7)
}

macro_rules! xts {
    ($name:ident, $words:ident, $cipher:ident) => {
        #[inline]
        #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
        fn $words<const N: usize>(keys: &RoundKeys, tweaks: &mut Tweaks, data: &mut [[u8; 32]; N]) {
            let t = tweaks.take::<N>();
            let mut words = load(data);
            for (word, t) in words.iter_mut().zip(&t) {
                *word = _mm256_xor_si256(*word, *t);
            }
            let mut words = $cipher(keys, words);
            for (word, t) in words.iter_mut().zip(&t) {
                *word = _mm256_xor_si256(*word, *t);
            }
            store(data, &words);
        }

        #[target_feature(enable = "vaes,avx2,aes,ssse3,sse4.1")]
        pub(crate) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            // Single blocks are not worth the making of tweaks.
            if blocks.len() < 4 {
                return x86_aesni::$name(keys, tweak, blocks);
            }
            let mut tweaks = Tweaks::new(tweak);
            let rest = for_all!(32, blocks, $words(keys, &mut tweaks));
            store128(tweak, _mm256_castsi256_si128(tweaks.t[tweaks.used]));
            x86_aesni::$name(keys, tweak, rest);
        }
    };
}
xts!(xts_encrypt, xts_encrypt_words, encrypt);
xts!(xts_decrypt, xts_decrypt_words, decrypt);
