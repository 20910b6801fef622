//! The field against plain integers, on words at their bounds.

use super::Fe;
use crate::curve25519::edwards::Niels;
use crate::curve25519::fields::{Field, Ring};
use crate::curve25519::tests::integer::Integer;
use adamant_testkit::TestRng;

/// Of pairs of elements, one in so many is tried.
const STEP: usize = 7;

/// Tight elements and, with them, loose ones: around 0, p, 2^255, 2p and 2^256, of long runs of equal
/// bits, and some that look random.
fn elements(tight: bool) -> Vec<(Fe, Integer)> {
    let mut rng = TestRng::new(25519);
    let mut all: Vec<[u64; 4]> = Vec::new();
    let ends = [0, 1, 18, 19, 37, 38, 39, 1 << 63];
    for end in ends.into_iter().flat_map(|end| [end, !end]) {
        for middle in [0, u64::MAX] {
            for top in [
                0,
                u64::MAX >> 1,
                1 << 63,
                (1 << 63) + (1 << 18) - 1,
                u64::MAX,
            ] {
                all.push([end, middle, middle, top]);
            }
        }
    }
    all.extend((0..20).map(|_| rng.words()));
    let elements = all.into_iter().map(Fe).filter(|x| !tight || x.is_tight());
    elements
        .map(|x| (x, Integer::from_words(&x.0).rem(&Integer::prime())))
        .collect()
}

fn check(x: Fe, value: &Integer) {
    assert_eq!(x.to_bytes(), value.rem(&Integer::prime()).to_bytes());
}

fn check_tight(x: Fe, value: &Integer) {
    assert!(x.is_tight());
    check(x, value);
}

#[test]
fn products() {
    let (loose, tight) = (elements(false), elements(true));
    for (i, (a, x)) in loose.iter().enumerate() {
        check_tight(a.square(), &x.mul(x));
        for (b, y) in loose.iter().skip(i % STEP).step_by(STEP) {
            check_tight(a.mul(*b), &x.mul(y));
        }
        for factor in [0, 1, 121_665, (1 << 17) - 1] {
            let product = x.mul(&(factor as u32).into());
            check_tight(a.mul_small(factor), &product);
            for (b, y) in tight.iter().skip(i % STEP).step_by(STEP) {
                check_tight(a.mul_small_add(factor, *b), &product.add(y));
            }
        }
    }
}

#[test]
fn sums_and_differences() {
    let (p, loose, tight) = (Integer::prime(), elements(false), elements(true));
    for (i, (a, x)) in loose.iter().enumerate() {
        check_tight(a.tighten(), x);
        check_tight(a.neg(), &p.sub(x));
        for (b, y) in loose.iter().skip(i % STEP).step_by(STEP) {
            check(a.sub(*b), &x.add(&p).sub(y));
            check(Fe::select(0, *a, *b), x);
            check(Fe::select(1, *a, *b), y);
        }
        for (b, y) in tight.iter().skip(i % STEP).step_by(STEP) {
            check(a.add(*b), &x.add(y));
            check(b.add(*a), &x.add(y));
            check(a.sub_tight(*b), &x.add(&p).sub(y));
        }
    }
    for (mut a, x) in tight {
        a.negate_masked(0);
        check(a, &x);
        a.negate_masked(u64::MAX);
        check(a, &p.sub(&x));
    }
}

#[test]
fn entries() {
    let row: [Niels<Fe>; 8] = core::array::from_fn(|i| {
        let [y_plus_x, y_minus_x, xy2d] = [1, 2, 3].map(|j| Fe([i as u64, j, j << 32, j << 60]));
        Niels {
            y_plus_x,
            y_minus_x,
            xy2d,
        }
    });
    for number in 0..=row.len() {
        let found = Fe::pick(&row, number as u64);
        let expected = number.checked_sub(1).map_or(&Niels::NEUTRAL, |i| &row[i]);
        assert_eq!(found.y_plus_x.0, expected.y_plus_x.0);
        assert_eq!(found.y_minus_x.0, expected.y_minus_x.0);
        assert_eq!(found.xy2d.0, expected.xy2d.0);
    }
}
