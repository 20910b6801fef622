//! Scalars in odd digits.
//!
//! An odd k below 2^N is, for windows of w bits, the sum of d_i 2^(w i): with v_i the
//! windows of (k - 1) / 2, the highest digit is 2 v_i + 1, and every other is 2 v_i - 2^w + 1. None
//! is zero, and every scalar runs through the same additions. There is one window more than the
//! N - 1 bits fill, so the highest is below 2^(w - 1) and its digit below 2^w as all are. For an
//! even k, n - k is odd and gives the negated point.
//!
//! With such digits the formulas meet an exception only in the last addition: the digits before
//! sum up to a multiple of the point that is larger (or, when going upwards, smaller) than the next
//! digit's by absolute value, and both together are less than n. Only in the last addition can
//! their difference be n: both points are then equal. (Their sum is never 0 modulo n, as k is not.)

use super::field::{Words, limbs};
use super::prime::{BITS, MASK, split};
use adamant_base::Secret;
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};

/// The windows of a scalar below 2^length.
pub(super) const fn windows(length: usize, width: usize) -> usize {
    (length - 1) / width + 1
}

/// The odd digits of eight scalars.
pub(super) struct Digits<const L: usize> {
    /// The scalars, or n less them, in limbs.
    odd: Secret<[[u64; 8]; L]>,
    /// The digits are those of n - k.
    pub(super) negated: __mmask8,
}

impl<const L: usize> Digits<L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new<const W: usize>(ks: &Words<W>, n: &[u64; W]) -> Self {
        let ks: [__m512i; L] = limbs(ks);
        let n: [u64; L] = split(n);
        let negated = _mm512_testn_epi64_mask(ks[0], _mm512_set1_epi64(1));
        let mut odd = Secret::new([[0; 8]; L]);
        let mut carry = _mm512_setzero_si512();
        for j in 0..L {
            let difference = _mm512_sub_epi64(_mm512_set1_epi64(n[j] as i64), ks[j]);
            let digit = _mm512_add_epi64(difference, carry);
            carry = _mm512_srai_epi64::<{ BITS as u32 }>(digit);
            let digit = _mm512_and_si512(digit, _mm512_set1_epi64(MASK as i64));
            store512(&mut odd[j], _mm512_mask_blend_epi64(negated, ks[j], digit));
        }
        Digits { odd, negated }
    }

    /// Window i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn window(&self, width: usize, i: usize) -> __m512i {
        let (limb, shift) = ((1 + width * i) / BITS, (1 + width * i) % BITS);
        let count = |n: usize| _mm_set_epi64x(0, n as i64);
        let mut window = _mm512_srl_epi64(load512(&self.odd[limb]), count(shift));
        if shift > BITS - width && limb + 1 < L {
            let next = _mm512_sll_epi64(load512(&self.odd[limb + 1]), count(BITS - shift));
            window = _mm512_or_si512(window, next);
        }
        _mm512_and_si512(window, _mm512_set1_epi64((1 << width) - 1))
    }

    /// The index of the highest digit, number i, among the odd numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn highest(&self, width: usize, i: usize) -> __m512i {
        self.window(width, i)
    }

    /// Another digit: the indices of their absolute values among the odd numbers, and which are
    /// negative.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn get(&self, width: usize, i: usize) -> (__m512i, __mmask8) {
        let window = self.window(width, i);
        let sign = _mm512_set1_epi64(1 << (width - 1));
        let negative = _mm512_testn_epi64_mask(window, sign);
        let all = _mm512_set1_epi64((1 << (width - 1)) - 1);
        let index = _mm512_mask_xor_epi64(window, negative, window, all);
        (_mm512_and_si512(index, all), negative)
    }
}
