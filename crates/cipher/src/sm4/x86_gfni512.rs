//! SM4 with GFNI on 512-bit registers, 64 blocks at once in bytes: register (w, i) holds byte i,
//! the highest first, of word w of every block.
//!
//! 1. A rotation of words by eight bits renames registers; with words in registers it would be an
//!    instruction on the unit that the inversions need.
//! 2. A byte of a new word is the sum of five bytes, two ternary additions, and a byte inverted
//!    that of four. The round keys come as words of four equal bytes, which the addition
//!    broadcasts.
//! 3. Counters are made in this form: but for the lowest byte, all lanes have one of two values.
//!
//! Up to 32 blocks are left to the 256-bit kernel: they take no longer there.

use adamant_base::simd::{load128, load512, store128, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_alignr_epi64, _mm512_broadcast_i32x4, _mm512_bslli_epi128,
    _mm512_bsrli_epi128, _mm512_castsi512_si128, _mm512_clmulepi64_epi128, _mm512_cmplt_epu8_mask,
    _mm512_gf2p8affine_epi64_epi8, _mm512_gf2p8affineinv_epi64_epi8, _mm512_mask_blend_epi8,
    _mm512_set_epi64, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_ternarylogic_epi64, _mm512_unpackhi_epi8, _mm512_unpacklo_epi8, _mm512_xor_si512,
};

use super::affine::{BACK, CONSTANT, INTO, P, Q, S};
use super::{RoundKeys, x86_gfni256};
use crate::aes::counter::Counter;
use crate::loops;

type V = __m512i;
/// The sixteen bytes of 64 blocks: byte i of word w in element `4 w + i`.
pub(super) type State = [V; 16];
/// 64 blocks in memory.
pub(super) type Group = [[u8; 64]; 16];
/// Blocks in a group.
pub(super) const BLOCKS: usize = 64;

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
    x86_gfni256::expand(key, keys);
    for (bytes, word) in keys.bytes.iter_mut().zip(&keys.words) {
        *bytes = word.to_le_bytes().map(|byte| u32::from_ne_bytes([byte; 4]));
    }
}

pub(super) use x86_gfni256::{cbc_encrypt, cbc_mac};

#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn xor3(a: V, b: V, c: V) -> V {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// One round (GB/T 32907, 6.1): the word that follows a, b, c and d. Half of what each byte of it is
/// added up from waits for half of the inversions, which wait for one unit of Intel's CPUs. Those
/// named twice are computed once.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn next(a: &[V; 4], b: &[V; 4], c: &[V; 4], d: &[V; 4], key: &[u32; 4]) -> [V; 4] {
    let (p, q, s) = (
        _mm512_set1_epi64(P.gfni()),
        _mm512_set1_epi64(Q.gfni()),
        _mm512_set1_epi64(S.gfni()),
    );
    let inverses = |i: usize| {
        let key = _mm512_set1_epi32(key[i] as i32);
        let t = _mm512_xor_si512(xor3(b[i], c[i], key), d[i]);
        (
            _mm512_gf2p8affineinv_epi64_epi8::<{ CONSTANT as i32 }>(t, p),
            _mm512_gf2p8affineinv_epi64_epi8::<0>(t, q),
            _mm512_gf2p8affineinv_epi64_epi8::<0>(t, s),
        )
    };
    let ((p0, q0, s0), (p1, q1, s1)) = (inverses(0), inverses(1));
    let near = [
        xor3(a[0], p0, q1),
        xor3(a[1], p1, s0),
        xor3(a[2], q0, s1),
        xor3(a[3], q0, q1),
    ];
    let ((p2, q2, s2), (p3, q3, s3)) = (inverses(2), inverses(3));
    [
        xor3(near[0], q2, s3),
        xor3(near[1], q2, q3),
        xor3(near[2], p2, q3),
        xor3(near[3], p3, s2),
    ]
}

/// Four rounds, with these round keys.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn four_rounds(x: &mut [[V; 4]; 4], keys: [&[u32; 4]; 4]) {
    let [a, b, c, d] = x;
    *a = next(a, b, c, d, keys[0]);
    *b = next(b, c, d, a, keys[1]);
    *c = next(c, d, a, b, keys[2]);
    *d = next(d, a, b, c, keys[3]);
}

/// Into the basis of the inversion, and words apart.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn enter(x: &State) -> [[V; 4]; 4] {
    let into = _mm512_set1_epi64(INTO.gfni());
    let mut words = [[x[0]; 4]; 4];
    for (to, x) in words.as_flattened_mut().iter_mut().zip(x) {
        *to = _mm512_gf2p8affine_epi64_epi8::<0>(*x, into);
    }
    words
}

/// Back, the words in reverse order.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn leave([a, b, c, d]: [[V; 4]; 4]) -> State {
    let back = _mm512_set1_epi64(BACK.gfni());
    let mut x = [a[0]; 16];
    for (to, x) in x.iter_mut().zip([d, c, b, a].as_flattened()) {
        *to = _mm512_gf2p8affine_epi64_epi8::<0>(*x, back);
    }
    x
}

/// The lower half of the registers interleaved with the upper, byte by byte.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn interleave(x: State) -> State {
    // Written out: a loop would put the registers in memory.
    macro_rules! pairs {
        ($($i:literal)+) => {
            [$(
                [
                    _mm512_unpacklo_epi8(x[$i], x[$i + 8]),
                    _mm512_unpackhi_epi8(x[$i], x[$i + 8]),
                ],
            )+]
        };
    }
    let [a, b, c, d, e, f, g, h] = pairs!(0 1 2 3 4 5 6 7);
    [
        a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], //
        e[0], e[1], f[0], f[1], g[0], g[1], h[0], h[1],
    ]
}

/// Sixteen times sixteen bytes transposed in each 128-bit lane: from four blocks a register to a
/// byte of every block a register, and back. Lane `16 l + i` of a byte is that of block `4 i + l`.
///
/// Interleaving rotates the eight bits of an element's row and column by one; four times exchanges
/// them.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn transpose(x: State) -> State {
    interleave(interleave(interleave(interleave(x))))
}

/// The 32 rounds. Not inlined, and written out: in a loop over groups the compiler would keep the
/// broadcast keys in memory, and in one over rounds it would move registers.
#[inline(never)]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn rounds<const DECRYPT: bool>(keys: &RoundKeys, [a, b, c, d]: &[[V; 4]; 4]) -> State {
    let (mut a, mut b, mut c, mut d) = (*a, *b, *c, *d);
    let key = |i: usize| &keys.bytes[if DECRYPT { 31 - i } else { i }];
    macro_rules! four {
        ($($i:literal)*) => { $(
            a = next(&a, &b, &c, &d, key($i));
            b = next(&b, &c, &d, &a, key($i + 1));
            c = next(&c, &d, &a, &b, key($i + 2));
            d = next(&d, &a, &b, &c, key($i + 3));
        )* };
    }
    four!(0 4 8 12 16 20 24 28);
    leave([a, b, c, d])
}

#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn load(data: &Group) -> State {
    let mut x = [_mm512_setzero_si512(); 16];
    for (x, from) in x.iter_mut().zip(data) {
        *x = load512(from);
    }
    x
}

/// A group of blocks.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn crypt<const DECRYPT: bool>(keys: &RoundKeys, x: State) -> State {
    transpose(rounds::<DECRYPT>(keys, &enter(&transpose(x))))
}

/// Whole groups of blocks, and the rest.
fn groups(blocks: &mut [[u8; 16]]) -> (&mut [Group], &mut [[u8; 16]]) {
    let (whole, rest) = blocks.split_at_mut(blocks.len() - blocks.len() % BLOCKS);
    let registers = whole.as_flattened_mut().as_chunks_mut::<64>().0;
    (registers.as_chunks_mut().0, rest)
}

macro_rules! in_groups {
    ($name:ident, $decrypt:literal) => {
        #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
        pub(super) fn $name(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            let (groups, rest) = groups(blocks);
            let in_place = |group: &mut Group| {
                let x = crypt::<$decrypt>(keys, load(group));
                for (to, x) in group.iter_mut().zip(x) {
                    store512(to, x);
                }
            };
            for group in groups {
                in_place(group);
            }
            if rest.len() > BLOCKS / 2 {
                let mut buffer = [[0; 64]; 16];
                let bytes = rest.as_flattened_mut();
                buffer.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
                in_place(&mut buffer);
                bytes.copy_from_slice(&buffer.as_flattened()[..bytes.len()]);
            } else if !rest.is_empty() {
                x86_gfni256::$name(keys, rest);
            }
        }
    };
}
in_groups!(encrypt_blocks, false);
in_groups!(decrypt_blocks, true);

/// What the modes do with less than a group.
mod few {
    use super::{BLOCKS, RoundKeys, decrypt_blocks, encrypt_blocks, loops};

    loops::from_blocks! {
        RoundKeys, 16, BLOCKS, ["gfni,avx512f,avx512bw,avx512vl,vpclmulqdq"]:
        ctr(counter, width) cbc_decrypt(iv) xts_encrypt(tweak) xts_decrypt(tweak)
    }
}

/// Counters, group by group, in the basis of the inversion. The low half of their number does not
/// wrap around.
pub(super) struct Counters {
    high: u64,
    low: u64,
    /// All bytes but the lowest, which change after 256 blocks.
    above: [[V; 4]; 4],
}

impl Counters {
    /// From this number on, given in halves.
    #[inline]
    #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(super) fn new(high: u64, low: u64) -> Self {
        let above = Self::above(high, low);
        Counters { high, low, above }
    }

    /// The bytes of a number in all lanes.
    #[inline]
    #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
    fn above(high: u64, low: u64) -> [[V; 4]; 4] {
        let number = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
        let mut x = [_mm512_setzero_si512(); 16];
        for (x, byte) in x.iter_mut().zip(number) {
            *x = _mm512_set1_epi8(byte as i8);
        }
        enter(&x)
    }

    /// Those of the next group.
    #[inline]
    #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(super) fn group(&mut self) -> [[V; 4]; 4] {
        // Lane 16 l + i is block 4 i + l.
        const BEHIND: [u8; 64] = {
            let (mut behind, mut lane) = ([0; 64], 0);
            while lane < 64 {
                behind[lane] = (lane % 16 * 4 + lane / 16) as u8;
                lane += 1;
            }
            behind
        };
        debug_assert!(crate::aes::counter::fits(self.low, BLOCKS));
        let behind = load512(&BEHIND);
        let lowest = _mm512_add_epi8(_mm512_set1_epi8(self.low as i8), behind);
        let into = _mm512_set1_epi64(INTO.gfni());
        let mut words = self.above;
        let after = self.low.wrapping_add(BLOCKS as u64);
        if after >> 8 != self.low >> 8 {
            let carry = _mm512_cmplt_epu8_mask(lowest, behind);
            self.above = Self::above(self.high, after);
            let both = words.as_flattened_mut().iter_mut();
            for (x, after) in both.zip(self.above.as_flattened()) {
                *x = _mm512_mask_blend_epi8(carry, *x, *after);
            }
        }
        words[3][3] = _mm512_gf2p8affine_epi64_epi8::<0>(lowest, into);
        self.low = after;
        words
    }
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn ctr(keys: &RoundKeys, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
    let (whole, rest) = groups(blocks);
    let mut whole: &mut [[u8; 16]] = whole
        .as_flattened_mut()
        .as_flattened_mut()
        .as_chunks_mut()
        .0;
    let mut cut = Counter::new(counter, width);
    while let Some((high, low, blocks)) = cut.take(&mut whole) {
        let (groups, rest) = groups(blocks);
        let mut counters = Counters::new(high, low);
        for group in groups {
            let x = transpose(rounds::<false>(keys, &counters.group()));
            for (to, x) in group.iter_mut().zip(x) {
                store512(to, _mm512_xor_si512(x, load512(to)));
            }
        }
        let mut block = (u128::from(high) << 64 | u128::from(counters.low)).to_be_bytes();
        few::ctr(keys, &mut block, width, rest);
    }
    few::ctr(keys, counter, width, rest);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
pub(super) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let (groups, rest) = groups(blocks);
    // The block before in its highest lane.
    let mut previous = _mm512_broadcast_i32x4(load128(iv));
    for group in groups {
        let x = crypt::<true>(keys, load(group));
        for (to, x) in group.iter_mut().zip(x) {
            let cipher = load512(to);
            let before = _mm512_alignr_epi64::<6>(cipher, previous);
            store512(to, _mm512_xor_si512(x, before));
            previous = cipher;
        }
    }
    store128(
        iv,
        _mm512_castsi512_si128(_mm512_alignr_epi64::<6>(previous, previous)),
    );
    few::cbc_decrypt(keys, iv, rest);
}

/// Four tweaks times x^8.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn times_x8(t: V) -> V {
    let reduction = _mm512_set_epi64(0, 0x87, 0, 0x87, 0, 0x87, 0, 0x87);
    let left = _mm512_bsrli_epi128::<15>(t);
    let back = _mm512_clmulepi64_epi128::<0x00>(left, reduction);
    _mm512_xor_si512(_mm512_bslli_epi128::<1>(t), back)
}

macro_rules! xts {
    ($name:ident, $decrypt:literal) => {
        #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq")]
        pub(super) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let (groups, rest) = groups(blocks);
            let first = crate::aes::tweaks::<8>(tweak);
            let first = first.as_flattened().as_chunks::<64>().0;
            let mut pair = [load512(&first[0]), load512(&first[1])];
            for group in groups {
                let mut t = [pair[0]; 16];
                for t in t.as_chunks_mut::<2>().0 {
                    *t = pair;
                    pair = [times_x8(t[0]), times_x8(t[1])];
                }
                let mut x = load(group);
                for (x, t) in x.iter_mut().zip(&t) {
                    *x = _mm512_xor_si512(*x, *t);
                }
                x = crypt::<$decrypt>(keys, x);
                for ((to, x), t) in group.iter_mut().zip(x).zip(t) {
                    store512(to, _mm512_xor_si512(x, t));
                }
            }
            store128(tweak, _mm512_castsi512_si128(pair[0]));
            few::$name(keys, tweak, rest);
        }
    };
}
xts!(xts_encrypt, false);
xts!(xts_decrypt, true);
