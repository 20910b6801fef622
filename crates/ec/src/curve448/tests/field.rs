//! The field against plain integers, on limbs at their bounds.

use super::{bytes, prime};
use crate::curve448::field::Fe;
use crate::curve448::fields::Field;
use crate::curve25519::tests::integer::Integer;
use adamant_testkit::TestRng;

const MASK: u64 = (1 << 56) - 1;
/// The largest limb that a multiplication takes.
const LOOSE: u64 = (3 << 56) + (1 << 13) - 1;
/// The largest limb of what a product gives.
const TIGHT: u64 = (1 << 56) + (1 << 10) - 1;

/// An element and its value mod p.
fn element(limbs: [u64; 8]) -> (Fe, Integer) {
    let value = (0..8).fold(Integer::from(0), |sum, i| {
        sum.add(&Integer::from_words(&[limbs[i]]).mul(&Integer::power_of_two(56 * i)))
    });
    (Fe::from_limbs(limbs), value.rem(&prime()))
}

/// Elements with limbs up to `bound`.
fn elements(bound: u64) -> Vec<(Fe, Integer)> {
    let mut limbs = vec![
        [0; 8],
        [1, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0],
        [MASK - 1, MASK, MASK, MASK, MASK - 1, MASK, MASK, MASK], // p - 1
        [MASK, MASK, MASK, MASK, MASK - 1, MASK, MASK, MASK],     // p
        [0, 0, 0, 0, MASK, MASK, MASK, MASK],                     // p + 1
        [MASK; 8],                                                // 2^448 - 1
        [MASK + 1, 0, 0, 0, 0, 0, 0, MASK],
        [TIGHT; 8],
        [bound; 8],
        [bound, 0, bound, 0, bound, 0, bound, 0],
        [0, bound, 0, bound, 0, bound, 0, bound],
        [0, 0, 0, 0, bound, bound, bound, bound],
        [bound, bound, bound, bound, 0, 0, 0, 0],
    ];
    for i in 0..8 {
        let mut one = [0; 8];
        one[i] = bound;
        limbs.push(one);
        limbs.push(one.map(|x| bound - x));
        one[i] = MASK + 1;
        limbs.push(one);
    }
    let mut rng = TestRng::new(7);
    for _ in 0..8 {
        limbs.push([(); 8].map(|()| rng.next_u64() % bound));
    }
    limbs.into_iter().map(element).collect()
}

fn check(fe: Fe, value: &Integer) {
    assert_eq!(fe.to_bytes(), value.rem(&prime()).to_bytes());
}

/// Checks the value and that the limbs are tight.
fn check_tight(fe: Fe, value: &Integer) {
    assert!(fe.limbs().iter().all(|limb| *limb <= TIGHT));
    check(fe, value);
}

#[test]
fn products() {
    for (a, x) in elements(LOOSE) {
        check(a, &x);
        check_tight(a.tighten(), &x);
        check_tight(a.square(), &x.mul(&x));
        for small in [0, 1, 39_081, (1 << 17) - 1] {
            check_tight(a.mul_small(small), &x.mul(&(small as u32).into()));
        }
        for (b, y) in elements(LOOSE) {
            check_tight(a.mul(b), &x.mul(&y));
        }
    }
}

#[test]
fn sums_and_differences() {
    let p = prime();
    for (a, x) in elements(TIGHT) {
        check_tight(a.neg(), &p.sub(&x));
        for (b, y) in elements(TIGHT) {
            check(a.add(b), &x.add(&y));
            check(a.sub(b), &x.add(&p).sub(&y));
            check_tight(a.sub_loose(b), &x.add(&p).sub(&y));
            let difference = a.add(a).sub_loose(b.add(b));
            check_tight(difference, &x.add(&x).add(&p).add(&p).sub(&y).sub(&y));
            assert_eq!(a.equals(b).declassify(), x == y);
        }
        assert_eq!(a.is_zero().declassify(), x == Integer::from(0));
        assert_eq!(a.sign(), x.to_bytes::<56>()[0] & 1);
    }
}

#[test]
fn powers() {
    for (a, x) in elements(LOOSE).into_iter().step_by(3) {
        let one = if x == Integer::from(0) { 0 } else { 1 };
        check(a.mul(a.invert()), &one.into());
        // 4 * (p - 3) / 4 + 3 = p
        let power = a.pow_p34().square().square();
        check(power.mul(a.square()).mul(a), &x); // x^p = x
    }
}

#[test]
fn encodings() {
    let p = prime();
    for offset in [0u32, 1, 2, 1 << 20] {
        let value = p.add(&offset.into());
        check(Fe::from_bytes(&value.to_bytes()), &value);
    }
    check(
        Fe::from_bytes(&[0xff; 56]),
        &Integer::from_bytes(&[0xff; 56]),
    );
    let mut rng = TestRng::new(9);
    for _ in 0..50 {
        let bytes = bytes::<56>(&mut rng);
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
