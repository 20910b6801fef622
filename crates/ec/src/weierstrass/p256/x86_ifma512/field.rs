//! Eight field elements side by side.
//!
//! An [`Eight`] is five registers; register j holds limb j, radix 2^52, of eight elements, in
//! Montgomery's form with R = 2^260. Every limb is below 2^52 wherever elements are multiplied, for
//! `vpmadd52` reads no more of a factor.
//!
//! 2^260 is 16 p and a little, which is room for lazy sums. A product of factors below a p and b p
//! is below (a b / 16 + 1) p, so for a b <= 16 it is below 2p. In what follows, elements are below
//! 2p; [`add`] and [`sub`] of two give one below 4p, which may be a factor once with its like;
//! [`fold`] brings anything below 2^263 under 2^256 + 2^229, which is below 2p.

use super::super::field::P;
use super::super::limbs::{Limbs, add4, sub4};
use super::super::table;
use adamant_base::ct::barrier;
use adamant_base::simd::{load512, store512};
use core::arch::x86_64::*;

/// Eight elements.
pub(super) type Eight = [__m512i; 5];

const MASK: u64 = (1 << 52) - 1;

/// A number below 2^256 in limbs of 52 bits.
pub(super) const fn split52(x: &Limbs) -> [u64; 5] {
    [
        x[0] & MASK,
        (x[0] >> 52 | x[1] << 12) & MASK,
        (x[1] >> 40 | x[2] << 24) & MASK,
        (x[2] >> 28 | x[3] << 36) & MASK,
        x[3] >> 16,
    ]
}

/// The number of limbs of 52 bits, if it is below 2^256.
fn join52(x: &[u64; 5]) -> Limbs {
    [
        x[0] | x[1] << 52,
        x[1] >> 12 | x[2] << 40,
        x[2] >> 24 | x[3] << 28,
        x[3] >> 36 | x[4] << 16,
    ]
}

/// p.
const P52: [u64; 5] = split52(&P);
const _: () = assert!(P52[0] == MASK && P52[1] == (1 << 44) - 1 && P52[2] == 0);
const _: () = assert!(P52[3] == 1 << 36 && P52[4] == (1 << 48) - (1 << 16));

/// 1, which takes an element out of Montgomery's form.
const PLAIN_ONE: [u64; 5] = [1, 0, 0, 0, 0];
/// R: 1 in Montgomery's form.
const ONE: [u64; 5] = split52(&table::power_of_two(260));
/// R^2, which takes an integer into Montgomery's form.
const R2: [u64; 5] = split52(&table::power_of_two(520));

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn constant(x: &[u64; 5]) -> Eight {
    x.map(|limb| _mm512_set1_epi64(limb as i64))
}

/// 1.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn one() -> Eight {
    constant(&ONE)
}

/// Passes what is above 52 bits on, limb by limb; limbs may be negative, the number may not.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn carry(mut x: Eight) -> Eight {
    let mask = _mm512_set1_epi64(MASK as i64);
    for j in 0..4 {
        x[j + 1] = _mm512_add_epi64(x[j + 1], _mm512_srai_epi64::<52>(x[j]));
        x[j] = _mm512_and_si512(x[j], mask);
    }
    x
}

/// The same number modulo p, below 2p; limbs may be negative, the number may not. What stands above
/// 2^256 comes back in as multiples of 2^224 - 2^192 - 2^96 + 1.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn fold(mut x: Eight) -> Eight {
    let top = _mm512_srai_epi64::<48>(x[4]);
    x[4] = _mm512_and_si512(x[4], _mm512_set1_epi64((1 << 48) - 1));
    x[0] = _mm512_add_epi64(x[0], top);
    x[1] = _mm512_sub_epi64(x[1], _mm512_slli_epi64::<44>(top));
    x[3] = _mm512_sub_epi64(x[3], _mm512_slli_epi64::<36>(top));
    x[4] = _mm512_add_epi64(x[4], _mm512_slli_epi64::<16>(top));
    carry(x)
}

/// Sums of limbs, without carries.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn plus(a: &Eight, b: &Eight) -> Eight {
    core::array::from_fn(|j| _mm512_add_epi64(a[j], b[j]))
}

/// `multiple p` plus differences of limbs, without carries.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn minus(a: &Eight, multiple: u64, b: &Eight) -> Eight {
    core::array::from_fn(|j| {
        let p = _mm512_set1_epi64((multiple * P52[j]) as i64);
        _mm512_add_epi64(a[j], _mm512_sub_epi64(p, b[j]))
    })
}

/// `2^BITS x`, in its limbs, without carries.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn shift<const BITS: u32>(x: &Eight) -> Eight {
    x.map(|limb| _mm512_slli_epi64::<BITS>(limb))
}

/// `a + b`, below 4p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add(a: &Eight, b: &Eight) -> Eight {
    carry(plus(a, b))
}

/// `a - b`, below 4p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sub(a: &Eight, b: &Eight) -> Eight {
    carry(minus(a, 2, b))
}

/// `2^BITS x`, carried: below 2^BITS times the bound of x.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn times<const BITS: u32>(x: &Eight) -> Eight {
    carry(shift::<BITS>(x))
}

/// `-x` in the lanes of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn negate_if(x: &Eight, lanes: __mmask8) -> Eight {
    let zero = [_mm512_setzero_si512(); 5];
    blend(x, &carry(minus(&zero, 2, x)), lanes)
}

/// `b` in the lanes of the mask, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn blend(a: &Eight, b: &Eight, lanes: __mmask8) -> Eight {
    core::array::from_fn(|j| _mm512_mask_blend_epi64(lanes, a[j], b[j]))
}

/// `t / R`: each step clears the lowest column. As p = -1 mod 2^52, the multiple of p that does is
/// the column itself, m, and m p + m = m (2^96 + 2^192 + 2^256 - 2^224).
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn reduce(low: [__m512i; 10], high: [__m512i; 10]) -> Eight {
    let mut t: [__m512i; 10] = core::array::from_fn(|k| _mm512_add_epi64(low[k], high[k]));
    let at_1 = _mm512_set1_epi64(1 << 44);
    let at_3 = _mm512_set1_epi64(1 << 36);
    let at_4 = _mm512_set1_epi64(P52[4] as i64);
    for i in 0..5 {
        let m = t[i];
        t[i + 1] = _mm512_madd52lo_epu64(t[i + 1], m, at_1);
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64::<52>(m));
        t[i + 2] = _mm512_madd52hi_epu64(t[i + 2], m, at_1);
        t[i + 3] = _mm512_madd52lo_epu64(t[i + 3], m, at_3);
        t[i + 4] = _mm512_madd52hi_epu64(t[i + 4], m, at_3);
        t[i + 4] = _mm512_madd52lo_epu64(t[i + 4], m, at_4);
        t[i + 5] = _mm512_madd52hi_epu64(t[i + 5], m, at_4);
    }
    carry([t[5], t[6], t[7], t[8], t[9]])
}

/// `a b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(a: &Eight, b: &Eight) -> Eight {
    let mut low = [_mm512_setzero_si512(); 10];
    let mut high = low;
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], b[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], b[j]);
        }
    }
    reduce(low, high)
}

/// `a^2`: products of two different limbs once, doubled, and the squares of the limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn square(a: &Eight) -> Eight {
    let mut low = [_mm512_setzero_si512(); 10];
    let mut high = low;
    for i in 0..5 {
        for j in i + 1..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], a[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], a[j]);
        }
    }
    for k in 1..9 {
        low[k] = _mm512_add_epi64(low[k], low[k]);
        high[k] = _mm512_add_epi64(high[k], high[k]);
    }
    for i in 0..5 {
        low[2 * i] = _mm512_madd52lo_epu64(low[2 * i], a[i], a[i]);
        high[2 * i + 1] = _mm512_madd52hi_epu64(high[2 * i + 1], a[i], a[i]);
    }
    reduce(low, high)
}

/// The lanes in which this is 0 modulo p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn is_zero(x: &Eight) -> __mmask8 {
    // Below p + 1 after the multiplication: 0 or p.
    let x = mul(x, &constant(&PLAIN_ONE));
    let p = constant(&P52);
    let any = |x: Eight| {
        let low = _mm512_or_si512(_mm512_or_si512(x[0], x[1]), _mm512_or_si512(x[2], x[3]));
        _mm512_or_si512(low, x[4])
    };
    let not_p = any(core::array::from_fn(|j| _mm512_xor_si512(x[j], p[j])));
    let not_0 = any(x);
    _mm512_testn_epi64_mask(not_0, not_0) | _mm512_testn_epi64_mask(not_p, not_p)
}

/// A table's entries, eight to a register, of each lane the one at its index.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn pick(entries: &[u64; 16], index: __m512i) -> __m512i {
    let [low, high] = entries.as_chunks::<8>().0 else {
        unreachable!("16 are two eights")
    };
    _mm512_permutex2var_epi64(load512(low), index, load512(high))
}

/// Numbers of 64-bit words, one a lane: word w of the lanes in register w.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn words(numbers: &[Limbs; 8]) -> [__m512i; 4] {
    let [a, b, c, d] = numbers.as_flattened().as_chunks::<8>().0 else {
        unreachable!("eight times four are four times eight")
    };
    // Each register holds two numbers; the compiler left to itself takes gathers.
    let pairs = [load512(a), load512(b), load512(c), load512(d)];
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

/// Integers below 2^256, as they stand: [`split52`] of each.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn plain(integers: &[Limbs; 8]) -> Eight {
    let [w0, w1, w2, w3] = words(integers);
    let mask = _mm512_set1_epi64(MASK as i64);
    let join = |low, high| _mm512_and_si512(_mm512_or_si512(low, high), mask);
    [
        _mm512_and_si512(w0, mask),
        join(_mm512_srli_epi64::<52>(w0), _mm512_slli_epi64::<12>(w1)),
        join(_mm512_srli_epi64::<40>(w1), _mm512_slli_epi64::<24>(w2)),
        join(_mm512_srli_epi64::<28>(w2), _mm512_slli_epi64::<36>(w3)),
        _mm512_srli_epi64::<16>(w3),
    ]
}

/// The elements of integers below p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_integers(integers: &[Limbs; 8]) -> Eight {
    mul(&plain(integers), &constant(&R2))
}

/// The number in each lane, which is at most p, as an integer below p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn canonical(x: &Eight) -> [Limbs; 8] {
    let limbs = x.map(|limb| {
        let mut lanes = [0u64; 8];
        store512(&mut lanes, limb);
        lanes
    });
    core::array::from_fn(|lane| {
        let (t, below) = sub4(&join52(&limbs.map(|limb| limb[lane])), &P);
        let mask = barrier(u64::from(below).wrapping_neg());
        add4(&t, &P.map(|word| word & mask)).0
    })
}

/// The integers below p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn to_integers(x: &Eight) -> [Limbs; 8] {
    canonical(&mul(x, &constant(&PLAIN_ONE)))
}

/// The elements of the inverses that the scalar field gives of [`to_integers`], taken for its own
/// Montgomery form: it takes x for 2^-256 x, and gives 2^256 x^-1, as 2^512 x^-1.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_inverses(inverses: &[Limbs; 8]) -> Eight {
    mul(&plain(inverses), &constant(&[1 << 8, 0, 0, 0, 0]))
}
