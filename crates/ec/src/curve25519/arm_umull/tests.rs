//! Pairs against plain integers, on limbs at their bounds.

use super::pair::{CARRIED, Limbs, bits};
use crate::curve25519::tests::{integer::Integer, limbs_at};

/// The limbs of two elements.
type Two = [Limbs; 2];

adamant_base::backends! {
    /// The operations on pairs.
    struct Pairs {
        /// `a b`
        fn product(a: &Two, b: &Two) -> Two;
        /// `a^2`
        fn square(a: &Two) -> Two;
        /// The second less the first, and their sum.
        fn difference_and_sum(a: &Two) -> Two;
        /// The elements in bytes.
        fn elements(a: &Two) -> [[u8; 32]; 2];
    }
    vector if ["neon"];
    _ => scalar;
}

mod vector {
    use super::super::pair::Pair;
    use super::Two;

    #[target_feature(enable = "neon")]
    fn pair(a: &Two) -> Pair {
        Pair::new(&a[0], &a[1])
    }

    #[target_feature(enable = "neon")]
    pub(super) fn product(a: &Two, b: &Two) -> Two {
        pair(a).mul(pair(b)).limbs()
    }

    #[target_feature(enable = "neon")]
    pub(super) fn square(a: &Two) -> Two {
        pair(a).square().limbs()
    }

    #[target_feature(enable = "neon")]
    pub(super) fn difference_and_sum(a: &Two) -> Two {
        pair(a).difference_and_sum().limbs()
    }

    #[target_feature(enable = "neon")]
    pub(super) fn elements(a: &Two) -> [[u8; 32]; 2] {
        pair(a).split().map(|x| x.to_bytes())
    }
}

/// With limbs of the values below p.
mod scalar {
    use super::{Integer, Two, bits, value};
    use crate::limbs::bits_at;

    fn each(values: [Integer; 2]) -> Two {
        values.map(|x| {
            let bytes: [u8; 32] = x.rem(&Integer::prime()).to_bytes();
            let words = crate::limbs::words::<32, 4>(&bytes);
            let at = |i: usize| 51 * (i / 2) + 26 * (i % 2);
            core::array::from_fn(|i| bits_at(&words, at(i), bits(i) as usize) as u32)
        })
    }

    pub(super) fn product(a: &Two, b: &Two) -> Two {
        each([0, 1].map(|i| value(&a[i]).mul(&value(&b[i]))))
    }

    pub(super) fn square(a: &Two) -> Two {
        product(a, a)
    }

    pub(super) fn difference_and_sum(a: &Two) -> Two {
        let (p, [x, y]) = (Integer::prime(), a.each_ref().map(value));
        each([y.add(&p).add(&p).sub(&x), x.add(&y)])
    }

    pub(super) fn elements(a: &Two) -> [[u8; 32]; 2] {
        a.each_ref()
            .map(|x| value(x).rem(&Integer::prime()).to_bytes())
    }
}

fn value(limbs: &Limbs) -> Integer {
    let mut sum = Integer::from(0);
    for (i, limb) in limbs.iter().enumerate() {
        let weight = Integer::power_of_two(51 * (i / 2) + 26 * (i % 2));
        sum = sum.add(&weight.mul(&(*limb).into()));
    }
    sum
}

/// Limbs up to so many times the bounds.
fn limbs(times: u64) -> Vec<Limbs> {
    let all = limbs_at(core::array::from_fn(|i| times * CARRIED[i % 2] - 1));
    all.into_iter()
        .map(|limbs| limbs.map(|limb| limb as u32))
        .collect()
}

/// These limbs are below so many times the bounds, and of the same values.
fn check(found: Two, expected: Two, times: u64) {
    for (found, expected) in found.iter().zip(&expected) {
        let below = |i: usize| u64::from(found[i]) < times * CARRIED[i % 2];
        assert!((0..10).all(below), "{found:?}");
        assert_eq!(
            value(found).rem(&Integer::prime()),
            value(expected),
            "{found:?}"
        );
    }
}

#[test]
fn arithmetic() {
    let (loose, carried) = (limbs(3), limbs(1));
    let scalar = Pairs::portable();
    for pairs in Pairs::available().filter(|pairs| *pairs != scalar) {
        for i in 0..loose.len() {
            for j in 0..loose.len() {
                let other = (i + 5 * j + 1) % loose.len();
                let (a, b) = ([loose[i], loose[other]], [loose[j], loose[i]]);
                check(pairs.product(&a, &b), scalar.product(&a, &b), 1);
                check(pairs.square(&a), scalar.square(&a), 1);
                let a = [carried[i], carried[j]];
                let expected = scalar.difference_and_sum(&a);
                check(pairs.difference_and_sum(&a), expected, 3);
                assert_eq!(pairs.elements(&a), scalar.elements(&a));
            }
        }
    }
}
