//! DES on 64 blocks side by side, byte by byte: register i of the state has byte i of every block.
//!
//! 1. A register of 64 bytes is a table for six bits, and `vpermb` looks 64 of them up in it without
//!    regard to their values: an S-box is one such look-up for each byte that the permutation after
//!    it puts outputs into, which is three or four of them.
//! 2. The upper two bits of an index do not count, so the selection E is a shift or two and a choice
//!    of bits. Round keys lie as the indices do.
//! 3. `gf2p8affineqb` with the block as its matrix turns 8×8 bits on their side: the initial
//!    permutation, and its inverse, but for the order of bytes.

use adamant_base::simd::{load512, store512};
use core::arch::x86_64::{
    __m512i, _mm512_gf2p8affine_epi64_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_slli_epi16,
    _mm512_srli_epi16, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
    _mm512_xor_si512,
};

use super::RoundKeys;
use super::tables::{TARGET, substitute};
use super::x86_avx512_chains::crypt_each;
pub(super) use super::x86_avx512_chains::{cbc_encrypt, cbc_mac};

type V = __m512i;

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 2;

/// 64 blocks, eight in a row.
type Group = [[u8; 64]; 8];

/// The input of an S-box at an index. The bits of an even one are in the standard's order; in those
/// of an odd one the last is first.
const fn input(s: usize, index: usize) -> usize {
    if s.is_multiple_of(2) {
        index
    } else {
        index << 1 & 63 | index >> 5
    }
}

#[repr(align(64))]
struct Tables([[[u8; 64]; 4]; 8]);

/// For each S-box and each byte of the half: what it adds to that byte.
static TABLES: Tables = {
    let (mut tables, mut s) = ([[[0; 64]; 4]; 8], 0);
    while s < 8 {
        let mut index = 0;
        while index < 64 {
            let (outputs, mut o) = (substitute(s, input(s, index)), 0);
            while o < 4 {
                let to = TARGET[s][o] as usize;
                tables[s][to / 8][index] |= (outputs >> (3 - o) & 1) << (7 - to % 8);
                o += 1;
            }
            index += 1;
        }
        s += 1;
    }
    Tables(tables)
};

/// Whether an S-box has an output in a byte.
const fn reaches(s: usize, byte: usize) -> bool {
    let mut o = 0;
    while o < 4 {
        if TARGET[s][o] as usize / 8 == byte {
            return true;
        }
        o += 1;
    }
    false
}

/// Bytes 8 i + j of a register change places with bytes 8 j + i.
const SQUARE: [u8; 64] = {
    let (mut places, mut i) = ([0; 64], 0);
    while i < 64 {
        places[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    places
};

/// The order in which the inverse permutation wants the bytes of a block, and out of [`SQUARE`].
const LEAVE: [u8; 64] = {
    let order = [4, 0, 5, 1, 6, 2, 7, 3];
    let (mut places, mut i) = ([0; 64], 0);
    while i < 64 {
        places[i] = SQUARE[i / 8 * 8 + order[i % 8]];
        i += 1;
    }
    places
};

/// The bytes of each block in reverse order.
const REVERSE: [u8; 64] = {
    let (mut places, mut i) = ([0; 64], 0);
    while i < 64 {
        places[i] = (i / 8 * 8 + 7 - i % 8) as u8;
        i += 1;
    }
    places
};

/// Word i of register j changes places with word j of register i.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn transpose(x: [V; 8]) -> [V; 8] {
    // Pairs of words, of even and odd number, of two registers each.
    let pairs: [[V; 2]; 4] = [0, 2, 4, 6].map(|i| {
        [
            _mm512_unpacklo_epi64(x[i], x[i + 1]),
            _mm512_unpackhi_epi64(x[i], x[i + 1]),
        ]
    });
    let mut out = x;
    for odd in [0, 1] {
        let [a, b, c, d] = pairs.map(|pair| pair[odd]);
        // Quarters 0 and 2, and 1 and 3.
        let (ab, cd) = (
            _mm512_shuffle_i64x2::<0x88>(a, b),
            _mm512_shuffle_i64x2::<0x88>(c, d),
        );
        let (ab_odd, cd_odd) = (
            _mm512_shuffle_i64x2::<0xdd>(a, b),
            _mm512_shuffle_i64x2::<0xdd>(c, d),
        );
        out[odd] = _mm512_shuffle_i64x2::<0x88>(ab, cd);
        out[odd + 4] = _mm512_shuffle_i64x2::<0xdd>(ab, cd);
        out[odd + 2] = _mm512_shuffle_i64x2::<0x88>(ab_odd, cd_odd);
        out[odd + 6] = _mm512_shuffle_i64x2::<0xdd>(ab_odd, cd_odd);
    }
    out
}

/// The halves of 64 blocks after the initial permutation.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn enter(blocks: &Group) -> [V; 8] {
    // The columns of the permutation, the first lowest.
    let columns = _mm512_set1_epi64(i64::from_le_bytes([
        1 << 6,
        1 << 4,
        1 << 2,
        1,
        1 << 7,
        1 << 5,
        1 << 3,
        1 << 1,
    ]));
    let mut x = [_mm512_setzero_si512(); 8];
    for (x, row) in x.iter_mut().zip(blocks) {
        let rows = _mm512_permutexvar_epi8(load512(&REVERSE), load512(row));
        let halves = _mm512_gf2p8affine_epi64_epi8::<0>(columns, rows);
        *x = _mm512_permutexvar_epi8(load512(&SQUARE), halves);
    }
    transpose(x)
}

/// The blocks of these halves.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn leave(halves: [V; 8], blocks: &mut Group) {
    let columns = _mm512_set1_epi64(0x8040_2010_0804_0201u64 as i64);
    for (x, row) in transpose(halves).into_iter().zip(blocks) {
        let rows = _mm512_permutexvar_epi8(load512(&LEAVE), x);
        store512(row, _mm512_gf2p8affine_epi64_epi8::<0>(columns, rows));
    }
}

/// The bits of `a` where the mask has none, those of `b` where it has some, and the key.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn index(a: V, b: V, mask: u8, key: u8) -> V {
    let mask = _mm512_set1_epi8(mask as i8);
    let bits = _mm512_ternarylogic_epi64::<0xca>(mask, b, a);
    _mm512_xor_si512(bits, _mm512_set1_epi8(key as i8))
}

/// Adds f of R and a round key to L.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn round(l: &mut [V; 4], r: &[V; 4], key: &[u8; 8]) {
    let mut inputs = [r[0]; 8];
    for k in 0..4 {
        let (before, behind) = (r[(k + 3) % 4], r[(k + 1) % 4]);
        // The upper five bits and the lowest of the byte before; shifts bring in other bits of
        // neighbouring blocks, which are masked or do not count.
        inputs[2 * k] = index(
            _mm512_srli_epi16::<3>(r[k]),
            _mm512_slli_epi16::<5>(before),
            0x20,
            key[2 * k],
        );
        // The lower five bits and the highest of the next byte.
        inputs[2 * k + 1] = index(r[k], _mm512_srli_epi16::<2>(behind), 0x20, key[2 * k + 1]);
    }
    macro_rules! byte {
        ($k:literal: $($s:literal)*) => {
            let mut sums = [l[$k], _mm512_setzero_si512()];
            let mut _pending = None;
            $(
                if const { reaches($s, $k) } {
                    let out = _mm512_permutexvar_epi8(inputs[$s], load512(&TABLES.0[$s][$k]));
                    if let Some(before) = _pending.take() {
                        let sum = _mm512_ternarylogic_epi64::<0x96>(sums[$s / 4], before, out);
                        sums[$s / 4] = sum;
                    } else {
                        _pending = Some(out);
                    }
                }
            )*
            if let Some(last) = _pending {
                sums[0] = _mm512_xor_si512(sums[0], last);
            }
            l[$k] = _mm512_xor_si512(sums[0], sums[1]);
        };
    }
    byte!(0: 0 1 2 3 4 5 6 7);
    byte!(1: 0 1 2 3 4 5 6 7);
    byte!(2: 0 1 2 3 4 5 6 7);
    byte!(3: 0 1 2 3 4 5 6 7);
}

/// Encrypts or decrypts a group of blocks.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn crypt<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut Group) {
    let [a, b, c, d, e, f, g, h] = enter(blocks);
    let (mut l, mut r) = ([a, b, c, d], [e, f, g, h]);
    let rounds = 16 * keys.passes;
    for i in 0..rounds / 2 {
        if i % 8 == 0 && i > 0 {
            // What the final and the next initial permutation leave is this.
            core::mem::swap(&mut l, &mut r);
        }
        let [even, odd] = [2 * i, 2 * i + 1].map(|i| if DECRYPT { rounds - 1 - i } else { i });
        round(&mut l, &r, &keys.bytes[even]);
        round(&mut r, &l, &keys.bytes[odd]);
    }
    let ([a, b, c, d], [e, f, g, h]) = (r, l);
    leave([a, b, c, d, e, f, g, h], blocks);
}

/// Any number of blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
fn crypt_blocks<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    let data = blocks.as_flattened_mut();
    let (groups, _) = data.as_chunks_mut::<64>().0.as_chunks_mut();
    let done = size_of_val(groups);
    for group in groups {
        crypt::<DECRYPT>(keys, group);
    }
    let rest = &mut data[done..];
    if rest.len() <= 8 * FEW {
        crypt_each::<DECRYPT>(keys, rest.as_chunks_mut().0);
    } else {
        let mut group = [[0; 64]; 8];
        group.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
        crypt::<DECRYPT>(keys, &mut group);
        rest.copy_from_slice(&group.as_flattened()[..rest.len()]);
    }
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    crypt_blocks::<false>(keys, blocks);
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    crypt_blocks::<true>(keys, blocks);
}

crate::loops::from_blocks! {
    RoundKeys, 8, 64, ["avx512f,avx512vl,avx512bw,avx512vbmi,gfni"]: ctr(counter, width) cbc_decrypt(iv)
}
