//! AES with ARM64's instructions: up to eight blocks side by side, as a round takes some cycles and
//! another block's can start in each.
//!
//! `aese` adds its key before SubBytes and ShiftRows, so the key of a round comes with the round
//! after it, and the last is added by itself. `aesmc`, which is MixColumns, stands right behind: CPUs
//! take the two as one.

use super::RoundKeys;
use super::counter::Counter;
use super::groups::for_all;
use adamant_base::Wipe;
use adamant_base::simd::{load_u8, map, store_u8};
use core::arch::aarch64::{
    uint8x16_t, uint64x2_t, vaddq_u64, vaesdq_u8, vaeseq_u8, vaesimcq_u8, vaesmcq_u8, vcombine_u64,
    vcreate_u64, vdupq_n_u8, vdupq_n_u32, veorq_u8, vextq_u8, vget_low_p8, vgetq_lane_u32,
    vmull_p8, vreinterpretq_p8_u8, vreinterpretq_u8_p16, vreinterpretq_u8_u32,
    vreinterpretq_u8_u64, vreinterpretq_u32_u8, vrev64q_u8,
};

/// Blocks side by side.
pub(crate) const WIDE: usize = 8;

macro_rules! cipher {
    ($(#[$meta:meta])* $name:ident, $words:ident, $blocks:ident, $keys:ident, $round:ident, $mix:ident) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "neon,aes")]
        pub(crate) fn $name<const N: usize>(
            keys: &RoundKeys,
            mut words: [uint8x16_t; N],
        ) -> [uint8x16_t; N] {
            macro_rules! round {
                ($key:expr) => {
                    let key = load_u8($key);
                    for word in &mut words {
                        *word = $mix($round(*word, key));
                    }
                };
            }
            let (pairs, single) = keys.$keys[..keys.rounds - 1].as_chunks();
            for [first, second] in pairs {
                round!(first);
                round!(second);
            }
            for key in single {
                round!(key);
            }
            let last = load_u8(&keys.$keys[keys.rounds - 1]);
            let after = load_u8(&keys.$keys[keys.rounds]);
            for word in &mut words {
                *word = veorq_u8($round(*word, last), after);
            }
            words
        }

        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn $words<const N: usize>(keys: &RoundKeys, blocks: &mut [[u8; 16]; N]) {
            let words = $name(keys, load(blocks));
            store(blocks, &words);
        }

        #[target_feature(enable = "neon,aes")]
        pub(crate) fn $blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            for_all!(16, blocks, $words(keys));
        }
    };
}

cipher! {
    /// Cipher (FIPS 197, 5.1).
    encrypt, encrypt_words, encrypt_blocks, encrypt, vaeseq_u8, vaesmcq_u8
}
cipher! {
    /// The equivalent inverse cipher (5.3.5).
    decrypt, decrypt_words, decrypt_blocks, decrypt, vaesdq_u8, vaesimcq_u8
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load<const N: usize>(from: &[[u8; 16]; N]) -> [uint8x16_t; N] {
    let mut words = [vdupq_n_u8(0); N];
    for (word, from) in words.iter_mut().zip(from) {
        *word = load_u8(from);
    }
    words
}

#[inline]
#[target_feature(enable = "neon")]
fn store<const N: usize>(to: &mut [[u8; 16]; N], words: &[uint8x16_t; N]) {
    for (to, word) in to.iter_mut().zip(words) {
        store_u8(to, *word);
    }
}

/// Two numbers, the first in the low half.
#[inline]
#[target_feature(enable = "neon")]
fn pair(first: u64, second: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(first), vcreate_u64(second))
}

/// Encrypts the counters from `counter` on.
#[inline]
#[target_feature(enable = "neon,aes")]
fn ctr_words<const N: usize>(
    keys: &RoundKeys,
    counter: &mut uint64x2_t,
    blocks: &mut [[u8; 16]; N],
) {
    let one = pair(0, 1);
    let mut words = [vdupq_n_u8(0); N];
    for word in &mut words {
        *word = vrev64q_u8(vreinterpretq_u8_u64(*counter));
        *counter = vaddq_u64(*counter, one);
    }
    for (word, block) in encrypt(keys, words).iter().zip(blocks) {
        store_u8(block, veorq_u8(*word, load_u8(block)));
    }
}

#[target_feature(enable = "neon,aes")]
pub(crate) fn ctr(
    keys: &RoundKeys,
    counter: &mut [u8; 16],
    width: usize,
    mut blocks: &mut [[u8; 16]],
) {
    let mut counter = Counter::new(counter, width);
    while let Some((high, low, blocks)) = counter.take(&mut blocks) {
        let mut counter = pair(high, low);
        for_all!(16, blocks, ctr_words(keys, &mut counter));
    }
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn cbc_words<const N: usize>(
    keys: &RoundKeys,
    previous: &mut uint8x16_t,
    blocks: &mut [[u8; 16]; N],
) {
    let cipher = load(blocks);
    let mut words = decrypt(keys, cipher);
    for (word, c) in words.iter_mut().zip(cipher) {
        *word = veorq_u8(*word, *previous);
        *previous = c;
    }
    store(blocks, &words);
}

#[target_feature(enable = "neon,aes")]
pub(crate) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let mut previous = load_u8(iv);
    for_all!(16, blocks, cbc_words(keys, &mut previous));
    store_u8(iv, previous);
}

/// The round keys of a chain, in registers.
///
/// The chain is bound by the latency of its rounds, and an exclusive or would lengthen it. So the
/// state is kept without the last key, and the first round adds that along with its own and with
/// the next block of plaintext.
struct Chain {
    /// The first key and the last one.
    ends: uint8x16_t,
    last: uint8x16_t,
    keys: [uint8x16_t; 13],
}

impl Chain {
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn new<const ROUNDS: usize>(keys: &RoundKeys) -> Self {
        let [first, rest @ ..] = &keys.encrypt;
        let last = load_u8(&rest[ROUNDS - 1]);
        let mut middle = [last; 13];
        for (to, key) in middle[..ROUNDS - 1].iter_mut().zip(rest) {
            *to = load_u8(key);
        }
        Chain {
            ends: veorq_u8(load_u8(first), last),
            last,
            keys: middle,
        }
    }

    /// The state after another block.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn next<const ROUNDS: usize>(&self, state: uint8x16_t, block: &[u8; 16]) -> uint8x16_t {
        let mut state = vaeseq_u8(state, veorq_u8(load_u8(block), self.ends));
        for key in &self.keys[..ROUNDS - 1] {
            state = vaeseq_u8(vaesmcq_u8(state), *key);
        }
        state
    }
}

macro_rules! chain {
    ($(#[$meta:meta])* $name:ident, $rounds:ident, $blocks:ty, $each:ident: $step:expr) => {
        $(#[$meta])*
        #[target_feature(enable = "neon,aes")]
        pub(crate) fn $name(keys: &RoundKeys, state: &mut [u8; 16], blocks: $blocks) {
            match keys.rounds {
                10 => $rounds::<10>(keys, state, blocks),
                12 => $rounds::<12>(keys, state, blocks),
                _ => $rounds::<14>(keys, state, blocks),
            }
        }

        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn $rounds<const ROUNDS: usize>(keys: &RoundKeys, state: &mut [u8; 16], blocks: $blocks) {
            let chain = Chain::new::<ROUNDS>(keys);
            let mut word = veorq_u8(load_u8(state), chain.last);
            for $each in blocks {
                word = chain.next::<ROUNDS>(word, $each);
                ($step)($each, veorq_u8(word, chain.last));
            }
            store_u8(state, veorq_u8(word, chain.last));
        }
    };
}
chain!(cbc_encrypt, cbc_encrypt_rounds, &mut [[u8; 16]], block: store_u8);
chain!(cbc_mac, cbc_mac_rounds, &[[u8; 16]], block: |_, _| {});

/// The tweaks of the eight blocks that come next.
struct Tweaks {
    t: [uint8x16_t; WIDE],
    /// How many of them are used.
    used: usize,
}

impl Tweaks {
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn new(first: &[u8; 16]) -> Self {
        Tweaks {
            t: load(&super::tweaks::<WIDE>(first)),
            used: 0,
        }
    }

    /// Those of the next `N` blocks.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn take<const N: usize>(&mut self) -> [uint8x16_t; N] {
        let mut taken = [self.t[0]; N];
        if N == WIDE {
            taken.copy_from_slice(&self.t[..N]);
            for t in &mut self.t {
                *t = times_x8(*t);
            }
        } else {
            debug_assert!(self.used + N <= WIDE, "seven blocks are left at most");
            taken.copy_from_slice(&self.t[self.used..][..N]);
            self.used += N;
        }
        taken
    }
}

/// A tweak times x^8: the byte that leaves comes back times x^7 + x^2 + x + 1. It takes the lowest
/// place as it is, so the 1 is done.
#[inline]
#[target_feature(enable = "neon,aes")]
fn times_x8(t: uint8x16_t) -> uint8x16_t {
    let turned = vextq_u8::<15>(t, t);
    let factor = vreinterpretq_u8_u64(pair(0x86, 0));
    let left = vget_low_p8(vreinterpretq_p8_u8(turned));
    let more = vmull_p8(left, vget_low_p8(vreinterpretq_p8_u8(factor)));
    veorq_u8(turned, vreinterpretq_u8_p16(more))
}

macro_rules! xts {
    ($name:ident, $words:ident, $cipher:ident) => {
        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn $words<const N: usize>(
            keys: &RoundKeys,
            tweaks: &mut Tweaks,
            blocks: &mut [[u8; 16]; N],
        ) {
            let t = tweaks.take::<N>();
            let mut words = load(blocks);
            for (word, t) in words.iter_mut().zip(&t) {
                *word = veorq_u8(*word, *t);
            }
            let mut words = $cipher(keys, words);
            for (word, t) in words.iter_mut().zip(&t) {
                *word = veorq_u8(*word, *t);
            }
            store(blocks, &words);
        }

        #[target_feature(enable = "neon,aes")]
        pub(crate) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let mut tweaks = Tweaks::new(tweak);
            for_all!(16, blocks, $words(keys, &mut tweaks));
            store_u8(tweak, tweaks.t[tweaks.used]);
        }
    };
}
xts!(xts_encrypt, xts_encrypt_words, encrypt);
xts!(xts_decrypt, xts_decrypt_words, decrypt);

/// KeyExpansion (FIPS 197, 5.2).
#[target_feature(enable = "neon,aes")]
pub(crate) fn expand(key: &[u8], keys: &mut RoundKeys) {
    keys.rounds = key.len() / 4 + 6;
    let words = keys.encrypt[..=keys.rounds].as_flattened_mut();
    let (words, key) = (words.as_chunks_mut().0, key.as_chunks().0);
    match keys.rounds {
        10 => expand_words::<4>(key, words),
        12 => expand_words::<6>(key, words),
        _ => expand_words::<8>(key, words),
    }
    keys.decrypt[0] = keys.encrypt[keys.rounds];
    keys.decrypt[keys.rounds] = keys.encrypt[0];
    for i in 1..keys.rounds {
        let key = load_u8(&keys.encrypt[keys.rounds - i]);
        store_u8(&mut keys.decrypt[i], vaesimcq_u8(key));
    }
}

/// The words from a key of `N` of them.
#[inline]
#[target_feature(enable = "neon,aes")]
fn expand_words<const N: usize>(key: &[[u8; 4]], words: &mut [[u8; 4]]) {
    let mut last = [0; N];
    for (last, from) in last.iter_mut().zip(key) {
        *last = u32::from_le_bytes(*from);
    }
    let mut constant = 1;
    let (groups, rest) = words.as_chunks_mut::<N>();
    for words in groups {
        *words = map(last, u32::to_le_bytes);
        last[0] ^= sub_word(last[N - 1].rotate_right(8)) ^ constant;
        constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        for i in 1..N {
            last[i] ^= if N == 8 && i == 4 {
                sub_word(last[i - 1])
            } else {
                last[i - 1]
            };
        }
    }
    for (to, word) in rest.iter_mut().zip(&last) {
        *to = word.to_le_bytes();
    }
    last.wipe();
}

/// SubWord: a round of four equal words without its MixColumns, where ShiftRows does nothing.
#[inline]
#[target_feature(enable = "neon,aes")]
fn sub_word(word: u32) -> u32 {
    let words = vreinterpretq_u8_u32(vdupq_n_u32(word));
    let words = vaeseq_u8(words, vdupq_n_u8(0));
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(words))
}
