//! Eight lanes side by side with AES-NI.

use super::{BESIDE, Lane, Room, Stream, ctr_single};
use crate::aes::x86_aesni;
use adamant_base::Secret;
use adamant_base::simd::arch::{
    _mm_aesenc_si128, _mm_aesenclast_si128, _mm_set_epi64x, _mm_setzero_si128, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

/// Lanes side by side.
const WIDE: usize = 8;

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
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
        x86_aesni::cbc_encrypt(lane.keys, &mut lane.state, lane.blocks);
    }
}

#[target_feature(enable = "aes,ssse3,sse4.1")]
fn cbc_encrypt_wide<const N: usize>(lanes: &mut [Lane<'_, '_>; N]) {
    let (rounds, count) = (lanes[0].keys.rounds(), lanes[0].blocks.len());
    let mut state = [load128(&lanes[0].state); N];
    for (state, lane) in state.iter_mut().zip(&*lanes) {
        *state = load128(&lane.state);
    }
    for i in 0..count {
        for (state, lane) in state.iter_mut().zip(&*lanes) {
            let plain = _mm_xor_si128(load128(&lane.blocks[i]), load128(&lane.keys.encrypt[0]));
            *state = _mm_xor_si128(*state, plain);
        }
        for round in 1..rounds {
            for (state, lane) in state.iter_mut().zip(&*lanes) {
                *state = _mm_aesenc_si128(*state, load128(&lane.keys.encrypt[round]));
            }
        }
        for (state, lane) in state.iter_mut().zip(&mut *lanes) {
            *state = _mm_aesenclast_si128(*state, load128(&lane.keys.encrypt[rounds]));
            store128(&mut lane.blocks[i], *state);
        }
    }
    for (state, lane) in state.iter().zip(lanes) {
        store128(&mut lane.state, *state);
    }
}

/// Where all have a block at most, a register for each; others do well by themselves.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn ctr(streams: &mut [Stream<'_, '_>]) {
    if streams.iter().any(|stream| stream.data.len() > 16) {
        for stream in streams {
            ctr_single(stream, |keys, counter, blocks| {
                x86_aesni::ctr(keys, counter, 16, blocks);
            });
        }
    } else {
        ctr_short(streams);
    }
}

/// Messages of a block at most.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn ctr_short(streams: &mut [Stream<'_, '_>]) {
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
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn ctr_blocks<const N: usize>(streams: &mut [Stream<'_, '_>; N]) {
    let rounds = streams[0].keys.rounds();
    let mut words = [_mm_setzero_si128(); N];
    for (word, stream) in words.iter_mut().zip(&*streams) {
        let [high, low] = stream.counter.map(|half| half.swap_bytes() as i64);
        let counter = _mm_set_epi64x(low, high);
        *word = _mm_xor_si128(counter, load128(&stream.keys.encrypt[0]));
    }
    for round in 1..rounds {
        for (word, stream) in words.iter_mut().zip(&*streams) {
            *word = _mm_aesenc_si128(*word, load128(&stream.keys.encrypt[round]));
        }
    }
    for (word, stream) in words.iter().zip(streams) {
        let word = _mm_aesenclast_si128(*word, load128(&stream.keys.encrypt[rounds]));
        if let Ok(block) = <&mut [u8; 16]>::try_from(&mut *stream.data) {
            store128(block, _mm_xor_si128(word, load128(block)));
            continue;
        }
        let mut block = Secret::new([0; 16]);
        store128(&mut *block, word);
        for (byte, s) in stream.data.iter_mut().zip(block.iter()) {
            *byte ^= s;
        }
    }
}
