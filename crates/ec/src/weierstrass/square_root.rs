//! Square roots in the field of a curve, of public numbers: one power for a prime that is 3 mod 4, and
//! the algorithm of Tonelli and Shanks for others.

use super::modulus::Modulus;
use super::words::{add, one, shift_right, sub};

/// A square root of the residue `a` modulo the prime `p`, if it has one.
pub(crate) fn vartime<const W: usize>(a: &[u64; W], p: &Modulus<W>) -> Option<[u64; W]> {
    if p.words[0] % 4 == 3 {
        // (p + 1) / 4.
        let (exponent, _) = add(&shift_right(&p.words, 2), &one());
        let x = power_vartime(a, &exponent, p);
        return (p.square(&x) == *a).then_some(x);
    }
    tonelli_shanks_vartime(a, p)
}

fn tonelli_shanks_vartime<const W: usize>(a: &[u64; W], p: &Modulus<W>) -> Option<[u64; W]> {
    // p - 1 = 2^s q with an odd q.
    let (mut q, _) = sub(&p.words, &one());
    let mut s = 0;
    while q[0] & 1 == 0 {
        q = shift_right(&q, 1);
        s += 1;
    }
    // a^((q - 1) / 2), then x = a^((q + 1) / 2) and t = a^q, so that x^2 = a t.
    let half = power_vartime(a, &shift_right(&q, 1), p);
    let mut x = p.mul(&half, a);
    let mut t = p.mul(&half, &x);
    // t has an order of 2^k, and is brought down by powers of c, which has one of 2^s.
    let mut c = power_vartime(&non_residue_vartime(p), &q, p);
    let mut m = s;
    while t != p.one {
        let (mut k, mut power) = (0, t);
        while power != p.one {
            power = p.square(&power);
            k += 1;
            if k == m {
                return None;
            }
        }
        let b = (0..m - k - 1).fold(c, |b, _| p.square(&b));
        c = p.square(&b);
        (x, t, m) = (p.mul(&x, &b), p.mul(&t, &c), k);
    }
    (p.square(&x) == *a).then_some(x)
}

/// A residue that is not a square.
fn non_residue_vartime<const W: usize>(p: &Modulus<W>) -> [u64; W] {
    let exponent = shift_right(&p.words, 1);
    let mut a = p.add(&p.one, &p.one);
    while power_vartime(&a, &exponent, p) == p.one {
        a = p.add(&a, &p.one);
    }
    a
}

/// `a^exponent`: four bits at a time.
fn power_vartime<const W: usize>(a: &[u64; W], exponent: &[u64; W], p: &Modulus<W>) -> [u64; W] {
    if cfg!(feature = "small") {
        let mut power = [0; W];
        p.ring().power(&mut power, a, exponent, &p.one);
        return power;
    }
    let mut powers = [p.one; 16];
    for i in 1..16 {
        powers[i] = p.mul(&powers[i - 1], a);
    }
    let mut result = p.one;
    for word in exponent.iter().rev() {
        for shift in (0..64).step_by(4).rev() {
            for _ in 0..4 {
                result = p.square(&result);
            }
            let digit = (word >> shift) as usize % 16;
            if digit != 0 {
                result = p.mul(&result, &powers[digit]);
            }
        }
    }
    result
}
