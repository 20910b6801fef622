//! Moduli, and arithmetic modulo them with 64-bit limbs.
//!
//! Montgomery multiplication (Montgomery, 1985): for R = 2^(64 n), `multiply` gives a b / R.

use crate::invert::invert_limbs;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::power::x86_ifma512::in_digits::InDigits;
use crate::{Backend, MAX_LIMBS, Number, limbs};
use adamant_base::Secret;
use adamant_base::ct::Choice;

/// An odd modulus above 1, and what Montgomery multiplication needs of it.
///
/// ```
/// use adamant_bignum::{Modulus, hazmat::{Backend, Task}};
/// let modulus = Modulus::new(&[1_000_003]).unwrap();
/// let mut out = [0];
/// let task = Task { modulus: &modulus, base: &[2], exponent: &[1_000_002], out: &mut out };
/// Backend::best().power(&mut [task]);
/// assert_eq!(out, [1]); // Fermat: the modulus is prime
/// ```
#[derive(Clone)]
pub struct Modulus {
    m: Number,
    /// Bits without leading zeros: public.
    bits: usize,
    /// -1/m modulo 2^64.
    n0: u64,
    /// R^2 modulo m.
    rr: Number,
    /// What the kernels of 52-bit digits need, where they can run.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    in_digits: Option<InDigits>,
}

impl Modulus {
    /// The modulus of these limbs; `None` where it is even, 1, longer than
    /// [`MAX_BITS`](crate::MAX_BITS) or has zeros for its highest limb. That, and the number of
    /// its bits, is public.
    #[must_use]
    pub fn new(m: &[u64]) -> Option<Self> {
        if m.is_empty() || m.len() > MAX_LIMBS {
            return None;
        }
        let odd = Choice::from_bit(m[0] & 1);
        let top = m[m.len() - 1];
        // Leading zeros, counted without a look at the value; the count is public.
        let mut top_bits = 0;
        for i in 0..64 {
            top_bits += Choice::nonzero(top >> i).bit();
        }
        adamant_base::ct::mark_public_value(&mut top_bits);
        let one = limbs::equal(m, &[1]);
        // Refusals are public.
        if top_bits == 0 || !odd.and(!one).declassify() {
            return None;
        }
        let bits = 64 * (m.len() - 1) + top_bits as usize;
        let mut modulus = Modulus {
            m: Number::from_limbs(m),
            bits,
            n0: negative_inverse(m[0]),
            rr: Number::zero(m.len()),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            in_digits: None,
        };
        modulus.rr = modulus.power_of_two(128 * m.len());
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if Backend::best().implementation().name.contains("ifma") {
            modulus.in_digits = InDigits::new(m.len(), |e| modulus.power_above_rr(e));
        }
        Some(modulus)
    }

    /// 2^`exponent` modulo m, for exponents from 64 n on: from R, by doublings up to R 2^k, and
    /// squarings from there: each doubles k.
    pub(crate) fn power_of_two(&self, exponent: usize) -> Number {
        let n = self.len();
        let above = exponent - 64 * n;
        // A squaring takes the time of about n doublings, and 64 n doublings are 6 squarings of n.
        let squarings = above.trailing_zeros().min(6);
        // 2^bits - m, below m.
        let mut x = Number::zero(n);
        if !self.bits.is_multiple_of(64) {
            x[n - 1] = 1 << (self.bits % 64);
        }
        limbs::sub(&mut x, &self.m);
        for _ in self.bits..64 * n + (above >> squarings) {
            self.double(&mut x);
        }
        for _ in 0..squarings {
            x = self.multiply(&x, &x);
        }
        x
    }

    /// 2^`exponent` modulo m, for exponents from 128 n on: by two multiplications, where they are
    /// not far from there.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub(crate) fn power_above_rr(&self, exponent: usize) -> Number {
        let n = self.len();
        let more = exponent - 128 * n;
        if more >= self.bits {
            return self.power_of_two(exponent);
        }
        let mut x = Number::zero(n);
        x[more / 64] = 1 << (more % 64);
        // R^2 x / R, and that times R^2 / R.
        x = self.multiply(&x, &self.rr);
        self.multiply(&x, &self.rr)
    }

    /// Its limbs.
    #[must_use]
    pub fn limbs(&self) -> &[u64] {
        &self.m
    }

    /// How many limbs it has.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // It never is.
    pub fn len(&self) -> usize {
        self.m.len()
    }

    /// Its bits, without leading zeros.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// -1/m modulo 2^64.
    #[must_use]
    pub(crate) fn n0(&self) -> u64 {
        self.n0
    }

    /// R^2 modulo m, for R = 2^(64 n).
    #[must_use]
    pub(crate) fn rr(&self) -> &[u64] {
        &self.rr
    }

    /// What the kernels of 52-bit digits need.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub(crate) fn in_digits(&self) -> Option<&InDigits> {
        self.in_digits.as_ref()
    }

    /// `2 x` modulo m, for `x` below m.
    pub(crate) fn double(&self, x: &mut [u64]) {
        let carry = limbs::shift_left(x, 0);
        limbs::subtract_once(carry, x, &self.m);
    }

    /// `a b / R` modulo m: for `a` below R and `b` below m, or the other way round.
    #[must_use]
    pub fn multiply(&self, a: &[u64], b: &[u64]) -> Number {
        let mut out = Number::zero(self.len());
        Backend::best().multiply(&mut out, a, b, self);
        out
    }

    /// `a b` modulo m, both below m.
    #[must_use]
    pub fn multiply_plain(&self, a: &[u64], b: &[u64]) -> Number {
        self.multiply(&self.multiply(a, b), &self.rr)
    }

    /// `a` modulo m, for any `a` as long as the modulus.
    #[must_use]
    fn reduce_one(&self, mut a: Number) -> Number {
        if self.bits == 64 * self.len() {
            // Below 2 m.
            limbs::subtract_once(0, &mut a, &self.m);
            return a;
        }
        // a R modulo m, and back.
        let mut one = Number::zero(self.len());
        one[0] = 1;
        self.multiply(&self.multiply(&a, &self.rr), &one)
    }

    /// `a` modulo m, for `a` of any length.
    #[must_use]
    pub fn reduce(&self, a: &[u64]) -> Number {
        let n = self.len();
        let mut parts = a.chunks(n).rev().map(|chunk| {
            let mut part = Number::zero(n);
            part[..chunk.len()].copy_from_slice(chunk);
            self.reduce_one(part)
        });
        let mut sum = parts.next().unwrap_or(Number::zero(n));
        for part in parts {
            // Horner: sum R + part, with sum (R^2) / R.
            sum = self.multiply(&sum, &self.rr);
            self.add(&mut sum, &part);
        }
        sum
    }

    /// `a + b` modulo m, both below m.
    pub fn add(&self, a: &mut [u64], b: &[u64]) {
        let carry = limbs::add(a, b);
        limbs::subtract_once(carry, a, &self.m);
    }

    /// `a - b` modulo m, both below m.
    pub fn sub(&self, a: &mut [u64], b: &[u64]) {
        let borrow = limbs::sub(a, b);
        limbs::add_if(Choice::from_bit(borrow), a, &self.m);
    }

    /// `a` modulo m over all of `r`, which are odd and prime to m, and `a` below m.
    ///
    /// With k = -a/m modulo r, r divides a + k m, and the quotient, below m, comes limb by limb
    /// from 1/r modulo 2^64.
    #[must_use]
    pub fn divide_by_limbs<const N: usize>(&self, a: &[u64], r: [u64; N]) -> Number {
        let negatives = r.map(negative_inverse);
        // m / R 2^-128 modulo each.
        let m = self.m.iter().chain(&[0; 2]);
        let inverses = invert_limbs(residues(m, r, negatives), r).map(|(inverse, _)| inverse);
        let inverses = Secret::new(inverses);
        let mut quotient = Number::from_limbs(a);
        for i in 0..N {
            let (r, negative) = (r[i], negatives[i]);
            let [a_r] = residues(quotient.iter(), [r], [negative]);
            // -a/m 2^128, and without that.
            let product = u128::from(r - a_r) * u128::from(inverses[i]);
            let product = [product as u64, (product >> 64) as u64];
            let [k] = residues(product.iter(), [r], [negative]);
            let k = Secret::new(k);
            let mut carry = 0;
            for (q, m) in quotient.iter_mut().zip(&*self.m) {
                (*q, carry) = limbs::mul_add_carry(*q, *m, *k, carry);
            }
            let mut borrow = 0;
            let inverse = negative.wrapping_neg();
            for q in quotient.iter_mut() {
                let (difference, under) = limbs::sub_borrow(*q, borrow, 0);
                *q = difference.wrapping_mul(inverse);
                borrow = ((u128::from(*q) * u128::from(r)) >> 64) as u64 + under;
            }
        }
        quotient
    }
}

/// -1/x modulo 2^64 for an odd `x`: Newton's iteration, each round of which doubles the right bits.
pub(crate) fn negative_inverse(x: u64) -> u64 {
    let mut inverse = x;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg()
}

/// The number of these limbs, times a power of 2^-64 that depends on how many they are, modulo each
/// `r`.
fn residues<'a, const N: usize>(
    number: impl Iterator<Item = &'a u64>,
    r: [u64; N],
    negatives: [u64; N],
) -> [u64; N] {
    let mut residues = [0; N];
    for limb in number {
        for i in 0..N {
            let (sum, carry) = limbs::add_carry(residues[i], *limb, 0);
            let q = sum.wrapping_mul(negatives[i]);
            let (_, high) = limbs::mul_add_carry(sum, q, r[i], 0);
            // At most r: the sum is below 2^64 + r.
            let t = u128::from(high) + u128::from(carry);
            let (reduced, below) = limbs::sub_borrow(t as u64, r[i], 0);
            let below = Choice::from_bit(below).and(!Choice::nonzero((t >> 64) as u64));
            residues[i] = below.select_u64(t as u64, reduced);
        }
    }
    residues
}
