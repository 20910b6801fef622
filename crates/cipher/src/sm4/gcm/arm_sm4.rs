//! SM4-GCM with ARM64's instructions, both halves side by side: eight blocks of counters, whose rounds
//! wait for each other, and GHASH on as many: of the same ciphertext when decrypting, of the group before
//! when encrypting. A CPU that changes the order of instructions finds both.

use super::Sm4GcmKey;
use crate::aes::arm_modes::WIDE;
use crate::gcm::compose;
use crate::ghash::arm_aes::{self as hash, block};
use crate::ghash::lengths;
use crate::sm4::arm_sm4 as sm4;
use adamant_base::Wipe;
use adamant_base::simd::{load_u8, load_u32, store_u8};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u32, vdupq_n_u64, veorq_u8, vreinterpretq_u8_u32, vrev32q_u8,
};

type Group = [[u8; 16]; WIDE];

#[target_feature(enable = "neon,sm4,aes")]
pub(super) fn init(sm4_key: &[u8; 16], key: &mut Sm4GcmKey) {
    sm4::expand(sm4_key, &mut key.sm4);
    let mut h = [[0; 16]];
    sm4::encrypt_blocks(&key.sm4, &mut h);
    hash::init(&h[0], &mut key.powers);
    h.wipe();
}

#[target_feature(enable = "neon,sm4,aes")]
pub(super) fn ghash(key: &Sm4GcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    hash::update(&key.powers, sum, blocks);
}

#[target_feature(enable = "neon,sm4,aes")]
pub(super) fn encrypt(key: &Sm4GcmKey, blocks: &mut [[u8; 16]]) {
    sm4::encrypt_blocks(&key.sm4, blocks);
}

#[target_feature(enable = "neon,sm4,aes")]
pub(super) fn seal(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, start, aad, data)
}

#[target_feature(enable = "neon,sm4,aes")]
pub(super) fn open(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, start, aad, data)
}

#[inline]
#[target_feature(enable = "neon,sm4,aes")]
fn crypt<const DECRYPT: bool>(
    key: &Sm4GcmKey,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad.len(), data.len()).to_be_bytes();
    let mut counter = start.to_be_bytes();
    let mut mask = [[0; 16]];
    sm4::ctr(&key.sm4, &mut counter, 4, &mut mask);
    let mut sum = hash::absorb_padded::<false>(&key.powers, vdupq_n_u64(0), aad);
    let (groups, rest) = data.as_chunks_mut::<{ size_of::<Group>() }>();
    if !groups.is_empty() {
        let blocks = groups.as_flattened_mut().as_chunks_mut().0;
        sum = bulk::<DECRYPT>(key, &mut counter, sum, blocks.as_chunks_mut().0);
    }
    if DECRYPT {
        sum = hash::absorb_padded::<false>(&key.powers, sum, rest);
    }
    compose::ctr(
        &mut |counter, blocks| sm4::ctr(&key.sm4, counter, 4, blocks),
        &mut counter,
        rest,
    );
    if !DECRYPT {
        sum = hash::absorb_padded::<false>(&key.powers, sum, rest);
    }
    sum = hash::absorb_padded::<false>(&key.powers, sum, &lengths);
    let tag = veorq_u8(block(sum), load_u8(&mask[0]));
    store_u8(&mut mask[0], tag);
    mask[0]
}

/// Whole groups; the sum after them.
#[inline(never)]
#[target_feature(enable = "neon,sm4,aes")]
fn bulk<const DECRYPT: bool>(
    key: &Sm4GcmKey,
    counter: &mut [u8; 16],
    mut sum: uint64x2_t,
    groups: &mut [Group],
) -> uint64x2_t {
    let (mut number, one) = (sm4::words(load_u8(counter)), load_u32(&[0, 0, 0, 1]));
    let keys = sm4::load_keys::<false>(&key.sm4);
    for i in 0..groups.len() {
        let mut x = [number; WIDE];
        for x in &mut x {
            *x = number;
            number = vaddq_u32(number, one);
        }
        for keys in keys {
            for x in &mut x {
                *x = sm4::four_rounds(*x, keys);
            }
        }
        // In memory: there are not as many registers.
        if let Some(cipher) = groups.get(if DECRYPT { i } else { i.wrapping_sub(1) }) {
            sum = hash::absorb::<false>(&key.powers, sum, cipher);
        }
        for (text, x) in groups[i].iter_mut().zip(x) {
            let word = veorq_u8(load_u8(text), sm4::block(x));
            store_u8(text, word);
        }
    }
    if !DECRYPT && let Some(cipher) = groups.last() {
        sum = hash::absorb::<false>(&key.powers, sum, cipher);
    }
    store_u8(counter, vrev32q_u8(vreinterpretq_u8_u32(number)));
    sum
}
