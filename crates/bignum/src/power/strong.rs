//! The first round of Miller and Rabin, to base 2, for numbers that are 3 modulo 4.

use super::Task;
use crate::{Modulus, Number, limbs};
use adamant_base::ct::Choice;

/// The exponent of the test, (n - 1)/2, and n - 1, for an odd n.
pub(crate) fn exponents(n: &[u64]) -> (Number, Number) {
    let mut minus_one = Number::from_limbs(n);
    minus_one[0] &= !1;
    let mut half = minus_one.clone();
    limbs::shift_right(&mut half, 0);
    (half, minus_one)
}

/// Whether 2^((n - 1)/2) is 1 or -1, by exponentiations.
pub(crate) fn by_power(numbers: &[&[u64]], passed: &mut [Choice], power: impl Fn(&mut [Task<'_>])) {
    assert_eq!(numbers.len(), passed.len());
    for (number, passed) in numbers.iter().zip(passed) {
        *passed = Choice::FALSE;
        let Some(modulus) = Modulus::new(number) else {
            continue;
        };
        let (half, minus_one) = exponents(number);
        let mut base = Number::zero(number.len());
        base[0] = 2;
        let mut out = Number::zero(number.len());
        power(&mut [Task {
            modulus: &modulus,
            base: &base,
            exponent: &half,
            out: &mut out,
        }]);
        *passed = limbs::equal(&out, &[1]).or(limbs::equal(&out, &minus_one));
    }
}

/// The same, by exponentiations of pairs.
#[cfg(target_arch = "x86")]
pub(crate) fn by_pairs(numbers: &[&[u64]], passed: &mut [Choice], power: impl Fn(&mut [Task<'_>])) {
    assert_eq!(numbers.len(), passed.len());
    let (pairs, last) = numbers.as_chunks::<2>();
    let (places, last_place) = passed.as_chunks_mut::<2>();
    for (pair, passed) in pairs.iter().zip(places) {
        let [Some(p), Some(q)] = pair.map(Modulus::new) else {
            by_power(pair, passed, &power);
            continue;
        };
        let [(half_p, minus_p), (half_q, minus_q)] = pair.map(exponents);
        let mut base = Number::zero(p.len().max(q.len()));
        base[0] = 2;
        let (mut out_p, mut out_q) = (Number::zero(p.len()), Number::zero(q.len()));
        let [task_p, task_q] = [(&p, &half_p, &mut out_p), (&q, &half_q, &mut out_q)].map(
            |(modulus, exponent, out)| Task {
                modulus,
                base: &base[..modulus.len()],
                exponent,
                out,
            },
        );
        power(&mut [task_p, task_q]);
        for (passed, (out, minus_one)) in
            (passed.iter_mut()).zip([(out_p, minus_p), (out_q, minus_q)])
        {
            *passed = limbs::equal(&out, &[1]).or(limbs::equal(&out, &minus_one));
        }
    }
    by_power(last, last_place, power);
}
