//! AES by permutations of vectors, for CPUs with SSSE3 and without AES-NI.
//!
//! `pshufb` looks up sixteen four-bit numbers at once in a register, in constant time. The inverse in
//! GF(2^8) comes down to inverses in GF(2^4) (M. Hamburg, "Accelerating AES with vector permute
//! instructions", CHES 2009). With GF(2^4) = GF(2)[g] / (g^4 + g + 1), where g is 0x5c in AES's field, a byte is
//! i z + k, z = 0x09, and a = g^2:
//!
//! ```text
//! j = i + k, p = 1 / (1/i + a/k) + j, q = 1 / (1/j + a/k) + i
//! ```
//!
//! and the inverse is a linear function of p plus one of q. Infinity is 0x80, for which `pshufb`
//! gives zero, and 1/0 is infinity. Blocks stay in the basis (z, 1) from round to round; tables
//! take them there and back, and multiply by the factors of MixColumns. The 0x63 of the S-box
//! passes through MixColumns unchanged, so it is added with the round keys.

use super::RoundKeys;
pub(crate) use super::portable::expand;
use adamant_base::Secret;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi64, _mm_and_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_shuffle_epi8,
    _mm_srli_epi16, _mm_xor_si128,
};
use adamant_base::simd::{load128, store128};

super::x86_modes::modes!("ssse3", WIDE, encryption, decryption);

/// Blocks side by side.
pub(super) const WIDE: usize = 4;

/// A linear function of eight bits: of the low four and of the high four, or of p and of q.
type Pair = [[u8; 16]; 2];

/// 1 / x.
const INVERSE: [u8; 16] = [
    0x80, 0x01, 0x09, 0x0e, 0x0d, 0x0b, 0x07, 0x06, 0x0f, 0x02, 0x0c, 0x05, 0x0a, 0x04, 0x03, 0x08,
];
/// a / x.
const A_OVER: [u8; 16] = [
    0x80, 0x04, 0x02, 0x0d, 0x01, 0x0a, 0x0f, 0x0b, 0x09, 0x08, 0x05, 0x07, 0x0e, 0x03, 0x0c, 0x06,
];
/// Bytes in the basis.
const TO_BASIS: Pair = [
    [
        0x00, 0x01, 0x9f, 0x9e, 0x1b, 0x1a, 0x84, 0x85, 0x11, 0x10, 0x8e, 0x8f, 0x0a, 0x0b, 0x95,
        0x94,
    ],
    [
        0x00, 0x4d, 0xef, 0xa2, 0x45, 0x08, 0xaa, 0xe7, 0xae, 0xe3, 0x41, 0x0c, 0xeb, 0xa6, 0x04,
        0x49,
    ],
];
/// The S-box without its 0x63, in the basis.
const S1: Pair = [
    [
        0x00, 0x0d, 0xeb, 0xfa, 0x48, 0x54, 0x11, 0x1c, 0xf7, 0xbf, 0x45, 0xae, 0x59, 0xa3, 0xb2,
        0xe6,
    ],
    [
        0x00, 0x38, 0xad, 0xc0, 0x41, 0x14, 0x6d, 0x55, 0xf8, 0xb9, 0x79, 0xd4, 0x2c, 0xec, 0x81,
        0x95,
    ],
];
/// The same times 2.
const S2: Pair = [
    [
        0x00, 0xf7, 0x6c, 0x21, 0x59, 0xe3, 0x4d, 0xba, 0xd6, 0x8f, 0xae, 0xc2, 0x14, 0x35, 0x78,
        0x9b,
    ],
    [
        0x00, 0x07, 0x40, 0x3b, 0x87, 0xfb, 0x7b, 0x7c, 0x3c, 0xbb, 0x80, 0xc0, 0xfc, 0xc7, 0xbc,
        0x47,
    ],
];
/// The same as bytes.
const S: Pair = [
    [
        0x00, 0xb1, 0xc0, 0xc8, 0xf1, 0x48, 0x08, 0xb9, 0x79, 0x88, 0x40, 0x80, 0xf9, 0x31, 0x39,
        0x71,
    ],
    [
        0x00, 0xd3, 0xdd, 0x47, 0xa0, 0xe9, 0x9a, 0x49, 0x94, 0x34, 0x73, 0xae, 0x3a, 0x7d, 0xe7,
        0x0e,
    ],
];

/// Bytes of a ciphertext through the inverse of the S-box's matrix, in the basis.
const TO_INVERSE: Pair = [
    [
        0x00, 0xcb, 0xf8, 0x33, 0xff, 0x34, 0x07, 0xcc, 0x97, 0x5c, 0x6f, 0xa4, 0x68, 0xa3, 0x90,
        0x5b,
    ],
    [
        0x00, 0x5a, 0x55, 0x0f, 0x7c, 0x26, 0x29, 0x73, 0xf5, 0xaf, 0xa0, 0xfa, 0x89, 0xd3, 0xdc,
        0x86,
    ],
];
/// The inverse times a factor of InvMixColumns, then as [`TO_INVERSE`].
const I9: Pair = [
    [
        0x00, 0x16, 0xe4, 0x9d, 0xaf, 0xc0, 0x79, 0x6f, 0x8b, 0x24, 0xb9, 0x5d, 0xd6, 0x4b, 0x32,
        0xf2,
    ],
    [
        0x00, 0xdd, 0x09, 0x29, 0x9e, 0x63, 0x20, 0xfd, 0xf4, 0x6a, 0x43, 0x4a, 0xbe, 0x97, 0xb7,
        0xd4,
    ],
];
const I11: Pair = [
    [
        0x00, 0x17, 0xa3, 0x85, 0xfa, 0xcb, 0x26, 0x31, 0x92, 0x68, 0xed, 0x4e, 0xdc, 0x59, 0x7f,
        0xb4,
    ],
    [
        0x00, 0xe3, 0x8a, 0xcf, 0xda, 0x7c, 0x45, 0xa6, 0x2c, 0xf6, 0x39, 0xb3, 0x9f, 0x50, 0x15,
        0x69,
    ],
];
const I13: Pair = [
    [
        0x00, 0x89, 0x57, 0x3b, 0xd3, 0x36, 0x6c, 0xe5, 0xb2, 0x61, 0x5a, 0x0d, 0xbf, 0x84, 0xe8,
        0xde,
    ],
    [
        0x00, 0xdb, 0x6b, 0x87, 0x9a, 0xad, 0xec, 0x37, 0x5c, 0xc6, 0x41, 0x2a, 0x76, 0xf1, 0x1d,
        0xb0,
    ],
];
const I14: Pair = [
    [
        0x00, 0x85, 0x26, 0xcb, 0xdc, 0xb4, 0xed, 0x68, 0x4e, 0x92, 0x59, 0x7f, 0x31, 0xfa, 0x17,
        0xa3,
    ],
    [
        0x00, 0xcf, 0x45, 0x7c, 0x9f, 0x69, 0x39, 0xf6, 0xb3, 0x2c, 0x50, 0x15, 0xa6, 0xda, 0xe3,
        0x8a,
    ],
];
/// The inverse as bytes.
const I: Pair = [
    [
        0x00, 0x82, 0xb7, 0xe5, 0x10, 0xc0, 0x52, 0xd0, 0x67, 0x77, 0x92, 0x25, 0x42, 0xa7, 0xf5,
        0x35,
    ],
    [
        0x00, 0xcd, 0x22, 0x65, 0x6c, 0xe6, 0x47, 0x8a, 0xa8, 0xc4, 0xa1, 0x83, 0x2b, 0x4e, 0x09,
        0xef,
    ],
];

/// ShiftRows and its inverse.
const SHIFT_ROWS: [u8; 16] = rows(1);
const INVERSE_SHIFT_ROWS: [u8; 16] = rows(3);

/// Row r from `by` r columns ahead.
const fn rows(by: usize) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = ((i + 4 * by * (i % 4)) % 16) as u8;
        i += 1;
    }
    order
}

/// Each row of a column from `by` rows below.
const fn below(by: usize) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = (i / 4 * 4 + (i + by) % 4) as u8;
        i += 1;
    }
    order
}

#[inline]
#[target_feature(enable = "ssse3")]
fn look_up(table: &[u8; 16], x: __m128i) -> __m128i {
    _mm_shuffle_epi8(load128(table), x)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn permute(x: __m128i, order: &[u8; 16]) -> __m128i {
    _mm_shuffle_epi8(x, load128(order))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn linear(table: &Pair, (low, high): (__m128i, __m128i)) -> __m128i {
    _mm_xor_si128(look_up(&table[0], low), look_up(&table[1], high))
}

/// The low and the high four bits of each byte.
#[inline]
#[target_feature(enable = "ssse3")]
fn halves(x: __m128i) -> (__m128i, __m128i) {
    let low = _mm_set1_epi8(0x0f);
    (
        _mm_and_si128(x, low),
        _mm_and_si128(_mm_srli_epi16::<4>(x), low),
    )
}

/// p and q of each byte.
#[inline]
#[target_feature(enable = "ssse3")]
fn invert(x: __m128i) -> (__m128i, __m128i) {
    let (k, i) = halves(x);
    let j = _mm_xor_si128(i, k);
    let a_over_k = look_up(&A_OVER, k);
    let p = _mm_xor_si128(look_up(&INVERSE, i), a_over_k);
    let q = _mm_xor_si128(look_up(&INVERSE, j), a_over_k);
    (
        _mm_xor_si128(look_up(&INVERSE, p), j),
        _mm_xor_si128(look_up(&INVERSE, q), i),
    )
}

/// Adds 0x63 to all round keys but the first, and brings those between into the basis.
#[inline]
#[target_feature(enable = "ssse3")]
fn encryption(keys: &RoundKeys) -> Secret<RoundKeys> {
    let mut ready = Secret::new(keys.clone());
    for key in &mut ready.encrypt[1..keys.rounds] {
        let x = _mm_xor_si128(load128(key), _mm_set1_epi8(0x63));
        store128(key, linear(&TO_BASIS, halves(x)));
    }
    let last = &mut ready.encrypt[keys.rounds];
    let x = _mm_xor_si128(load128(last), _mm_set1_epi8(0x63));
    store128(last, x);
    ready
}

/// Adds 0x63 to all round keys but the last, and takes those between through [`TO_INVERSE`].
#[inline]
#[target_feature(enable = "ssse3")]
fn decryption(keys: &RoundKeys) -> Secret<RoundKeys> {
    let mut ready = Secret::new(keys.clone());
    for key in &mut ready.decrypt[1..keys.rounds] {
        let x = _mm_xor_si128(load128(key), _mm_set1_epi8(0x63));
        store128(key, linear(&TO_INVERSE, halves(x)));
    }
    let first = &mut ready.decrypt[0];
    let x = _mm_xor_si128(load128(first), _mm_set1_epi8(0x63));
    store128(first, x);
    ready
}

/// Cipher (FIPS 197, 5.1), with keys from [`encryption`].
#[inline]
#[target_feature(enable = "ssse3")]
fn encrypt<const N: usize>(keys: &RoundKeys, mut blocks: [__m128i; N]) -> [__m128i; N] {
    let key = load128(&keys.encrypt[0]);
    for x in &mut blocks {
        *x = linear(&TO_BASIS, halves(_mm_xor_si128(*x, key)));
    }
    for key in &keys.encrypt[1..keys.rounds] {
        let key = load128(key);
        for x in &mut blocks {
            let inverse = invert(permute(*x, &SHIFT_ROWS));
            let (one, two) = (linear(&S1, inverse), linear(&S2, inverse));
            // 2 of this row, 3 of the next, 1 of each of the others.
            let (next, next_two) = (permute(one, &below(1)), permute(two, &below(1)));
            let others = permute(_mm_xor_si128(one, next), &below(2));
            let both = _mm_xor_si128(_mm_xor_si128(two, next_two), _mm_xor_si128(next, others));
            *x = _mm_xor_si128(both, key);
        }
    }
    let key = load128(&keys.encrypt[keys.rounds]);
    for x in &mut blocks {
        let inverse = invert(permute(*x, &SHIFT_ROWS));
        *x = _mm_xor_si128(linear(&S, inverse), key);
    }
    blocks
}

/// The equivalent inverse cipher (5.3.5), with keys from [`decryption`].
#[inline]
#[target_feature(enable = "ssse3")]
fn decrypt<const N: usize>(keys: &RoundKeys, mut blocks: [__m128i; N]) -> [__m128i; N] {
    let key = load128(&keys.decrypt[0]);
    for x in &mut blocks {
        *x = linear(&TO_INVERSE, halves(_mm_xor_si128(*x, key)));
    }
    for key in &keys.decrypt[1..keys.rounds] {
        let key = load128(key);
        for x in &mut blocks {
            let inverse = invert(permute(*x, &INVERSE_SHIFT_ROWS));
            let mut sum = _mm_xor_si128(linear(&I14, inverse), key);
            for (table, by) in [(&I11, &below(1)), (&I13, &below(2)), (&I9, &below(3))] {
                sum = _mm_xor_si128(sum, permute(linear(table, inverse), by));
            }
            *x = sum;
        }
    }
    let key = load128(&keys.decrypt[keys.rounds]);
    for x in &mut blocks {
        let inverse = invert(permute(*x, &INVERSE_SHIFT_ROWS));
        *x = _mm_xor_si128(linear(&I, inverse), key);
    }
    blocks
}

#[target_feature(enable = "ssse3")]
pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let keys = encryption(keys);
    let mut state = load128(iv);
    for block in blocks {
        [state] = encrypt(&keys, [_mm_xor_si128(state, load128(block))]);
        store128(block, state);
    }
    store128(iv, state);
}

#[target_feature(enable = "ssse3")]
pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let keys = encryption(keys);
    let mut state = load128(sum);
    for block in blocks {
        [state] = encrypt(&keys, [_mm_xor_si128(state, load128(block))]);
    }
    store128(sum, state);
}
