//! SM4 with ARM64's instructions (FEAT_SM4), of which one does four rounds: up to eight blocks side by
//! side, as the rounds of one wait for each other.
//!
//! A register holds the words of a block, the first one lowest. Stable compilers have these instructions
//! in assembly only.

use adamant_base::simd::{load_u8, load_u32, store_u8, store_u32};
use core::arch::aarch64::{
    uint8x16_t, uint32x4_t, vdupq_n_u32, veorq_u32, vextq_u8, vextq_u32, vreinterpretq_u8_u32,
    vreinterpretq_u32_u8, vrev32q_u8, vrev64q_u8, vrev64q_u32,
};
use core::arch::asm;

use super::{CONSTANTS, RoundKeys, SYSTEM};
use crate::aes::arm_modes;

/// Four rounds (GB/T 32907, 7.1) with these keys.
#[inline]
#[target_feature(enable = "neon,sm4")]
#[allow(unsafe_code)] // In assembly.
pub(super) fn four_rounds(mut words: uint32x4_t, keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: the instruction reads and writes the named registers alone.
    unsafe {
        asm!(
            "sm4e {words:v}.4s, {keys:v}.4s",
            words = inout(vreg) words,
            keys = in(vreg) keys,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    words
}

/// The round keys that follow these four (7.3).
#[inline]
#[target_feature(enable = "neon,sm4")]
#[allow(unsafe_code)] // In assembly.
fn next_keys(mut keys: uint32x4_t, constants: uint32x4_t) -> uint32x4_t {
    // SAFETY: the instruction reads and writes the named registers alone.
    unsafe {
        asm!(
            "sm4ekey {keys:v}.4s, {keys:v}.4s, {constants:v}.4s",
            keys = inout(vreg) keys,
            constants = in(vreg) constants,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    keys
}

/// The words of a block.
#[inline]
#[target_feature(enable = "neon,sm4")]
pub(super) fn words(block: uint8x16_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vrev32q_u8(block))
}

/// The block of the words that the last round leaves, which are in reverse order.
#[inline]
#[target_feature(enable = "neon,sm4")]
pub(super) fn block(words: uint32x4_t) -> uint8x16_t {
    let turned = vrev64q_u8(vreinterpretq_u8_u32(words));
    vextq_u8::<8>(turned, turned)
}

/// The words in reverse order.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn reversed(words: uint32x4_t) -> uint32x4_t {
    let turned = vrev64q_u32(words);
    vextq_u32::<2>(turned, turned)
}

/// The round keys in the order of their use.
#[inline]
#[target_feature(enable = "neon,sm4")]
pub(super) fn load_keys<const DECRYPT: bool>(keys: &RoundKeys) -> [uint32x4_t; 8] {
    let mut ready = [vdupq_n_u32(0); 8];
    for (i, ready) in ready.iter_mut().enumerate() {
        let fours = keys.words.as_chunks().0;
        *ready = if DECRYPT {
            reversed(load_u32(&fours[7 - i]))
        } else {
            load_u32(&fours[i])
        };
    }
    ready
}

#[inline]
#[target_feature(enable = "neon,sm4")]
fn crypt<const N: usize, const DECRYPT: bool>(
    keys: &RoundKeys,
    mut blocks: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    let mut x = [vdupq_n_u32(0); N];
    for (x, block) in x.iter_mut().zip(blocks) {
        *x = words(block);
    }
    for keys in load_keys::<DECRYPT>(keys) {
        for x in &mut x {
            *x = four_rounds(*x, keys);
        }
    }
    for (to, x) in blocks.iter_mut().zip(x) {
        *to = block(x);
    }
    blocks
}

#[inline]
#[target_feature(enable = "neon,sm4")]
fn encrypt<const N: usize>(keys: &RoundKeys, blocks: [uint8x16_t; N]) -> [uint8x16_t; N] {
    crypt::<N, false>(keys, blocks)
}

#[inline]
#[target_feature(enable = "neon,sm4")]
fn decrypt<const N: usize>(keys: &RoundKeys, blocks: [uint8x16_t; N]) -> [uint8x16_t; N] {
    crypt::<N, true>(keys, blocks)
}

arm_modes::modes! { "neon,sm4", RoundKeys }

/// A block after another one: both as the words that the last round leaves.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn next(keys: &[uint32x4_t; 8], last: uint32x4_t, text: &[u8; 16]) -> uint32x4_t {
    let mut x = veorq_u32(reversed(last), words(load_u8(text)));
    for keys in keys {
        x = four_rounds(x, *keys);
    }
    x
}

#[target_feature(enable = "neon,sm4")]
pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let keys = load_keys::<false>(keys);
    let mut last = reversed(words(load_u8(iv)));
    for text in blocks {
        last = next(&keys, last, text);
        store_u8(text, block(last));
    }
    store_u8(iv, block(last));
}

#[target_feature(enable = "neon,sm4")]
pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let keys = load_keys::<false>(keys);
    let mut last = reversed(words(load_u8(sum)));
    for text in blocks {
        last = next(&keys, last, text);
    }
    store_u8(sum, block(last));
}

#[target_feature(enable = "neon,sm4")]
pub(super) fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
    let mut last = veorq_u32(words(load_u8(key)), load_u32(&SYSTEM));
    let constants = CONSTANTS.as_chunks::<4>().0;
    for (to, constants) in keys.words.as_chunks_mut().0.iter_mut().zip(constants) {
        last = next_keys(last, load_u32(constants));
        store_u32(to, last);
    }
}
