//! Inverses modulo odd numbers.
//!
//! The binary algorithm with masks: f and g start as the modulus and x. A step makes g even, by
//! subtracting f where it is odd (after an exchange that keeps the difference positive), and
//! halves it. Beside them run u and v with `u x = f` and `v x = g` modulo the modulus. Every step
//! takes a bit from the two numbers, so twice as many steps as there are bits end with g = 0 and
//! f = gcd.

use crate::{Modulus, Number, limbs};
use adamant_base::ct::Choice;

/// The inverse of `x` modulo an odd `m` above 1, both of equal length and `x` below `m`, and
/// whether there is one; otherwise the number means nothing.
///
/// ```
/// use adamant_bignum::invert::invert;
/// let (inverse, exists) = invert(&[3], &[7]);
/// assert!(exists.declassify());
/// assert_eq!(inverse[..], [5]);
/// assert!(!invert(&[3], &[9]).1.declassify());
/// ```
///
/// # Panics
/// When the lengths differ.
pub fn invert(x: &[u64], m: &[u64]) -> (Number, Choice) {
    let (u, gcd) = steps(x, m);
    let is_one = limbs::equal(&gcd, &[1]);
    (u, is_one)
}

/// The greatest common divisor of `x` and an odd `m`, both of equal length and `x` below `m`.
///
/// ```
/// assert_eq!(adamant_bignum::invert::gcd(&[12], &[15])[..], [3]);
/// ```
///
/// # Panics
/// When the lengths differ.
#[must_use]
pub fn gcd(x: &[u64], m: &[u64]) -> Number {
    steps(x, m).1
}

/// All steps: u and f.
fn steps(x: &[u64], m: &[u64]) -> (Number, Number) {
    assert_eq!(x.len(), m.len());
    let n = m.len();
    let mut f = Number::from_limbs(m);
    let mut g = Number::from_limbs(x);
    let mut u = Number::zero(n);
    let mut v = Number::zero(n);
    v[0] = 1;
    for _ in 0..128 * n {
        let odd = Choice::from_bit(g[0] & 1);
        let exchange = odd.and(limbs::less(&g, &f));
        for (a, b) in [(&mut f, &mut g), (&mut u, &mut v)] {
            for (a, b) in a.iter_mut().zip(b.iter_mut()) {
                let t = exchange.mask() & (*a ^ *b);
                *a ^= t;
                *b ^= t;
            }
        }
        limbs::sub_if(odd, &mut g, &f);
        limbs::shift_right(&mut g, 0);
        // v = (v - u) / 2 modulo m.
        let borrow = limbs::sub_if(odd, &mut v, &u);
        limbs::add_if(Choice::from_bit(borrow), &mut v, m);
        let carry = limbs::add_if(Choice::from_bit(v[0] & 1), &mut v, m);
        limbs::shift_right(&mut v, carry);
    }
    (u, f)
}

/// The inverse of a prime modulus's residue by Fermat's little theorem: as [`invert`], where the
/// exponentiation is faster, for a modulus that is prime.
#[must_use]
pub fn invert_fermat(backend: crate::Backend, x: &[u64], prime: &Modulus) -> Number {
    let mut exponent = Number::from_limbs(prime.limbs());
    limbs::sub(&mut exponent, &[2]);
    let mut out = Number::zero(exponent.len());
    backend.power(&mut [crate::Task {
        modulus: prime,
        base: x,
        exponent: &exponent,
        out: &mut out,
    }]);
    out
}

/// The inverse of each `x` below its `m` modulo that, an odd number above 1 of one limb, and whether
/// there is one: the same steps as for [`invert`], side by side.
pub(crate) fn invert_limbs<const N: usize>(x: [u64; N], m: [u64; N]) -> [(u64, Choice); N] {
    let (mut f, mut g, mut u, mut v) = (m, x, [0; N], [1; N]);
    for _ in 0..128 {
        for i in 0..N {
            let (f, g, u, v, m) = (&mut f[i], &mut g[i], &mut u[i], &mut v[i], m[i]);
            let odd = Choice::from_bit(*g & 1);
            let exchange = odd.and(Choice::lt_u64(*g, *f));
            (*f, *g) = (exchange.select_u64(*g, *f), exchange.select_u64(*f, *g));
            (*u, *v) = (exchange.select_u64(*v, *u), exchange.select_u64(*u, *v));
            *g = g.wrapping_sub(odd.mask() & *f) >> 1;
            let (difference, borrow) = limbs::sub_borrow(*v, odd.mask() & *u, 0);
            *v = difference.wrapping_add(Choice::from_bit(borrow).mask() & m);
            let (sum, carry) = limbs::add_carry(*v, Choice::from_bit(*v & 1).mask() & m, 0);
            *v = sum >> 1 | carry << 63;
        }
    }
    core::array::from_fn(|i| (u[i], Choice::eq_u64(f[i], 1)))
}
