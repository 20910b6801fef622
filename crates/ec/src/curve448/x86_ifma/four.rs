//! Four field elements side by side, the halves of each in one register.
//!
//! A [`Four`] is five registers: register j holds limb j of four elements in its lower lanes, and
//! limb j + 5 of the same in its upper ones. With b = b0 + b1 g and g^2 = g + 1, a product
//! a b = a0 b + a1 (g b), whose halves are in the lanes already: `g b` is `b1 | b0 + b1`.

use super::super::field::Fe;
use super::limbs::{self, multiple_of_p};
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load512, map, store512};

pub(super) type Four = [__m512i; 5];

/// The mask of these lanes of four, in both halves.
pub(super) const fn of(lanes: u8) -> __mmask8 {
    lanes | lanes << 4
}

/// Elements side by side.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn join(elements: [Fe; 4]) -> Four {
    let all = map(elements, limbs::from_fe);
    from_fn(|j| {
        let lanes: [u64; 8] = from_fn(|i| all[i % 4][j + 5 * (i / 4)]);
        load512(&lanes)
    })
}

/// The elements, one by one.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn split(x: Four) -> [Fe; 4] {
    let mut all = [[0u64; 8]; 5];
    for (limb, x) in all.iter_mut().zip(x) {
        store512(limb, x);
    }
    from_fn(|i| limbs::to_fe(&from_fn(|j| all[j % 5][i + 4 * (j / 5)])))
}

/// The limbs of multiples of p, a register's after the other's.
pub(super) const fn limbs_of_multiples(n: [u64; 4]) -> [[u64; 8]; 5] {
    let mut limbs = [[0; 8]; 5];
    let mut i = 0;
    while i < 8 {
        let multiple = multiple_of_p(n[i % 4]);
        let mut j = 0;
        while j < 5 {
            limbs[j][i] = multiple[j + 5 * (i / 4)];
            j += 1;
        }
        i += 1;
    }
    limbs
}

/// Multiples of p in each lane, to be added before something is subtracted there. In memory: made in
/// registers, they may be gathered word by word.
macro_rules! multiples_of_p {
    ($n:expr) => {{
        static LIMBS: [[u64; 8]; 5] = limbs_of_multiples($n);
        adamant_base::simd::from_fn::<_, 5>(|j| load512(&LIMBS[j]))
    }};
}

/// `g x`: the halves exchanged, and what was the upper one added to the other.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn times_g(x: __m512i) -> __m512i {
    let swapped = _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x);
    _mm512_mask_add_epi64(swapped, 0xf0, swapped, x)
}

/// One pass of carries, all at once.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn carry(x: Four) -> Four {
    let mask = _mm512_set1_epi64((1 << 45) - 1);
    let short = _mm512_set1_epi64((1 << 44) - 1);
    let low = |j: usize| _mm512_and_si512(x[j], if j == 4 { short } else { mask });
    let high = |j: usize| _mm512_srli_epi64::<45>(x[j]);
    let top = times_g(_mm512_srli_epi64::<44>(x[4]));
    [
        _mm512_add_epi64(low(0), top),
        _mm512_add_epi64(low(1), high(0)),
        _mm512_add_epi64(low(2), high(1)),
        _mm512_add_epi64(low(3), high(2)),
        _mm512_add_epi64(low(4), high(3)),
    ]
}

/// The block for each of five indices: written out, as a loop around this much keeps its columns in
/// memory.
macro_rules! five {
    ($index:ident => $body:block) => {{
        five!(@ $index $body 0 1 2 3 4);
    }};
    (@ $index:ident $body:block $($value:literal)+) => {
        $({
            const $index: usize = $value;
            $body
        })+
    };
}

/// `addend + a * b` in each lane.
///
/// A macro, as a function this long would not be inlined, and its arguments pass through memory.
/// Columns are below 2^58 with factors within their bounds.
macro_rules! multiply {
    ($addend:expr, $a:expr, $b:expr) => {{
        let (addend, a, b): (Four, Four, Four) = ($addend, $a, $b);
        let a_low = adamant_base::simd::map(a, |a| _mm512_shuffle_i64x2::<0b01_00_01_00>(a, a));
        let a_high = adamant_base::simd::map(a, |a| _mm512_shuffle_i64x2::<0b11_10_11_10>(a, a));
        let b_g = adamant_base::simd::map(b, |b| times_g(b));
        // What passes the fifth column counts twice, times g.
        let b_over = adamant_base::simd::map(b_g, |b| _mm512_add_epi64(b, b));
        let b_g_over: Four = adamant_base::simd::from_fn(|j| {
            let sum = _mm512_add_epi64(b[j], b_g[j]);
            _mm512_add_epi64(sum, sum)
        });
        let mut low = addend;
        let mut high = [_mm512_setzero_si512(); 5];
        five!(I => {
            for j in 0..5 {
                let k = I + j;
                let (l, h) = match k < 5 {
                    true => (b[j], b_g[j]),
                    false => (b_over[j], b_g_over[j]),
                };
                low[k % 5] = _mm512_madd52lo_epu64(low[k % 5], a_low[I], l);
                low[k % 5] = _mm512_madd52lo_epu64(low[k % 5], a_high[I], h);
                let k = (k + 1) % 5;
                high[k] = _mm512_madd52hi_epu64(high[k], a_low[I], l);
                high[k] = _mm512_madd52hi_epu64(high[k], a_high[I], h);
            }
        });
        // Of upper halves, only those beside the fifth column have passed it.
        high[0] = times_g(_mm512_add_epi64(high[0], high[0]));
        // 2^52 = 2^7 2^45
        carry(adamant_base::simd::from_fn(|j| {
            _mm512_add_epi64(low[j], _mm512_slli_epi64::<7>(high[j]))
        }))
    }};
}

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
pub(super) const fn lanes(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

macro_rules! permute {
    ($x:expr, $from:expr) => {
        adamant_base::simd::map($x, |x| _mm512_permutex_epi64::<{ lanes($from) }>(x))
    };
}

/// `into`, with these lanes from a permutation of `x`.
macro_rules! insert {
    ($into:expr, $lanes:expr, $x:expr, $from:expr) => {{
        let (into, x): (Four, Four) = ($into, $x);
        let permuted: Four = adamant_base::simd::from_fn(|j| {
            _mm512_mask_permutex_epi64::<{ lanes($from) }>(into[j], of($lanes), x[j])
        });
        permuted
    }};
}

/// `a + b` in the lanes of `plus`, `a - b` in those of `minus`, `a` in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_or_subtract(a: Four, b: Four, plus: u8, minus: u8) -> Four {
    from_fn(|j| {
        let sum = _mm512_mask_add_epi64(a[j], of(plus), a[j], b[j]);
        _mm512_mask_sub_epi64(sum, of(minus), sum, b[j])
    })
}

/// `a + b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add(a: Four, b: Four) -> Four {
    from_fn(|j| _mm512_add_epi64(a[j], b[j]))
}

/// These lanes from `b`, the others from `a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn blend(a: Four, b: Four, lanes: u8) -> Four {
    from_fn(|j| _mm512_mask_blend_epi64(of(lanes), a[j], b[j]))
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn zero() -> Four {
    [_mm512_setzero_si512(); 5]
}

pub(super) use {five, insert, multiples_of_p, multiply, permute};
