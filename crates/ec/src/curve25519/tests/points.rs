//! The group as users see it, each implementation against the addition law (`group`).

use super::group::{add, mul, neg, order_8};
use super::integer::Integer;
use super::{Fixed, edge_scalars};
use crate::curve25519::edwards::{Affine, BASE, Extended};
use crate::curve25519::group::{Backend, EdwardsPoint};
use crate::curve25519::{Scalar, TableSize};
use crate::hazmat::group::{FixedBase, MontgomeryPoint};
use adamant_base::Error;
use adamant_base::ct::Choice;
use hex_literal::hex;

/// The neutral point, points of every small order, of large order, and sums of both kinds; some
/// with a Z other than 1.
fn points() -> Vec<EdwardsPoint> {
    let mut small = Extended::NEUTRAL.to_affine();
    let mut all = Vec::new();
    for i in 0..8 {
        let mixed = add(&small, &mul(&[i; 32], &BASE));
        for point in [small, mixed, neg(&mixed)] {
            let point = EdwardsPoint(point.extend());
            all.push(point);
            // Another Z: P + P - P.
            all.push(Backend::portable().add_points(&point.double(), &-point));
        }
        small = add(&small, &order_8());
    }
    all
}

fn affine(point: &EdwardsPoint) -> Affine {
    point.0.to_affine()
}

#[test]
fn sums_and_doubles() {
    let points = points();
    for backend in Backend::available() {
        for p in &points {
            let double = add(&affine(p), &affine(p)).compress();
            assert_eq!(backend.double(p).compress(), double);
            for q in points.iter().step_by(3) {
                let sum = add(&affine(p), &affine(q)).compress();
                assert_eq!(backend.add_points(p, q).compress(), sum);
                let difference = add(&affine(p), &neg(&affine(q)));
                assert_eq!((*p - *q).compress(), difference.compress());
                let same = affine(p).compress() == affine(q).compress();
                assert_eq!(p == q, same);
            }
        }
    }
}

#[test]
fn multiples() {
    let points = points();
    for (i, scalar) in edge_scalars().iter().enumerate() {
        let p = &points[i % points.len()];
        let expected = mul(scalar, &affine(p)).compress();
        let of_base = mul(scalar, &BASE).compress();
        for backend in Backend::available() {
            assert_eq!(backend.mul(scalar, p).compress(), expected, "{backend:?}");
            assert_eq!(backend.mul_base(scalar).compress(), of_base, "{backend:?}");
        }
    }
}

fn scalars() -> Vec<Scalar> {
    let mut all: Vec<_> = edge_scalars().iter().map(Scalar::reduce).collect();
    all.extend([Scalar::ZERO, Scalar::ONE, -Scalar::ONE]);
    all
}

#[test]
fn two_multiples() {
    let (points, scalars) = (points(), scalars());
    for (i, a) in scalars.iter().enumerate() {
        let (p, b) = (
            &points[i % points.len()],
            &scalars[(7 * i + 3) % scalars.len()],
        );
        let expected = add(&mul(&a.to_bytes(), &affine(p)), &mul(&b.to_bytes(), &BASE));
        for backend in Backend::available() {
            let sum = backend.double_base_vartime(a, p, b);
            assert_eq!(sum.compress(), expected.compress());
        }
    }
}

#[test]
fn tables_of_every_size() {
    let mut scalars = scalars();
    for bit in 248..253 {
        let power = Scalar::reduce(&Integer::power_of_two(bit).to_bytes());
        scalars.extend([power - Scalar::ONE, power, power + Scalar::ONE]);
    }
    let points = points();
    // The neutral point, of small order, of large, and mixed.
    for point in [0, 6, 8, 11, 18, 45].map(|i| &points[i]) {
        let multiple = |scalar: &Scalar| Backend::portable().mul(&scalar.to_bytes(), point);
        let expected: Vec<_> = scalars.iter().map(multiple).collect();
        for table in tables(point) {
            for (scalar, expected) in scalars.iter().zip(&expected) {
                for backend in Backend::available() {
                    assert_eq!(backend.mul_fixed(scalar, &table), *expected);
                }
            }
        }
    }
}

/// A table of each form that any implementation has.
fn tables(point: &EdwardsPoint) -> Vec<FixedBase> {
    let mut tables: Vec<FixedBase> = Vec::new();
    for backend in Backend::available() {
        for (size, kib) in TableSize::ALL.into_iter().zip([60, 96, 161, 278, 480]) {
            if tables
                .iter()
                .any(|table| table.form == backend.form_of_table(size))
            {
                continue;
            }
            let table = backend.fixed_base(point, size);
            assert_eq!(table.size(), size);
            assert!((size_of_val(&table.rows[..]) + 512) / 1024 <= kib);
            tables.push(table);
        }
    }
    tables
}

#[test]
fn tables_have_every_digit() {
    let point = &points()[8];
    for table in tables(point) {
        let width = table.form.width;
        // Scalars all of whose digits are the same, even and odd.
        for digit in 0..1 << width {
            let mut words = [0; 4];
            for bit in 1..252 {
                words[bit / 64] |= (digit >> ((bit - 1) % width) & 1) << (bit % 64);
            }
            for odd in 0..2 {
                words[0] |= odd;
                let scalar = Scalar::from_words(words);
                let expected = Backend::portable().mul(&scalar.to_bytes(), point);
                for backend in Backend::available() {
                    assert_eq!(backend.mul_fixed(&scalar, &table), expected);
                }
            }
        }
    }
}

#[test]
fn sums_of_multiples() {
    let (points, scalars) = (points(), scalars());
    // Around groups of eight, and of each algorithm and size of digits.
    for count in [
        0, 1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65, 129, 191, 300, 450, 1030,
    ] {
        let points: Vec<_> = (0..count).map(|i| points[i * 5 % points.len()]).collect();
        let scalars: Vec<_> = (0..count).map(|i| scalars[i * 3 % scalars.len()]).collect();
        let pairs = scalars.iter().zip(&points);
        let expected: EdwardsPoint = pairs.map(|(scalar, point)| *point * *scalar).sum();
        for backend in Backend::available() {
            let sum = backend.multiscalar_mul_vartime(&scalars, &points);
            assert_eq!(sum, expected, "{backend:?} {count} in variable time");
            if count < 200 {
                let sum = backend.multiscalar_mul(&scalars, &points);
                assert_eq!(sum, expected, "{backend:?} {count}");
            }
        }
    }
    assert!(EdwardsPoint::multiscalar_mul(&scalars, &points[1..]).is_err());
    assert!(EdwardsPoint::multiscalar_mul_vartime(&scalars, &points[1..]).is_err());
}

/// Encodings of all kinds, most of which are of no point.
fn encodings() -> Vec<[u8; 32]> {
    let mut all: Vec<_> = points().iter().map(EdwardsPoint::compress).collect();
    // y from p - 1 on, and small ones; with both signs.
    for low in 0xec..=0xff {
        let mut bytes = [0xff; 32];
        bytes[0] = low;
        all.push(bytes);
        bytes[31] = 0x7f;
        all.push(bytes);
    }
    for low in 0..32 {
        for high in [0, 0x80] {
            let mut bytes = [0; 32];
            (bytes[0], bytes[31]) = (low, high);
            all.push(bytes);
        }
    }
    let mut rng = Fixed(3);
    all.extend((0..150).map(|_| rng.bytes::<32>()));
    all
}

#[test]
fn encodings_one_by_one_and_in_batches() {
    let all = encodings();
    let expected: Vec<_> = all.iter().map(<Affine>::decompress_vartime).collect();
    assert!(expected.iter().filter(|point| point.is_some()).count() > 80);
    for backend in Backend::available() {
        for (bytes, expected) in all.iter().zip(&expected) {
            let encoded = backend
                .decompress(bytes)
                .map(|point| affine(&point).compress());
            assert_eq!(encoded, expected.map(|_| *bytes).ok_or(Error::BadPublicKey));
        }
        for count in [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, all.len()] {
            for start in [0, 5] {
                let bytes = &all[start..][..count.min(all.len() - start)];
                let mut points = vec![Err(Error::NoEntropy); bytes.len()];
                backend.decompress_batch(bytes, &mut points);
                for (bytes, point) in bytes.iter().zip(&points) {
                    assert_eq!(*point, backend.decompress(bytes));
                }
                let valid: Vec<_> = points.iter().filter_map(|point| point.ok()).collect();
                let mut encoded = vec![[0; 32]; valid.len()];
                backend.compress_batch(&valid, &mut encoded);
                for (point, encoded) in valid.iter().zip(&encoded) {
                    assert_eq!(point.compress(), *encoded);
                }
            }
        }
    }
    let mut points = [Ok(EdwardsPoint::NEUTRAL); 3];
    assert!(EdwardsPoint::decompress_batch_into(&all, &mut points).is_err());
    assert!(EdwardsPoint::compress_batch_into(&[EdwardsPoint::BASE], &mut [[0; 32]; 2]).is_err());
}

#[test]
fn many_encodings_share_inversions() {
    let points: Vec<_> = points().iter().cycle().take(300).copied().collect();
    for backend in Backend::available() {
        for count in [127, 128, 129, 256, 300] {
            let mut encoded = vec![[0; 32]; count];
            backend.compress_batch(&points[..count], &mut encoded);
            for (point, encoded) in points.iter().zip(&encoded) {
                assert_eq!(affine(point).compress(), *encoded);
            }
        }
    }
}

#[test]
fn orders() {
    for (i, point) in points().iter().enumerate() {
        let small = i < 6 || i % 6 < 2;
        assert_eq!(point.has_small_order().declassify(), small);
        assert!(point.mul_by_cofactor().is_torsion_free().declassify());
        let prime = mul(
            &hex!("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"),
            &affine(point),
        );
        let torsion_free = prime.compress() == EdwardsPoint::NEUTRAL.compress();
        assert_eq!(point.is_torsion_free().declassify(), torsion_free);
        assert_eq!(point.is_neutral().declassify(), i < 6);
        let other = EdwardsPoint::select(Choice::TRUE, point, &EdwardsPoint::BASE);
        assert_eq!(other, *point);
    }
}

#[test]
fn both_forms() {
    for point in points() {
        let u = point.to_montgomery();
        let (also_u, v) = point.to_montgomery_coordinates();
        let special = point.double().is_neutral().declassify();
        assert_eq!(also_u, if special { [0; 32] } else { u.to_bytes() });
        if special {
            assert_eq!(v, [0; 32]);
            continue;
        }
        let negative = Choice::from_bit(u64::from(point.compress()[31] >> 7));
        assert_eq!(u.to_edwards(negative), Ok(point));
        assert_eq!(u.to_edwards(!negative), Ok(-point));
        let scalar = Scalar::from(0x1234_5678_9abc_def1);
        assert_eq!(u.mul(&scalar), (point * scalar).to_montgomery());
        assert_eq!(
            u.mul_clamped([0x55; 32]),
            point.mul_clamped([0x55; 32]).to_montgomery()
        );
    }
    // p + 9 is the base point's u, and 8 is not.
    let mut other = [0xff; 32];
    (other[0], other[31]) = (0xed + 9, 0x7f);
    for (u, same) in [(other, true), ([8; 32], false)] {
        let equal = MontgomeryPoint(u).equals(&MontgomeryPoint::BASE);
        assert_eq!(equal.declassify(), same);
    }
    // 2 is on the twist; -1 has no y.
    let mut bytes = [0; 32];
    bytes[0] = 2;
    assert!(MontgomeryPoint(bytes).to_edwards(Choice::FALSE).is_err());
    bytes = [0xff; 32];
    (bytes[0], bytes[31]) = (0xec, 0x7f);
    assert!(MontgomeryPoint(bytes).to_edwards(Choice::FALSE).is_err());
    // The base points correspond; the v of RFC 7748, corrected by its erratum 4730.
    let (u, v) = EdwardsPoint::BASE.to_montgomery_coordinates();
    assert_eq!(u, MontgomeryPoint::BASE.to_bytes());
    assert_eq!(
        v,
        hex!("142c31815d3a16d64d9e839281b2c26db32eb788d322e11f4b795f475ee6515f")
    );
}

#[test]
fn scalar_arithmetic() {
    let all = scalars();
    let (one, zero) = (Scalar::ONE, Scalar::ZERO);
    for a in &all {
        assert_eq!(*a - *a, zero);
        assert_eq!(-*a + *a, zero);
        assert_eq!(*a * one, *a);
        assert_eq!(Scalar::from_bytes(&a.to_bytes()), Ok(*a));
        let product = *a * a.invert();
        assert_eq!(product, if *a == zero { zero } else { one });
        for b in all.iter().step_by(7) {
            assert_eq!((*a - *b) * (*a + *b), *a * *a - *b * *b);
            let same = a.to_bytes() == b.to_bytes();
            assert_eq!(a.equals(b).declassify(), same);
        }
    }
    let mut inverses = all.clone();
    Scalar::invert_batch(&mut inverses);
    for (a, inverse) in all.iter().zip(&inverses) {
        assert_eq!(a.invert(), *inverse);
    }
    Scalar::invert_batch(&mut []);
    let order = hex!("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    assert!(Scalar::from_bytes(&order).is_err());
    assert_eq!(Scalar::from_bytes_mod_order(&order), zero);
    assert_eq!(
        all.iter().copied().sum::<Scalar>(),
        all.iter().fold(zero, |a, b| a + *b)
    );
    assert_eq!(
        [one + one, one + one].into_iter().product::<Scalar>(),
        Scalar::from(4)
    );
    let ends = |bytes: [u8; 32]| (bytes[0], bytes[31]);
    assert_eq!(ends(Scalar::clamp([0xff; 32])), (0xf8, 0x7f));
    assert_eq!(ends(Scalar::clamp([0; 32])), (0, 0x40));
}
