//! Products of two long numbers of one length, across the lanes of registers.
//!
//! The method of the school, two digits of b at a time: what lies lowest in the sum is done, and
//! the sum moves down by a digit, twice. A column takes at most 160 halves of products, each below
//! 2^52; the carries are settled at the end.

use super::super::digits;
use crate::limbs;
use adamant_base::simd::arch::*;
use adamant_base::simd::{first_word, from_fn, load512, store512};
use adamant_base::{Secret, Wipe};

/// Words with a bit for each digit.
const WORDS: usize = 3;

/// A number in V registers.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Wide<const V: usize>([[u64; 8]; V]);

impl<const V: usize> Wide<V> {
    const ZERO: Self = Wide([[0; 8]; V]);

    fn from_limbs(from: &[u64]) -> Self {
        let mut wide = Self::ZERO;
        digits::from_limbs(from, wide.0.as_flattened_mut());
        wide
    }
}

impl<const V: usize> Wipe for Wide<V> {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// `out = a b` for numbers that this has a kernel for, of 32 to 64 limbs and of one length; whether
/// it has.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        32 => product::<5, 10>(out, a, b),
        33..=48 => product::<8, 16>(out, a, b),
        49..=64 => product::<10, 20>(out, a, b),
        _ => return false,
    }
    true
}

/// For numbers of at most V registers each, and W = 2 V.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn product<const V: usize, const W: usize>(out: &mut [u64], a: &[u64], b: &[u64]) {
    const { assert!(W == 2 * V) };
    let count = (64 * b.len()).div_ceil(digits::BITS).next_multiple_of(2);
    assert!(a.len() == b.len() && out.len() == 2 * a.len() && count <= 8 * V);
    let a = Secret::new(Wide::<V>::from_limbs(a));
    let b = Secret::new(Wide::<V>::from_limbs(b));
    let mut columns = Secret::new(Wide::<W>::ZERO);
    let low = columns.0.as_flattened_mut();
    let zero = _mm512_setzero_si512();
    let lowest = |x: __m512i| first_word(_mm512_castsi512_si128(x));
    let mut acc = [zero; V];
    for i in (0..count).step_by(2) {
        let b0 = _mm512_set1_epi64(b.0.as_flattened()[i] as i64);
        let b1 = _mm512_set1_epi64(b.0.as_flattened()[i + 1] as i64);
        let mut middle = [zero; V];
        for j in 0..V {
            let a = load512(&a.0[j]);
            acc[j] = _mm512_madd52lo_epu64(acc[j], a, b0);
            middle[j] = _mm512_madd52hi_epu64(middle[j], a, b0);
            middle[j] = _mm512_madd52lo_epu64(middle[j], a, b1);
        }
        low[i] = lowest(acc[0]);
        for j in 0..V {
            let above = if j + 1 < V { acc[j + 1] } else { zero };
            acc[j] = _mm512_alignr_epi64::<1>(above, acc[j]);
            acc[j] = _mm512_add_epi64(acc[j], middle[j]);
        }
        low[i + 1] = lowest(acc[0]);
        for j in 0..V {
            let above = if j + 1 < V { acc[j + 1] } else { zero };
            acc[j] = _mm512_alignr_epi64::<1>(above, acc[j]);
            acc[j] = _mm512_madd52hi_epu64(acc[j], load512(&a.0[j]), b1);
        }
    }
    let (high, _) = low[count..].as_chunks_mut::<8>();
    for (to, from) in high.iter_mut().zip(acc) {
        store512(to, from);
    }
    let columns = from_fn(|j| load512(&columns.0[j]));
    let product = Secret::new(normalize::<W>(columns));
    digits::to_limbs(product.0.as_flattened(), out);
}

/// Carries, so that every digit is below 2^52: one step up for each digit's excess; then each is
/// at most 2^52 + 2^10, and what is left are carries of one that run through digits of all ones,
/// as they do in the addition of two integers with a bit for each digit.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn normalize<const V: usize>(mut acc: [__m512i; V]) -> Wide<V> {
    let zero = _mm512_setzero_si512();
    let mask = _mm512_set1_epi64(digits::MASK as i64);
    let carries = from_fn::<_, V>(|j| _mm512_srli_epi64::<52>(acc[j]));
    // A bit for each digit.
    let (mut over, mut full) = ([0u64; WORDS], [0u64; WORDS]);
    for j in 0..V {
        let below = if j > 0 { carries[j - 1] } else { zero };
        let carry = _mm512_alignr_epi64::<7>(carries[j], below);
        acc[j] = _mm512_add_epi64(_mm512_and_si512(acc[j], mask), carry);
        over[j / 8] |= u64::from(_mm512_cmpgt_epu64_mask(acc[j], mask)) << (8 * (j % 8));
        full[j / 8] |= u64::from(_mm512_cmpeq_epu64_mask(acc[j], mask)) << (8 * (j % 8));
    }
    let carried = carried(&over, &full);
    let mut out = Wide::ZERO;
    for j in 0..V {
        let ones = _mm512_set1_epi64(-1);
        let k = (carried[j / 8] >> (8 * (j % 8))) as u8;
        let sum = _mm512_mask_sub_epi64(acc[j], k, acc[j], ones);
        store512(&mut out.0[j], _mm512_and_si512(sum, mask));
    }
    out
}

/// The digits that a carry of one comes to, a bit for each: from the digit below where that is over
/// its bound, or is full and has such a carry itself.
#[inline(always)]
fn carried(over: &[u64; WORDS], full: &[u64; WORDS]) -> [u64; WORDS] {
    let (mut carried, mut carry, mut last) = ([0; WORDS], 0, 0);
    for i in 0..WORDS {
        (carried[i], carry) = limbs::add_carry(over[i] << 1 | last, full[i], carry);
        carried[i] ^= full[i];
        last = over[i] >> 63;
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    #[test]
    fn registers_are_wiped() {
        let mut registers = Wide([[7; 8]; 2]);
        registers.wipe();
        assert_eq!(registers.0.as_flattened(), [0; 16]);
    }

    /// Carries run through digits of all ones, from one word of bits to the next too.
    #[test]
    fn carries() {
        let mut rng = TestRng::new(1);
        for round in 0..2000 {
            let (mut over, mut full, mut expected) = ([0; WORDS], [0; WORDS], [0; WORDS]);
            let mut carry = 0;
            for digit in 0..64 * WORDS {
                let (word, bit) = (digit / 64, digit % 64);
                // Long runs of full digits in every other round.
                let kind = rng.next_u64() % if round % 2 == 0 { 4 } else { 40 };
                over[word] |= u64::from(kind == 0) << bit;
                full[word] |= u64::from(kind > 1) << bit;
                expected[word] |= carry << bit;
                carry = u64::from(kind == 0 || kind > 1 && carry == 1);
            }
            assert_eq!(carried(&over, &full), expected);
        }
    }
}
