//! Sixteen lanes with VAES: four to a register, four registers side by side.
//!
//! 1. Four blocks of a lane are one cache line. Those of four lanes are loaded, transposed, encrypted
//!    one after the other, transposed back and stored.
//! 2. Where there are fewer lanes than places in the registers, the last lane is done several times:
//!    each time the same ciphertext goes to the same place.

use super::{Lane, MOST, Room, Stream, x86_aesni};
use adamant_base::simd::{load128, load512, load512_partial, store128, store512, store512_partial};
use core::arch::x86_64::{
    __m512i, _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_broadcast_i32x4,
    _mm512_castsi128_si512, _mm512_extracti32x4_epi32, _mm512_inserti32x4, _mm512_set_epi64,
    _mm512_setzero_si512, _mm512_shuffle_i32x4, _mm512_xor_si512,
};
use core::array;
use core::cell::Cell;
use core::hint::black_box;

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn cbc_encrypt(room: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    debug_assert!(lanes.len() <= MOST);
    let like = |pair: &[Lane<'_, '_>]| pair[0].blocks.len() == pair[1].blocks.len();
    debug_assert!(lanes.windows(2).all(like), "all lanes have as many blocks");
    match lanes.first().map(|lane| lane.keys.rounds()) {
        None => {}
        Some(10) => encrypt_rounds::<10>(room, lanes),
        Some(12) => encrypt_rounds::<12>(room, lanes),
        Some(_) => encrypt_rounds::<14>(room, lanes),
    }
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn encrypt_rounds<const ROUNDS: usize>(room: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    match lanes.len() {
        1..=4 => encrypt::<1, ROUNDS>(room, lanes),
        5..=8 => encrypt::<2, ROUNDS>(room, lanes),
        _ => encrypt::<4, ROUNDS>(room, lanes),
    }
}

/// One block of each of four lanes.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn gather(blocks: [[u8; 16]; 4]) -> __m512i {
    let x = _mm512_castsi128_si512(load128(&blocks[0]));
    let x = _mm512_inserti32x4::<1>(x, load128(&blocks[1]));
    let x = _mm512_inserti32x4::<2>(x, load128(&blocks[2]));
    _mm512_inserti32x4::<3>(x, load128(&blocks[3]))
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn scatter(x: __m512i) -> [[u8; 16]; 4] {
    let mut blocks = [[0; 16]; 4];
    store128(&mut blocks[0], _mm512_extracti32x4_epi32::<0>(x));
    store128(&mut blocks[1], _mm512_extracti32x4_epi32::<1>(x));
    store128(&mut blocks[2], _mm512_extracti32x4_epi32::<2>(x));
    store128(&mut blocks[3], _mm512_extracti32x4_epi32::<3>(x));
    blocks
}

/// Four lanes' four blocks become four blocks' four lanes, and back.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn transpose([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab_low, ab_high) = (
        _mm512_shuffle_i32x4::<0x44>(a, b),
        _mm512_shuffle_i32x4::<0xee>(a, b),
    );
    let (cd_low, cd_high) = (
        _mm512_shuffle_i32x4::<0x44>(c, d),
        _mm512_shuffle_i32x4::<0xee>(c, d),
    );
    [
        _mm512_shuffle_i32x4::<0x88>(ab_low, cd_low),
        _mm512_shuffle_i32x4::<0xdd>(ab_low, cd_low),
        _mm512_shuffle_i32x4::<0x88>(ab_high, cd_high),
        _mm512_shuffle_i32x4::<0xdd>(ab_high, cd_high),
    ]
}

/// The keys of a round for the lanes from `4 g` on.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn key(room: &Room, round: usize, g: usize) -> __m512i {
    load512(&room.0[round].as_flattened().as_chunks::<64>().0[g])
}

/// The rounds but the last on `4 N` lanes.
macro_rules! rounds {
    ($room:ident, $rounds:ident, $state:ident) => {
        for round in 1..$rounds {
            for (g, state) in $state.iter_mut().enumerate() {
                *state = _mm512_aesenc_epi128(*state, key($room, round, g));
            }
        }
    };
}

/// The first key is kept in the state: as for a single chain, the last round adds what the next
/// block's first round adds.
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn encrypt<const N: usize, const ROUNDS: usize>(room: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    let last = lanes.len() - 1;
    let mut state = [_mm512_setzero_si512(); N];
    for lane in last + 1..4 * N {
        room.set(lane, lanes[last].keys);
    }
    let room = &*room;
    for (g, state) in state.iter_mut().enumerate() {
        let iv = gather(array::from_fn(|j| lanes[(4 * g + j).min(last)].state));
        *state = _mm512_xor_si512(iv, key(room, 0, g));
    }
    // What each place reads and writes: lines, and blocks after them.
    let mut lines: [&[Cell<[u8; 64]>]; MOST] = [&[]; MOST];
    let mut blocks: [&[Cell<[u8; 16]>]; MOST] = [&[]; MOST];
    for (i, lane) in lanes.iter_mut().enumerate() {
        let (whole, rest) = lane.blocks.as_flattened_mut().as_chunks_mut();
        lines[i..].fill(Cell::from_mut(whole).as_slice_of_cells());
        blocks[i..].fill(Cell::from_mut(rest.as_chunks_mut().0).as_slice_of_cells());
    }
    let (lines, blocks) = (lines.as_chunks::<4>().0, blocks.as_chunks::<4>().0);
    for i in 0..lines[0][0].len() {
        let mut text = [[state[0]; 4]; N];
        for g in 0..N {
            for (x, line) in text[g].iter_mut().zip(lines[g]) {
                *x = load512(&line[i].get());
            }
            text[g] = transpose(text[g]);
            state[g] = _mm512_xor_si512(state[g], text[g][0]);
        }
        for k in 0..4 {
            // The keys stay where they are, aligned: there are not as many registers.
            let room = black_box(room);
            rounds!(room, ROUNDS, state);
            for g in 0..N {
                let mut next = key(room, 0, g);
                if k < 3 {
                    next = _mm512_xor_si512(next, text[g][k + 1]);
                }
                let key = _mm512_xor_si512(next, key(room, ROUNDS, g));
                state[g] = _mm512_aesenclast_epi128(state[g], key);
                text[g][k] = _mm512_xor_si512(state[g], next);
            }
        }
        for g in 0..N {
            for (line, x) in lines[g].iter().zip(transpose(text[g])) {
                let mut cipher = [0; 64];
                store512(&mut cipher, x);
                line[i].set(cipher);
            }
        }
    }
    for i in 0..blocks[0][0].len() {
        for g in 0..N {
            let plain = gather(blocks[g].map(|block| block[i].get()));
            state[g] = _mm512_xor_si512(state[g], plain);
        }
        rounds!(room, ROUNDS, state);
        for g in 0..N {
            let first = key(room, 0, g);
            let key = _mm512_xor_si512(first, key(room, ROUNDS, g));
            state[g] = _mm512_aesenclast_epi128(state[g], key);
            let cipher = scatter(_mm512_xor_si512(state[g], first));
            for (block, cipher) in blocks[g].iter().zip(cipher) {
                block[i].set(cipher);
            }
        }
    }
    for lane in lanes {
        lane.state = lane.blocks.last().copied().unwrap_or(lane.state);
    }
}

/// A register for each, four side by side; single blocks are not worth one.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
pub(super) fn ctr(streams: &mut [Stream<'_, '_>]) {
    if streams.iter().all(|stream| stream.data.len() <= 16) {
        return x86_aesni::ctr_short(streams);
    }
    let (wide, few) = streams.as_chunks_mut::<4>();
    for streams in wide {
        ctr_words(streams);
    }
    for stream in few {
        ctr_words(array::from_mut(stream));
    }
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn ctr_words<const N: usize>(streams: &mut [Stream<'_, '_>; N]) {
    let rounds = streams[0].keys.rounds();
    let mut words = [_mm512_setzero_si512(); N];
    for (word, stream) in words.iter_mut().zip(&*streams) {
        let [high, low] = stream.counter;
        let high = high.swap_bytes() as i64;
        let at = |i| low.wrapping_add(i).swap_bytes() as i64;
        let counters = _mm512_set_epi64(at(3), high, at(2), high, at(1), high, at(0), high);
        *word = _mm512_xor_si512(counters, for_each_lane(&stream.keys.encrypt[0]));
    }
    for round in 1..rounds {
        for (word, stream) in words.iter_mut().zip(&*streams) {
            let key = for_each_lane(&stream.keys.encrypt[round]);
            *word = _mm512_aesenc_epi128(*word, key);
        }
    }
    for (word, stream) in words.iter().zip(streams) {
        let key = for_each_lane(&stream.keys.encrypt[rounds]);
        let text = _mm512_xor_si512(
            _mm512_aesenclast_epi128(*word, key),
            load512_partial(stream.data),
        );
        store512_partial(stream.data, text);
    }
}

/// A round key of one message.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes")]
fn for_each_lane(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}
