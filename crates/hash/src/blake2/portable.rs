//! The compression function of BLAKE2 as RFC 7693 writes it (3.1 and 3.2), over words of 32 bits,
//! and of 64 in one register or in two.

use super::SIGMA;
use crate::word64::Word64;
use core::ops::{BitXor, BitXorAssign};

/// A word of BLAKE2s or of BLAKE2b; sums are modulo its width.
pub(crate) trait Word: Copy + BitXor<Output = Self> {
    /// How it lies in memory.
    type Bits: Copy + BitXorAssign;
    /// RFC 7693, 2.1: the rotations in G, and the number of rounds.
    const ROTATIONS: [u32; 4];
    const ROUNDS: usize;
    /// RFC 7693, 2.6.
    const IV: [Self::Bits; 8];

    fn new(bits: Self::Bits) -> Self;
    fn get(self) -> Self::Bits;
    fn plus(self, other: Self) -> Self;
    fn rotate_right(self, n: u32) -> Self;
}

impl<W: Word64> Word for W {
    type Bits = u64;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
    const ROUNDS: usize = 12;
    const IV: [u64; 8] = crate::sha512::IV;

    #[inline(always)]
    fn new(bits: u64) -> Self {
        Word64::new(bits)
    }
    #[inline(always)]
    fn get(self) -> u64 {
        Word64::get(self)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Word64::plus(self, other)
    }
    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        Word64::rotate_right(self, n)
    }
}

impl Word for u32 {
    type Bits = u32;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const ROUNDS: usize = 10;
    const IV: [u32; 8] = crate::sha256::IV;

    #[inline(always)]
    fn new(bits: u32) -> Self {
        bits
    }
    #[inline(always)]
    fn get(self) -> u32 {
        self
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        u32::rotate_right(self, n)
    }
}

/// The mixing function G.
#[inline(always)]
fn g<W: Word>(v: &mut [W; 16], a: usize, b: usize, c: usize, d: usize, x: W, y: W) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    v[a] = v[a].plus(v[b]).plus(x);
    v[d] = (v[d] ^ v[a]).rotate_right(r1);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(r2);
    v[a] = v[a].plus(v[b]).plus(y);
    v[d] = (v[d] ^ v[a]).rotate_right(r3);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(r4);
}

/// A round of BLAKE2 and BLAKE3, which takes the words of the message in the order `s`.
#[inline(always)]
pub(crate) fn round<W: Word>(v: &mut [W; 16], m: &[W; 16], s: &[usize; 16]) {
    g(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    g(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    g(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    g(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    g(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    g(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    g(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    g(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
}

/// The compression function F on the words of a block, with the counter `t`, its lower word first;
/// `last` is all ones for the last block.
#[inline(always)]
pub(crate) fn f<W: Word>(h: &mut [W::Bits; 8], m: &[W; 16], t: [W::Bits; 2], last: W::Bits) {
    let mut v: [W; 16] = core::array::from_fn(|i| W::new(if i < 8 { h[i] } else { W::IV[i - 8] }));
    v[12] = v[12] ^ W::new(t[0]);
    v[13] = v[13] ^ W::new(t[1]);
    v[14] = v[14] ^ W::new(last);

    macro_rules! rounds {
        ($($round:literal)+) => { $(
            if $round < W::ROUNDS {
                round(&mut v, m, &SIGMA[$round % 10]);
            }
        )+ };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11);

    for (i, word) in h.iter_mut().enumerate() {
        *word ^= (v[i] ^ v[i + 8]).get();
    }
}

/// Makes a row of the tables over the words `$word`, which are `$bits` in memory.
macro_rules! row {
    ($word:ty: $bits:ty, counter: $counter:ty, block: $block:literal) => {
        pub(super) fn compress(h: &mut [$bits; 8], blocks: &[[u8; $block]], mut t: $counter) {
            for block in blocks {
                t = t.wrapping_add($block);
                compress_block(h, block, t, 0);
            }
        }

        pub(super) fn compress_last(h: &mut [$bits; 8], block: &[u8; $block], t: $counter) {
            compress_block(h, block, t, <$bits>::MAX);
        }

        fn compress_block(h: &mut [$bits; 8], block: &[u8; $block], t: $counter, last: $bits) {
            use crate::blake2::portable::{Word, f};
            let words = block.as_chunks().0;
            let m =
                core::array::from_fn(|i| <$word as Word>::new(<$bits>::from_le_bytes(words[i])));
            f::<$word>(h, &m, [t as $bits, (t >> <$bits>::BITS) as $bits], last);
        }
    };
}
pub(crate) use row;
