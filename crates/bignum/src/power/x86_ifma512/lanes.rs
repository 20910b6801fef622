//! Eight numbers at once, one in each lane: register j holds digit j of all eight.
//!
//! Montgomery multiplication column by column, in tiles of five digits by five. For the block d of
//! five columns come all tiles of a and b with i + j = d, then the tiles of q and m that are
//! known, then the five digits of q which make these columns vanish, each found and multiplied by
//! the lowest digits of m in turn. From the middle on, columns are results.
//!
//! 1. Where many products meet in a column, the high halves have a sum of their own: so few wait for
//!    others.
//! 2. What a block leaves to the next one is added at its end: the products of the next block do
//!    not wait for q.
//! 3. A square needs each tile off the diagonal once: it counts double.
//! 4. Almost Montgomery, as for one number: factors below 2 m give a result below 2 m.
//! 5. Of what is multiplied, IFMA takes the low 52 bits: digits keep what was carried out of them
//!    until they leave.
//!
//! **Bounds.** A column is the sum of at most 4 * 80 halves below 2^52, doubled ones counted
//! twice, 2^52 - 1, and a carry: below 2^61, and below 2^62 where the result is doubled.

use super::super::{Task, digits};
use super::in_digits::{MOST_IN_LANES, count, of_bits};
use crate::limbs;
use crate::modulus::negative_inverse;
use adamant_base::ct::Choice;
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load512, map, store512};
use adamant_base::{Secret, Wipe};
use core::ops::Range;

/// Numbers.
pub(super) const LANES: usize = 8;
/// Digits of a tile.
const TILE: usize = 5;
/// A digit of each number.
type Digit = [u64; LANES];

/// Room for N times eight numbers of K digits. The functions that work on them take slices: they
/// are compiled once for all lengths.
#[repr(align(64))]
struct Numbers<const K: usize, const N: usize>([[Digit; K]; N]);

impl<const K: usize, const N: usize> Numbers<K, N> {
    const ZERO: Self = Numbers([[[0; LANES]; K]; N]);
}

impl<const K: usize, const N: usize> Wipe for Numbers<K, N> {
    fn wipe(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().wipe();
    }
}

/// Columns of five digits by five, the high halves of the products among them.
type Columns = [__m512i; 2 * TILE];

/// The columns that have a second sum, for high halves: most products lie there, and none should
/// wait for many others. Short squares have chains enough side by side.
const fn is_split(short: bool, k: usize) -> bool {
    !short && 3 <= k && k <= 6
}

/// `sums[i + j] += low half of a[i] b[j]`, `sums[i + j + 1] += its high half`, for the listed pairs.
macro_rules! products {
    ($sums:ident, $more:ident, $a:ident, $b:ident; $($i:literal $j:literal),*) => { $(
        $sums[$i + $j] = _mm512_madd52lo_epu64($sums[$i + $j], $a[$i], $b[$j]);
        let sums = if is_split(SHORT, $i + $j + 1) { &mut $more } else { &mut $sums };
        sums[$i + $j + 1] = _mm512_madd52hi_epu64(sums[$i + $j + 1], $a[$i], $b[$j]);
    )* };
}

/// All pairs, in an order in which a register comes again late.
macro_rules! tile {
    ($sums:ident, $more:ident, $a:ident, $b:ident) => {
        products!($sums, $more, $a, $b;
            0 0, 0 1, 0 2, 0 3, 0 4,
            1 4, 2 4, 3 4, 4 4,
            1 0, 1 1, 1 2, 1 3,
            2 3, 3 3, 4 3,
            2 0, 2 1, 2 2,
            3 2, 4 2,
            3 0, 3 1,
            4 1, 4 0)
    };
}

/// The pairs above the diagonal.
macro_rules! half_tile {
    ($sums:ident, $more:ident, $a:ident) => {
        products!($sums, $more, $a, $a; 0 1, 0 2, 0 3, 0 4, 1 4, 2 4, 3 4, 1 2, 1 3, 2 3)
    };
}

/// The sums of both kinds.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn joined<const SHORT: bool>(mut sums: Columns, more: Columns) -> Columns {
    for k in 0..2 * TILE {
        if is_split(SHORT, k) {
            sums[k] = _mm512_add_epi64(sums[k], more[k]);
        }
    }
    sums
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

/// The five digits of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn block(digits: &[Digit; TILE]) -> [__m512i; TILE] {
    [
        load512(&digits[0]),
        load512(&digits[1]),
        load512(&digits[2]),
        load512(&digits[3]),
        load512(&digits[4]),
    ]
}

/// `out = a b / 2^(52 K) mod m`, where all have K digits; the square of `a` where `b` is missing.
/// `q` is room for as many digits.
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply(
    out: &mut [Digit],
    a: &[Digit],
    b: Option<&[Digit]>,
    m: &[Digit],
    n0: &Digit,
    q: &mut [Digit],
) {
    match b {
        Some(b) => multiply_by::<false, false, false>(out, a, b, m, n0, q, 0),
        None if m.len() <= 30 => multiply_by::<true, true, false>(out, a, a, m, n0, q, 0),
        None => multiply_by::<true, false, false>(out, a, a, m, n0, q, 0),
    }
}

/// [`multiply`]: a `SQUARE` does not look at `b`; a `SHORT` one has no second sums. In the lanes of
/// `twice` the double of that, if `DOUBLE` says that there may be such.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply_by<const SQUARE: bool, const SHORT: bool, const DOUBLE: bool>(
    out: &mut [Digit],
    a: &[Digit],
    b: &[Digit],
    m: &[Digit],
    n0: &Digit,
    q: &mut [Digit],
    twice: __mmask8,
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
    let zero = _mm512_setzero_si512();
    let mask = _mm512_set1_epi64(digits::MASK as i64);
    let n0 = load512(n0);
    let doubled = |x| match DOUBLE {
        true => _mm512_mask_add_epi64(x, twice, x, x),
        false => x,
    };
    let high = |columns: Columns| from_fn::<_, TILE>(|k| columns[TILE + k]);
    // What a block leaves to the next: sums, and such that are still to be doubled. Columns that q
    // makes vanish have 2^52 - 1 added: then the carry out of them is that of the rounded up.
    let (mut left, mut left_half) = ([mask; TILE], [zero; TILE]);
    let mut carry = zero;
    for d in 0..2 * blocks - 1 {
        let first = (d + 1).saturating_sub(blocks);
        let (mut sums, mut more): (Columns, Columns) = ([zero; 10], [zero; 10]);
        let next = if d + 1 < blocks { mask } else { zero };
        if SQUARE {
            sums[..TILE].copy_from_slice(&left_half);
            for (x, y) in pairs(a, a, d, first..d.div_ceil(2)) {
                let (x, y) = (block(x), block(y));
                tile!(sums, more, x, y);
            }
            let diagonal = d.is_multiple_of(2);
            let x = block(&a[d / 2]);
            if diagonal {
                half_tile!(sums, more, x);
            }
            let half = joined::<SHORT>(sums, more);
            left_half = high(half);
            (sums, more) = ([next; 10], [zero; 10]);
            for k in 0..TILE {
                sums[k] = _mm512_add_epi64(half[k], half[k]);
            }
            if diagonal {
                products!(sums, more, x, x; 0 0, 1 1, 2 2, 3 3, 4 4);
            }
        } else {
            sums[TILE..].fill(next);
            for (x, y) in pairs(a, b, d, first..blocks.min(d + 1)) {
                let (x, y) = (block(x), block(y));
                tile!(sums, more, x, y);
            }
        }
        for (x, y) in pairs(q, m, d, first..d.min(blocks)) {
            let (x, y) = (block(x), block(y));
            tile!(sums, more, x, y);
        }
        if d < blocks {
            // The five digits of q, and their products with the lowest block of m.
            let y = block(&m[0]);
            for k in 0..TILE {
                sums[k] = _mm512_add_epi64(sums[k], left[k]);
            }
            // High halves: the next digit waits for those of the lower columns.
            macro_rules! high_half {
                ($k:expr, $digit:ident, $y:expr) => {
                    let sums = match $k < TILE || is_split(SHORT, $k) {
                        true => &mut more,
                        false => &mut sums,
                    };
                    sums[$k] = _mm512_madd52hi_epu64(sums[$k], $digit, $y);
                };
            }
            macro_rules! solve {
                ($($k:literal),*) => { $(
                    let column = match $k {
                        0 => sums[0],
                        _ => _mm512_add_epi64(sums[$k], more[$k]),
                    };
                    // n0 times 2^52 - 1 is -n0.
                    let digit = _mm512_madd52lo_epu64(n0, column, n0);
                    store512(&mut q[d][$k], digit);
                    // With the digit's product the low 52 bits vanish.
                    let carry = _mm512_srli_epi64::<52>(column);
                    let sum = if $k < 4 { &mut more[$k + 1] } else { &mut sums[$k + 1] };
                    *sum = _mm512_add_epi64(*sum, carry);
                    high_half!($k + 1, digit, y[0]);
                    sums[$k + 1] = _mm512_madd52lo_epu64(sums[$k + 1], digit, y[1]);
                    high_half!($k + 2, digit, y[1]);
                    sums[$k + 2] = _mm512_madd52lo_epu64(sums[$k + 2], digit, y[2]);
                    high_half!($k + 3, digit, y[2]);
                    sums[$k + 3] = _mm512_madd52lo_epu64(sums[$k + 3], digit, y[3]);
                    high_half!($k + 4, digit, y[3]);
                    sums[$k + 4] = _mm512_madd52lo_epu64(sums[$k + 4], digit, y[4]);
                    high_half!($k + 5, digit, y[4]);
                )* };
            }
            solve!(0, 1, 2, 3, 4);
        }
        let sums = joined::<SHORT>(sums, more);
        if d >= blocks {
            for k in 0..TILE {
                let column = _mm512_add_epi64(sums[k], left[k]);
                let column = _mm512_add_epi64(doubled(column), carry);
                carry = _mm512_srli_epi64::<52>(column);
                store512(&mut out[d - blocks][k], column);
            }
        }
        left = high(sums);
    }
    for k in 0..TILE {
        let mut column = left[k];
        if SQUARE {
            column = _mm512_add_epi64(column, _mm512_add_epi64(left_half[k], left_half[k]));
        }
        let column = _mm512_add_epi64(doubled(column), carry);
        carry = _mm512_srli_epi64::<52>(column);
        store512(&mut out[blocks - 1][k], column);
    }
}

/// Bits of a window. The table is read in full for each: with more bits that would take longer
/// than the multiplications saved.
const WINDOW: usize = 4;
const ENTRIES: usize = 1 << WINDOW;

/// The entry at each lane's secret index: reads all.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn lookup(table: &[[Digit; ENTRIES]], indices: &Digit, out: &mut [Digit]) {
    let indices = load512(indices);
    // Bit by bit, from the lowest: pairs of entries, pairs of these.
    let bits = map([1, 2, 4, 8], |bit| {
        _mm512_test_epi64_mask(indices, _mm512_set1_epi64(bit))
    });
    for (entries, out) in table.iter().zip(out) {
        let entry = |i: usize| load512(&entries[i]);
        let two = |i| _mm512_mask_mov_epi64(entry(i), bits[0], entry(i + 1));
        let four = |i| _mm512_mask_mov_epi64(two(i), bits[1], two(i + 2));
        let eight = |i| _mm512_mask_mov_epi64(four(i), bits[2], four(i + 4));
        store512(out, _mm512_mask_mov_epi64(eight(0), bits[3], eight(8)));
    }
}

/// Makes this entry of a table, in which those of a digit lie side by side.
fn put(table: &mut [[Digit; ENTRIES]], i: usize, numbers: &[Digit]) {
    for (entries, digit) in table.iter_mut().zip(numbers) {
        entries[i] = *digit;
    }
}

/// Enters a number's limbs as one lane's digits.
#[inline(never)]
fn enter(numbers: &mut [Digit], lane: usize, limbs: &[u64]) {
    let mut room = Secret::new([0; MOST_IN_LANES]);
    let digits = &mut room[..numbers.len()];
    digits::from_limbs(limbs, digits);
    for (to, from) in numbers.iter_mut().zip(&*digits) {
        to[lane] = *from;
    }
}

/// A lane's digits as limbs, with as many bits beyond them as the digits may have.
#[inline(never)]
fn leave(numbers: &[Digit], lane: usize, limbs: &mut [u64]) {
    let mut room = Secret::new([0; MOST_IN_LANES]);
    let digits = &mut room[..numbers.len()];
    for (to, from) in digits.iter_mut().zip(numbers) {
        *to = from[lane] & digits::MASK;
    }
    digits::to_limbs(digits, limbs);
}

/// The window at bit `i` of each task's exponent; lanes that are not needed do the first again.
#[inline(never)]
fn indices_at(tasks: &[Task<'_>], i: usize, out: &mut Digit) {
    for (lane, out) in out.iter_mut().enumerate() {
        let task = tasks.get(lane).unwrap_or(&tasks[0]);
        *out = limbs::window(task.exponent, i, WINDOW);
    }
}

/// Does up to eight tasks of one length, that of `K` digits, and with public exponents also of one
/// exponent.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn power_of<const K: usize>(tasks: &mut [Task<'_>], vartime: bool) {
    let mut places = Secret::new(Numbers::<K, 8>::ZERO);
    let [moduli, rr, base, plain, one, room, acc, other] = &mut places.0;
    let places: [&mut [Digit]; 8] = [moduli, rr, base, plain, one, room, acc, other];
    if vartime {
        power_in(tasks, places, None);
    } else {
        let mut table = Secret::new(Numbers::<ENTRIES, K>::ZERO);
        power_in(tasks, places, Some(&mut table.0));
    }
}

/// [`power_of`] in these places, which are zero, with a table for secret exponents.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn power_in(
    tasks: &mut [Task<'_>],
    places: [&mut [Digit]; 8],
    table: Option<&mut [[Digit; ENTRIES]]>,
) {
    let [moduli, rr, base, plain, one, room, mut acc, mut other] = places;
    let mut n0 = Secret::new([0; LANES]);
    one[0] = [1; LANES];
    for lane in 0..LANES {
        // Lanes that are not needed do the first task again.
        let task = tasks.get(lane).unwrap_or(&tasks[0]);
        n0[lane] = task.modulus.n0() & digits::MASK;
        let its_rr = match task.modulus.in_digits() {
            Some(in_digits) => in_digits.rr(),
            None => unreachable!("looked at before"),
        };
        enter(moduli, lane, task.modulus.limbs());
        enter(plain, lane, task.base);
        for (to, from) in rr.iter_mut().zip(its_rr) {
            to[lane] = *from;
        }
    }
    let mut by = |out: &mut [Digit], a: &[Digit], b: Option<&[Digit]>| {
        multiply(out, a, b, moduli, &n0, room);
    };
    by(base, plain, Some(rr));
    let exponent = tasks[0].exponent;
    let mut left = false;
    if let Some(table) = table {
        // One in Montgomery's form, and the other powers.
        by(acc, one, Some(rr));
        put(table, 0, acc);
        put(table, 1, base);
        acc.copy_from_slice(base);
        for i in 2..ENTRIES {
            by(other, acc, Some(base));
            put(table, i, other);
            core::mem::swap(&mut acc, &mut other);
        }
        let windows = (64 * exponent.len()).div_ceil(WINDOW).max(1);
        let mut indices = Secret::new([0; LANES]);
        for i in (0..windows).rev() {
            indices_at(tasks, i * WINDOW, &mut indices);
            if i + 1 == windows {
                lookup(table, &indices, acc);
                continue;
            }
            for _ in 0..WINDOW / 2 {
                by(other, acc, None);
                by(acc, other, None);
            }
            lookup(table, &indices, base);
            by(other, acc, Some(base));
            core::mem::swap(&mut acc, &mut other);
        }
    } else {
        let bits = limbs::bits_vartime(exponent);
        match bits {
            0 => by(acc, one, Some(rr)),
            _ => acc.copy_from_slice(base),
        }
        for i in (0..bits.saturating_sub(1)).rev() {
            by(other, acc, None);
            core::mem::swap(&mut acc, &mut other);
            if limbs::bit(exponent, i) == 1 {
                // By the plain base at the last bit: that leaves Montgomery's form.
                left = i == 0;
                by(other, acc, Some(if left { plain } else { base }));
                core::mem::swap(&mut acc, &mut other);
            }
        }
    }
    if !left {
        by(other, acc, Some(one));
        core::mem::swap(&mut acc, &mut other);
    }
    // Below 2 m.
    let mut limbs = Secret::new([0; MOST_IN_LANES + 1]);
    for (lane, task) in tasks.iter_mut().enumerate() {
        let limbs = &mut limbs[..task.out.len() + 1];
        leave(acc, lane, limbs);
        let (low, top) = limbs.split_at(task.out.len());
        task.out.copy_from_slice(low);
        limbs::subtract_once(top[0], task.out, task.modulus.limbs());
    }
}

/// Does up to eight tasks of one kind, all of which have what the kernels need.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn power(tasks: &mut [Task<'_>], vartime: bool) {
    match count(tasks[0].modulus.len()) {
        10 => power_of::<10>(tasks, vartime),
        20 => power_of::<20>(tasks, vartime),
        30 => power_of::<30>(tasks, vartime),
        40 => power_of::<40>(tasks, vartime),
        60 => power_of::<60>(tasks, vartime),
        _ => power_of::<MOST_IN_LANES>(tasks, vartime),
    }
}

/// Whether the kernel fits numbers of this many limbs in [`strong_to_two`].
pub(super) fn fits_two(limbs: usize) -> bool {
    let bits = 64 * limbs;
    limbs > 0
        && bits + 4 <= digits::BITS * MOST_IN_LANES
        && digits::BITS * of_bits(bits + 4) - bits < 1 << (bits.ilog2() - 1)
}

/// Up to eight numbers of one length that fits, all 3 modulo 4 and with their highest bits set:
/// whether 2^((n - 1)/2) = 1 or -1 modulo each n.
///
/// Nothing but squarings and doublings:
///
/// 1. The inverse is computed, 2^-E for E = (n - 1)/2: it is 1 or -1 where the power is.
/// 2. -E is, as a number in two's complement, a negative number of some ten bits above the others.
///    Two to that is, in Montgomery's form, the plain number 2^(52 K) over a power of two, which is
///    a power of two itself: that is where it starts.
/// 3. A square is doubled on its way out, where the bit says so. From factors below 4 m comes a
///    square below 2 m, as 16 m <= 2^(52 K).
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    match of_bits(64 * numbers[0].len() + 4) {
        10 => strong_of::<10>(numbers, passed),
        20 => strong_of::<20>(numbers, passed),
        30 => strong_of::<30>(numbers, passed),
        40 => strong_of::<40>(numbers, passed),
        60 => strong_of::<60>(numbers, passed),
        _ => strong_of::<MOST_IN_LANES>(numbers, passed),
    }
}

/// One lane's exponent, -E modulo 2^(64 n) for the n limbs of a number, and in the digits of `acc`
/// two to its bits from `first`.
#[inline(never)]
fn begin(number: &[u64], first: usize, lane: usize, exponent: &mut [u64], acc: &mut [Digit]) {
    let bits = 64 * number.len();
    // -(n - 1)/2 = (1 - n)/2, and as n is odd, !n = -n - 1 is even.
    let exponent = &mut exponent[..number.len()];
    for (to, from) in exponent.iter_mut().zip(number) {
        *to = !from;
    }
    limbs::add(exponent, &[2]);
    limbs::shift_right(exponent, 1);
    // The bits above the others, the highest of which is the sign.
    let top = limbs::window(exponent, first, bits - first);
    let k = (digits::BITS * acc.len()) as u64 + top - (1 << (bits - first));
    for (i, to) in (0u64..).zip(acc) {
        // Which digit has the bit is secret.
        let below = k.wrapping_sub(digits::BITS as u64 * i);
        let here = Choice::lt_u64(below, digits::BITS as u64);
        to[lane] = here.mask() & 1u64.wrapping_shl(below as u32);
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn strong_of<const K: usize>(numbers: &[&[u64]], passed: &mut [Choice]) {
    let mut places = Secret::new(Numbers::<K, 5>::ZERO);
    let [moduli, one, room, acc, other] = &mut places.0;
    strong_in(numbers, passed, [moduli, one, room, acc, other]);
}

/// [`strong_of`] in these places, which are zero.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn strong_in(numbers: &[&[u64]], passed: &mut [Choice], places: [&mut [Digit]; 5]) {
    let [moduli, one, room, mut acc, mut other] = places;
    let mut n0 = Secret::new([0; LANES]);
    // -E modulo 2^(64 n), in each lane.
    let mut exponents = Secret::new([[0; MOST_IN_LANES]; LANES]);
    let bits = 64 * numbers[0].len();
    let first = bits - 1 - bits.ilog2() as usize;
    for lane in 0..LANES {
        // Lanes that are not needed do the first number again.
        let number = numbers.get(lane).unwrap_or(&numbers[0]);
        n0[lane] = negative_inverse(number[0]) & digits::MASK;
        enter(moduli, lane, number);
        begin(number, first, lane, &mut exponents[lane], acc);
    }
    for i in (0..first).rev() {
        let mut twice = 0;
        for (lane, exponent) in exponents.iter().enumerate() {
            twice |= (limbs::bit(exponent, i) as u8) << lane;
        }
        multiply_by::<true, false, true>(other, acc, acc, moduli, &n0, room, twice);
        core::mem::swap(&mut acc, &mut other);
    }
    one[0] = [1; LANES];
    multiply(other, acc, Some(one), moduli, &n0, room);
    // At most m.
    let mut room = Secret::new([0; MOST_IN_LANES + 1]);
    let mut expected = Secret::new([0; MOST_IN_LANES]);
    for ((lane, number), passed) in numbers.iter().enumerate().zip(passed) {
        let power = &mut room[..number.len() + 1];
        leave(other, lane, power);
        let expected = &mut expected[..number.len()];
        expected.copy_from_slice(number);
        expected[0] &= !1;
        *passed = limbs::equal(power, &[1]).or(limbs::equal(power, expected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_LIMBS;

    /// The lengths that the primes of keys have.
    #[test]
    fn lengths_that_fit() {
        assert!([8, 16, 24, 32, 48, 64].into_iter().all(fits_two));
        assert!(!fits_two(0) && !(66..=MAX_LIMBS).any(fits_two));
    }

    #[test]
    fn numbers_are_wiped() {
        let mut numbers = Numbers([[[7; LANES]; 2]; 3]);
        numbers.wipe();
        assert_eq!(numbers.0.as_flattened().as_flattened(), [0; 48]);
    }
}
