//! One number across the lanes of a few registers, or two numbers side by side so that one computes
//! while the other waits.
//!
//! Montgomery multiplication digit by digit: for each digit of b, the digit q that makes the lowest
//! digit of the sum a b + q m vanish, and the sum moves down by a digit.
//!
//! 1. Of V registers, register r has the digits r, r + V, r + 2 V, … in its lanes. Moving down by a
//!    digit renames the registers, and moves the lanes of one. The high halves of products go where
//!    the low halves lie after that.
//! 2. What does not wait for q comes first.
//! 3. **Almost Montgomery** (Gueron 2012): for k digits with 4 m <= 2^(52 k), factors below 2 m
//!    give a result below 2 m, without a comparison.
//!
//! **Bounds.** A digit of the sum takes at most 4 products below 2^52 for each of the k steps,
//! k <= 158: below 2^62. Of factors, the low 52 bits of each digit count; all others are carried.

use super::super::{Task, digits};
use super::lanes;
use crate::{Modulus, limbs};
use adamant_base::simd::{load512, store512};
use adamant_base::{Secret, Wipe};
use core::arch::x86_64::*;

/// The most digits.
const MOST: usize = 160;
const DIGITS: usize = digits::BITS;

/// What the kernels need of a modulus.
#[derive(Clone)]
pub(crate) struct InDigits {
    /// Digits of a factor.
    count: usize,
    /// 2^(104 count) modulo m.
    rr: Secret<[u64; MOST]>,
}

impl InDigits {
    /// For moduli of 8 limbs and more.
    pub(crate) fn new(modulus: &Modulus) -> Option<Self> {
        let n = modulus.len();
        if n < 8 {
            return None;
        }
        let count = match lanes::fits(n) {
            true => lanes::count(n),
            false => (64 * n + 2).div_ceil(DIGITS),
        };
        let mut rr = Secret::new([0; MOST]);
        digits::from_limbs(&modulus.power_above_rr(2 * DIGITS * count), &mut *rr);
        Some(InDigits { count, rr })
    }

    /// 2^(104 k) modulo m, for k digits.
    pub(super) fn rr(&self) -> &[u64] {
        &self.rr[..self.count]
    }
}

/// A number in V registers: digit j in lane j / V of register j mod V.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Wide<const V: usize>([[u64; 8]; V]);

impl<const V: usize> Wide<V> {
    const ZERO: Self = Wide([[0; 8]; V]);

    fn from_digits(from: &[u64]) -> Self {
        let mut wide = Self::ZERO;
        for (lane, from) in from.chunks(V).enumerate() {
            for (to, from) in wide.0.iter_mut().zip(from) {
                to[lane] = *from;
            }
        }
        wide
    }

    fn from_limbs(from: &[u64], room: &mut [u64; MOST]) -> Self {
        let room = &mut room[..8 * V];
        digits::from_limbs(from, room);
        Self::from_digits(room)
    }

    fn one() -> Self {
        Self::from_digits(&[1])
    }
}

impl<const V: usize> Wipe for Wide<V> {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// The moduli of N multiplications side by side.
struct Moduli<const V: usize, const N: usize> {
    m: Secret<[Wide<V>; N]>,
    /// -1/m modulo 2^52.
    n0: Secret<[u64; N]>,
    /// Digits.
    count: usize,
}

/// `out[n] = a[n] b[n] / 2^(52 count)` modulo each m.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply<const V: usize, const N: usize>(
    a: &[Wide<V>; N],
    b: &[Wide<V>; N],
    moduli: &Moduli<V, N>,
) -> [Wide<V>; N] {
    let zero = _mm512_setzero_si512();
    let digit = |n: usize, place: usize| {
        let digits = b[n].0.as_flattened();
        _mm512_set1_epi64(digits[place] as i64)
    };
    let mut now: [__m512i; N] = core::array::from_fn(|n| digit(n, 0));
    let mut sums: [Sum<V>; N] = core::array::from_fn(|n| Sum {
        digits: [zero; V],
        lowest: _mm512_madd52lo_epu64(zero, load512(&a[n].0[0]), now[n]),
    });
    let mut place = 0;
    for _ in 1..moduli.count {
        place += 8;
        if place >= 8 * V {
            place -= 8 * V - 1;
        }
        for n in 0..N {
            let next = digit(n, place);
            sums[n] = step(sums[n], &a[n], now[n], next, &moduli.m[n], moduli.n0[n]);
            now[n] = next;
        }
    }
    core::array::from_fn(|n| {
        let sum = step(sums[n], &a[n], now[n], zero, &moduli.m[n], moduli.n0[n]);
        carried(sum)
    })
}

/// A sum on its way. `lowest` belongs to the lowest digit too: the next q waits for that one, so it
/// should not take one product after the other.
#[derive(Clone, Copy)]
struct Sum<const V: usize> {
    digits: [__m512i; V],
    lowest: __m512i,
}

/// Adds `a now` to the sum, whose lowest digit has it already, and the multiple of m that makes this
/// digit vanish; moves down by it, and adds `a next` to the lowest digit.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn step<const V: usize>(
    sum: Sum<V>,
    a: &Wide<V>,
    now: __m512i,
    next: __m512i,
    m: &Wide<V>,
    n0: u64,
) -> Sum<V> {
    let zero = _mm512_setzero_si512();
    let mut digits = sum.digits;
    let column = _mm512_add_epi64(digits[0], sum.lowest);
    let q = _mm512_madd52lo_epu64(zero, column, _mm512_set1_epi64(n0 as i64));
    let mut q = _mm512_broadcastq_epi64(_mm512_castsi512_si128(q));
    // With the product the low 52 bits vanish: one is carried, unless they were zero.
    let carry = _mm512_add_epi64(column, _mm512_set1_epi64(digits::MASK as i64));
    let mut carry = _mm512_maskz_srli_epi64::<52>(1, carry);
    // While that takes its time, what does not wait for it.
    let now = after(&mut q, &mut carry, now);
    let mut lowest = _mm512_madd52lo_epu64(carry, load512(&a.0[0]), next);
    for r in 1..V {
        digits[r] = _mm512_madd52lo_epu64(digits[r], load512(&a.0[r]), now);
        digits[r] = _mm512_madd52hi_epu64(digits[r], load512(&a.0[r - 1]), now);
    }
    // First what the next q waits for.
    digits[1] = _mm512_madd52lo_epu64(digits[1], load512(&m.0[1]), q);
    lowest = _mm512_madd52hi_epu64(lowest, load512(&m.0[0]), q);
    let q = after(&mut digits[1], &mut lowest, q);
    let column = _mm512_madd52lo_epu64(column, load512(&m.0[0]), q);
    let mut top = _mm512_alignr_epi64::<1>(zero, column);
    top = _mm512_madd52hi_epu64(top, load512(&a.0[V - 1]), now);
    for r in 2..V {
        digits[r] = _mm512_madd52lo_epu64(digits[r], load512(&m.0[r]), q);
        digits[r] = _mm512_madd52hi_epu64(digits[r], load512(&m.0[r - 1]), q);
    }
    top = _mm512_madd52hi_epu64(top, load512(&m.0[V - 1]), q);
    Sum {
        digits: core::array::from_fn(|r| if r + 1 < V { digits[r + 1] } else { top }),
        lowest,
    }
}

/// `then`, but what it is used for is computed after both of the others: the compiler would move
/// them behind.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
fn after(a: &mut __m512i, b: &mut __m512i, mut then: __m512i) -> __m512i {
    // SAFETY: the block is empty.
    unsafe {
        core::arch::asm!(
            "/* {0} {1} {2} */",
            inout(zmm_reg) *a,
            inout(zmm_reg) *b,
            inout(zmm_reg) then,
            options(nomem, nostack, preserves_flags)
        );
    }
    then
}

/// Carries, so that the low 52 bits of every digit are those of the number: once through the
/// registers, then each lowest one of a lane is at most 2^52 + 2^10, and what is left are carries of
/// one that run through digits of all ones.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn carried<const V: usize>(sum: Sum<V>) -> Wide<V> {
    let mut digits = sum.digits;
    digits[0] = _mm512_add_epi64(digits[0], sum.lowest);
    let mask = _mm512_set1_epi64(digits::MASK as i64);
    let mut carry = _mm512_setzero_si512();
    for digit in &mut digits {
        let sum = _mm512_add_epi64(*digit, carry);
        carry = _mm512_srli_epi64::<52>(sum);
        *digit = _mm512_and_si512(sum, mask);
    }
    let carry = _mm512_alignr_epi64::<7>(carry, _mm512_setzero_si512());
    digits[0] = _mm512_add_epi64(digits[0], carry);
    let over = _mm512_cmpgt_epu64_mask(digits[0], mask);
    let full = digits.map(|digit| _mm512_cmpeq_epu64_mask(digit, mask));
    let through = full[1..].iter().fold(0xff, |all, full| all & full);
    let mut ones = lanes_carried(over & through, full[0] & through);
    let mut out = Wide::ZERO;
    for r in 0..V {
        let digit = _mm512_mask_sub_epi64(digits[r], ones, digits[r], _mm512_set1_epi64(-1));
        store512(&mut out.0[r], digit);
        ones &= full[r];
        if r == 0 {
            ones |= over;
        }
    }
    out
}

/// The lanes that a carry of one comes to, a bit for each: from the lane below where that gives one,
/// or would hand one on that came to itself. A lane is not both.
#[inline(always)]
fn lanes_carried(gives: u8, hands_on: u8) -> u8 {
    (gives << 1).wrapping_add(hands_on) ^ hands_on
}

const WINDOW: usize = 5;
const ENTRIES: usize = 1 << WINDOW;

/// The entry at a secret index: reads all.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn lookup<const V: usize>(table: &[Wide<V>; ENTRIES], index: u64) -> Wide<V> {
    let index = _mm512_set1_epi64(index as i64);
    let mut found = [_mm512_setzero_si512(); V];
    for (i, entry) in (0..).zip(table) {
        let here = _mm512_cmpeq_epu64_mask(index, _mm512_set1_epi64(i));
        for j in 0..V {
            found[j] = _mm512_mask_mov_epi64(found[j], here, load512(&entry.0[j]));
        }
    }
    let mut out = Wide::ZERO;
    for j in 0..V {
        store512(&mut out.0[j], found[j]);
    }
    out
}

/// Whether two tasks can run side by side.
pub(super) fn fit(a: &Task<'_>, b: &Task<'_>, vartime: bool) -> bool {
    let len = |task: &Task<'_>| (task.modulus.len(), task.exponent.len());
    let both = a.modulus.in_digits().is_some() && b.modulus.in_digits().is_some();
    both && len(a) == len(b) && (!vartime || a.exponent == b.exponent)
}

/// Whether two that fit gain by that: longer numbers have work enough to wait for nothing, and two
/// of them do not fit into the registers.
pub(super) fn gains(task: &Task<'_>) -> bool {
    task.modulus.in_digits().is_some_and(|m| m.count <= 5 * 8)
}

/// Does one task, or two that fit and gain by it. False where there is no kernel.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn power(tasks: &mut [Task<'_>], vartime: bool) -> bool {
    let Some(in_digits) = tasks[0].modulus.in_digits() else {
        return false;
    };
    match (in_digits.count.div_ceil(8), tasks) {
        (..=2, [a]) => power_of::<2, 1>([a], vartime),
        (..=2, [a, b]) => power_of::<2, 2>([a, b], vartime),
        (3, [a]) => power_of::<3, 1>([a], vartime),
        (3, [a, b]) => power_of::<3, 2>([a, b], vartime),
        (4, [a]) => power_of::<4, 1>([a], vartime),
        (4, [a, b]) => power_of::<4, 2>([a, b], vartime),
        (5, [a]) => power_of::<5, 1>([a], vartime),
        (5, [a, b]) => power_of::<5, 2>([a, b], vartime),
        (6..=8, [a]) => power_of::<8, 1>([a], vartime),
        (9 | 10, [a]) => power_of::<10, 1>([a], vartime),
        (11..=16, [a]) => power_of::<16, 1>([a], vartime),
        (17.., [a]) => power_of::<{ MOST / 8 }, 1>([a], vartime),
        _ => return false,
    }
    true
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn power_of<const V: usize, const N: usize>(mut tasks: [&mut Task<'_>; N], vartime: bool) {
    let in_digits = |task: &Task<'_>| match task.modulus.in_digits() {
        Some(in_digits) => Wide::<V>::from_digits(in_digits.rr()),
        None => unreachable!("looked at before"),
    };
    let mut room = Secret::new([0; MOST]);
    let mut each = |from: for<'a> fn(&'a Task<'_>) -> &'a [u64]| {
        Secret::new(core::array::from_fn::<_, N, _>(|n| {
            Wide::<V>::from_limbs(from(tasks[n]), &mut room)
        }))
    };
    let moduli = Moduli {
        m: each(|task| task.modulus.limbs()),
        n0: Secret::new(core::array::from_fn(|n| {
            tasks[n].modulus.n0() & digits::MASK
        })),
        count: tasks[0].modulus.in_digits().map_or(0, |m| m.count),
    };
    let plain = each(|task| task.base);
    let rr: Secret<[Wide<V>; N]> = Secret::new(core::array::from_fn(|n| in_digits(tasks[n])));
    let by = |a: &[Wide<V>; N], b: &[Wide<V>; N]| multiply(a, b, &moduli);
    let one = [Wide::one(); N];
    let base = Secret::new(by(&plain, &rr));
    let mut left = false;
    let mut acc;
    if vartime {
        let exponent = tasks[0].exponent;
        let bits = limbs::bits_vartime(exponent);
        acc = Secret::new(if bits == 0 { by(&one, &rr) } else { *base });
        for i in (0..bits.saturating_sub(1)).rev() {
            *acc = by(&acc, &acc);
            if limbs::bit(exponent, i) == 1 {
                // By the plain base at the last bit: that leaves Montgomery's form.
                left = i == 0;
                *acc = by(&acc, if left { &plain } else { &base });
            }
        }
    } else {
        let mut table = Secret::new([[Wide::ZERO; ENTRIES]; N]);
        let mut entry = Secret::new(by(&one, &rr));
        for i in 0..ENTRIES {
            for n in 0..N {
                table[n][i] = entry[n];
            }
            *entry = by(&entry, &base);
        }
        acc = Secret::new(core::array::from_fn(|n| table[n][0]));
        let windows = (64 * tasks[0].exponent.len()).div_ceil(WINDOW);
        for i in (0..windows).rev() {
            if i + 1 != windows {
                for _ in 0..WINDOW {
                    *acc = by(&acc, &acc);
                }
            }
            *entry = core::array::from_fn(|n| {
                let index = limbs::window(tasks[n].exponent, i * WINDOW, WINDOW);
                lookup(&table[n], index)
            });
            *acc = by(&acc, &entry);
        }
    }
    if !left {
        *acc = by(&acc, &one);
    }
    for (task, acc) in tasks.iter_mut().zip(&*acc) {
        leave(acc, task, &mut room);
    }
}

/// Writes the number, below 2 m, modulo m.
fn leave<const V: usize>(number: &Wide<V>, task: &mut Task<'_>, room: &mut [u64; MOST]) {
    let n = task.out.len();
    for lane in 0..8 {
        for r in 0..V {
            room[V * lane + r] = number.0[r][lane] & digits::MASK;
        }
    }
    let mut limbs = Secret::new([0; MOST]);
    let limbs = &mut limbs[..n + 1];
    digits::to_limbs(&room[..8 * V], limbs);
    task.out.copy_from_slice(&limbs[..n]);
    limbs::subtract_once(limbs[n], task.out, task.modulus.limbs());
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    /// Carries run through digits of all ones, and from one lane to the next too.
    #[test]
    #[allow(unsafe_code)]
    fn carries() {
        const V: usize = 3;
        if !std::arch::is_x86_feature_detected!("avx512ifma") {
            return;
        }
        let mut rng = TestRng::new(1);
        for round in 0..5000 {
            let (mut digits, mut expected) = ([0; 8 * V], [0; 8 * V]);
            let mut carry = 0;
            for (digit, expected) in digits.iter_mut().zip(&mut expected) {
                // Long runs of full digits in every other round.
                *digit = match rng.below(if round % 2 == 0 { 5 } else { 50 }) {
                    0 => rng.next_u64() >> 2,
                    1 => digits::MASK + 1,
                    2 => rng.next_u64() & digits::MASK,
                    _ => digits::MASK,
                };
                let sum = *digit + carry;
                (*expected, carry) = (sum & digits::MASK, sum >> DIGITS);
            }
            // SAFETY: the CPU has these instructions.
            let mut found = unsafe {
                let zero = _mm512_setzero_si512();
                let from = Wide::<V>::from_digits(&digits);
                let registers = core::array::from_fn(|r| load512(&from.0[r]));
                carried(Sum {
                    digits: registers,
                    lowest: zero,
                })
            };
            for digit in found.0.as_flattened_mut() {
                *digit &= digits::MASK;
            }
            assert_eq!(found.0, Wide::<V>::from_digits(&expected).0, "{digits:x?}");
        }
    }

    /// Every pattern of lanes that give a carry, hand one on, or neither.
    #[test]
    fn every_pattern_of_lanes() {
        for gives in 0..=u8::MAX {
            for hands_on in (0..=u8::MAX).filter(|hands_on| gives & hands_on == 0) {
                let (mut expected, mut carry) = (0, false);
                for lane in 0..8 {
                    expected |= u8::from(carry) << lane;
                    carry = gives >> lane & 1 == 1 || carry && hands_on >> lane & 1 == 1;
                }
                assert_eq!(lanes_carried(gives, hands_on), expected);
            }
        }
    }
}
