//! SM4 with ARM64's instructions for AES: `aese` is the S-box of AES, which is the inversion, with
//! ShiftRows, which is undone along with the rotations. As `x86_aesni`, but four times four blocks, which
//! wide cores need to be busy, or a single one.

use adamant_base::simd::{load_u8, whole};
use core::arch::aarch64::{
    uint8x16_t, vaeseq_u8, vandq_u8, vdupq_n_u8, vdupq_n_u32, veorq_u8, vqtbl1q_u8,
    vreinterpretq_u8_u32, vreinterpretq_u8_u64, vreinterpretq_u32_u8, vreinterpretq_u64_u8,
    vreinterpretq_u64_u32, vshrq_n_u8, vzip1q_u32, vzip1q_u64, vzip2q_u32, vzip2q_u64,
};

use super::linear::{ENTER, ENTER_KEYED, LEAVE, MAP_OUT, MAP_Q, MAP_S, Nibbles, UNSHIFT};
use super::{RoundKeys, words};

type V = uint8x16_t;

#[inline]
#[target_feature(enable = "neon,aes")]
fn load(data: &[[u8; 16]; 4]) -> [V; 4] {
    crate::aes::arm_modes::load(data)
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn store(data: &mut [[u8; 16]; 4], blocks: [V; 4]) {
    crate::aes::arm_modes::store(data, &blocks);
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn transpose(blocks: [V; 4]) -> [V; 4] {
    let [a, b, c, d] = blocks.map(|x| vreinterpretq_u32_u8(x));
    let (ab, cd) = (vzip1q_u32(a, b), vzip1q_u32(c, d));
    let (ab_high, cd_high) = (vzip2q_u32(a, b), vzip2q_u32(c, d));
    let [ab, cd, ab_high, cd_high] =
        [ab, cd, ab_high, cd_high].map(|pairs| vreinterpretq_u64_u32(pairs));
    [
        vreinterpretq_u8_u64(vzip1q_u64(ab, cd)),
        vreinterpretq_u8_u64(vzip2q_u64(ab, cd)),
        vreinterpretq_u8_u64(vzip1q_u64(ab_high, cd_high)),
        vreinterpretq_u8_u64(vzip2q_u64(ab_high, cd_high)),
    ]
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn splat(word: u32) -> V {
    vreinterpretq_u8_u32(vdupq_n_u32(word))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn xor(a: V, b: V) -> V {
    veorq_u8(a, b)
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn xor3(a: V, b: V, c: V) -> V {
    xor(xor(a, b), c)
}

/// The halves of every byte.
#[inline]
#[target_feature(enable = "neon,aes")]
fn halves(x: V) -> [V; 2] {
    [vandq_u8(x, vdupq_n_u8(15)), vshrq_n_u8::<4>(x)]
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn look_up([low, high]: [V; 2], tables: &Nibbles) -> V {
    xor(
        vqtbl1q_u8(load_u8(&tables[0]), low),
        vqtbl1q_u8(load_u8(&tables[1]), high),
    )
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn enter(x: V) -> V {
    look_up(halves(x), &ENTER)
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn leave(x: V) -> V {
    look_up(halves(x), &LEAVE)
}

/// x and what the S-boxes add to it, whose bytes are where `aese` puts them.
#[inline]
#[target_feature(enable = "neon,aes")]
fn add_substituted(x: V, substituted: V) -> V {
    let halves = halves(substituted);
    let (q, s) = (look_up(halves, &MAP_Q), look_up(halves, &MAP_S));
    let turned = |x, bytes: usize| vqtbl1q_u8(x, load_u8(&UNSHIFT[bytes]));
    let near = xor(turned(xor(q, s), 0), turned(q, 1));
    xor3(x, near, xor(turned(q, 2), turned(s, 3)))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn add_round(x: V, t: V) -> V {
    add_substituted(x, vaeseq_u8(t, vdupq_n_u8(0)))
}

/// `aese` adds a key before its S-boxes. Two rounds can share a sum of two words, but then one of them
/// adds its late word first: that is for many vectors, whose rounds wait for each other little.
#[inline]
#[target_feature(enable = "neon,aes")]
fn round<const N: usize>(x: V, [a, b, c]: [V; 3], key: V) -> V {
    let mut early = xor(a, b);
    if N <= 2 {
        early = vreinterpretq_u8_u64(whole(vreinterpretq_u64_u8(early)));
    }
    add_substituted(x, vaeseq_u8(xor(early, c), key))
}

/// The S-box on the bytes of the lowest word.
#[inline]
#[target_feature(enable = "neon,aes")]
fn s_box(x: V) -> V {
    let inverted = look_up(halves(x), &ENTER_KEYED);
    let substituted = vqtbl1q_u8(vaeseq_u8(inverted, vdupq_n_u8(0)), load_u8(&UNSHIFT[0]));
    look_up(halves(substituted), &MAP_OUT)
}

/// Here the order of additions is as written.
#[inline]
#[target_feature(enable = "neon,aes")]
fn in_order(x: V) -> V {
    x
}

words::kernel! { features: "neon,aes", blocks: 4, sets: 4, round }
words::blocks! { features: "neon,aes", at_once: 32 }
words::chains! { "neon,aes", arm }
