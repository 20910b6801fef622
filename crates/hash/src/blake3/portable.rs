//! BLAKE3's compression function as the paper writes it (2.2); its rounds are BLAKE2s's.

use super::{CHUNK_END, CHUNK_START, IV, SCHEDULE, words};
use crate::blake2::portable::round;

pub(super) fn compress(h: &[u32; 8], m: &[u32; 16], t: u64, len: u32, flags: u32) -> [u32; 16] {
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..12].copy_from_slice(&IV[..4]);
    v[12..].copy_from_slice(&[t as u32, (t >> 32) as u32, len, flags]);
    macro_rules! rounds {
        ($($round:literal)+) => { $( round(&mut v, m, &SCHEDULE[$round]); )+ };
    }
    rounds!(0 1 2 3 4 5 6);
    for i in 0..8 {
        v[i] ^= v[i + 8];
        v[i + 8] ^= h[i];
    }
    v
}

/// The first eight words of the output.
fn chaining_value(h: &[u32; 8], m: &[u32; 16], t: u64, flags: u32) -> [u32; 8] {
    let v = compress(h, m, t, 64, flags);
    [v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]]
}

pub(super) fn blocks(
    h: &mut [u32; 8],
    blocks: &[[u8; 64]],
    t: u64,
    flags: u32,
    start: u32,
    end: u32,
) {
    debug_assert!(blocks.len() <= 16);
    let last = blocks.len().wrapping_sub(1);
    for (i, block) in blocks.iter().enumerate() {
        let first = if i == 0 { start } else { 0 };
        let last = if i == last { end } else { 0 };
        *h = chaining_value(h, &words::<64, 16>(block), t, flags | first | last);
    }
}

pub(super) fn chunks(
    key: &[u32; 8],
    chunks: &[[u8; 1024]],
    t: u64,
    flags: u32,
    out: &mut [[u32; 8]],
) {
    for ((chunk, out), t) in chunks.iter().zip(out).zip(t..) {
        *out = *key;
        blocks(out, chunk.as_chunks().0, t, flags, CHUNK_START, CHUNK_END);
    }
}

pub(super) fn parents(key: &[u32; 8], children: &[[u32; 16]], flags: u32, out: &mut [[u32; 8]]) {
    for (children, out) in children.iter().zip(out) {
        *out = chaining_value(key, children, 0, flags);
    }
}
