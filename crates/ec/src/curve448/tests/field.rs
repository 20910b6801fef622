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
/// The largest limb of the sum of two of those.
const SUM: u64 = 2 * TIGHT;

/// An element and its value mod p.
fn element<F: Field>(limbs: [u64; 8]) -> (F, Integer) {
    let value = (0..8).fold(Integer::from(0), |sum, i| {
        sum.add(&Integer::from_words(&[limbs[i]]).mul(&Integer::power_of_two(56 * i)))
    });
    (F::from_outside(Fe::from_limbs(limbs)), value.rem(&prime()))
}

/// Elements with limbs up to `bound`.
fn elements<F: Field>(bound: u64) -> Vec<(F, Integer)> {
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

fn check<F: Field>(fe: F, value: &Integer) {
    assert_eq!(fe.to_bytes(), value.rem(&prime()).to_bytes());
}

/// Checks the value and that the limbs are tight.
fn check_tight<F: Field>(fe: F, value: &Integer) {
    assert!(fe.to_outside().limbs().iter().all(|limb| *limb <= TIGHT));
    check(fe, value);
}

fn products<F: Field>() {
    for (a, x) in elements::<F>(LOOSE) {
        check(a, &x);
        check_tight(a.tighten(), &x);
        check_tight(a.square(), &x.mul(&x));
        for small in [0, 1, 39_081, (1 << 17) - 1] {
            let (product, value) = (a.mul_small(small), x.mul(&(small as u32).into()));
            assert!(product.to_outside().limbs().iter().all(|limb| *limb <= SUM));
            check(product, &value);
            check_tight(product.tighten(), &value);
            check_tight(product.neg(), &prime().sub(&value.rem(&prime())));
        }
        for (b, y) in elements::<F>(LOOSE) {
            check_tight(a.mul(b), &x.mul(&y));
        }
    }
}

/// The portable field's are tighter than others need be.
#[test]
fn portable_products_with_small_factors_are_tight() {
    for (a, x) in elements::<Fe>(LOOSE) {
        for small in [0, 1, 39_081, (1 << 17) - 1] {
            check_tight(a.mul_small(small), &x.mul(&(small as u32).into()));
        }
    }
}

fn sums_and_differences<F: Field>() {
    let p = prime();
    for (a, x) in elements::<F>(TIGHT) {
        check_tight(a.neg(), &p.sub(&x));
        for (b, y) in elements::<F>(TIGHT) {
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

fn powers<F: Field>() {
    for (a, x) in elements::<F>(LOOSE).into_iter().step_by(3) {
        let one = if x == Integer::from(0) { 0 } else { 1 };
        check(a.mul(a.invert()), &one.into());
        // 4 * (p - 3) / 4 + 3 = p
        let power = a.pow_p34().square().square();
        check(power.mul(a.square()).mul(a), &x); // x^p = x
    }
}

fn encodings<F: Field>() {
    let p = prime();
    for offset in [0u32, 1, 2, 1 << 20] {
        let value = p.add(&offset.into());
        check(F::from_bytes(&value.to_bytes()), &value);
    }
    check(
        F::from_bytes(&[0xff; 56]),
        &Integer::from_bytes(&[0xff; 56]),
    );
    let mut rng = TestRng::new(9);
    for _ in 0..50 {
        let bytes = bytes::<56>(&mut rng);
        check(F::from_bytes(&bytes), &Integer::from_bytes(&bytes));
    }
}

fn choices<F: Field>() {
    let all = elements::<F>(LOOSE);
    for (a, x) in &all {
        for (b, y) in &all {
            let (mut c, mut d) = (*a, *b);
            F::swap(0, &mut c, &mut d);
            check(c, x);
            F::swap(1, &mut c, &mut d);
            check(c, y);
            check(d, x);
            c.assign(0, *a);
            check(c, y);
            c.assign(u64::MAX, *a);
            check(c, x);
            let mut scan = F::ZERO;
            scan.or_masked(0, a);
            scan.or_masked(u64::MAX, b);
            check(scan, y);
        }
    }
}

/// Tries a field whose limbs are those of the portable one.
macro_rules! tests {
    ($name:ident: $field:ty; $($test:ident)*) => {
        mod $name {
            $(
                #[test]
                fn $test() {
                    super::$test::<$field>();
                }
            )*
        }
    };
    ($name:ident: $field:ty) => {
        tests!($name: $field; products sums_and_differences powers encodings choices);
    };
}

tests!(portable: crate::curve448::field::Fe);
#[cfg(target_arch = "aarch64")]
tests!(arm_mul: crate::curve448::arm_mul::field::Fe);
