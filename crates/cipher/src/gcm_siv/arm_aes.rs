//! AES with ARM64's instructions, POLYVAL with `pmull`, one after the other.

use crate::aes::groups::for_all;
use crate::ghash::Powers;
use adamant_base::Secret;
use adamant_base::simd::{load_u8, store_u8};
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vdupq_n_u8, vdupq_n_u32, veorq_u8, vreinterpretq_u8_u32,
    vreinterpretq_u32_u8, vsetq_lane_u32,
};

super::compose::row!(arm_aes, arm_aes, "neon,aes");

#[target_feature(enable = "neon,aes")]
fn ctr(keys: &RoundKeys, first: &[u8; 16], data: &mut [u8]) {
    let mut counter = vreinterpretq_u32_u8(load_u8(first));
    let (blocks, rest) = data.as_chunks_mut::<16>();
    for_all!(16, blocks, ctr_blocks(keys, &mut counter));
    if !rest.is_empty() {
        let mut last = Secret::new([[0; 16]]);
        last[0][..rest.len()].copy_from_slice(rest);
        ctr_blocks(keys, &mut counter, &mut last);
        rest.copy_from_slice(&last[0][..rest.len()]);
    }
}

/// Encrypts the counters from `counter` on, whose number is the first word.
#[inline]
#[target_feature(enable = "neon,aes")]
fn ctr_blocks<const N: usize>(
    keys: &RoundKeys,
    counter: &mut uint32x4_t,
    blocks: &mut [[u8; 16]; N],
) {
    let mut words = [vdupq_n_u8(0); N];
    for word in &mut words {
        *word = vreinterpretq_u8_u32(*counter);
        *counter = vaddq_u32(*counter, vsetq_lane_u32::<0>(1, vdupq_n_u32(0)));
    }
    for (word, block) in aes::encrypt(keys, words).iter().zip(blocks) {
        store_u8(block, veorq_u8(*word, load_u8(block)));
    }
}

#[target_feature(enable = "neon,aes")]
fn absorb(powers: &Powers, sum: &mut [u8; 16], data: &[u8]) {
    let before = ghash::reverse(load_u8(sum));
    let after = ghash::absorb_padded::<true>(powers, before, data);
    store_u8(sum, ghash::block(after));
}
