//! Eight lanes side by side with ARM64's instructions.

use super::{BESIDE, Lane, Room, Stream, ctr_single};
use crate::aes::arm_aes;
use adamant_base::Secret;
use adamant_base::simd::{load_u8, store_u8};
use core::arch::aarch64::{
    uint8x16_t, vaeseq_u8, vaesmcq_u8, vcombine_u64, vcreate_u64, vdupq_n_u8, veorq_u8,
    vreinterpretq_u8_u64,
};

/// Lanes side by side.
const WIDE: usize = 8;

/// The cipher on a block of each of `$items`, under the keys of each.
macro_rules! encrypt {
    ($words:ident, $items:expr) => {
        let rounds = $items[0].keys.rounds();
        for round in 0..rounds - 1 {
            for (word, item) in $words.iter_mut().zip(&*$items) {
                let key = load_u8(&item.keys.encrypt[round]);
                *word = vaesmcq_u8(vaeseq_u8(*word, key));
            }
        }
        for (word, item) in $words.iter_mut().zip(&*$items) {
            let key = load_u8(&item.keys.encrypt[rounds - 1]);
            let last = load_u8(&item.keys.encrypt[rounds]);
            *word = veorq_u8(vaeseq_u8(*word, key), last);
        }
    };
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,aes")]
pub(super) fn cbc_encrypt(_: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    let (wide, few) = lanes.as_chunks_mut::<WIDE>();
    for lanes in wide {
        cbc_encrypt_wide(lanes);
    }
    let (wide, few) = few.as_chunks_mut::<{ WIDE / 2 }>();
    for lanes in wide {
        cbc_encrypt_wide(lanes);
    }
    for lane in few {
        arm_aes::cbc_encrypt(lane.keys, &mut lane.state, lane.blocks);
    }
}

#[target_feature(enable = "neon,aes")]
fn cbc_encrypt_wide<const N: usize>(lanes: &mut [Lane<'_, '_>; N]) {
    let mut state: [uint8x16_t; N] = [vdupq_n_u8(0); N];
    for (state, lane) in state.iter_mut().zip(&*lanes) {
        *state = load_u8(&lane.state);
    }
    for i in 0..lanes[0].blocks.len() {
        for (state, lane) in state.iter_mut().zip(&*lanes) {
            *state = veorq_u8(*state, load_u8(&lane.blocks[i]));
        }
        encrypt!(state, lanes);
        for (state, lane) in state.iter().zip(&mut *lanes) {
            store_u8(&mut lane.blocks[i], *state);
        }
    }
    for (state, lane) in state.iter().zip(lanes) {
        store_u8(&mut lane.state, *state);
    }
}

/// Where all have a block at most, a register for each; others do well by themselves.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "neon,aes")]
pub(super) fn ctr(streams: &mut [Stream<'_, '_>]) {
    if streams.iter().any(|stream| stream.data.len() > 16) {
        for stream in streams {
            ctr_single(stream, |keys, counter, blocks| {
                arm_aes::ctr(keys, counter, 16, blocks);
            });
        }
        return;
    }
    let (wide, few) = streams.as_chunks_mut::<BESIDE>();
    for streams in wide {
        ctr_blocks(streams);
    }
    for stream in few {
        ctr_blocks(core::array::from_mut(stream));
    }
}

/// One block, or the start of one, of each.
#[inline]
#[target_feature(enable = "neon,aes")]
fn ctr_blocks<const N: usize>(streams: &mut [Stream<'_, '_>; N]) {
    let mut words = [vdupq_n_u8(0); N];
    for (word, stream) in words.iter_mut().zip(&*streams) {
        let [high, low] = stream.counter.map(|half| vcreate_u64(half.swap_bytes()));
        *word = vreinterpretq_u8_u64(vcombine_u64(high, low));
    }
    encrypt!(words, streams);
    for (word, stream) in words.iter().zip(streams) {
        if let Ok(block) = <&mut [u8; 16]>::try_from(&mut *stream.data) {
            store_u8(block, veorq_u8(*word, load_u8(block)));
            continue;
        }
        let mut block = Secret::new([0; 16]);
        store_u8(&mut block, *word);
        for (byte, s) in stream.data.iter_mut().zip(block.iter()) {
            *byte ^= s;
        }
    }
}
