//! Between bytes, elements of the scalar field, and lanes.

use super::super::field::Fe;
use super::field::{Factor, MASK, Sum, lanes};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};

/// Words of eight numbers of 32 bytes, one a lane: word w of the lanes in register w.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn words(numbers: &[[u8; 32]; 8]) -> [__m512i; 4] {
    let [a, b, c, d] = numbers.as_flattened().as_chunks::<64>().0 else {
        unreachable!("eight times 32 are four times 64")
    };
    interleave([load512(a), load512(b), load512(c), load512(d)])
}

/// Registers of two rows of four words each, as columns.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn interleave(pairs: [__m512i; 4]) -> [__m512i; 4] {
    let lower = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    let upper = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    let of = |which| {
        let first = _mm512_permutex2var_epi64(pairs[0], which, pairs[1]);
        let last = _mm512_permutex2var_epi64(pairs[2], which, pairs[3]);
        [
            _mm512_shuffle_i64x2::<0b01_00_01_00>(first, last),
            _mm512_shuffle_i64x2::<0b11_10_11_10>(first, last),
        ]
    };
    let ([w0, w1], [w2, w3]) = (of(lower), of(upper));
    [w0, w1, w2, w3]
}

/// The elements of encodings, whose top bit is ignored.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_bytes(bytes: &[[u8; 32]; 8]) -> Sum {
    let [w0, w1, w2, w3] = words(bytes);
    let mask = _mm512_set1_epi64(MASK as i64);
    let join = |low, high| _mm512_and_si512(_mm512_or_si512(low, high), mask);
    let top = _mm512_set1_epi64(MASK as i64 >> 5);
    Sum([
        _mm512_and_si512(w0, mask),
        join(_mm512_srli_epi64::<52>(w0), _mm512_slli_epi64::<12>(w1)),
        join(_mm512_srli_epi64::<40>(w1), _mm512_slli_epi64::<24>(w2)),
        join(_mm512_srli_epi64::<28>(w2), _mm512_slli_epi64::<36>(w3)),
        _mm512_and_si512(_mm512_srli_epi64::<16>(w3), top),
    ])
}

/// The elements of the scalar field, which must be tight.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn join(elements: &[Fe; 8]) -> Sum {
    let l: [__m512i; 5] = core::array::from_fn(|k| lanes(elements.map(|x| x.limbs()[k])));
    // 51 k = 52 (k - 1) + 52 - k: limb k gives its low k bits to column k - 1.
    let low = |x, mask: i64| _mm512_and_si512(x, _mm512_set1_epi64(mask));
    Sum([
        _mm512_add_epi64(l[0], _mm512_slli_epi64::<51>(low(l[1], 1))),
        _mm512_add_epi64(
            _mm512_srli_epi64::<1>(l[1]),
            _mm512_slli_epi64::<50>(low(l[2], 3)),
        ),
        _mm512_add_epi64(
            _mm512_srli_epi64::<2>(l[2]),
            _mm512_slli_epi64::<49>(low(l[3], 7)),
        ),
        _mm512_add_epi64(
            _mm512_srli_epi64::<3>(l[3]),
            _mm512_slli_epi64::<48>(low(l[4], 15)),
        ),
        _mm512_srli_epi64::<4>(l[4]),
    ])
}

/// The elements, one by one, tight.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn split(x: &Factor) -> [Fe; 8] {
    let limbs = x.sum().0.map(|limb| {
        let mut lanes = [0u64; 8];
        store512(&mut lanes, limb);
        lanes
    });
    core::array::from_fn(|lane| {
        let [a, b, c, d, e] = limbs.map(|limb| limb[lane]);
        let low = |x: u64| x & ((1 << 51) - 1);
        Fe::from_limbs([
            low(a),
            low(a >> 51 | b << 1),
            low(b >> 50 | c << 2),
            low(c >> 49 | d << 3),
            d >> 48 | e << 4,
        ])
    })
}

/// Eight rows as columns.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose(r: [__m512i; 8]) -> [__m512i; 8] {
    let pair = |i: usize| {
        [
            _mm512_unpacklo_epi64(r[i], r[i + 1]),
            _mm512_unpackhi_epi64(r[i], r[i + 1]),
        ]
    };
    let (a, b, c, d) = (pair(0), pair(2), pair(4), pair(6));
    let mut out = r;
    for odd in 0..2 {
        let even = |x, y| _mm512_shuffle_i64x2::<0b10_00_10_00>(x, y);
        let uneven = |x, y| _mm512_shuffle_i64x2::<0b11_01_11_01>(x, y);
        let (p, q) = (even(a[odd], b[odd]), even(c[odd], d[odd]));
        let (s, t) = (uneven(a[odd], b[odd]), uneven(c[odd], d[odd]));
        (out[odd], out[odd + 4]) = (even(p, q), uneven(p, q));
        (out[odd + 2], out[odd + 6]) = (even(s, t), uneven(s, t));
    }
    out
}
