//! BLAKE2b as RFC 7693 writes it (3.1 and 3.2), over words of one or of two registers.

use super::IV;
use crate::blake2::SIGMA;
use crate::word64::Word64;

pub(super) fn compress<W: Word64>(h: &mut [u64; 8], blocks: &[[u8; 128]], mut t: u128) {
    for block in blocks {
        t = t.wrapping_add(128);
        f::<W>(h, block, t, 0);
    }
}

pub(super) fn compress_last<W: Word64>(h: &mut [u64; 8], block: &[u8; 128], t: u128) {
    f::<W>(h, block, t, u64::MAX);
}

/// The mixing function G.
#[inline(always)]
fn g<W: Word64>(v: &mut [W; 16], a: usize, b: usize, c: usize, d: usize, x: W, y: W) {
    v[a] = v[a].plus(v[b]).plus(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].plus(v[b]).plus(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

/// The compression function F; `last` is all ones for the last block.
fn f<W: Word64>(h: &mut [u64; 8], block: &[u8; 128], t: u128, last: u64) {
    let mut m = [W::new(0); 16];
    for (word, bytes) in m.iter_mut().zip(block.as_chunks().0) {
        *word = W::new(u64::from_le_bytes(*bytes));
    }
    let mut v = [W::new(0); 16];
    for i in 0..8 {
        (v[i], v[i + 8]) = (W::new(h[i]), W::new(IV[i]));
    }
    v[12] = v[12] ^ W::new(t as u64);
    v[13] = v[13] ^ W::new((t >> 64) as u64);
    v[14] = v[14] ^ W::new(last);

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
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11);

    for (i, word) in h.iter_mut().enumerate() {
        *word ^= (v[i] ^ v[i + 8]).get();
    }
}
