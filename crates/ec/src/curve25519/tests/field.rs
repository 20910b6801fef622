//! The field against plain integers, on limbs at their bounds.

use super::Fixed;
use super::integer::Integer;
use crate::curve25519::field::Fe;
use crate::curve25519::fields::{Field, Ring};

const MASK: u64 = (1 << 51) - 1;
/// The largest limb that a multiplication takes.
const LOOSE: u64 = (1 << 54) - 1;
/// The largest limb of a sum that `sub` takes.
const SUM: u64 = (1 << 53) - 76;

/// An element and its value mod p.
fn element(limbs: [u64; 5]) -> (Fe, Integer) {
    let value = (0..5).fold(Integer::from(0), |sum, i| {
        sum.add(&Integer::from_words(&[limbs[i]]).mul(&Integer::power_of_two(51 * i)))
    });
    (Fe::from_limbs(limbs), value.rem(&Integer::prime()))
}

/// Elements with limbs up to `bound`.
fn elements(bound: u64) -> Vec<(Fe, Integer)> {
    let mut limbs = vec![
        [0; 5],
        [1, 0, 0, 0, 0],
        [19, 0, 0, 0, 0],
        [MASK - 19, MASK, MASK, MASK, MASK], // p - 1
        [MASK - 18, MASK, MASK, MASK, MASK], // p
        [MASK - 17, MASK, MASK, MASK, MASK], // p + 1
        [MASK; 5],                           // 2^255 - 1
        [MASK + (1 << 17); 5],
        [bound; 5],
        [bound, 0, bound, 0, bound],
        [0, bound, 0, bound, 0],
    ];
    for i in 0..5 {
        let mut one = [0; 5];
        one[i] = bound;
        limbs.push(one);
        limbs.push(one.map(|x| bound - x));
        one[i] = MASK + 1;
        limbs.push(one);
    }
    let mut rng = Fixed(7);
    for _ in 0..8 {
        limbs.push([(); 5].map(|()| u64::from_le_bytes(rng.bytes()) % bound));
    }
    limbs.into_iter().map(element).collect()
}

fn check(fe: Fe, value: &Integer) {
    assert_eq!(fe.to_bytes(), value.rem(&Integer::prime()).to_bytes());
}

#[test]
fn products() {
    for (a, x) in elements(LOOSE) {
        check(a, &x);
        check(a.tighten(), &x);
        check(a.square(), &x.mul(&x));
        for small in [0, 1, 121_665, (1 << 17) - 1] {
            check(a.mul_small(small), &x.mul(&(small as u32).into()));
        }
        for (b, y) in elements(LOOSE) {
            check(a.mul(b), &x.mul(&y));
        }
    }
}

#[test]
fn results_of_products_are_tight() {
    // A tight element can be added three times over and still be subtracted; debug builds check.
    for (a, x) in elements(LOOSE) {
        for (b, y) in elements(LOOSE) {
            let (product, value) = (a.mul(b), x.mul(&y));
            let sum = product.add(product).add(product);
            check(sum.sub(sum), &Integer::from(0));
            check(sum, &value.add(&value).add(&value));
        }
    }
}

#[test]
fn sums_and_differences() {
    let p = Integer::prime();
    for (a, x) in elements(SUM) {
        check(a.neg(), &p.sub(&x));
        for (b, y) in elements(SUM) {
            check(a.add(b), &x.add(&y));
            check(a.sub(b), &x.add(&p).sub(&y));
            assert_eq!(a.equals(b).declassify(), x == y);
        }
        assert_eq!(a.is_zero().declassify(), x == Integer::from(0));
        assert_eq!(a.sign(), x.to_bytes::<32>()[0] & 1);
    }
}

#[test]
fn powers() {
    let p = Integer::prime();
    for (a, x) in elements(LOOSE) {
        let one = if x == Integer::from(0) { 0 } else { 1 };
        check(a.mul(a.invert()), &one.into());
        // 8 * (2^252 - 3) + 5 = p
        let power = a.pow_p58();
        let eighth = power.square().square().square();
        let fourth = a.square().square();
        check(eighth.mul(fourth).mul(a), &x.rem(&p)); // x^p = x
    }
}

#[test]
fn encodings() {
    let p = Integer::prime();
    for offset in 0..19u32 {
        // Values from p to 2^255 - 1, with and without the top bit.
        let value = p.add(&offset.into());
        let mut bytes = value.to_bytes::<32>();
        check(Fe::from_bytes(&bytes), &value);
        bytes[31] |= 0x80;
        check(Fe::from_bytes(&bytes), &value);
    }
    let mut rng = Fixed(9);
    for _ in 0..50 {
        let mut bytes = rng.bytes::<32>();
        bytes[31] &= 0x7f;
        check(Fe::from_bytes(&bytes), &Integer::from_bytes(&bytes));
    }
}

#[test]
fn choices() {
    let all = elements(LOOSE);
    for (a, x) in &all {
        for (b, y) in &all {
            let (mut c, mut d) = (*a, *b);
            Fe::swap(0, &mut c, &mut d);
            check(c, x);
            Fe::swap(1, &mut c, &mut d);
            check(c, y);
            check(d, x);
            c.assign(0, *a);
            check(c, y);
            c.assign(u64::MAX, *a);
            check(c, x);
            let mut scan = Fe::ZERO;
            scan.or_masked(0, a);
            scan.or_masked(u64::MAX, b);
            check(scan, y);
        }
    }
}
