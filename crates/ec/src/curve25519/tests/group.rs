//! Points and their multiples.

use super::edge_scalars;
use super::halved::edge_factors;
use crate::curve25519::edwards::{Affine, BASE, Completed, Extended};
use crate::curve25519::field::Fe;
use crate::curve25519::fields::Field;
use crate::curve25519::kernel::{Check, Equation};
use crate::curve25519::scalar::Scalar;
use crate::curve25519::{ed25519, x25519};
use hex_literal::hex;

/// A point of order 8.
pub(super) fn order_8() -> Affine {
    let bytes = hex!("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
    Affine::decompress_vartime(&bytes).unwrap()
}

/// The sum by the affine addition law of RFC 8032, section 5.1, from nothing but the field.
pub(super) fn add(p: &Affine, q: &Affine) -> Affine {
    let minus = |a: Fe| Fe::ZERO.sub(a).tighten();
    let d = minus(Fe::small(121_665)).mul(Fe::small(121_666).invert());
    let dxxyy = d.mul(p.x).mul(q.x).mul(p.y).mul(q.y);
    let x = p.x.mul(q.y).add(q.x.mul(p.y));
    let y = p.y.mul(q.y).add(p.x.mul(q.x));
    Affine {
        x: x.mul(Fe::ONE.add(dxxyy).invert()),
        y: y.mul(Fe::ONE.sub(dxxyy).invert()),
    }
}

/// `scalar * p`, bit by bit.
pub(super) fn mul(scalar: &[u8; 32], p: &Affine) -> Affine {
    let mut sum = Extended::NEUTRAL.to_affine();
    for i in (0..256).rev() {
        sum = add(&sum, &sum);
        if scalar[i / 8] >> (i % 8) & 1 == 1 {
            sum = add(&sum, p);
        }
    }
    sum
}

pub(super) fn neg(p: &Affine) -> Affine {
    Affine {
        x: p.x.neg(),
        y: p.y,
    }
}

#[test]
fn sums_follow_the_addition_law() {
    // The eight points of small order, some of large order and the sums of both kinds.
    let mut points = vec![Extended::NEUTRAL.to_affine()];
    for _ in 1..8 {
        points.push(add(points.last().unwrap(), &order_8()));
    }
    for i in 0..8 {
        points.push(add(&points[i], &BASE));
        points.push(neg(&points[i + 8]));
    }
    let bytes = |sum: Completed| sum.extended().to_affine().compress();
    for p in &points {
        let extended = p.extend();
        let double = extended.projective().double();
        assert_eq!(bytes(double), add(p, p).compress());
        for q in &points {
            let sum = add(p, q).compress();
            let difference = add(p, &neg(q)).compress();
            let niels = crate::curve25519::edwards::Niels::new(q);
            // A right side with Z other than 1, too.
            for right in [
                q.extend(),
                add(q, &order_8()).extend().sub_point(&order_8()),
            ] {
                let cached = right.cache();
                assert_eq!(bytes(extended.add(&cached)), sum);
                assert_eq!(
                    bytes(extended.add_or_sub_vartime(&cached, true)),
                    difference
                );
            }
            for (negated, expected) in [(false, sum), (true, difference)] {
                let got = extended.add_or_sub_niels_vartime(&niels, negated);
                assert_eq!(bytes(got), expected);
            }
        }
    }
}

impl Extended {
    /// `self - q`, with a Z that is not 1.
    fn sub_point(&self, q: &Affine) -> Extended {
        self.add_or_sub_vartime(&q.extend().cache(), true)
            .extended()
    }
}

#[test]
fn encodings_round_trip() {
    let mut p = add(&BASE, &order_8());
    for _ in 0..50 {
        let bytes = p.compress();
        for backend in ed25519::Backend::available() {
            let q = backend.decompress_vartime(&bytes).unwrap();
            assert_eq!(q.x.to_bytes(), p.x.to_bytes());
            assert_eq!(q.y.to_bytes(), p.y.to_bytes());
        }
        p = add(&p, &p);
        p = add(&p, &BASE);
    }
}

#[test]
fn small_order() {
    let mut p = order_8();
    for _ in 0..8 {
        assert!(p.has_small_order_vartime());
        assert!(!add(&p, &BASE).has_small_order_vartime());
        p = add(&p, &order_8());
    }
}

#[test]
fn multiples_of_the_base_point() {
    for scalar in edge_scalars() {
        let expected = mul(&scalar, &BASE).compress();
        for backend in ed25519::Backend::available() {
            assert_eq!(backend.mul_base(&scalar).compress(), expected);
        }
    }
}

#[test]
fn both_forms_of_the_curve_agree() {
    let mut nine = [0; 32];
    nine[0] = 9;
    for mut scalar in edge_scalars() {
        scalar[0] &= 248;
        scalar[31] |= 64;
        let expected = x25519::Backend::portable().ladder(&scalar, &nine);
        for backend in x25519::Backend::available() {
            assert_eq!(backend.mul_base_u(&scalar), expected);
            assert_eq!(backend.ladder(&scalar, &nine), expected);
        }
    }
}

#[test]
fn the_verification_equation() {
    let mut scalars: Vec<Scalar> = edge_scalars().iter().map(Scalar::reduce).collect();
    scalars.extend(edge_factors().into_iter().step_by(5));
    let a = add(&mul(&[0x35; 32], &BASE), &order_8());
    for (i, k) in scalars.iter().enumerate() {
        let s = &scalars[(i * 11 + 5) % scalars.len()];
        // R = [s]B - [k]A, to which a point of small order may be added.
        let r = add(&mul(&s.to_bytes(), &BASE), &neg(&mul(&k.to_bytes(), &a)));
        let twisted = add(&r, &order_8());
        let wrong = add(&r, &BASE);
        for backend in ed25519::Backend::available() {
            if i % 5 != 0 && adamant_testkit::is_slow(backend.implementation()) {
                continue;
            }
            let verdicts = |equation| {
                let items = [r, twisted, wrong].map(|r| Check {
                    a,
                    k: *k.words(),
                    s: *s.words(),
                    r,
                });
                let mut batch = [false; 3];
                backend.verify_batch_vartime(equation, &items, &mut batch);
                assert_eq!(
                    batch,
                    items.map(|item| backend.verify_vartime(equation, &item))
                );
                batch
            };
            assert_eq!(verdicts(Equation::Cofactored), [true, true, false]);
            assert_eq!(verdicts(Equation::Cofactorless), [true, false, false]);
        }
    }
}
