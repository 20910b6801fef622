//! AES-GCM with ARM64's instructions, both halves side by side.
//!
//! 1. A message is worked on eight blocks at a time. With two rounds of AES goes a quarter of GHASH
//!    on eight blocks: of the same ciphertext when decrypting, of the group before when encrypting.
//!    What each waits for leaves room for the other, on cores that keep the order too.
//! 2. The counters of a group differ in three bits, which are added to the first round key, once for
//!    a message: `aese` adds the rest. Only in the last two blocks is the rest that of the next group.
//! 3. Round keys and powers are read for each group, two with one instruction: there are not as many
//!    registers. So the compiler is not to know that the key is the same.
//! 4. The block that masks the tag is encrypted along with the last bytes, and the block of lengths
//!    shares their reduction.

use super::AesGcmKey;
use crate::aes::arm_aes::{self as aes, WIDE};
use crate::ghash::arm_aes::{self as hash, Product, block, reverse};
use crate::ghash::{POWERS, Powers, lengths};
use adamant_base::simd::{in_order8, load_u8, store_u8};
use adamant_base::{Secret, Wipe};
use core::arch::aarch64::{
    uint8x16_t, uint32x4_t, uint64x2_t, vaddq_u32, vaeseq_u8, vaesmcq_u8, vdupq_n_u8, vdupq_n_u32,
    vdupq_n_u64, veorq_u8, veorq_u64, vreinterpretq_u8_u32, vreinterpretq_u32_u8, vrev32q_u8,
    vsetq_lane_u32,
};
use core::hint::black_box;

/// What is worked on at once.
pub(super) type Group = [[u8; 16]; WIDE];

#[target_feature(enable = "neon,aes")]
pub(super) fn init(aes_key: &[u8], key: &mut AesGcmKey) {
    aes::expand(aes_key, &mut key.aes);
    let mut h = [[0; 16]];
    aes::encrypt_blocks(&key.aes, &mut h);
    hash::init(&h[0], &mut key.powers);
    h.wipe();
}

#[target_feature(enable = "neon,aes")]
pub(super) fn ghash(key: &AesGcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    hash::update(&key.powers, sum, blocks);
}

#[target_feature(enable = "neon,aes")]
pub(super) fn encrypt(key: &AesGcmKey, blocks: &mut [[u8; 16]]) {
    aes::encrypt_blocks(&key.aes, blocks);
}

/// The first round of a group, whose keys in `$firsts` come with the bits that differ.
macro_rules! first_round {
    ($counters:ident, $firsts:ident) => {{
        let mut blocks = aes::load(&$firsts);
        let [shared @ .., a, b] = &mut blocks;
        let this = $counters.next::<8>();
        let next = $counters.block();
        for block in shared {
            *block = vaesmcq_u8(vaeseq_u8(*block, this));
        }
        for block in [a, b] {
            *block = vaesmcq_u8(vaeseq_u8(*block, next));
        }
        blocks
    }};
}
pub(super) use first_round;

macro_rules! two_rounds {
    ($blocks:ident $keys:ident[$i:expr]) => {
        let keys = [load_u8(&$keys[$i]), load_u8(&$keys[$i + 1])];
        for key in keys {
            for block in &mut $blocks {
                *block = vaesmcq_u8(vaeseq_u8(*block, key));
            }
        }
    };
}
pub(super) use two_rounds;

/// The last round, and the text.
macro_rules! last_round {
    ($blocks:ident $keys:ident[$i:expr], $group:ident[$j:ident] = $text:expr) => {
        let [key, last] = [load_u8(&$keys[$i]), load_u8(&$keys[$i + 1])];
        for $j in 0..WIDE {
            let text = veorq_u8($text, last);
            $blocks[$j] = veorq_u8(vaeseq_u8($blocks[$j], key), text);
            store_u8(&mut $group[$j], $blocks[$j]);
        }
    };
}
pub(super) use last_round;

/// Two blocks of ciphertext, and the end of what goes beside them.
macro_rules! quarter {
    ($product:ident $blocks:ident, $powers:ident $cipher:ident[$i:literal] $(+ $sum:ident)?) => {
        let [a, b] = [reverse($cipher[$i]), reverse($cipher[$i + 1])];
        $( let a = veorq_u64(a, $sum); )?
        $product.add_ends([a, b], $powers, POWERS - WIDE + $i);
        $product.add_middle([a, b], $powers, POWERS - WIDE + $i);
        $product.in_order();
        in_order8(&mut $blocks);
    };
}
pub(super) use quarter;

/// Sealing and opening with these features.
macro_rules! fused {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn seal(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
            crypt::<false>(key, start, aad, data)
        }

        #[target_feature(enable = $features)]
        pub(super) fn open(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
            crypt::<true>(key, start, aad, data)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn crypt<const DECRYPT: bool>(
            key: &AesGcmKey,
            start: u128,
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            debug_assert_eq!(start as u32, 1, "the number of a nonce of 12 bytes");
            let lengths = lengths(aad.len(), data.len());
            let mut sum = vdupq_n_u64(0);
            if !aad.is_empty() {
                sum = hash::absorb_padded::<false>(&key.powers, sum, aad);
            }
            let (groups, rest) = data.as_chunks_mut::<{ size_of::<Group>() }>();
            let number = (start as u32).wrapping_add((groups.len() * WIDE) as u32);
            if !groups.is_empty() {
                let groups = groups.as_flattened_mut().as_chunks_mut().0;
                let groups = groups.as_chunks_mut().0;
                sum = match key.aes.rounds() {
                    10 => bulk::<10, DECRYPT>(key, start, sum, groups),
                    12 => bulk::<12, DECRYPT>(key, start, sum, groups),
                    _ => bulk::<14, DECRYPT>(key, start, sum, groups),
                };
            }
            let counters = [start, start & !0xffff_ffff | u128::from(number)];
            let tag = match rest.len() {
                0 => finish::<1, DECRYPT>(key, counters, sum, rest, lengths),
                1..=16 => finish::<2, DECRYPT>(key, counters, sum, rest, lengths),
                17..=64 => finish::<5, DECRYPT>(key, counters, sum, rest, lengths),
                _ => finish::<{ WIDE + 1 }, DECRYPT>(key, counters, sum, rest, lengths),
            };
            let mut out = [0; 16];
            store_u8(&mut out, tag);
            out
        }

        /// Whole groups; the sum after them.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn bulk<const ROUNDS: usize, const DECRYPT: bool>(
            key: &AesGcmKey,
            start: u128,
            mut sum: uint64x2_t,
            mut groups: &mut [Group],
        ) -> uint64x2_t {
            let mut counters = Counters::new(start & !7);
            let firsts = Secret::new(first_keys(key, start));
            let mut before = [vdupq_n_u8(0); WIDE];
            if !DECRYPT && let Some(group) = groups.split_off_first_mut() {
                let keys = key.aes.encrypt();
                let mut blocks = first_round!(counters, firsts);
                for pair in keys[1..ROUNDS - 1].as_chunks::<2>().0 {
                    two_rounds!(blocks pair[0]);
                }
                last_round!(blocks keys[ROUNDS - 1], group[i] = load_u8(&group[i]));
                before = blocks;
            }
            for group in groups {
                let (keys, powers) = black_box((key.aes.encrypt(), &key.powers));
                let cipher = if DECRYPT { aes::load(group) } else { before };
                let mut product = Product::zero();
                let mut blocks = first_round!(counters, firsts);
                two_rounds!(blocks keys[1]);
                quarter!(product blocks, powers cipher[6]);
                two_rounds!(blocks keys[3]);
                quarter!(product blocks, powers cipher[4]);
                two_rounds!(blocks keys[5]);
                quarter!(product blocks, powers cipher[2]);
                two_rounds!(blocks keys[7]);
                // The sum is known last.
                quarter!(product blocks, powers cipher[0] + sum);
                if ROUNDS >= 12 {
                    two_rounds!(blocks keys[9]);
                }
                if ROUNDS == 14 {
                    two_rounds!(blocks keys[11]);
                }
                if DECRYPT {
                    last_round!(blocks keys[ROUNDS - 1], group[i] = cipher[i]);
                } else {
                    last_round!(blocks keys[ROUNDS - 1], group[i] = load_u8(&group[i]));
                    before = blocks;
                }
                sum = product.reduce();
            }
            if !DECRYPT {
                sum = absorb_group(&key.powers, sum, before);
            }
            sum
        }
    };
}
pub(super) use fused;
fused!("neon,aes");

/// The first round key with the bits that differ in the counters of a group.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn first_keys(key: &AesGcmKey, start: u128) -> Group {
    let (mut keys, first) = ([[0; 16]; WIDE], load_u8(&key.aes.encrypt()[0]));
    for (i, to) in keys.iter_mut().enumerate() {
        let low = (start + 1 + i as u128) % 8;
        store_u8(to, veorq_u8(first, load_u8(&low.to_be_bytes())));
    }
    keys
}

/// The numbers of counters in four words.
pub(super) struct Counters(uint32x4_t);

impl Counters {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn new(counter: u128) -> Self {
        let bytes = load_u8(&counter.to_be_bytes());
        Counters(vreinterpretq_u32_u8(vrev32q_u8(bytes)))
    }

    /// The block of counters, which then goes on by `N`, in the 32 bits that count.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn next<const N: u32>(&mut self) -> uint8x16_t {
        let block = self.block();
        self.0 = vaddq_u32(self.0, vsetq_lane_u32::<3>(N, vdupq_n_u32(0)));
        block
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn block(&self) -> uint8x16_t {
        vrev32q_u8(vreinterpretq_u8_u32(self.0))
    }
}

/// A group of ciphertext by itself.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn absorb_group(
    powers: &Powers,
    sum: uint64x2_t,
    group: [uint8x16_t; WIDE],
) -> uint64x2_t {
    let mut product = Product::zero();
    for (i, pair) in group.as_chunks::<2>().0.iter().enumerate() {
        let mut pair = [reverse(pair[0]), reverse(pair[1])];
        if i == 0 {
            pair[0] = veorq_u64(pair[0], sum);
        }
        product.add_ends(pair, powers, POWERS - WIDE + 2 * i);
        product.add_middle(pair, powers, POWERS - WIDE + 2 * i);
    }
    product.reduce()
}

/// The last bytes and the tag. With the counter of the tag's mask and the one before the first block
/// there are `N` blocks at most.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn finish<const N: usize, const DECRYPT: bool>(
    key: &AesGcmKey,
    [mask, before]: [u128; 2],
    mut sum: uint64x2_t,
    data: &mut [u8],
    lengths: u128,
) -> uint8x16_t {
    debug_assert!(data.len() <= 16 * (N - 1));
    let mut counters = Counters::new(before);
    let mut words = [load_u8(&mask.to_be_bytes()); N];
    counters.next::<1>();
    for word in &mut words[1..] {
        *word = counters.next::<1>();
    }
    let words = aes::encrypt(&key.aes, words);
    let (mask, stream) = (words[0], &words[1..]);
    let mut at = POWERS - 1 - data.len().div_ceil(16);
    let mut product = Product::zero();
    let (blocks, rest) = data.as_chunks_mut();
    let mut take_in = |cipher: uint8x16_t| {
        let x = veorq_u64(reverse(cipher), sum);
        product.add(x, &key.powers, at);
        sum = vdupq_n_u64(0);
        at += 1;
    };
    let mut stream = stream.iter();
    for (to, word) in blocks.iter_mut().zip(stream.by_ref()) {
        let input = load_u8(to);
        let output = veorq_u8(input, *word);
        store_u8(to, output);
        take_in(if DECRYPT { input } else { output });
    }
    if let Some(word) = stream.next()
        && !rest.is_empty()
    {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        let input = load_u8(&last);
        store_u8(&mut last, veorq_u8(input, *word));
        rest.copy_from_slice(&last[..rest.len()]);
        last[rest.len()..].fill(0);
        take_in(if DECRYPT { input } else { load_u8(&last) });
    }
    take_in(load_u8(&lengths.to_be_bytes()));
    veorq_u8(block(product.reduce()), mask)
}
