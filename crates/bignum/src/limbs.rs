//! Numbers as little-endian slices of 64-bit limbs.
//!
//! Lengths are public. No time depends on the limbs, but in [`bits_vartime`].

use adamant_base::ct::{Choice, barrier};

/// `a + b + carry` and the carry out of it.
#[inline(always)]
#[must_use]
pub(crate) const fn add_carry(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a - b - borrow` and the borrow out of it.
#[inline(always)]
#[must_use]
pub(crate) const fn sub_borrow(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let t = (a as u128).wrapping_sub(b as u128 + borrow as u128);
    (t as u64, (t >> 64) as u64 & 1)
}

/// `a + b · c + carry` and the carry out of it.
#[inline(always)]
#[must_use]
pub const fn mul_add_carry(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 * c as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// A carry of 0 or 1, which the compiler may know to be that only where it then makes a chain of
/// carries: for ARM64 it makes branches on them.
#[inline(always)]
fn one_bit(carry: u64) -> u64 {
    match cfg!(target_arch = "x86_64") {
        true => carry,
        false => barrier(carry),
    }
}

/// As [`add_carry`] for a carry of 0 or 1, in the form that the compiler makes one chain of where
/// additions follow each other, on x86-64.
#[inline(always)]
pub(crate) fn add_bit(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(one_bit(carry));
    (sum, u64::from(first | second))
}

/// As [`sub_borrow`], in that form.
#[inline(always)]
pub(crate) fn sub_bit(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(one_bit(borrow));
    (difference, u64::from(first | second))
}

/// `a = step(a, b, carry)` for every limb, in rows of eight; the last carry.
#[inline(always)]
fn each(a: &mut [u64], b: &[u64], step: impl Fn(u64, u64, u64) -> (u64, u64)) -> u64 {
    let (low, high) = a.split_at_mut(b.len());
    let (rows, rest) = low.as_chunks_mut::<8>();
    let (b_rows, b_rest) = b.as_chunks::<8>();
    let mut carry = 0;
    for (a, b) in rows.iter_mut().zip(b_rows) {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, carry) = step(*a, *b, carry);
        }
    }
    for (a, b) in rest.iter_mut().zip(b_rest) {
        (*a, carry) = step(*a, *b, carry);
    }
    for a in high {
        (*a, carry) = step(*a, 0, carry);
    }
    carry
}

/// Adds `b`, not longer than `a`, to `a`; the carry out of it.
///
/// ```
/// let mut a = [u64::MAX, u64::MAX];
/// assert_eq!(adamant_bignum::limbs::add(&mut a, &[1]), 1);
/// assert_eq!(a, [0, 0]);
/// ```
///
/// # Panics
/// When `b` is longer.
#[inline]
pub fn add(a: &mut [u64], b: &[u64]) -> u64 {
    each(a, b, add_bit)
}

/// `out = step(a, b, carry)` for every limb of three numbers of one length, in rows of eight; the
/// last carry.
#[inline(always)]
pub(crate) fn combine(
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    mut carry: u64,
    step: impl Fn(u64, u64, u64) -> (u64, u64),
) -> u64 {
    let (rows, rest) = out.as_chunks_mut::<8>();
    let ((a_rows, a_rest), (b_rows, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for ((out, a), b) in rows.iter_mut().zip(a_rows).zip(b_rows) {
        for i in 0..8 {
            (out[i], carry) = step(a[i], b[i], carry);
        }
    }
    for ((out, a), b) in rest.iter_mut().zip(a_rest).zip(b_rest) {
        (*out, carry) = step(*a, *b, carry);
    }
    carry
}

/// Subtracts `b`, not longer than `a`, from `a`; the borrow out of it.
///
/// ```
/// let mut a = [0, 1];
/// assert_eq!(adamant_bignum::limbs::sub(&mut a, &[1]), 0);
/// assert_eq!(a, [u64::MAX, 0]);
/// ```
///
/// # Panics
/// When `b` is longer.
#[inline]
pub fn sub(a: &mut [u64], b: &[u64]) -> u64 {
    each(a, b, sub_bit)
}

/// Subtracts `b`, not longer than `a`, from `a` where `choice` says so; the borrow out of it.
///
/// # Panics
/// When `b` is longer.
pub(crate) fn sub_if(choice: Choice, a: &mut [u64], b: &[u64]) -> u64 {
    let mask = choice.mask();
    each(a, b, |a, b, borrow| sub_bit(a, mask & b, borrow))
}

/// Adds `b` to `a`, of equal length, where `choice` says so; the carry out of it.
pub(crate) fn add_if(choice: Choice, a: &mut [u64], b: &[u64]) -> u64 {
    let mut carry = 0;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, carry) = add_carry(*a, choice.mask() & *b, carry);
    }
    carry
}

/// Whether `a < b`, of equal length.
///
/// # Panics
/// When they differ in length.
pub fn less(a: &[u64], b: &[u64]) -> Choice {
    assert_eq!(a.len(), b.len(), "numbers of one length");
    let mut borrow = 0;
    let ((a_rows, a_rest), (b_rows, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a_rows.iter().zip(b_rows) {
        for (a, b) in a.iter().zip(b) {
            (_, borrow) = sub_bit(*a, *b, borrow);
        }
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        (_, borrow) = sub_bit(*a, *b, borrow);
    }
    Choice::from_bit(borrow)
}

/// Whether `a == b`; the shorter one counts as followed by zeros.
pub fn equal(a: &[u64], b: &[u64]) -> Choice {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut difference = 0;
    for (i, limb) in long.iter().enumerate() {
        difference |= limb ^ short.get(i).unwrap_or(&0);
    }
    !Choice::nonzero(difference)
}

/// Whether `a` is zero.
pub fn is_zero(a: &[u64]) -> Choice {
    equal(a, &[])
}

/// Sets `to` to `from`, of equal length, where `choice` says so.
#[inline]
pub fn assign_if(choice: Choice, to: &mut [u64], from: &[u64]) {
    let mask = choice.mask();
    for (t, f) in to.iter_mut().zip(from) {
        *t ^= mask & (*t ^ *f);
    }
}

/// Twice `a`, with `bit` as the lowest bit; the bit that falls out.
#[inline]
pub fn shift_left(a: &mut [u64], bit: u64) -> u64 {
    let mut carry = bit;
    for a in a {
        (*a, carry) = (*a << 1 | carry, *a >> 63);
    }
    carry
}

/// Half of `a`, with `bit` as the highest bit; the bit that falls out.
#[inline]
pub fn shift_right(a: &mut [u64], bit: u64) -> u64 {
    let mut carry = bit;
    for a in a.iter_mut().rev() {
        (*a, carry) = (*a >> 1 | carry << 63, *a & 1);
    }
    carry
}

/// Once the top bit of `a`, counted from `carry`, came from a doubling or a sum below `2 m`:
/// subtracts `m` where `carry : a` is not below it.
#[inline]
pub(crate) fn subtract_once(carry: u64, a: &mut [u64], m: &[u64]) {
    let below = less(a, m).and(!Choice::nonzero(carry));
    sub_if(!below, a, m);
}

/// `a` modulo `m`, by long division bit by bit; `a` of any length, `out` as long as `m`.
///
/// ```
/// let mut out = [0];
/// adamant_bignum::limbs::remainder(&[5, 1], &[1 << 63], &mut out); // 2^64 + 5
/// assert_eq!(out, [5]);
/// ```
///
/// # Panics
/// When the lengths of `m` and `out` differ.
pub fn remainder(a: &[u64], m: &[u64], out: &mut [u64]) {
    assert_eq!(m.len(), out.len());
    out.fill(0);
    for limb in a.iter().rev() {
        for bit in (0..64).rev() {
            let carry = shift_left(out, limb >> bit & 1);
            subtract_once(carry, out, m);
        }
    }
}

/// `a / m`, rounded down, and the rest in `rest`, by long division bit by bit: `quotient` is as
/// long as `a`, `rest` as long as `m`.
///
/// ```
/// let (mut quotient, mut rest) = ([0; 2], [0]);
/// adamant_bignum::limbs::divide(&[5, 1], &[2], &mut quotient, &mut rest); // 2^64 + 5
/// assert_eq!((quotient, rest), ([(1 << 63) + 2, 0], [1]));
/// ```
///
/// # Panics
/// When lengths differ.
pub fn divide(a: &[u64], m: &[u64], quotient: &mut [u64], rest: &mut [u64]) {
    assert_eq!((a.len(), m.len()), (quotient.len(), rest.len()));
    rest.fill(0);
    for (limb, q) in a.iter().zip(quotient).rev() {
        *q = 0;
        for bit in (0..64).rev() {
            let carry = shift_left(rest, limb >> bit & 1);
            let below = less(rest, m).and(!Choice::nonzero(carry));
            sub_if(!below, rest, m);
            *q = *q << 1 | (!below).bit();
        }
    }
}

/// The bits of `a` without leading zeros. The time depends on their number.
#[must_use]
pub fn bits_vartime(a: &[u64]) -> usize {
    match a.iter().rposition(|limb| *limb != 0) {
        Some(top) => 64 * top + 64 - a[top].leading_zeros() as usize,
        None => 0,
    }
}

/// Bit `i` of `a`; zero beyond its end. Which bit is public.
#[inline]
#[must_use]
pub fn bit(a: &[u64], i: usize) -> u64 {
    a.get(i / 64).map_or(0, |limb| limb >> (i % 64) & 1)
}

/// The `width` bits (below 64) of `a` from bit `i` on. Which bits is public.
#[inline]
#[must_use]
pub fn window(a: &[u64], i: usize, width: usize) -> u64 {
    let (limb, shift) = (i / 64, i % 64);
    let low = a.get(limb).map_or(0, |x| x >> shift);
    let high = match a.get(limb + 1) {
        Some(x) if shift + width > 64 => x << (64 - shift),
        _ => 0,
    };
    (low | high) & ((1 << width) - 1)
}

/// The number in these big-endian bytes. Bytes that do not fit into `out` must be zeros.
///
/// ```
/// let mut out = [0; 2];
/// assert!(adamant_bignum::limbs::from_be_bytes(&[1, 2], &mut out).declassify());
/// assert_eq!(out, [0x102, 0]);
/// ```
pub fn from_be_bytes(bytes: &[u8], out: &mut [u64]) -> Choice {
    let mut beyond = 0;
    let (head, words) = bytes.as_rchunks::<8>();
    let words = words.iter().rev().map(|word| u64::from_be_bytes(*word));
    let mut first = [0; 8];
    first[8 - head.len()..].copy_from_slice(head);
    let mut limbs = words.chain([u64::from_be_bytes(first)]);
    for limb in out {
        *limb = limbs.next().unwrap_or(0);
    }
    for limb in limbs {
        beyond |= limb;
    }
    !Choice::nonzero(beyond)
}

/// The number in big-endian bytes, as many as `out` has: leading zeros, or without what does not
/// fit.
pub fn to_be_bytes(a: &[u64], out: &mut [u8]) {
    let (head, words) = out.as_rchunks_mut::<8>();
    let mut limbs = a.iter();
    for word in words.iter_mut().rev() {
        *word = limbs.next().unwrap_or(&0).to_be_bytes();
    }
    let limb = limbs.next().unwrap_or(&0).to_be_bytes();
    head.copy_from_slice(&limb[8 - head.len()..]);
}
