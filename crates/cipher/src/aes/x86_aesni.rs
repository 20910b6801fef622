//! AES with the AES-NI instructions: eight blocks side by side, as an `aesenc` takes four cycles
//! and two start in each.

use super::RoundKeys;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi64, _mm_aesdec_si128, _mm_aesdeclast_si128, _mm_aesenc_si128,
    _mm_aesenclast_si128, _mm_aesimc_si128, _mm_cvtsi128_si32, _mm_set_epi64x, _mm_set1_epi32,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_slli_si128, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// Blocks side by side; of eight registers, which is all that 32-bit x86 has, a key takes one.
pub(crate) const WIDE: usize = if cfg!(target_arch = "x86") { 6 } else { 8 };

/// Everything rounds do, for each of `$blocks`.
macro_rules! rounds {
    ($blocks:expr, $keys:expr, $rounds:expr, $round:ident, $last:ident) => {
        let blocks = $blocks;
        let key = load128(&$keys[0]);
        for block in &mut *blocks {
            *block = _mm_xor_si128(*block, key);
        }
        for key in &$keys[1..$rounds] {
            let key = load128(key);
            for block in &mut *blocks {
                *block = $round(*block, key);
            }
        }
        let key = load128(&$keys[$rounds]);
        for block in &mut *blocks {
            *block = $last(*block, key);
        }
    };
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn encrypt<const N: usize>(keys: &RoundKeys, mut blocks: [__m128i; N]) -> [__m128i; N] {
    rounds!(
        &mut blocks,
        keys.encrypt,
        keys.rounds,
        _mm_aesenc_si128,
        _mm_aesenclast_si128
    );
    blocks
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn decrypt<const N: usize>(keys: &RoundKeys, mut blocks: [__m128i; N]) -> [__m128i; N] {
    rounds!(
        &mut blocks,
        keys.decrypt,
        keys.rounds,
        _mm_aesdec_si128,
        _mm_aesdeclast_si128
    );
    blocks
}

/// Encrypts one block.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn encrypt_block(keys: &RoundKeys, block: &mut [u8; 16]) {
    let [word] = encrypt(keys, [load128(block)]);
    store128(block, word);
}

/// Decrypts one block.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn decrypt_block(keys: &RoundKeys, block: &mut [u8; 16]) {
    let [word] = decrypt(keys, [load128(block)]);
    store128(block, word);
}

super::x86_modes::modes!("aes,ssse3,sse4.1", WIDE, as_they_are, as_they_are);

/// The round keys need no other form.
fn as_they_are(keys: &RoundKeys) -> &RoundKeys {
    keys
}

#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(crate) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    match keys.rounds {
        10 => cbc_encrypt_rounds::<10>(keys, iv, blocks),
        12 => cbc_encrypt_rounds::<12>(keys, iv, blocks),
        _ => cbc_encrypt_rounds::<14>(keys, iv, blocks),
    }
}

/// The chain of CBC is bound by the latency of its rounds, and an exclusive or would lengthen it.
/// So the last round adds, with its key, what the next block's first round adds: the next block of
/// plaintext and the first key. The ciphertext is made from that beside the chain.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn cbc_encrypt_rounds<const ROUNDS: usize>(
    keys: &RoundKeys,
    iv: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) {
    let Some(start) = blocks.first() else {
        return;
    };
    let [first, rest @ ..] = &keys.encrypt;
    let (first, last) = (load128(first), load128(&rest[ROUNDS - 1]));
    let mut middle = [first; 13];
    for (to, key) in middle[..ROUNDS - 1].iter_mut().zip(rest) {
        *to = load128(key);
    }
    let mut state = _mm_xor_si128(load128(iv), _mm_xor_si128(load128(start), first));
    for i in 0..blocks.len() {
        let next = match blocks.get(i + 1) {
            Some(p) => _mm_xor_si128(load128(p), first),
            None => first,
        };
        for key in &middle[..ROUNDS - 1] {
            state = _mm_aesenc_si128(state, *key);
        }
        state = _mm_aesenclast_si128(state, _mm_xor_si128(next, last));
        store128(&mut blocks[i], _mm_xor_si128(state, next));
    }
    if let Some(last) = blocks.last() {
        *iv = *last;
    }
}

#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(crate) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    match keys.rounds {
        10 => cbc_mac_rounds::<10>(keys, sum, blocks),
        12 => cbc_mac_rounds::<12>(keys, sum, blocks),
        _ => cbc_mac_rounds::<14>(keys, sum, blocks),
    }
}

/// As [`cbc_encrypt_rounds`], but only the last block of ciphertext is made.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn cbc_mac_rounds<const ROUNDS: usize>(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let [start, blocks @ ..] = blocks else {
        return;
    };
    let [first, rest @ ..] = &keys.encrypt;
    let (first, last) = (load128(first), load128(&rest[ROUNDS - 1]));
    let mut middle = [first; 13];
    for (to, key) in middle[..ROUNDS - 1].iter_mut().zip(rest) {
        *to = load128(key);
    }
    let both = _mm_xor_si128(first, last);
    let mut state = _mm_xor_si128(load128(sum), _mm_xor_si128(load128(start), first));
    for next in blocks {
        for key in &middle[..ROUNDS - 1] {
            state = _mm_aesenc_si128(state, *key);
        }
        state = _mm_aesenclast_si128(state, _mm_xor_si128(load128(next), both));
    }
    for key in &middle[..ROUNDS - 1] {
        state = _mm_aesenc_si128(state, *key);
    }
    store128(sum, _mm_aesenclast_si128(state, last));
}

/// SubWord on each word, all four the same: `aesenclast` without its ShiftRows then
/// (`aeskeygenassist` wants its constant when compiled). Adds the constant.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn sub_words(words: __m128i, constant: u32) -> __m128i {
    _mm_aesenclast_si128(words, _mm_set1_epi32(constant as i32))
}

/// The last word in all places.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn last_word(key: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0xff>(key)
}

/// RotWord of the last word in all places.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn last_word_rotated(key: __m128i) -> __m128i {
    _mm_shuffle_epi8(key, _mm_set1_epi32(0x0c0f_0e0d))
}

/// Each word the sum of those up to it.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn sums(key: __m128i) -> __m128i {
    let pairs = _mm_xor_si128(key, _mm_slli_si128::<4>(key));
    _mm_xor_si128(pairs, _mm_slli_si128::<8>(pairs))
}

/// The round constant after this one.
const fn next_constant(constant: u32) -> u32 {
    (constant << 1) ^ ((constant >> 7) * 0x11b)
}

/// KeyExpansion (FIPS 197, 5.2).
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(crate) fn expand(key: &[u8], keys: &mut RoundKeys) {
    keys.rounds = key.len() / 4 + 6;
    match key.as_chunks() {
        ([key], []) => expand_128(key, &mut keys.encrypt),
        ([first, second], []) => expand_256(first, second, &mut keys.encrypt),
        _ => expand_192(key, &mut keys.encrypt),
    }
    keys.decrypt[0] = keys.encrypt[keys.rounds];
    keys.decrypt[keys.rounds] = keys.encrypt[0];
    for i in 1..keys.rounds {
        let key = load128(&keys.encrypt[keys.rounds - i]);
        store128(&mut keys.decrypt[i], _mm_aesimc_si128(key));
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn expand_128(key: &[u8; 16], keys: &mut [[u8; 16]; 15]) {
    let mut key = load128(key);
    let mut constant = 1;
    for to in &mut keys[..11] {
        store128(to, key);
        let word = sub_words(last_word_rotated(key), constant);
        key = _mm_xor_si128(sums(key), word);
        constant = next_constant(constant);
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn expand_256(first: &[u8; 16], second: &[u8; 16], keys: &mut [[u8; 16]; 15]) {
    let (mut a, mut b) = (load128(first), load128(second));
    let mut constant = 1;
    for to in keys.chunks_mut(2) {
        store128(&mut to[0], a);
        if let Some(to) = to.get_mut(1) {
            store128(to, b);
        }
        a = _mm_xor_si128(sums(a), sub_words(last_word_rotated(b), constant));
        b = _mm_xor_si128(sums(b), sub_words(last_word(a), 0));
        constant = next_constant(constant);
    }
}

/// Word by word: six are no register.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn expand_192(key: &[u8], keys: &mut [[u8; 16]; 15]) {
    let words = keys.as_flattened_mut().as_chunks_mut::<4>().0;
    let mut last = [0; 6];
    for (last, from) in last.iter_mut().zip(key.as_chunks().0) {
        *last = u32::from_le_bytes(*from);
    }
    let mut constant = 1;
    for words in words[..52].chunks_mut(6) {
        for (to, word) in words.iter_mut().zip(&last) {
            *to = word.to_le_bytes();
        }
        let rotated = _mm_set1_epi32(last[5].rotate_right(8) as i32);
        last[0] ^= _mm_cvtsi128_si32(sub_words(rotated, constant)) as u32;
        constant = next_constant(constant);
        for i in 1..6 {
            last[i] ^= last[i - 1];
        }
    }
    adamant_base::Wipe::wipe(&mut last);
}
