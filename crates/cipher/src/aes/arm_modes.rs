//! The modes of implementations on ARM64, from their `encrypt` and `decrypt` for any number of
//! registers: up to eight blocks side by side.

use adamant_base::simd::{load_u8, store_u8};
use core::arch::aarch64::{
    uint8x16_t, uint64x2_t, vaddq_u64, vcombine_u64, vcreate_u64, vdupq_n_u8, veorq_u8, vextq_u8,
    vget_low_p8, vmull_p8, vreinterpretq_p8_u8, vreinterpretq_u8_p16, vreinterpretq_u8_u64,
    vrev64q_u8,
};

/// Blocks side by side.
pub(crate) const WIDE: usize = 8;

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
pub(crate) fn store<const N: usize>(to: &mut [[u8; 16]; N], words: &[uint8x16_t; N]) {
    for (to, word) in to.iter_mut().zip(words) {
        store_u8(to, *word);
    }
}

/// Adds the second to the first.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn add<const N: usize>(words: &mut [uint8x16_t; N], others: &[uint8x16_t; N]) {
    for (word, other) in words.iter_mut().zip(others) {
        *word = veorq_u8(*word, *other);
    }
}

/// Two numbers, the first in the low half.
#[inline]
#[target_feature(enable = "neon")]
fn pair(first: u64, second: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(first), vcreate_u64(second))
}

/// The number of the next block.
pub(crate) struct Counters(uint64x2_t);

impl Counters {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new(high: u64, low: u64) -> Self {
        Counters(pair(high, low))
    }

    /// Those of the next `N` blocks.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn take<const N: usize>(&mut self) -> [uint8x16_t; N] {
        let mut words = [vdupq_n_u8(0); N];
        for word in &mut words {
            *word = vrev64q_u8(vreinterpretq_u8_u64(self.0));
            self.0 = vaddq_u64(self.0, pair(0, 1));
        }
        words
    }
}

/// The tweaks of the eight blocks that come next.
pub(crate) struct Tweaks {
    t: [uint8x16_t; WIDE],
    /// How many of them are used.
    used: usize,
}

impl Tweaks {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new(first: &[u8; 16]) -> Self {
        Tweaks {
            t: load(&super::tweaks::<WIDE>(first)),
            used: 0,
        }
    }

    /// Those of the next `N` blocks.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn take<const N: usize>(&mut self) -> [uint8x16_t; N] {
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

    /// The first that was not taken, to where the first one was.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn store(&self, to: &mut [u8; 16]) {
        store_u8(to, self.t[self.used]);
    }
}

/// A tweak times x^8: the byte that leaves comes back times x^7 + x^2 + x + 1. It takes the lowest
/// place as it is, so the 1 is done.
#[inline]
#[target_feature(enable = "neon")]
fn times_x8(t: uint8x16_t) -> uint8x16_t {
    let turned = vextq_u8::<15>(t, t);
    let factor = vreinterpretq_u8_u64(pair(0x86, 0));
    let left = vget_low_p8(vreinterpretq_p8_u8(turned));
    let more = vmull_p8(left, vget_low_p8(vreinterpretq_p8_u8(factor)));
    veorq_u8(turned, vreinterpretq_u8_p16(more))
}

/// Makes the modes in a module whose cipher's keys have this type.
macro_rules! modes {
    ($features:literal, $keys:ty) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn ctr_words<const N: usize>(
            keys: &$keys,
            counters: &mut $crate::aes::arm_modes::Counters,
            blocks: &mut [[u8; 16]; N],
        ) {
            let mut words = encrypt(keys, counters.take());
            $crate::aes::arm_modes::add(&mut words, &$crate::aes::arm_modes::load(blocks));
            $crate::aes::arm_modes::store(blocks, &words);
        }

        #[target_feature(enable = $features)]
        pub(crate) fn ctr(
            keys: &$keys,
            counter: &mut [u8; 16],
            width: usize,
            mut blocks: &mut [[u8; 16]],
        ) {
            let mut counter = $crate::aes::counter::Counter::new(counter, width);
            while let Some((high, low, blocks)) = counter.take(&mut blocks) {
                let mut counters = $crate::aes::arm_modes::Counters::new(high, low);
                $crate::aes::groups::for_all!(16, blocks, ctr_words(keys, &mut counters));
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn cbc_words<const N: usize>(
            keys: &$keys,
            previous: &mut uint8x16_t,
            blocks: &mut [[u8; 16]; N],
        ) {
            let cipher = $crate::aes::arm_modes::load(blocks);
            let mut words = decrypt(keys, cipher);
            for (word, cipher) in words.iter_mut().zip(cipher) {
                *word = core::arch::aarch64::veorq_u8(*word, *previous);
                *previous = cipher;
            }
            $crate::aes::arm_modes::store(blocks, &words);
        }

        #[target_feature(enable = $features)]
        pub(crate) fn cbc_decrypt(keys: &$keys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let mut previous = load_u8(iv);
            $crate::aes::groups::for_all!(16, blocks, cbc_words(keys, &mut previous));
            store_u8(iv, previous);
        }

        $crate::aes::arm_modes::modes!(@blocks $features, $keys, encrypt,
            encrypt_words encrypt_blocks xts_encrypt_words xts_encrypt);
        $crate::aes::arm_modes::modes!(@blocks $features, $keys, decrypt,
            decrypt_words decrypt_blocks xts_decrypt_words xts_decrypt);
    };
    (
        @blocks $features:literal, $keys:ty, $cipher:ident,
        $words:ident $blocks:ident $xts_words:ident $xts:ident
    ) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $words<const N: usize>(keys: &$keys, blocks: &mut [[u8; 16]; N]) {
            let words = $cipher(keys, $crate::aes::arm_modes::load(blocks));
            $crate::aes::arm_modes::store(blocks, &words);
        }

        #[target_feature(enable = $features)]
        pub(crate) fn $blocks(keys: &$keys, blocks: &mut [[u8; 16]]) {
            $crate::aes::groups::for_all!(16, blocks, $words(keys));
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn $xts_words<const N: usize>(
            keys: &$keys,
            tweaks: &mut $crate::aes::arm_modes::Tweaks,
            blocks: &mut [[u8; 16]; N],
        ) {
            let tweaks = tweaks.take::<N>();
            let mut words = $crate::aes::arm_modes::load(blocks);
            $crate::aes::arm_modes::add(&mut words, &tweaks);
            words = $cipher(keys, words);
            $crate::aes::arm_modes::add(&mut words, &tweaks);
            $crate::aes::arm_modes::store(blocks, &words);
        }

        #[target_feature(enable = $features)]
        pub(crate) fn $xts(keys: &$keys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let mut tweaks = $crate::aes::arm_modes::Tweaks::new(tweak);
            $crate::aes::groups::for_all!(16, blocks, $xts_words(keys, &mut tweaks));
            tweaks.store(tweak);
        }
    };
}
pub(crate) use modes;
