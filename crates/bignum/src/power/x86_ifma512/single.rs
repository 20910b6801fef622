//! One number across the lanes of a few registers, or two numbers side by side so that one computes
//! while the other waits.
//!
//! The textbook's Montgomery multiplication of a and b takes, for each digit of b, the digit q that
//! makes the lowest digit of the sum a b + q m vanish. Departures:
//!
//! 1. **A friendly modulus.** Instead of m stands its multiple m' = c m with c = -1/m mod 2^104,
//!    so that m' = 2^104 x - 1. For the two lowest digits q of a sum, adding q m' is taking q
//!    away and adding q x two digits further up: no multiplication stands between the sum and q,
//!    and what is multiplied is as short as m.
//! 2. **Two digits at a time**, in the order of where their products lie: the low halves of the
//!    first; after a shift by one digit the high halves of the first and the low halves of the
//!    second; after another shift the high halves of the second. The products with x are those of
//!    the q of the step before.
//! 3. **Almost Montgomery** (Gueron 2012): for k digits with 4 m' <= 2^(52 k), factors below 2 m'
//!    give a result below 2 m', without a comparison.
//! 4. Results are only congruent modulo m, and up to 104 bits longer. The last factor is 2^128, or
//!    the base times 2^128, which leaves Montgomery's form; 2^128 is taken out again by two rows
//!    of the textbook's reduction with m itself, and one subtraction.
//!
//! **Bounds.** A digit of the sum takes at most 8 products below 2^52 for each of its k/2 steps,
//! k <= 160: below 2^62. Factors have digits below 2^52 throughout.

use super::super::{Task, digits};
use super::lanes;
use crate::{Modulus, limbs};
use adamant_base::simd::{load512, store512};
use adamant_base::{Secret, Wipe};
use core::arch::x86_64::*;

/// The most digits.
const MOST: usize = 160;
const DIGITS: usize = digits::BITS;
/// Words with a bit for each digit.
const WORDS: usize = MOST.div_ceil(64);

/// What the kernel needs of a modulus.
#[derive(Clone)]
pub(crate) struct Friendly {
    /// Digits of a factor: even.
    count: usize,
    x: Secret<[u64; MOST]>,
    /// 2^(104 count) modulo m.
    rr: Secret<[u64; MOST]>,
    /// The same for the digits of eight numbers at once, where [`lanes::fits`].
    lanes_rr: Secret<[u64; lanes::MOST]>,
}

impl Friendly {
    /// For moduli of 8 limbs and more.
    pub(crate) fn new(modulus: &Modulus) -> Option<Self> {
        let n = modulus.len();
        if n < 8 {
            return None;
        }
        let count = (64 * n + 106).div_ceil(DIGITS).next_multiple_of(2);
        let m = modulus.limbs();
        // -1/m mod 2^128, by Newton's iteration.
        let low = u128::from(m[0]) | u128::from(m[1]) << 64;
        let mut inverse = low;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u128.wrapping_sub(low.wrapping_mul(inverse)));
        }
        let c = Secret::new(inverse.wrapping_neg() & ((1 << 104) - 1));
        let mut multiple = Secret::new([0; MOST]);
        let multiple = &mut multiple[..n + 2];
        for (i, c) in [*c as u64, (*c >> 64) as u64].into_iter().enumerate() {
            let mut carry = 0;
            for (t, m) in multiple[i..].iter_mut().zip(m) {
                (*t, carry) = limbs::mul_add_carry(*t, *m, c, carry);
            }
            multiple[n + i] = carry;
        }
        // (m' + 1) / 2^104; the sum carries beyond the last limb only for m' = 2^(64 n + 128) - 1,
        // which is too large.
        limbs::add(multiple, &[1]);
        let mut all = [0; MOST + 2];
        digits::from_limbs(multiple, &mut all);
        let mut x = Secret::new([0; MOST]);
        x.copy_from_slice(&all[2..]);
        all.wipe();
        let mut rr = Secret::new([0; MOST]);
        digits::from_limbs(&modulus.power_above_rr(2 * DIGITS * count), &mut *rr);
        let mut lanes_rr = Secret::new([0; lanes::MOST]);
        if lanes::fits(n) {
            let exponent = 2 * DIGITS * lanes::count(n);
            digits::from_limbs(&modulus.power_above_rr(exponent), &mut *lanes_rr);
        }
        Some(Friendly {
            count,
            x,
            rr,
            lanes_rr,
        })
    }

    /// 2^(104 k) modulo m for the k digits of eight numbers at once.
    pub(super) fn lanes_rr(&self) -> &[u64] {
        &*self.lanes_rr
    }
}

/// A number in V registers.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Wide<const V: usize>(pub(super) [[u64; 8]; V]);

impl<const V: usize> Wide<V> {
    pub(super) const ZERO: Self = Wide([[0; 8]; V]);

    fn from_digits(from: &[u64]) -> Self {
        let mut wide = Self::ZERO;
        let to = wide.0.as_flattened_mut();
        let len = to.len().min(from.len());
        to[..len].copy_from_slice(&from[..len]);
        wide
    }

    pub(super) fn from_limbs(from: &[u64]) -> Self {
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

/// `out[n] = a[n] b[n] / 2^(52 count)` modulo each m'.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply<const V: usize, const N: usize>(
    a: &[Wide<V>; N],
    b: &[Wide<V>; N],
    x: &[Wide<V>; N],
    count: usize,
) -> [Wide<V>; N] {
    let zero = _mm512_setzero_si512();
    let mut acc = [[zero; V]; N];
    let mut q = [[zero; 2]; N];
    for i in (0..count).step_by(2) {
        for n in 0..N {
            let b0 = _mm512_set1_epi64(b[n].0.as_flattened()[i] as i64);
            let b1 = _mm512_set1_epi64(b[n].0.as_flattened()[i + 1] as i64);
            let [q0, q1] = q[n];
            let mut middle = [zero; V];
            for j in 0..V {
                let (a, x) = (load512(&a[n].0[j]), load512(&x[n].0[j]));
                acc[n][j] = _mm512_madd52lo_epu64(acc[n][j], a, b0);
                acc[n][j] = _mm512_madd52lo_epu64(acc[n][j], x, q0);
                middle[j] = _mm512_madd52hi_epu64(middle[j], a, b0);
                middle[j] = _mm512_madd52lo_epu64(middle[j], a, b1);
                middle[j] = _mm512_madd52hi_epu64(middle[j], x, q0);
                middle[j] = _mm512_madd52lo_epu64(middle[j], x, q1);
            }
            let d0 = _mm512_broadcastq_epi64(_mm512_castsi512_si128(acc[n][0]));
            for j in 0..V {
                let above = if j + 1 < V { acc[n][j + 1] } else { zero };
                acc[n][j] = _mm512_alignr_epi64::<1>(above, acc[n][j]);
                acc[n][j] = _mm512_add_epi64(acc[n][j], middle[j]);
            }
            let d1 = _mm512_broadcastq_epi64(_mm512_castsi512_si128(acc[n][0]));
            let d1 = _mm512_add_epi64(d1, _mm512_srli_epi64::<52>(d0));
            for j in 0..V {
                let above = if j + 1 < V { acc[n][j + 1] } else { zero };
                acc[n][j] = _mm512_alignr_epi64::<1>(above, acc[n][j]);
            }
            acc[n][0] = _mm512_add_epi64(acc[n][0], _mm512_maskz_srli_epi64::<52>(1, d1));
            for j in 0..V {
                let (a, x) = (load512(&a[n].0[j]), load512(&x[n].0[j]));
                acc[n][j] = _mm512_madd52hi_epu64(acc[n][j], a, b1);
                acc[n][j] = _mm512_madd52hi_epu64(acc[n][j], x, q1);
            }
            q[n] = [d0, d1];
        }
    }
    core::array::from_fn(|n| {
        // The last q.
        let [q0, q1] = q[n];
        let (mut middle, mut high) = ([zero; V], [zero; V]);
        for j in 0..V {
            let x = load512(&x[n].0[j]);
            acc[n][j] = _mm512_madd52lo_epu64(acc[n][j], x, q0);
            middle[j] = _mm512_madd52hi_epu64(middle[j], x, q0);
            middle[j] = _mm512_madd52lo_epu64(middle[j], x, q1);
            high[j] = _mm512_madd52hi_epu64(high[j], x, q1);
        }
        for j in 0..V {
            let below = |v: &[__m512i; V]| if j > 0 { v[j - 1] } else { zero };
            let one_up = _mm512_alignr_epi64::<7>(middle[j], below(&middle));
            let two_up = _mm512_alignr_epi64::<6>(high[j], below(&high));
            let sum = _mm512_add_epi64(one_up, two_up);
            acc[n][j] = _mm512_add_epi64(acc[n][j], sum);
        }
        normalize(acc[n])
    })
}

/// Carries, so that every digit is below 2^52: one step up for each digit's excess; then each is
/// at most 2^52 + 2^10, and what is left are carries of one that run through digits of all ones,
/// as they do in the addition of two integers with a bit for each digit.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn normalize<const V: usize>(mut acc: [__m512i; V]) -> Wide<V> {
    let zero = _mm512_setzero_si512();
    let mask = _mm512_set1_epi64(digits::MASK as i64);
    let carries = acc.map(|x| _mm512_srli_epi64::<52>(x));
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
    let same_count = match (a.modulus.friendly(), b.modulus.friendly()) {
        (Some(a), Some(b)) => a.count == b.count,
        _ => false,
    };
    same_count && len(a) == len(b) && (!vartime || a.exponent == b.exponent)
}

/// Whether two that fit gain by that: longer numbers have work enough to wait for nothing, and two
/// of them do not fit into the registers.
pub(super) fn gains(task: &Task<'_>) -> bool {
    task.modulus.friendly().is_some_and(|f| f.count <= 4 * 8)
}

/// Does one task, or two that fit and gain by it. False where there is no kernel.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn power(tasks: &mut [Task<'_>], vartime: bool) -> bool {
    let Some(friendly) = tasks[0].modulus.friendly() else {
        return false;
    };
    match (friendly.count.div_ceil(8), tasks) {
        (..=3, [a]) => power_of::<3, 1>([a], vartime),
        (..=3, [a, b]) => power_of::<3, 2>([a, b], vartime),
        (4, [a]) => power_of::<4, 1>([a], vartime),
        (4, [a, b]) => power_of::<4, 2>([a, b], vartime),
        (5 | 6, [a]) => power_of::<6, 1>([a], vartime),
        (7 | 8, [a]) => power_of::<8, 1>([a], vartime),
        (9..=11, [a]) => power_of::<11, 1>([a], vartime),
        (12..=16, [a]) => power_of::<16, 1>([a], vartime),
        (17.., [a]) => power_of::<{ MOST / 8 }, 1>([a], vartime),
        _ => return false,
    }
    true
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn power_of<const V: usize, const N: usize>(mut tasks: [&mut Task<'_>; N], vartime: bool) {
    let friendly = |task: &Task<'_>| match task.modulus.friendly() {
        Some(friendly) => (
            Wide::<V>::from_digits(&*friendly.x),
            Wide::<V>::from_digits(&*friendly.rr),
            friendly.count,
        ),
        None => unreachable!("looked at before"),
    };
    let count = friendly(tasks[0]).2;
    let x: Secret<[Wide<V>; N]> = Secret::new(core::array::from_fn(|n| friendly(tasks[n]).0));
    let rr: Secret<[Wide<V>; N]> = Secret::new(core::array::from_fn(|n| friendly(tasks[n]).1));
    let mut base: Secret<[Wide<V>; N]> =
        Secret::new(core::array::from_fn(|n| Wide::from_limbs(tasks[n].base)));
    let by = |a: &[Wide<V>; N], b: &[Wide<V>; N]| multiply(a, b, &x, count);
    // The base times 2^128, where it has no more than the digits.
    let n = tasks[0].modulus.len();
    let shifted = (64 * n + 128 <= DIGITS * count && vartime).then(|| {
        Secret::new(core::array::from_fn::<_, N, _>(|i| {
            let mut limbs = Secret::new([0; MOST]);
            limbs[2..2 + n].copy_from_slice(tasks[i].base);
            Wide::<V>::from_limbs(&limbs[..2 + n])
        }))
    });
    let mut left = false;
    *base = by(&base, &rr);
    let mut acc = if vartime {
        let exponent = tasks[0].exponent;
        let mut acc = Secret::new(*base);
        let bits = limbs::bits_vartime(exponent);
        if bits == 0 {
            *acc = by(&[one::<V>(0); N], &rr);
        }
        for i in (0..bits.saturating_sub(1)).rev() {
            *acc = by(&acc, &acc);
            if limbs::bit(exponent, i) == 1 {
                // At the last bit, that leaves Montgomery's form.
                *acc = match &shifted {
                    Some(shifted) if i == 0 => {
                        left = true;
                        by(&acc, shifted)
                    }
                    _ => by(&acc, &base),
                };
            }
        }
        acc
    } else {
        let mut table = Secret::new([[Wide::ZERO; ENTRIES]; N]);
        let mut entry = by(&[one::<V>(0); N], &rr);
        for i in 0..ENTRIES {
            for n in 0..N {
                table[n][i] = entry[n];
            }
            entry = by(&entry, &base);
        }
        let mut acc = Secret::new(core::array::from_fn(|n| table[n][0]));
        let windows = (64 * tasks[0].exponent.len()).div_ceil(WINDOW);
        for i in (0..windows).rev() {
            if i + 1 != windows {
                for _ in 0..WINDOW {
                    *acc = by(&acc, &acc);
                }
            }
            let entry = Secret::new(core::array::from_fn(|n| {
                let index = limbs::window(tasks[n].exponent, i * WINDOW, WINDOW);
                lookup(&table[n], index)
            }));
            *acc = by(&acc, &entry);
        }
        acc
    };
    if !left {
        *acc = by(&acc, &[one::<V>(128); N]);
    }
    for (task, acc) in tasks.iter_mut().zip(&*acc) {
        leave(acc, task);
    }
}

/// A power of two.
fn one<const V: usize>(bit: usize) -> Wide<V> {
    let mut one = Wide::ZERO;
    one.0.as_flattened_mut()[bit / DIGITS] = 1 << (bit % DIGITS);
    one
}

/// Divides by 2^128 modulo m and writes the result, below m.
fn leave<const V: usize>(number: &Wide<V>, task: &mut Task<'_>) {
    let m = task.modulus.limbs();
    let n = m.len();
    let mut wide = Secret::new([0; MOST]);
    let t = &mut wide[..n + 3];
    digits::to_limbs(number.0.as_flattened(), t);
    for i in 0..2 {
        let q = t[i].wrapping_mul(task.modulus.n0());
        let mut carry = 0;
        for (t, m) in t[i..].iter_mut().zip(m) {
            (*t, carry) = limbs::mul_add_carry(*t, *m, q, carry);
        }
        limbs::add(&mut t[i + n..], &[carry]);
    }
    task.out.copy_from_slice(&t[2..2 + n]);
    limbs::subtract_once(t[2 + n], task.out, m);
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

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
