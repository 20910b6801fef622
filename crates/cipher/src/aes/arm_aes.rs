//! AES with ARM64's instructions: up to eight blocks side by side, as a round takes some cycles and
//! another block's can start in each.
//!
//! `aese` adds its key before SubBytes and ShiftRows, so the key of a round comes with the round
//! after it, and the last is added by itself. `aesmc`, which is MixColumns, stands right behind: CPUs
//! take the two as one.

use super::{RoundKeys, arm_modes};
use adamant_base::Wipe;
use adamant_base::simd::{load_u8, map, store_u8};
use core::arch::aarch64::{
    uint8x16_t, vaesdq_u8, vaeseq_u8, vaesimcq_u8, vaesmcq_u8, vdupq_n_u8, vdupq_n_u32, veorq_u8,
    vgetq_lane_u32, vreinterpretq_u8_u32, vreinterpretq_u32_u8,
};

pub(crate) use super::arm_modes::{WIDE, load};

macro_rules! cipher {
    ($(#[$meta:meta])* $name:ident, $round:ident, $mix:ident) => {
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
            let (pairs, single) = keys.$name[..keys.rounds - 1].as_chunks();
            for [first, second] in pairs {
                round!(first);
                round!(second);
            }
            for key in single {
                round!(key);
            }
            let last = load_u8(&keys.$name[keys.rounds - 1]);
            let after = load_u8(&keys.$name[keys.rounds]);
            for word in &mut words {
                *word = veorq_u8($round(*word, last), after);
            }
            words
        }
    };
}

cipher! {
    /// Cipher (FIPS 197, 5.1).
    encrypt, vaeseq_u8, vaesmcq_u8
}
cipher! {
    /// The equivalent inverse cipher (5.3.5).
    decrypt, vaesdq_u8, vaesimcq_u8
}
arm_modes::modes! { "neon,aes", RoundKeys }

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
