//! Multiples of the base point, one in each lane.

use super::super::edwards::Affine;
use super::super::rows::{DIGITS, ENTRIES, RADIX_52, Row, WINDOW, odd_digits};
use super::convert::{invert, split, words};
use super::field::{Factor, Sum};
use super::point::{Niels, Point};
use super::{CHUNK, GROUPS};
use adamant_base::Secret;
use adamant_base::simd::load512;
use core::arch::x86_64::*;

/// The digits of eight scalars.
struct Digits([__m512i; 4]);

impl Digits {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(scalars: &[[u8; 32]]) -> Digits {
        let mut odd = Secret::new([[0; 32]; 8]);
        for (odd, scalar) in odd.iter_mut().zip(scalars) {
            let digits = odd_digits(scalar);
            for (to, word) in odd.as_chunks_mut::<8>().0.iter_mut().zip(&*digits) {
                *to = word.to_le_bytes();
            }
        }
        Digits(words(&odd))
    }

    /// Digit i: the indices of their absolute values among the odd numbers, and which are
    /// negative.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn get(&self, i: usize) -> (__m512i, __mmask8) {
        let (word, shift) = (i * WINDOW / 64, (i * WINDOW % 64) as i64);
        let count = |n: i64| _mm_cvtsi64_si128(n);
        let mut window = _mm512_srl_epi64(self.0[word], count(shift));
        if shift > 64 - WINDOW as i64 && word < 3 {
            let next = _mm512_sll_epi64(self.0[word + 1], count(64 - shift));
            window = _mm512_or_si512(window, next);
        }
        let negative = _mm512_testn_epi64_mask(window, _mm512_set1_epi64(ENTRIES as i64));
        let all = _mm512_set1_epi64(ENTRIES as i64 - 1);
        let index = _mm512_mask_xor_epi64(window, negative, window, all);
        (_mm512_and_si512(index, all), negative)
    }
}

/// Of each lane, the entry at its index.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pick(row: &Row, index: __m512i) -> Niels {
    let limb = |k: usize| {
        let [low, high] = row.0[k].as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        _mm512_permutex2var_epi64(load512(low), index, load512(high))
    };
    Niels {
        y_plus_x: Factor([limb(0), limb(1), limb(2), limb(3), limb(4)]),
        y_minus_x: Factor([limb(5), limb(6), limb(7), limb(8), limb(9)]),
        xy2d: Factor([limb(10), limb(11), limb(12), limb(13), limb(14)]),
    }
}

/// `scalar * B` of each lane, for scalars below 2^255.
///
/// The sum over the digits of odd index, times 32, plus the sum over the others.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul_base_8(scalars: &[[u8; 32]]) -> Point {
    let digits = Digits::new(scalars);
    let mut sum = Point::neutral();
    for odd in [1, 0] {
        if odd == 0 {
            sum.double_times(WINDOW as u32);
        }
        for (row, i) in RADIX_52.iter().zip((odd..DIGITS).step_by(2)) {
            let (index, negative) = digits.get(i);
            sum.add_niels(&pick(row, index), negative);
        }
    }
    sum
}

/// Of up to 64 scalars, the multiples of the base point; and the reciprocals of what `denominator`
/// makes of them, which may not be zero.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn chunk(
    scalars: &[[u8; 32]],
    denominator: impl Fn(&Point) -> Sum,
) -> ([Point; GROUPS], [Factor; GROUPS]) {
    let mut sums = [Point::neutral(); GROUPS];
    let mut inverses = [Factor::constant(&[1, 0, 0, 0, 0]); GROUPS];
    for (i, scalars) in scalars.chunks(8).enumerate() {
        sums[i] = mul_base_8(scalars);
        inverses[i] = denominator(&sums[i]).carry();
    }
    invert(&mut inverses[..scalars.len().div_ceil(8)]);
    (sums, inverses)
}

#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    for (scalars, out) in scalars.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let (sums, inverses) = chunk(scalars, |sum| sum.z);
        for ((sum, inverse), out) in sums.iter().zip(&inverses).zip(out.chunks_mut(8)) {
            let x = split(&sum.x.carry().times(inverse));
            let y = split(&sum.y.carry().times(inverse));
            for (i, to) in out.iter_mut().enumerate() {
                *to = Affine { x: x[i], y: y[i] };
            }
        }
    }
}

/// u = (1 + y) / (1 - y) (RFC 7748, section 4.1).
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
    for (scalars, out) in scalars.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let (sums, inverses) = chunk(scalars, |sum| {
            let p = Sum::constant(&super::field::P48);
            sum.z.plus(&p).minus(&sum.y)
        });
        for ((sum, inverse), out) in sums.iter().zip(&inverses).zip(out.chunks_mut(8)) {
            let u = split(&sum.z.plus(&sum.y).carry().times(inverse));
            for (to, u) in out.iter_mut().zip(u) {
                *to = u.to_bytes();
            }
        }
    }
}
