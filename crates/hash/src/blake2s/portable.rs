//! BLAKE2s as RFC 7693 writes it (3.1 and 3.2).

use super::IV;
use crate::blake2::SIGMA;

pub(super) fn compress(h: &mut [u32; 8], blocks: &[[u8; 64]], mut t: u64) {
    for block in blocks {
        t = t.wrapping_add(64);
        f(h, block, t, 0);
    }
}

pub(super) fn compress_last(h: &mut [u32; 8], block: &[u8; 64], t: u64) {
    f(h, block, t, u32::MAX);
}

/// The mixing function G.
#[inline(always)]
fn g(v: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize, x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// The compression function F; `last` is all ones for the last block.
fn f(h: &mut [u32; 8], block: &[u8; 64], t: u64, last: u32) {
    let mut m = [0; 16];
    for (word, bytes) in m.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t as u32;
    v[13] ^= (t >> 32) as u32;
    v[14] ^= last;

    macro_rules! rounds {
        ($($round:literal)+) => { $(
            let s = &SIGMA[$round % 10];
            g(&mut v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
            g(&mut v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
            g(&mut v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
            g(&mut v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
            g(&mut v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
            g(&mut v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
            g(&mut v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
            g(&mut v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
        )+ };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9);

    for (i, word) in h.iter_mut().enumerate() {
        *word ^= v[i] ^ v[i + 8];
    }
}
