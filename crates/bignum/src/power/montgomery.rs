//! Montgomery multiplication and exponentiation on 64-bit limbs, over a row operation: adding the
//! multiple of a number to another.

use super::Task;
use crate::{MAX_LIMBS, Modulus, limbs};
use adamant_base::Secret;
use adamant_base::ct::Choice;

/// The row operation.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier<F> {
    /// `acc += a b` for numbers of equal length; the limb that is carried out.
    add_multiple: F,
}

impl Multiplier<fn(&mut [u64], &[u64], u64) -> u64> {
    /// In portable Rust, by this multiplication of 32 bits by 32.
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    #[inline(always)]
    pub(crate) fn by_halves(
        wide: impl Fn(u32, u32) -> u64 + Copy,
    ) -> Multiplier<impl Fn(&mut [u64], &[u64], u64) -> u64 + Copy> {
        Multiplier {
            add_multiple: move |acc: &mut [u64], a: &[u64], b: u64| {
                let half = |x: u64| (x & 0xffff_ffff, x >> 32);
                let (b0, b1) = (b as u32, (b >> 32) as u32);
                let mut carry = 0;
                for (t, a) in acc.iter_mut().zip(a) {
                    let (a0, a1) = (*a as u32, (*a >> 32) as u32);
                    let ((t0, t1), (c0, c1)) = (half(*t), half(carry));
                    // Each sum is at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
                    let low = wide(a0, b0) + t0 + c0;
                    let middle = wide(a0, b1) + t1 + (low >> 32);
                    let other = wide(a1, b0) + c1 + (middle & 0xffff_ffff);
                    carry = wide(a1, b1) + (middle >> 32) + (other >> 32);
                    *t = other << 32 | low & 0xffff_ffff;
                }
                carry
            },
        }
    }

    /// In portable Rust.
    #[cfg(target_pointer_width = "64")]
    #[inline(always)]
    pub(crate) fn portable() -> Multiplier<impl Fn(&mut [u64], &[u64], u64) -> u64 + Copy> {
        Multiplier {
            add_multiple: |acc: &mut [u64], a: &[u64], b: u64| {
                let mut carry = 0;
                for (t, a) in acc.iter_mut().zip(a) {
                    (*t, carry) = limbs::mul_add_carry(*t, *a, b, carry);
                }
                carry
            },
        }
    }
}

impl<F: Fn(&mut [u64], &[u64], u64) -> u64 + Copy> Multiplier<F> {
    /// With this row operation.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn new(add_multiple: F) -> Self {
        Multiplier { add_multiple }
    }
}

/// `out = a b`: the method of the school.
#[inline(always)]
pub(super) fn product<F>(f: Multiplier<F>, out: &mut [u64], a: &[u64], b: &[u64])
where
    F: Fn(&mut [u64], &[u64], u64) -> u64 + Copy,
{
    assert_eq!(out.len(), a.len() + b.len());
    out.fill(0);
    for (i, b) in b.iter().enumerate() {
        out[i + a.len()] = (f.add_multiple)(&mut out[i..i + a.len()], a, *b);
    }
}

/// `out = a b / R mod m`, for `a b < R m`: a row of the product, then the multiple of m that
/// clears its lowest limb, row by row.
#[inline(always)]
pub(crate) fn multiply<F>(
    f: Multiplier<F>,
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    m: &[u64],
    n0: u64,
) where
    F: Fn(&mut [u64], &[u64], u64) -> u64 + Copy,
{
    let n = m.len();
    assert!(n <= MAX_LIMBS && a.len() == n && b.len() == n && out.len() == n);
    match n {
        0..=16 => multiply_in::<_, 32>(f, out, a, b, m, n0),
        17..=32 => multiply_in::<_, 64>(f, out, a, b, m, n0),
        _ => multiply_in::<_, { 2 * MAX_LIMBS }>(f, out, a, b, m, n0),
    }
}

/// [`multiply`] with room for a product of this many limbs.
#[inline(always)]
fn multiply_in<F, const ROOM: usize>(
    f: Multiplier<F>,
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    m: &[u64],
    n0: u64,
) where
    F: Fn(&mut [u64], &[u64], u64) -> u64 + Copy,
{
    let n = m.len();
    let mut t = Secret::new([0; ROOM]);
    let mut top = 0;
    for i in 0..n {
        let row = &mut t[i..i + n];
        let first = (f.add_multiple)(row, a, b[i]);
        let q = row[0].wrapping_mul(n0);
        let second = (f.add_multiple)(row, m, q);
        (t[i + n], top) = limbs::add_carry(first, second, top);
    }
    // Below 2 m.
    out.copy_from_slice(&t[n..2 * n]);
    limbs::subtract_once(top, out, m);
}

/// Bits of a window.
const WINDOW: usize = 5;
/// Entries of a table.
const ENTRIES: usize = 1 << WINDOW;

/// The entry at a secret index: reads all.
#[inline(always)]
fn lookup(table: &[u64], index: u64, out: &mut [u64]) {
    out.fill(0);
    for (i, entry) in (0..).zip(table.chunks_exact(out.len())) {
        let mask = Choice::eq_u64(i, index).mask();
        for (o, e) in out.iter_mut().zip(entry) {
            *o |= e & mask;
        }
    }
}

/// Exponentiation with fixed windows, by a row's `multiply`: five squarings and one multiplication
/// for each five bits.
#[inline(always)]
pub(super) fn power<M>(multiply: M, tasks: &mut [Task<'_>])
where
    M: Fn(&mut [u64], &[u64], &[u64], &Modulus),
{
    let mut table = Secret::new([0; ENTRIES * MAX_LIMBS]);
    let mut entry = Secret::new([0; MAX_LIMBS]);
    let mut accumulator = Secret::new([0; MAX_LIMBS]);
    for task in tasks {
        task.check();
        let m = task.modulus;
        let n = m.len();
        let table = &mut table[..ENTRIES * n];
        let (entry, accumulator) = (&mut entry[..n], &mut accumulator[..n]);
        let rr = m.rr();
        // The powers 0, 1, 2, … of the base in Montgomery's form.
        entry.fill(0);
        entry[0] = 1;
        multiply(&mut table[..n], entry, rr, m);
        multiply(&mut table[n..2 * n], task.base, rr, m);
        for i in 2..ENTRIES {
            let (known, next) = table.split_at_mut(i * n);
            multiply(&mut next[..n], &known[(i - 1) * n..], &known[n..2 * n], m);
        }
        let windows = (64 * task.exponent.len()).div_ceil(WINDOW);
        accumulator.copy_from_slice(&table[..n]);
        for i in (0..windows).rev() {
            if i + 1 != windows {
                for _ in 0..WINDOW {
                    multiply(entry, accumulator, accumulator, m);
                    accumulator.copy_from_slice(entry);
                }
            }
            lookup(
                table,
                limbs::window(task.exponent, i * WINDOW, WINDOW),
                entry,
            );
            multiply(task.out, accumulator, entry, m);
            accumulator.copy_from_slice(task.out);
        }
        entry.fill(0);
        entry[0] = 1;
        multiply(task.out, accumulator, entry, m);
    }
}

/// Exponentiation by squaring and multiplying, from the highest bit.
#[inline(always)]
pub(super) fn power_vartime<M>(multiply: M, tasks: &mut [Task<'_>])
where
    M: Fn(&mut [u64], &[u64], &[u64], &Modulus),
{
    let mut base = Secret::new([0; MAX_LIMBS]);
    let mut accumulator = Secret::new([0; MAX_LIMBS]);
    for task in tasks {
        task.check();
        let m = task.modulus;
        let n = m.len();
        let (base, accumulator) = (&mut base[..n], &mut accumulator[..n]);
        let bits = limbs::bits_vartime(task.exponent);
        if bits == 0 {
            task.out.fill(0);
            task.out[0] = 1;
            continue;
        }
        multiply(base, task.base, m.rr(), m);
        accumulator.copy_from_slice(base);
        for i in (0..bits - 1).rev() {
            multiply(task.out, accumulator, accumulator, m);
            accumulator.copy_from_slice(task.out);
            if limbs::bit(task.exponent, i) == 1 {
                // By the plain base at the last bit: that leaves Montgomery's form.
                let factor: &[u64] = if i == 0 { task.base } else { base };
                multiply(task.out, accumulator, factor, m);
                accumulator.copy_from_slice(task.out);
            }
        }
        if bits == 1 || limbs::bit(task.exponent, 0) == 0 {
            base.fill(0);
            base[0] = 1;
            multiply(task.out, accumulator, base, m);
        }
    }
}
