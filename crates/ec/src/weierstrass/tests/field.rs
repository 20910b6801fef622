//! The field of a curve against the reference, at the edges and at random.

use super::reference::{Modular, field, scalars, small};
use crate::weierstrass::curve::Derived;
use crate::weierstrass::field::{Fe, Field, portable};
use crate::weierstrass::square_root;
use crate::weierstrass::words::{By16, By32, By64};
use adamant_base::ct::Choice;
use adamant_testkit::TestRng;

/// 0, 1, 2, m - 1, m - 2, (m ± 1) / 2, then random words, half of them extreme; all below m.
pub(super) fn values<const W: usize>(m: &Modular<W>, seed: u64, random: usize) -> Vec<[u64; W]> {
    let one = small(1);
    let half = m.halve(&one);
    let mut values = vec![[0; W], one, small(2), m.neg(&one), m.neg(&small(2))];
    values.extend([half, m.neg(&half)]);
    let mut rng = TestRng::new(seed);
    let top = m.0.iter().rposition(|&word| word != 0).unwrap();
    values.extend((0..random).map(|_| {
        let mut words: [u64; W] = rng.words();
        words[top] %= m.0[top].saturating_add(1).max(2);
        words[top + 1..].fill(0);
        m.reduce(&words)
    }));
    values
}

pub(crate) fn arithmetic<C: Field<W>, const W: usize>() {
    let m = field::<C, W>();
    let by_64 = portable::<C, By64, W>();
    let narrow = [
        portable::<C, By32, W>(),
        portable::<C, By16, W>(),
        #[cfg(all(target_arch = "arm", target_endian = "little"))]
        portable::<C, crate::weierstrass::words::ByThumb, W>(),
    ];
    let f = &by_64;
    let element = |x: &[u64; W]| Fe::from_integer(x, f);
    let values = values(&m, 1, 30);
    for a in &values {
        let fa = element(a);
        assert_eq!(fa.to_integer(f), *a);
        assert_eq!(fa.double(f).to_integer(f), m.add(a, a), "2 {a:x?}");
        assert_eq!(fa.halve(f).to_integer(f), m.halve(a), "{a:x?} / 2");
        for x in [a, &fa.0] {
            let square = (f.mul)(x, x);
            assert_eq!((f.square)(x), square, "{x:x?}^2");
            for narrow in &narrow {
                assert_eq!((narrow.square)(x), square, "{x:x?}^2");
            }
        }
        assert_eq!(fa.is_zero().declassify(), *a == [0; W]);
        if *a != [0; W] {
            for (choice, expected) in [(Choice::FALSE, *a), (Choice::TRUE, m.neg(a))] {
                assert_eq!(fa.negate_if(choice, f).to_integer(f), expected, "-{a:x?}");
            }
            let inverse = m.invert(a);
            assert_eq!(fa.invert(f).to_integer(f), inverse, "1 / {a:x?}");
            assert_eq!(fa.invert_vartime(f).to_integer(f), inverse);
        }
        let residue = C::FIELD.to_residue(a);
        let root = square_root::vartime(&C::FIELD.square(&residue), C::FIELD);
        let negated = C::FIELD.sub(&[0; W], &residue);
        let root = root.or((*a == [0; W]).then_some([0; W]));
        assert!(root == Some(residue) || root == Some(negated), "{a:x?}");
        for b in &values {
            let fb = element(b);
            assert_eq!(fa.add(&fb, f).to_integer(f), m.add(a, b), "{a:x?} + {b:x?}");
            assert_eq!(fa.sub(&fb, f).to_integer(f), m.sub(a, b), "{a:x?} - {b:x?}");
            assert_eq!(fa.equals(&fb, f).declassify(), a == b);
            let words = (f.mul)(&fa.0, &fb.0);
            for narrow in &narrow {
                assert_eq!((narrow.mul)(&fa.0, &fb.0), words);
            }
            let product = Fe(words);
            assert_eq!(product.to_integer(f), m.mul(a, b), "{a:x?} * {b:x?}");
        }
    }
    let order = scalars::<C, W>();
    for a in &super::field::values(&order, 2, 10)[1..] {
        let inverse = order.invert(a);
        assert_eq!(C::ORDER.divide(&small(1), a), inverse);
        assert_eq!(C::ORDER.divide_vartime(&small(1), a), inverse);
        let residue = C::ORDER.to_residue(a);
        assert_eq!(C::ORDER.mul(&residue, &inverse), small(1));
    }
}
