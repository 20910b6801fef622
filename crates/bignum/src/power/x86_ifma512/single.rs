//! One number across the lanes of a few registers, or two numbers side by side, each in half of the
//! lanes.
//!
//! Montgomery multiplication digit by digit: for each digit of b, the digit q that makes the lowest
//! digit of the sum a b + q m vanish, and the sum moves down by a digit.
//!
//! 1. Of V registers, register r has the digits r, r + V, r + 2 V, … in its lanes. Moving down by a
//!    digit renames the registers, and moves the lanes of one. The high halves of products go where
//!    the low halves lie after that.
//! 2. Work that does not wait for q comes between two of them: the products of a and b, which have
//!    sums of their own, and those of the last q that the next one does not need.
//! 3. In a square, a digit is multiplied by those in registers after its own, and these products
//!    count twice; in its own register, each pair comes up twice by itself.
//! 4. **Almost Montgomery** (Gueron 2012): for k digits with 4 m <= 2^(52 k), factors below 2 m
//!    give a result below 2 m, without a comparison.
//!
//! **Bounds.** A digit of the sum takes at most 4 products below 2^52 for each of the k steps,
//! k <= 158: below 2^62. Of factors, the low 52 bits of each digit count; all others are carried.

use super::super::{Task, digits};
use super::in_digits::MOST;
use crate::limbs;
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};
use adamant_base::{Secret, Wipe};

#[cfg(test)]
mod tests;

/// The lanes of a register. Of N numbers in V registers, digit j of each is in lane j / V, of those
/// that are its own, of register j mod V.
type Register = [u64; 8];

/// Room for M times as many registers. The code around the kernels takes slices: it is compiled
/// once for all lengths.
#[repr(align(64))]
struct Registers<const V: usize, const M: usize>([[Register; V]; M]);

impl<const V: usize, const M: usize> Registers<V, M> {
    const ZERO: Self = Registers([[[0; 8]; V]; M]);
}

impl<const V: usize, const M: usize> Wipe for Registers<V, M> {
    fn wipe(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().wipe();
    }
}

/// The digit in this register and lane, of each of N numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn digit<const V: usize, const N: usize>(
    registers: &[Register; V],
    register: usize,
    lane: usize,
    lanes: &Lanes,
) -> __m512i {
    let digit = |n: usize| registers[register][(8 / N * n + lane) % 8] as i64;
    match N {
        1 => _mm512_set1_epi64(digit(0)),
        _ => _mm512_mask_set1_epi64(_mm512_set1_epi64(digit(0)), lanes.second, digit(1)),
    }
}

/// Puts number n of this many into registers.
fn put(registers: &mut [Register], numbers: usize, n: usize, digits: &[u64]) {
    for (lane, from) in (8 / numbers * n..).zip(digits.chunks(registers.len())) {
        for (to, from) in registers.iter_mut().zip(from) {
            to[lane] = *from;
        }
    }
}

/// Number n of this many in registers.
fn get(registers: &[Register], numbers: usize, n: usize, digits: &mut [u64]) {
    for (lane, to) in (8 / numbers * n..).zip(digits.chunks_mut(registers.len())) {
        for (to, from) in to.iter_mut().zip(registers) {
            *to = from[lane] & digits::MASK;
        }
    }
}

/// The moduli of multiplications side by side.
struct Moduli<'a> {
    m: &'a [Register],
    /// -1/m modulo 2^52, as a number.
    n0: &'a Register,
    /// Digits.
    count: usize,
}

/// Which lanes are what, of each number. Of two numbers the compiler does not get to know: it would
/// make longer shuffles of masked instructions.
#[derive(Clone, Copy)]
struct Lanes {
    lowest: __mmask8,
    /// All but the highest.
    others: __mmask8,
    /// Of the second number.
    second: __mmask8,
}

impl Lanes {
    #[inline]
    #[target_feature(enable = "avx512f")]
    #[allow(unsafe_code)]
    fn of<const N: usize>() -> Self {
        let (mut lowest, mut others, mut second) = match N {
            1 => {
                return Lanes {
                    lowest: 1,
                    others: 0x7f,
                    second: 0,
                };
            }
            _ => (0x11, 0x77, 0xf0),
        };
        // SAFETY: the block is empty.
        unsafe {
            core::arch::asm!(
                "/* {0} {1} {2} */",
                inout(kreg) lowest,
                inout(kreg) others,
                inout(kreg) second,
                options(nomem, nostack, preserves_flags)
            );
        }
        Lanes {
            lowest,
            others,
            second,
        }
    }
}

/// `a = a b / 2^(52 count)` modulo each m, for V registers each.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply<const V: usize, const N: usize>(
    a: &mut [Register],
    b: &[Register],
    moduli: &Moduli<'_>,
) {
    if let (Some(a), Some(b), Some(m)) =
        (a.first_chunk_mut(), b.first_chunk(), moduli.m.first_chunk())
    {
        *a = product::<V, N, false>(a, b, m, moduli);
    }
}

/// `a = a^2 / 2^(52 count)` modulo each m, for V registers each.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn square<const V: usize, const N: usize>(a: &mut [Register], moduli: &Moduli<'_>) {
    if let (Some(a), Some(m)) = (a.first_chunk_mut(), moduli.m.first_chunk()) {
        *a = match V {
            ..=UNROLLED => product::<V, N, true>(a, a, m, moduli),
            _ => product::<V, N, false>(a, a, m, moduli),
        };
    }
}

/// For this many registers there is code for every place of a digit in them.
const UNROLLED: usize = 10;

/// `a b / 2^(52 count)` modulo each m.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn product<const V: usize, const N: usize, const SQUARE: bool>(
    a: &[Register; V],
    b: &[Register; V],
    m: &[Register; V],
    moduli: &Moduli<'_>,
) -> [Register; V] {
    let zero = _mm512_setzero_si512();
    let n0 = load512(moduli.n0);
    let lanes = &Lanes::of::<N>();
    let mut now = first_of::<N>(load512(&b[0]));
    let mut sum = Sum {
        digits: [zero; V],
        lowest: _mm512_madd52lo_epu64(zero, load512(&a[0]), now),
        products: [zero; V],
        q: zero,
        column: zero,
    };
    for r in 1..V {
        sum.products[r] = _mm512_madd52lo_epu64(zero, load512(&a[r]), now);
    }
    let (mut register, mut lane) = (0, 0);
    let mut left = moduli.count;
    macro_rules! steps {
        ($($at:literal)*) => { $(
            if const { $at == 0 || $at < V && V <= UNROLLED } {
                register += 1;
                if register == V {
                    (register, lane) = (0, lane + 1);
                }
                let next = if register == 0 && lane == 8 / N {
                    zero
                } else {
                    digit::<V, N>(b, register, lane, lanes)
                };
                // Where all products count once, the place makes no difference.
                sum = if const { SQUARE } {
                    step::<V, N, SQUARE, $at>(sum, a, now, next, m, n0, lanes)
                } else {
                    step::<V, N, SQUARE, 0>(sum, a, now, next, m, n0, lanes)
                };
                now = next;
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        )* };
    }
    loop {
        steps!(0 1 2 3 4 5 6 7 8 9);
    }
    carried::<V, N>(sum.total::<SQUARE>(m, lanes))
}

/// A sum on its way.
#[derive(Clone, Copy)]
struct Sum<const V: usize> {
    digits: [__m512i; V],
    /// Belongs to the lowest digit too: the next q waits for that one, so it should not take one
    /// product after the other.
    lowest: __m512i,
    /// Of a and b; in a square, that are still to be doubled.
    products: [__m512i; V],
    /// The last q, most of whose products are still to be added, and the column that it was for.
    q: __m512i,
    column: __m512i,
}

impl<const V: usize> Sum<V> {
    /// Adds what is left of the products of q and m.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn settle(&mut self, m: &[Register; V], lanes: &Lanes) {
        let Sum { digits, q, .. } = self;
        for r in 1..V {
            let m = load512(&m[r]);
            digits[r] = _mm512_madd52hi_epu64(digits[r], m, *q);
            if r > 1 {
                digits[r - 1] = _mm512_madd52lo_epu64(digits[r - 1], m, *q);
            }
        }
        let column = _mm512_madd52lo_epu64(self.column, load512(&m[0]), *q);
        let top = _mm512_maskz_alignr_epi64::<1>(lanes.others, column, column);
        digits[V - 1] = _mm512_add_epi64(digits[V - 1], top);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn total<const SQUARE: bool>(mut self, m: &[Register; V], lanes: &Lanes) -> [__m512i; V] {
        self.settle(m, lanes);
        let mut digits = self.digits;
        digits[0] = _mm512_add_epi64(digits[0], self.lowest);
        for r in 1..V {
            digits[r] = _mm512_add_epi64(digits[r], counted::<SQUARE>(self.products[r]));
        }
        digits
    }
}

/// The lowest lane of each number in all of its lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn first_of<const N: usize>(x: __m512i) -> __m512i {
    match N {
        1 => _mm512_broadcastq_epi64(_mm512_castsi512_si128(x)),
        _ => _mm512_permutex_epi64::<0>(x),
    }
}

/// In a square, products count twice.
#[inline]
#[target_feature(enable = "avx512f")]
fn counted<const SQUARE: bool>(products: __m512i) -> __m512i {
    match SQUARE {
        true => _mm512_add_epi64(products, products),
        false => products,
    }
}

/// Finds the q that makes the lowest digit of the sum vanish, which has all products that belong
/// there, and moves down by it. Then adds the high halves of `a now` and the low ones of `a next`,
/// the digits of b from register AT on, and of q what the next q waits for.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn step<const V: usize, const N: usize, const SQUARE: bool, const AT: usize>(
    mut sum: Sum<V>,
    a: &[Register; V],
    now: __m512i,
    next: __m512i,
    m: &[Register; V],
    n0: __m512i,
    lanes: &Lanes,
) -> Sum<V> {
    let zero = _mm512_setzero_si512();
    let (a, m) = if V > 5 { (anew(a), anew(m)) } else { (a, m) };
    let column = _mm512_add_epi64(sum.digits[0], sum.lowest);
    let q = _mm512_madd52lo_epu64(zero, column, n0);
    let mut q = first_of::<N>(q);
    // With the product the low 52 bits vanish: one is carried, unless they were zero.
    let carry = _mm512_add_epi64(column, _mm512_set1_epi64(digits::MASK as i64));
    let mut lowest = _mm512_maskz_srli_epi64::<52>(lanes.lowest, carry);
    // While that takes its time, what does not wait for it.
    sum.q = after(&mut q, &mut lowest, sum.q);
    sum.settle(m, lanes);
    let (mut digits, mut products) = ([zero; V], [zero; V]);
    for r in 1..V {
        (digits[r - 1], products[r - 1]) = (sum.digits[r], sum.products[r]);
    }
    let behind = (AT + 1) % V;
    for r in 0..V {
        let digit = load512(&a[r]);
        let once = if r == 0 { &mut lowest } else { &mut digits[r] };
        if !SQUARE || r > AT {
            products[r] = _mm512_madd52hi_epu64(products[r], digit, now);
        } else if r == AT {
            *once = _mm512_madd52hi_epu64(*once, digit, now);
        }
        if !SQUARE || r > behind {
            products[r] = _mm512_madd52lo_epu64(products[r], digit, next);
        } else if r == behind {
            *once = _mm512_madd52lo_epu64(*once, digit, next);
        }
    }
    lowest = _mm512_add_epi64(lowest, counted::<SQUARE>(products[0]));
    digits[0] = _mm512_madd52lo_epu64(digits[0], load512(&m[1]), q);
    lowest = _mm512_madd52hi_epu64(lowest, load512(&m[0]), q);
    let q = after(&mut digits[0], &mut lowest, q);
    Sum {
        digits,
        lowest,
        products,
        q,
        column,
    }
}

/// The same, to be loaded again: where registers do not hold all, the compiler would put a copy
/// aside.
#[inline]
#[allow(unsafe_code, clippy::pointers_in_nomem_asm_block)]
fn anew<T>(x: &T) -> &T {
    let mut x = core::ptr::from_ref(x);
    // SAFETY: the block is empty, so it is the reference that it was.
    unsafe {
        core::arch::asm!(
            "/* {0} */",
            inout(reg) x,
            options(nomem, nostack, preserves_flags)
        );
        &*x
    }
}

/// `then`, but what it is used for is computed after both of the others: the compiler would move
/// them later.
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
fn carried<const V: usize, const N: usize>(mut digits: [__m512i; V]) -> [Register; V] {
    let mask = _mm512_set1_epi64(digits::MASK as i64);
    let mut carry = _mm512_setzero_si512();
    for digit in &mut digits {
        let sum = _mm512_add_epi64(*digit, carry);
        carry = _mm512_srli_epi64::<52>(sum);
        *digit = _mm512_and_si512(sum, mask);
    }
    let carry = match N {
        1 => _mm512_alignr_epi64::<7>(carry, _mm512_setzero_si512()),
        _ => _mm512_maskz_permutex_epi64::<0b10_01_00_00>(0xee, carry),
    };
    digits[0] = _mm512_add_epi64(digits[0], carry);
    let over = _mm512_cmpgt_epu64_mask(digits[0], mask);
    let first_full = _mm512_cmpeq_epu64_mask(digits[0], mask);
    // Whether all digits of a lane are full, but for the lowest and those above this register.
    let mut all = mask;
    let mut full = [_mm512_cmpeq_epu64_mask(all, mask); V];
    for r in 1..V {
        all = _mm512_and_si512(all, digits[r]);
        full[r] = _mm512_cmpeq_epu64_mask(all, mask);
    }
    let through = full[V - 1];
    let mut ones = lanes_carried(over & through, first_full & through);
    let mut out = [[0; 8]; V];
    for r in 0..V {
        let here = if r == 0 { ones } else { ones & full[r - 1] };
        let digit = _mm512_mask_sub_epi64(digits[r], here, digits[r], _mm512_set1_epi64(-1));
        store512(&mut out[r], digit);
        if r == 0 {
            ones = ones & first_full | over;
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

/// The entry of each number at its secret index, in a table of entries of V registers: reads all.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn lookup<const V: usize, const N: usize>(
    table: &[Register],
    indices: &[u64; 2],
    out: &mut [Register],
) {
    let index = match N {
        1 => _mm512_set1_epi64(indices[0] as i64),
        _ => _mm512_mask_set1_epi64(
            _mm512_set1_epi64(indices[0] as i64),
            0xf0,
            indices[1] as i64,
        ),
    };
    let mut found = [_mm512_setzero_si512(); V];
    for (i, entry) in (0..).zip(table.as_chunks::<V>().0) {
        let here = _mm512_cmpeq_epu64_mask(index, _mm512_set1_epi64(i));
        for j in 0..V {
            found[j] = _mm512_mask_mov_epi64(found[j], here, load512(&entry[j]));
        }
    }
    if let Some(out) = out.first_chunk_mut::<V>() {
        for (out, found) in out.iter_mut().zip(found) {
            store512(out, found);
        }
    }
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
    match (in_digits.count, tasks.len()) {
        (..=10, 2) => power_of::<3, 2>(tasks, vartime),
        (..=20, 2) => power_of::<5, 2>(tasks, vartime),
        (..=30, 2) => power_of::<8, 2>(tasks, vartime),
        (..=40, 2) => power_of::<10, 2>(tasks, vartime),
        (..=16, 1) => power_of::<2, 1>(tasks, vartime),
        (..=24, 1) => power_of::<3, 1>(tasks, vartime),
        (..=32, 1) => power_of::<4, 1>(tasks, vartime),
        (..=40, 1) => power_of::<5, 1>(tasks, vartime),
        (..=64, 1) => power_of::<8, 1>(tasks, vartime),
        (..=80, 1) => power_of::<10, 1>(tasks, vartime),
        (..=128, 1) => power_of::<16, 1>(tasks, vartime),
        (_, 1) => power_of::<{ MOST / 8 }, 1>(tasks, vartime),
        _ => return false,
    }
    true
}

/// What multiplies in V registers.
struct Kernel {
    multiply: fn(&mut [Register], &[Register], &Moduli<'_>),
    square: fn(&mut [Register], &Moduli<'_>),
    lookup: fn(&[Register], &[u64; 2], &mut [Register]),
}

/// Does one task, or two side by side, in V registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn power_of<const V: usize, const N: usize>(tasks: &mut [Task<'_>], vartime: bool) {
    let kernel = Kernel {
        multiply: multiply::<V, N>,
        square: square::<V, N>,
        lookup: lookup::<V, N>,
    };
    let mut places = Secret::new(Registers::<V, 6>::ZERO);
    let [m, n0, plain, base, one, acc] = &mut places.0;
    let places: [&mut [Register]; 6] = [m, n0, plain, base, one, acc];
    if vartime {
        power_in(tasks, &kernel, places, None);
    } else {
        let mut table = Secret::new(Registers::<V, ENTRIES>::ZERO);
        let table = table.0.as_flattened_mut();
        power_in(tasks, &kernel, places, Some(table));
    }
}

/// [`power_of`] in these places, which are zero, with a table for secret exponents.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn power_in(
    tasks: &mut [Task<'_>],
    kernel: &Kernel,
    places: [&mut [Register]; 6],
    table: Option<&mut [Register]>,
) {
    let [m, n0, plain, base, one, acc] = places;
    let (numbers, registers) = (tasks.len(), m.len());
    let mut room = Secret::new([0; MOST]);
    let room = &mut room[..8 / numbers * registers];
    let mut count = 0;
    for (n, task) in tasks.iter().enumerate() {
        digits::from_limbs(task.modulus.limbs(), room);
        put(m, numbers, n, room);
        digits::from_limbs(task.base, room);
        put(plain, numbers, n, room);
        let Some(in_digits) = task.modulus.in_digits() else {
            unreachable!("looked at before");
        };
        count = in_digits.count;
        put(base, numbers, n, in_digits.rr());
        put(one, numbers, n, &[1]);
        put(n0, numbers, n, &[task.modulus.n0() & digits::MASK]);
    }
    let moduli = Moduli {
        m,
        n0: &n0[0],
        count,
    };
    let by = |a: &mut [Register], b: &[Register]| (kernel.multiply)(a, b, &moduli);
    let squared = |a: &mut [Register]| (kernel.square)(a, &moduli);
    acc.copy_from_slice(base);
    by(base, plain);
    let mut left = false;
    if let Some(table) = table {
        // One in Montgomery's form, and the other powers.
        by(acc, one);
        table[..registers].copy_from_slice(acc);
        table[registers..2 * registers].copy_from_slice(base);
        for i in 2..ENTRIES {
            let (known, next) = table.split_at_mut(i * registers);
            let next = &mut next[..registers];
            let from = if i % 2 == 0 { i / 2 } else { i - 1 };
            next.copy_from_slice(&known[from * registers..][..registers]);
            if i % 2 == 0 {
                squared(next);
            } else {
                by(next, base);
            }
        }
        let windows = (64 * tasks[0].exponent.len()).div_ceil(WINDOW).max(1);
        for i in (0..windows).rev() {
            let mut indices = Secret::new([0; 2]);
            for (index, task) in indices.iter_mut().zip(&*tasks) {
                *index = limbs::window(task.exponent, i * WINDOW, WINDOW);
            }
            if i + 1 == windows {
                (kernel.lookup)(table, &indices, acc);
                continue;
            }
            for _ in 0..WINDOW {
                squared(acc);
            }
            (kernel.lookup)(table, &indices, base);
            by(acc, base);
        }
    } else {
        let exponent = tasks[0].exponent;
        let bits = limbs::bits_vartime(exponent);
        match bits {
            0 => by(acc, one),
            _ => acc.copy_from_slice(base),
        }
        for i in (0..bits.saturating_sub(1)).rev() {
            squared(acc);
            if limbs::bit(exponent, i) == 1 {
                // By the plain base at the last bit: that leaves Montgomery's form.
                left = i == 0;
                by(acc, if left { plain } else { base });
            }
        }
    }
    if !left {
        by(acc, one);
    }
    for (n, task) in tasks.iter_mut().enumerate() {
        get(acc, numbers, n, room);
        leave(room, task);
    }
}

/// Writes the number of these digits, below 2 m, modulo m.
fn leave(digits: &[u64], task: &mut Task<'_>) {
    let len = task.out.len();
    let mut limbs = Secret::new([0; MOST]);
    let limbs = &mut limbs[..len + 1];
    digits::to_limbs(digits, limbs);
    task.out.copy_from_slice(&limbs[..len]);
    limbs::subtract_once(limbs[len], task.out, task.modulus.limbs());
}
