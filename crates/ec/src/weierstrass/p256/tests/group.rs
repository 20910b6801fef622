//! Multiplications of points against the group law of the textbook.

use super::reference::{self, Doublings, G, Limbs, SCALARS, add};
use crate::weierstrass::curve::Derived;
use crate::weierstrass::field::portable;
use crate::weierstrass::kernel::Steps;
use crate::weierstrass::p256::{Backend, P256};
use crate::weierstrass::point::Affine;
use crate::weierstrass::table::{ENTRIES, digits};
use crate::weierstrass::words::By64;
use adamant_testkit::{TestRng, share, table};

/// Scalars from 1 to n - 1: small ones and their negatives, those around the windows' edges,
/// 2^256 - n and its negative, and random ones.
fn scalars() -> Vec<Limbs> {
    let mut scalars: Vec<Limbs> = (1..=40).map(|k| [k, 0, 0, 0]).collect();
    let half = [0, 0, 0, 1 << 63];
    scalars.push(SCALARS.add(&half, &half)); // 2^256 - n
    for bit in [5, 10, 60, 64, 65, 128, 250, 254, 255] {
        let mut power = [0; 4];
        power[bit / 64] = 1 << (bit % 64);
        let one = [1, 0, 0, 0];
        scalars.extend([power, SCALARS.add(&power, &one), SCALARS.sub(&power, &one)]);
    }
    let mut rng = TestRng::new(7);
    scalars.extend((0..20).map(|_| SCALARS.reduce(&rng.words())));
    scalars.extend([[0x0842_1084_2108_4210; 4], [0x7bde_f7bd_ef7b_def7; 4]]);
    let negatives: Vec<Limbs> = scalars.iter().map(|k| SCALARS.neg(k)).collect();
    scalars.extend(negatives);
    scalars.retain(|k| *k != [0; 4]);
    scalars
}

#[test]
fn the_reference_knows_the_order() {
    assert_eq!(Doublings::new(Some(G)).sum(&SCALARS.0), None);
}

#[test]
fn the_table_holds_multiples_of_g() {
    let steps = Steps::calling(portable::<P256, By64, 4>());
    let (table, f) = (steps.table(), &steps.field);
    let mut base = Some(G);
    for row in 0..=digits(P256::ORDER.bits) {
        let twice = add(base, base);
        let mut multiple = base;
        for i in 0..ENTRIES {
            let Affine { x, y } = table.row(row)[i];
            assert_eq!(Some([x.to_integer(f), y.to_integer(f)]), multiple);
            multiple = add(multiple, twice);
        }
        base = (0..5).fold(base, |base, _| add(base, base));
    }
    // What verification takes where there is no table.
    let row: [_; ENTRIES] = steps.multiples_vartime(&G);
    for (one, other) in row.iter().zip(table.row(0)) {
        assert_eq!([one.x.0, one.y.0], [other.x.0, other.y.0]);
    }
}

#[test]
fn multiplications() {
    let g = Doublings::new(Some(G));
    let base = g.times(&[0x1234_5678_9abc_def0, 1, 2, 3]).unwrap();
    let other = Doublings::new(Some(base));
    let expected: Vec<_> = scalars()
        .iter()
        .map(|k| (*k, g.times(k).unwrap(), other.times(k).unwrap()))
        .collect();
    table!(Backend).for_each(|backend| {
        for (k, of_g, of_base) in share(backend.implementation(), &expected) {
            assert_eq!(backend.mul_base(k), *of_g, "{k:x?} G");
            assert_eq!(backend.mul(k, &G), *of_g, "{k:x?} G");
            assert_eq!(backend.mul(k, &base), *of_base, "{k:x?} P");
        }
    });
}

#[test]
fn batches() {
    let base = Doublings::new(Some(G)).times(&[0x1234_5678_9abc_def0, 1, 2, 3]);
    let base = base.unwrap();
    let scalars = scalars();
    let points: Vec<_> = (0..scalars.len())
        .map(|i| if i % 2 == 0 { base } else { G })
        .collect();
    let single = Backend::portable();
    let of_g: Vec<_> = scalars.iter().map(|k| single.mul_base(k)).collect();
    let of_points: Vec<_> = (scalars.iter().zip(&points))
        .map(|(k, point)| single.mul(k, point))
        .collect();
    table!(Backend).for_each(|backend| {
        // Of one, of a group and a part, of chunks and a part; the place after is left alone.
        for len in share(
            backend.implementation(),
            [0, 1, 7, 8, 9, 64, 65, scalars.len()],
        ) {
            let mut out = vec![[[7; 4]; 2]; len + 1];
            backend.mul_base_batch(&scalars[..len], &mut out);
            assert_eq!(out[..len], of_g[..len], "{len}");
            backend.mul_batch(&scalars[..len], &points, &mut out);
            assert_eq!(out[..len], of_points[..len], "{len}");
            assert_eq!(out[len], [[7; 4]; 2]);
        }
    });
}

#[test]
fn sums_of_two() {
    let mut rng = TestRng::new(8);
    // Q = q G for a small q, so that the two halves meet: equal, opposite, or partial sums so.
    let mut cases = vec![];
    for q in [1, 2, 3, 7, 15, 17, 32] {
        let q = [q, 0, 0, 0];
        for u1 in [0, 1, 2, 5, 15, 16, 31, 64] {
            for u2 in [0, 1, 2, 3, 8, 31] {
                let (u1, u2) = ([u1, 0, 0, 0], [u2, 0, 0, 0]);
                cases.push((u1, u2, q));
                cases.push((SCALARS.neg(&u1), u2, q));
            }
        }
        for _ in 0..4 {
            let (u1, u2) = (SCALARS.reduce(&rng.words()), SCALARS.reduce(&rng.words()));
            cases.push((u1, u2, q));
            cases.push((u1, u2, SCALARS.reduce(&rng.words())));
            // The sum is infinity.
            cases.push((SCALARS.neg(&SCALARS.mul(&u2, &q)), u2, q));
        }
    }
    table!(Backend).for_each(|backend| {
        let (mut checks, mut expected) = (vec![], vec![]);
        for (u1, u2, q) in share(backend.implementation(), &cases) {
            let key = backend.mul_base(q);
            let k = SCALARS.add(u1, &SCALARS.mul(u2, q));
            let mut has = |r: &Limbs| {
                let verdict = backend.has_x_vartime(u1, u2, &key, r);
                checks.push((*u1, *u2, key, *r));
                expected.push(verdict);
                verdict
            };
            if k == [0; 4] {
                assert!(!has(&[0; 4]) && !has(&[1, 0, 0, 0]), "infinity has no x");
            } else {
                let [x, _] = backend.mul_base(&k);
                let r = SCALARS.reduce(&x);
                assert!(has(&r), "{u1:x?} G + {u2:x?} {q:x?} G");
                assert!(!has(&SCALARS.add(&r, &[1, 0, 0, 0])));
            }
        }
        let mut verdicts = vec![false; checks.len()];
        backend.has_x_batch_vartime(&checks, &mut verdicts);
        assert_eq!(verdicts, expected);
    });
}

#[test]
fn x_above_the_order() {
    // A point whose x is from n to p - 1: r is then x - n, and both forms have to be tried.
    let mut x = SCALARS.0;
    let point = loop {
        let mut bytes = [2; 33];
        crate::weierstrass::words::to_be_bytes(&x, &mut bytes[1..]);
        if let Ok(key) = crate::p256::PublicKey::from_sec1(&bytes) {
            break key.point;
        }
        x = reference::FIELD.add(&x, &[1, 0, 0, 0]);
    };
    let r = reference::SCALARS.reduce(&x);
    assert_ne!(r, x);
    table!(Backend).for_each(|backend| {
        assert!(backend.has_x_vartime(&[0; 4], &[1, 0, 0, 0], &point, &r));
        assert!(!backend.has_x_vartime(&[0; 4], &[2, 0, 0, 0], &point, &r));
        let one = [1, 0, 0, 0];
        let less_g = add(Some(point), Some([G[0], reference::FIELD.neg(&G[1])])).unwrap();
        let checks = [
            ([0; 4], one, point, r),
            ([0; 4], [2, 0, 0, 0], point, r),
            (one, one, less_g, r),
            (one, [2, 0, 0, 0], less_g, r),
        ];
        let mut verdicts = [false; 4];
        backend.has_x_batch_vartime(&checks, &mut verdicts);
        assert_eq!(verdicts, [true, false, true, false]);
    });
}
