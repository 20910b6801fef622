//! Points and their multiples: every implementation against the affine addition law.

use super::{bytes, edge_scalars};
use crate::curve448::edwards::{Affine, BASE, Extended, MINUS_D};
use crate::curve448::field::Fe;
use crate::curve448::fields::Field;
use crate::curve448::scalar::{Scalar, words};
use crate::curve448::{Backend, Check};
use crate::curve25519::tests::integer::Integer;
use adamant_testkit::{TestRng, share};

/// The sum by the affine addition law of RFC 8032, section 5.2, from nothing but the field.
pub(super) fn add(p: &Affine, q: &Affine) -> Affine {
    let product = p.x.mul(p.y).mul(q.x).mul(q.y).mul_small(MINUS_D);
    let x = p.x.mul(q.y).add(p.y.mul(q.x));
    let y = p.y.mul(q.y).sub(p.x.mul(q.x));
    Affine {
        x: x.mul(Fe::ONE.sub(product).invert()),
        y: y.mul(Fe::ONE.add(product).invert()),
    }
}

/// The multiple, bit by bit.
pub(super) fn multiply(scalar: &[u64; 7], p: &Affine) -> Affine {
    (0..448).rev().fold(Affine::NEUTRAL, |sum, i| {
        let twice = add(&sum, &sum);
        if scalar[i / 64] >> (i % 64) & 1 == 1 {
            add(&twice, p)
        } else {
            twice
        }
    })
}

/// (1, 0), of order 4.
pub(super) const ORDER_4: Affine = Affine {
    x: Fe::ONE,
    y: Fe::ZERO,
};

fn equal(p: &Affine, q: &Affine) -> bool {
    p.x.equals(q.x).and(p.y.equals(q.y)).declassify()
}

#[test]
fn sums() {
    let mut points = vec![Affine::NEUTRAL, ORDER_4, BASE];
    for _ in 0..6 {
        let next = add(points.last().unwrap(), &ORDER_4);
        points.push(add(&next, &next));
        points.push(next);
    }
    for p in &points {
        let twice = p.extend().projective().double().extended();
        assert!(equal(&twice.to_affine(), &add(p, p)));
        for q in &points {
            let cached = q.extend().cache();
            let sum = p.extend().add(&cached).extended();
            assert!(equal(&sum.to_affine(), &add(p, q)));
            // T is XY / Z.
            assert!(sum.t.mul(sum.z).equals(sum.x.mul(sum.y)).declassify());
            let back: Extended = sum.add(&cached.neg()).extended();
            assert!(equal(&back.to_affine(), p));
        }
    }
}

#[test]
fn multiples_of_the_base_point() {
    let scalars = edge_scalars();
    for (i, scalar) in scalars.iter().enumerate() {
        let portable = Backend::portable().mul_base(scalar);
        if i % 8 == 0 {
            assert!(equal(&portable, &multiply(scalar, &BASE)));
        }
        for backend in Backend::available() {
            assert!(equal(&backend.mul_base(scalar), &portable), "{backend:?}");
            assert_eq!(
                backend.mul_base_u(scalar),
                Backend::portable().mul_base_u(scalar)
            );
        }
    }
    // u = y^2 / x^2
    let mut five = [0; 56];
    five[0] = 5;
    assert_eq!(Backend::portable().mul_base_u(&[1, 0, 0, 0, 0, 0, 0]), five);
}

#[test]
fn ladders_agree() {
    let mut rng = TestRng::new(4);
    for scalar in edge_scalars().into_iter().step_by(3) {
        let scalar = Integer::from_words(&scalar).to_bytes();
        let u = bytes(&mut rng);
        let expected = Backend::portable().ladder(&scalar, &u);
        for backend in Backend::available() {
            assert_eq!(backend.ladder(&scalar, &u), expected, "{backend:?}");
        }
    }
}

/// Batches of every length around the groups and chunks of the implementations.
#[test]
fn batches_are_single_calls() {
    let mut rng = TestRng::new(6);
    let all = edge_scalars();
    let one = Backend::portable();
    let singles: Vec<Affine> = all.iter().map(|scalar| one.mul_base(scalar)).collect();
    let us: Vec<[u8; 56]> = all.iter().map(|scalar| one.mul_base_u(scalar)).collect();
    let mut pairs: Vec<[[u8; 56]; 2]> = (0..66)
        .map(|_| [bytes(&mut rng), bytes(&mut rng)])
        .collect();
    // Points of small order, the largest coordinate, and scalars of no bits.
    pairs[1][1] = [0; 56];
    pairs[3][1] = [0xff; 56];
    pairs[5][0] = [0; 56];
    let shared: Vec<[u8; 56]> = pairs.iter().map(|[k, u]| one.ladder(k, u)).collect();
    for backend in Backend::available() {
        for count in share(backend.implementation(), (0..=17).chain([63, 64, 65, 66])) {
            for first in [0, 20] {
                let scalars = &all[first..first + count];
                let mut points = vec![ORDER_4; count];
                backend.mul_base_batch(scalars, &mut points);
                let mut coordinates = vec![[1; 56]; count];
                backend.mul_base_u_batch(scalars, &mut coordinates);
                for i in 0..count {
                    assert!(equal(&points[i], &singles[first + i]), "{backend:?} {i}");
                    assert_eq!(coordinates[i], us[first + i], "{backend:?} {i}");
                }
            }
            let mut out = vec![[1; 56]; count];
            backend.ladder_batch(&pairs[..count], &mut out);
            assert_eq!(out, shared[..count], "{backend:?}");
        }
    }
}

#[test]
fn verification_equations() {
    let mut rng = TestRng::new(8);
    let scalars: Vec<[u64; 7]> = edge_scalars()
        .iter()
        .map(|scalar| Integer::from_words(scalar).to_bytes())
        .map(|bytes| *Scalar::reduce(&bytes).words())
        .collect();
    let mut checks = Vec::new();
    for i in 0..40 {
        let k = scalars[(7 * i) % scalars.len()];
        let s = scalars[(11 * i + 5) % scalars.len()];
        let mut a = Backend::portable().mul_base(&words(&{
            let mut bytes = bytes::<56>(&mut rng);
            bytes[55] &= 0x3f;
            bytes
        }));
        if i % 5 == 0 {
            a = add(&a, &ORDER_4);
        }
        // R = [s]B - [k]A
        let minus_a = Affine {
            x: a.x.neg(),
            y: a.y,
        };
        let mut r = add(&multiply(&s, &BASE), &multiply(&k, &minus_a));
        if i % 4 == 0 {
            r = add(&r, &ORDER_4);
        }
        if i % 3 == 0 {
            r = add(&r, &BASE);
        }
        let mut r = r.compress();
        if i == 7 {
            r = [0xff; 57];
        }
        let valid = i % 3 != 0 && i != 7;
        checks.push((Check { a, r, k, s }, valid));
    }
    let only: Vec<Check> = checks.iter().map(|(check, _)| *check).collect();
    for backend in Backend::available() {
        for (check, valid) in &checks {
            assert_eq!(backend.verify_vartime(check), *valid, "{backend:?}");
        }
        // All good, but for one R that is not a point; more than a chunk of them.
        let mut good: Vec<Check> = checks.iter().filter(|c| c.1).map(|c| c.0).collect();
        good.extend_from_within(..);
        good.extend_from_within(..20);
        good[9].r = [0xff; 57];
        for count in [7, 8, 9, 63, 64, 65, good.len()] {
            let mut out = vec![false; count];
            backend.verify_batch_vartime(&good[..count], &mut out);
            for (i, verdict) in out.iter().enumerate() {
                assert_eq!(*verdict, i != 9, "{backend:?} {i} of {count}");
            }
        }
        for count in [0, 1, 2, 3, 7, 8, 9, 17, 40] {
            let mut out = vec![false; count];
            backend.verify_batch_vartime(&only[..count], &mut out);
            for (verdict, (_, valid)) in out.iter().zip(&checks) {
                assert_eq!(verdict, valid, "{backend:?}");
            }
        }
    }
}
