//! Eight lanes side by side with AES-NI.

use super::{Lane, Room};
use crate::aes::x86_aesni;
use adamant_base::simd::{load128, store128};
use core::arch::x86_64::{_mm_aesenc_si128, _mm_aesenclast_si128, _mm_xor_si128};

/// Lanes side by side.
const WIDE: usize = 8;

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
