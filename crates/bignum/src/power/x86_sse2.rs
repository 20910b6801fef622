//! Two numbers at once, one in each half of a register, in digits of 27 bits: SSE2 multiplies 32 bits
//! by 32 in both halves.
//!
//! Montgomery multiplication column by column, in tiles of two digits by two, as
//! [eight at once](super::x86_ifma512) do it. For the block d of two columns come all tiles of a and b
//! with i + j = d, then the tiles of q and m that are known, then the two digits of q which make these
//! columns vanish. From the middle on, columns are results.
//!
//! 1. A square needs each tile off the diagonal once: it counts double.
//! 2. Almost Montgomery (Gueron 2012): for R = 2^(27 K) of K digits, 4 m <= R, factors below 2 m give a
//!    result below 2 m; so do one below 2 m and one below R / 2.
//! 3. A number alone goes beside itself.
//!
//! **Bounds.** A column is the sum of at most 2 * 304 products below 2^54 and a carry: below 2^64.

use super::{Task, portable32, strong};
use crate::{MAX_BITS, Modulus, limbs};
use adamant_base::ct::Choice;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi64, _mm_and_si128, _mm_cmpeq_epi32, _mm_mul_epu32, _mm_or_si128,
    _mm_set1_epi64x, _mm_setzero_si128, _mm_srli_epi64,
};
use adamant_base::simd::{load128, store128};
use adamant_base::{Secret, Wipe};
use core::ops::Range;

/// Bits of a digit.
const BITS: usize = 27;
/// All bits of a digit.
const MASK: u64 = (1 << BITS) - 1;
/// Numbers.
const LANES: usize = 2;
/// A digit of each number.
type Digit = [u64; LANES];
/// Digits of a tile.
const TILE: usize = 2;
/// Columns of a tile and one above.
type Columns = [__m128i; TILE + 1];

/// Digits of a modulus of this many limbs, with room for four times the modulus.
const fn count(limbs: usize) -> usize {
    (64 * limbs + 2).div_ceil(BITS).next_multiple_of(TILE)
}

/// The most digits.
const MOST: usize = count(MAX_BITS / 64);
const _: () =
    assert!(2 * MOST as u128 * ((1 << BITS) - 1) * ((1 << BITS) - 1) < (1 << 64) - (1 << 38));

/// Room for N times two numbers of K digits. The functions that work on them take slices: they are
/// compiled once for all lengths.
#[repr(align(16))]
struct Numbers<const K: usize, const N: usize>([[Digit; K]; N]);

impl<const K: usize, const N: usize> Wipe for Numbers<K, N> {
    fn wipe(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().wipe();
    }
}

/// Block i of a and block d - i of b, for these i.
#[inline(always)]
fn pairs<'a>(
    a: &'a [[Digit; TILE]],
    b: &'a [[Digit; TILE]],
    d: usize,
    i: Range<usize>,
) -> impl Iterator<Item = (&'a [Digit; TILE], &'a [Digit; TILE])> {
    let others = &b[d + 1 - i.end..d + 1 - i.start];
    a[i].iter().zip(others.iter().rev())
}

/// `sums += a b`.
#[inline]
#[target_feature(enable = "sse2")]
fn add_tile(sums: &mut Columns, a: &[Digit; TILE], b: &[Digit; TILE]) {
    let [a0, a1] = [load128(&a[0]), load128(&a[1])];
    let [b0, b1] = [load128(&b[0]), load128(&b[1])];
    sums[0] = _mm_add_epi64(sums[0], _mm_mul_epu32(a0, b0));
    let middle = _mm_add_epi64(_mm_mul_epu32(a0, b1), _mm_mul_epu32(a1, b0));
    sums[1] = _mm_add_epi64(sums[1], middle);
    sums[2] = _mm_add_epi64(sums[2], _mm_mul_epu32(a1, b1));
}

/// `sum += a b`.
#[inline]
#[target_feature(enable = "sse2")]
fn add_product(sum: &mut __m128i, a: __m128i, b: __m128i) {
    *sum = _mm_add_epi64(*sum, _mm_mul_epu32(a, b));
}

/// `out = a b / 2^(27 K) mod m`, where all have K digits; a `SQUARE` does not look at `b`. `q` is room
/// for as many digits.
#[inline]
#[target_feature(enable = "sse2")]
fn product<const SQUARE: bool>(
    out: &mut [Digit],
    a: &[Digit],
    b: &[Digit],
    m: &[Digit],
    n0: &Digit,
    q: &mut [Digit],
) {
    let (a, b, m) = (a.as_chunks().0, b.as_chunks().0, m.as_chunks().0);
    let (out, q) = (out.as_chunks_mut::<TILE>().0, q.as_chunks_mut::<TILE>().0);
    let blocks = m.len();
    let (a, b, out, q) = (
        &a[..blocks],
        &b[..blocks],
        &mut out[..blocks],
        &mut q[..blocks],
    );
    let zero = _mm_setzero_si128();
    let mask = _mm_set1_epi64x(MASK as i64);
    let n0 = load128(n0);
    // What a block leaves to the lowest column of the next.
    let mut left = zero;
    for d in 0..2 * blocks - 1 {
        let first = (d + 1).saturating_sub(blocks);
        let mut sums: Columns = [zero; 3];
        if SQUARE {
            for (x, y) in pairs(a, a, d, first..d.div_ceil(2)) {
                add_tile(&mut sums, x, y);
            }
            let diagonal = d.is_multiple_of(2);
            let x = &a[d / 2];
            let x = [load128(&x[0]), load128(&x[1])];
            if diagonal {
                add_product(&mut sums[1], x[0], x[1]);
            }
            for sum in &mut sums {
                *sum = _mm_add_epi64(*sum, *sum);
            }
            if diagonal {
                add_product(&mut sums[0], x[0], x[0]);
                add_product(&mut sums[2], x[1], x[1]);
            }
        } else {
            for (x, y) in pairs(a, b, d, first..blocks.min(d + 1)) {
                add_tile(&mut sums, x, y);
            }
        }
        for (x, y) in pairs(q, m, d, first..d.min(blocks)) {
            add_tile(&mut sums, x, y);
        }
        sums[0] = _mm_add_epi64(sums[0], left);
        if d < blocks {
            // The two digits of q, and their products with the lowest block of m.
            let y = [load128(&m[0][0]), load128(&m[0][1])];
            for k in 0..TILE {
                let digit = _mm_and_si128(_mm_mul_epu32(sums[k], n0), mask);
                store128(&mut q[d][k], digit);
                add_product(&mut sums[k], digit, y[0]);
                add_product(&mut sums[k + 1], digit, y[1]);
                let carry = _mm_srli_epi64::<{ BITS as i32 }>(sums[k]);
                sums[k + 1] = _mm_add_epi64(sums[k + 1], carry);
            }
        } else {
            for k in 0..TILE {
                store128(&mut out[d - blocks][k], _mm_and_si128(sums[k], mask));
                let carry = _mm_srli_epi64::<{ BITS as i32 }>(sums[k]);
                sums[k + 1] = _mm_add_epi64(sums[k + 1], carry);
            }
        }
        left = sums[2];
    }
    store128(&mut out[blocks - 1][0], _mm_and_si128(left, mask));
    let top = _mm_srli_epi64::<{ BITS as i32 }>(left);
    store128(&mut out[blocks - 1][1], top);
}

/// [`product`] of two numbers.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn times(out: &mut [Digit], a: &[Digit], b: &[Digit], m: &[Digit], n0: &Digit, q: &mut [Digit]) {
    product::<false>(out, a, b, m, n0, q);
}

/// [`product`] of a number with itself.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn square(out: &mut [Digit], a: &[Digit], m: &[Digit], n0: &Digit, q: &mut [Digit]) {
    product::<true>(out, a, a, m, n0, q);
}

/// Bits of a window. The table is read in full for each.
const WINDOW: usize = 4;
const ENTRIES: usize = 1 << WINDOW;

/// The entry at each lane's secret index, of entries as long as `out`: reads all.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn lookup(table: &[Digit], indices: &Digit, out: &mut [Digit]) {
    // An index in both halves of a word, as SSE2 does not compare longer ones.
    let indices = load128(&indices.map(|index| index << 32 | index));
    out.fill([0; LANES]);
    for (i, entry) in (0..).zip(table.chunks_exact(out.len())) {
        let here = _mm_cmpeq_epi32(indices, _mm_set1_epi64x(i << 32 | i));
        for (out, entry) in out.iter_mut().zip(entry) {
            let found = _mm_and_si128(load128(entry), here);
            let found = _mm_or_si128(load128(out), found);
            store128(out, found);
        }
    }
}

/// Enters a number's limbs as one lane's digits.
fn enter(numbers: &mut [Digit], lane: usize, number: &[u64]) {
    for (i, to) in numbers.iter_mut().enumerate() {
        to[lane] = limbs::window(number, i * BITS, BITS);
    }
}

/// A lane's digits as limbs; there are zeros beyond the last of them.
fn leave(numbers: &[Digit], lane: usize, out: &mut [u64]) {
    out.fill(0);
    for (i, digit) in numbers.iter().enumerate() {
        let (limb, shift) = (i * BITS / 64, i * BITS % 64);
        if let Some(low) = out.get_mut(limb) {
            *low |= digit[lane] << shift;
        }
        if let Some(high) = out.get_mut(limb + 1)
            && shift > 64 - BITS
        {
            *high |= digit[lane] >> (64 - shift);
        }
    }
}

/// Does one task, or two of one length, that of K digits or fewer, and with public exponents also of
/// one exponent.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn power_of<const K: usize>(tasks: &mut [Task<'_>], vartime: bool) {
    let mut places = Secret::new(Numbers([[[0; LANES]; K]; 6]));
    let count = count(tasks[0].modulus.len());
    let places = places.0.each_mut().map(|place| &mut place[..count]);
    if vartime {
        power_in(tasks, places, None);
    } else {
        let mut table = Secret::new(Numbers([[[0; LANES]; K]; ENTRIES]));
        let table = &mut table.0.as_flattened_mut()[..ENTRIES * count];
        power_in(tasks, places, Some(table));
    }
}

/// [`power_of`] in these places, which are zero, with a table for secret exponents.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn power_in(tasks: &mut [Task<'_>], places: [&mut [Digit]; 6], table: Option<&mut [Digit]>) {
    let [moduli, base, plain, room, mut acc, mut other] = places;
    let count = moduli.len();
    let mut n0 = Secret::new([0; LANES]);
    for lane in 0..LANES {
        let task = tasks.get(lane).unwrap_or(&tasks[0]);
        n0[lane] = task.modulus.n0() & MASK;
        enter(moduli, lane, task.modulus.limbs());
        enter(plain, lane, task.base);
        enter(base, lane, task.modulus.rr());
    }
    let (moduli, n0) = (&*moduli, &*n0);
    let mut by = |out: &mut [Digit], a: &[Digit], b: &[Digit]| {
        times(out, a, b, moduli, n0, room);
    };
    // From 2^(128 n), for n limbs, to R^2: its square by R, and that times what is missing, by R.
    by(acc, base, base);
    let missing = 4 * BITS * count - 256 * tasks[0].modulus.len();
    other[missing / BITS] = [1 << (missing % BITS); LANES];
    by(base, acc, other);
    // The base and one in Montgomery's form.
    other.fill([0; LANES]);
    other[0] = [1; LANES];
    by(acc, base, other);
    by(other, base, plain);
    base.copy_from_slice(other);
    let mut left = false;
    let exponent = tasks[0].exponent;
    if let Some(table) = table {
        table[..count].copy_from_slice(acc);
        table[count..2 * count].copy_from_slice(base);
        for i in 2..ENTRIES {
            let (known, next) = table.split_at_mut(i * count);
            by(&mut next[..count], &known[(i - 1) * count..], base);
        }
        let windows = (64 * exponent.len()).div_ceil(WINDOW).max(1);
        for i in (0..windows).rev() {
            let mut indices = Secret::new([0; LANES]);
            for (lane, index) in indices.iter_mut().enumerate() {
                let task = tasks.get(lane).unwrap_or(&tasks[0]);
                *index = limbs::window(task.exponent, i * WINDOW, WINDOW);
            }
            if i + 1 == windows {
                lookup(table, &indices, acc);
                continue;
            }
            for _ in 0..WINDOW / 2 {
                square(other, acc, moduli, n0, room);
                square(acc, other, moduli, n0, room);
            }
            lookup(table, &indices, base);
            times(other, acc, base, moduli, n0, room);
            core::mem::swap(&mut acc, &mut other);
        }
    } else {
        let bits = limbs::bits_vartime(exponent);
        if bits > 0 {
            acc.copy_from_slice(base);
        }
        for i in (0..bits.saturating_sub(1)).rev() {
            square(other, acc, moduli, n0, room);
            core::mem::swap(&mut acc, &mut other);
            if limbs::bit(exponent, i) == 1 {
                // By the plain base at the last bit: that leaves Montgomery's form.
                left = i == 0;
                let factor = if left { &*plain } else { &*base };
                times(other, acc, factor, moduli, n0, room);
                core::mem::swap(&mut acc, &mut other);
            }
        }
    }
    if !left {
        base.fill([0; LANES]);
        base[0] = [1; LANES];
        times(other, acc, base, moduli, n0, room);
        core::mem::swap(&mut acc, &mut other);
    }
    // Below 2 m.
    let mut number = Secret::new([0; MAX_BITS / 64 + 1]);
    for (lane, task) in tasks.iter_mut().enumerate() {
        let number = &mut number[..task.out.len() + 1];
        leave(acc, lane, number);
        let (low, top) = number.split_at(task.out.len());
        task.out.copy_from_slice(low);
        limbs::subtract_once(top[0], task.out, task.modulus.limbs());
    }
}

/// Limbs from which on numbers are in digits.
const FEWEST: usize = 4;

/// Whether two tasks can go side by side.
fn fit(a: &Task<'_>, b: &Task<'_>, vartime: bool) -> bool {
    let len = |task: &Task<'_>| (task.modulus.len(), task.exponent.len());
    len(a) == len(b) && (!vartime || a.exponent == b.exponent)
}

/// Neighbours of one kind go in pairs.
#[target_feature(enable = "sse2")]
fn run(mut tasks: &mut [Task<'_>], vartime: bool) {
    while let Some((first, others)) = tasks.split_first() {
        first.check();
        let together = match others.first() {
            Some(second) if fit(first, second, vartime) => {
                second.check();
                2
            }
            _ => 1,
        };
        let len = first.modulus.len();
        let (now, rest) = tasks.split_at_mut(together);
        match len {
            ..FEWEST if vartime => portable32::power_vartime(now),
            ..FEWEST => portable32::power(now),
            FEWEST..=16 => power_of::<{ count(16) }>(now, vartime),
            17..=32 => power_of::<{ count(32) }>(now, vartime),
            33..=64 => power_of::<{ count(64) }>(now, vartime),
            _ => power_of::<MOST>(now, vartime),
        }
        tasks = rest;
    }
}

pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    portable32::mul(out, a, b);
}

pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    portable32::multiply(out, a, b, modulus);
}

#[target_feature(enable = "sse2")]
pub(super) fn power(tasks: &mut [Task<'_>]) {
    run(tasks, false);
}

#[target_feature(enable = "sse2")]
pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    run(tasks, true);
}

#[target_feature(enable = "sse2")]
pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    strong::by_pairs(numbers, passed, |tasks| power(tasks));
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    #[test]
    fn numbers_are_wiped() {
        let mut numbers = Numbers([[[7; LANES]; 2]; 3]);
        numbers.wipe();
        assert_eq!(numbers.0.as_flattened().as_flattened(), [0; 12]);
    }

    /// The factor that is missing to R^2 is one that multiplications take.
    #[test]
    fn what_is_missing_is_short() {
        for limbs in FEWEST..=MAX_BITS / 64 {
            let missing = 4 * BITS * count(limbs) - 256 * limbs;
            assert!(missing < 64 * limbs, "{limbs}");
            assert!(count(limbs) <= MOST);
        }
    }

    #[test]
    fn there_and_back() {
        let mut rng = TestRng::new(1);
        for limbs in 1..40 {
            let number: Vec<u64> = (0..limbs).map(|_| rng.next_u64()).collect();
            let mut digits = vec![[7; LANES]; count(limbs)];
            for lane in 0..LANES {
                enter(&mut digits, lane, &number);
                for (i, digit) in digits.iter().enumerate() {
                    assert_eq!(digit[lane], limbs::window(&number, i * BITS, BITS));
                }
                for room in [limbs, limbs + 1] {
                    let mut back = vec![7; room];
                    leave(&digits, lane, &mut back);
                    assert_eq!(back[..limbs], number);
                    assert!(back[limbs..].iter().all(|limb| *limb == 0));
                }
            }
        }
    }
}
