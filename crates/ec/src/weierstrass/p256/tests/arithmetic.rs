//! Field, scalars and inversion against the reference, at the edges and at random.

use super::reference::{FIELD, Limbs, Modular, SCALARS};
use crate::weierstrass::curve::Derived;
use crate::weierstrass::p256::P256;
use crate::weierstrass::p256::field::Fe;
use crate::weierstrass::{square_root, words};
use adamant_testkit::TestRng;

/// 0, 1, 2, m - 1, m - 2, (m ± 1) / 2, numbers of one bit or with one missing, then random words,
/// half of them extreme; all below m.
fn values(m: &Modular<4>, seed: u64, random: usize) -> Vec<Limbs> {
    let one = [1, 0, 0, 0];
    let half = m.halve(&one);
    let mut values = vec![[0; 4], one, [2, 0, 0, 0], m.neg(&one), m.neg(&[2, 0, 0, 0])];
    values.extend([half, m.neg(&half)]);
    for bit in (0..256)
        .step_by(31)
        .chain([63, 64, 127, 128, 191, 192, 255])
    {
        let mut power = [0; 4];
        power[bit / 64] = 1 << (bit % 64);
        values.extend([m.reduce(&power), m.neg(&m.reduce(&power))]);
    }
    let mut rng = TestRng::new(seed);
    values.extend((0..random).map(|_| m.reduce(&rng.words())));
    values
}

#[test]
fn field_operations() {
    // Raw words: both sides see x * 2^256 as some x.
    let values = values(&FIELD, 1, 60);
    let r = FIELD.neg(&FIELD.sub(&[0; 4], &Fe::ONE.0));
    let r_inverse = FIELD.invert(&r);
    for a in &values {
        let fa = Fe(*a);
        assert_eq!(fa.double().0, FIELD.add(a, a), "2 {a:x?}");
        assert_eq!(fa.halve().0, FIELD.halve(a), "{a:x?} / 2");
        assert_eq!(fa.neg().0, FIELD.neg(a), "-{a:x?}");
        let square = FIELD.mul(&FIELD.mul(a, a), &r_inverse);
        assert_eq!(fa.square().0, square, "{a:x?}^2");
        assert_eq!(fa.to_integer(), FIELD.mul(a, &r_inverse), "{a:x?}");
        assert_eq!(Fe::from_integer(a).to_integer(), *a);
        assert_eq!(fa.is_zero().declassify(), *a == [0; 4]);
        for b in &values {
            let fb = Fe(*b);
            assert_eq!(fa.add(&fb).0, FIELD.add(a, b), "{a:x?} + {b:x?}");
            assert_eq!(fa.sub(&fb).0, FIELD.sub(a, b), "{a:x?} - {b:x?}");
            assert_eq!(fa.equals(&fb).declassify(), a == b);
            let product = FIELD.mul(&FIELD.mul(a, b), &r_inverse);
            assert_eq!(fa.mul(&fb).0, product, "{a:x?} * {b:x?}");
        }
    }
}

#[test]
fn inverses() {
    for a in &values(&FIELD, 2, 200)[1..] {
        let expected = FIELD.invert(a);
        let a = Fe::from_integer(a);
        assert_eq!(a.invert().to_integer(), expected);
        assert_eq!(a.invert_vartime().to_integer(), expected);
    }
    for a in &values(&SCALARS, 3, 200)[1..] {
        let expected = SCALARS.invert(a);
        let one = [1, 0, 0, 0];
        assert_eq!(P256::ORDER.divide(&one, a), expected);
        assert_eq!(P256::ORDER.divide_vartime(&one, a), expected);
    }
    assert_eq!(Fe::ZERO.invert().0, [0; 4]);
    assert_eq!(Fe::ZERO.invert_vartime().0, [0; 4]);
    assert_eq!(P256::ORDER.divide(&[1, 0, 0, 0], &[0; 4]), [0; 4]);
}

#[test]
fn square_roots() {
    let f = P256::FIELD;
    let mut roots = 0;
    for a in &values(&FIELD, 4, 100) {
        let root = square_root::vartime(&f.square(a), f).expect("a square has a root");
        let negated = f.sub(&[0; 4], a);
        assert!(root == *a || root == negated);
        // -1 is no square, so of a and -a one is.
        if *a != [0; 4] {
            let is_square = |x| square_root::vartime(x, f).is_some();
            assert_ne!(is_square(a), is_square(&negated));
            roots += usize::from(is_square(a));
        }
    }
    assert!(roots > 20);
}

#[test]
fn scalar_operations() {
    let order = P256::ORDER;
    let values = values(&SCALARS, 5, 60);
    for a in &values {
        assert_eq!(words::is_zero(a).declassify(), *a == [0; 4]);
        assert_eq!(order.is_above_and_not_zero(a).declassify(), *a != [0; 4]);
        let residue = order.to_residue(a);
        assert_eq!(order.to_integer(&residue), *a);
        assert_eq!(order.square(&residue), order.mul(&residue, &residue));
        for b in &values {
            assert_eq!(order.add(a, b), SCALARS.add(a, b), "{a:x?} + {b:x?}");
            assert_eq!(order.sub(a, b), SCALARS.sub(a, b), "{a:x?} - {b:x?}");
            assert_eq!(order.mul(&residue, b), SCALARS.mul(a, b), "{a:x?} * {b:x?}");
        }
    }
    let mut rng = TestRng::new(6);
    for a in [SCALARS.0, [u64::MAX; 4]]
        .into_iter()
        .chain((0..100).map(|_| rng.words()))
    {
        let reduced = SCALARS.reduce(&a);
        assert_eq!(order.reduce(&a), reduced);
        assert_eq!(
            order.is_above_and_not_zero(&a).declassify(),
            a == reduced && a != [0; 4]
        );
    }
}
