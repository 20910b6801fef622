//! The fields of four and of eight lanes against the scalar one, on limbs at their bounds.

use super::super::edwards::MINUS_D;
use super::super::field::Fe;
use super::super::table::COMB;
use super::limbs::{self, FACTOR, Limbs, bits, multiple_of_p};
use super::point::ROWS_OF_LIMBS;

/// The limbs of eight elements.
type Elements = [Limbs; 8];

adamant_base::backends! {
    /// The operations of both fields; that of four takes the first four elements.
    struct Lanes {
        /// `a * b`.
        fn mul(a: &Elements, b: &Elements) -> Elements;
        /// `a^2`.
        fn square(a: &Elements) -> Elements;
        /// `addend - d a`.
        fn mul_small_add(addend: &Elements, a: &Elements) -> Elements;
        /// `addend + a * b` in the lower and the upper four elements.
        fn mul_add_four(addend: &Elements, a: &Elements, b: &Elements) -> Elements;
    }
    vector if ["avx512f", "avx512ifma"];
    _ => scalar;
}

mod vector {
    use super::super::eight::{self, Eight};
    use super::super::four::*;
    use super::{Elements, MINUS_D};
    use adamant_base::simd::arch::*;
    use adamant_base::simd::{load512, store512};

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn read(x: &Elements) -> Eight {
        core::array::from_fn(|j| load512(&x.map(|x| x[j])))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn write(x: Eight) -> Elements {
        let mut all = [[0u64; 8]; 10];
        for (limb, x) in all.iter_mut().zip(x) {
            store512(limb, x);
        }
        core::array::from_fn(|lane| all.map(|limb| limb[lane]))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn mul(a: &Elements, b: &Elements) -> Elements {
        write(eight::mul(&read(a), &read(b)))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn square(a: &Elements) -> Elements {
        write(eight::square(&read(a)))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn mul_small_add(addend: &Elements, a: &Elements) -> Elements {
        write(eight::mul_small_add(&read(addend), &read(a), MINUS_D))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn mul_add_four(addend: &Elements, a: &Elements, b: &Elements) -> Elements {
        let four = |x: &Elements, first: usize| -> Four {
            core::array::from_fn(|j| {
                let lanes: [u64; 8] = core::array::from_fn(|i| x[first + i % 4][j + 5 * (i / 4)]);
                load512(&lanes)
            })
        };
        let mut out = [[0; 10]; 8];
        for first in [0, 4] {
            let product = multiply!(four(addend, first), four(a, first), four(b, first));
            for (j, limbs) in product.into_iter().enumerate() {
                let mut lanes = [0u64; 8];
                store512(&mut lanes, limbs);
                for (i, limb) in lanes.into_iter().enumerate() {
                    out[first + i % 4][j + 5 * (i / 4)] = limb;
                }
            }
        }
        out
    }
}

mod scalar {
    use super::{Elements, Fe, MINUS_D, limbs};

    fn each(f: impl Fn(usize) -> Fe) -> Elements {
        core::array::from_fn(|lane| limbs::from_fe(f(lane)))
    }

    pub(super) fn mul(a: &Elements, b: &Elements) -> Elements {
        each(|i| limbs::to_fe(&a[i]).mul(limbs::to_fe(&b[i])))
    }

    pub(super) fn square(a: &Elements) -> Elements {
        mul(a, a)
    }

    pub(super) fn mul_small_add(addend: &Elements, a: &Elements) -> Elements {
        each(|i| {
            let product = limbs::to_fe(&a[i]).mul_small(MINUS_D);
            product.add(limbs::to_fe(&addend[i]))
        })
    }

    pub(super) fn mul_add_four(addend: &Elements, a: &Elements, b: &Elements) -> Elements {
        let product = mul(a, b);
        each(|i| limbs::to_fe(&product[i]).add(limbs::to_fe(&addend[i])))
    }
}

/// Elements whose limbs are below [`FACTOR`].
fn elements() -> Vec<Limbs> {
    let bound = FACTOR - 1;
    let tight = core::array::from_fn(|i| (1 << bits(i)) + (1 << 20) - 1);
    let mut all = vec![
        [0; 10],
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        multiple_of_p(1),
        multiple_of_p(4),
        tight,
        [bound; 10],
        [bound, 0, bound, 0, bound, 0, bound, 0, bound, 0],
        [0, bound, 0, bound, 0, bound, 0, bound, 0, bound],
        [bound, bound, bound, bound, bound, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, bound, bound, bound, bound, bound],
        // A carry that runs through.
        core::array::from_fn(|i| (1 << bits(i)) - u64::from(i != 0)),
    ];
    for i in 0..10 {
        let mut limbs = [0; 10];
        limbs[i] = bound;
        all.push(limbs);
        all.push(limbs.map(|limb| bound - limb));
    }
    let mut rng = adamant_testkit::TestRng::new(3);
    all.extend((0..8).map(|_| [(); 10].map(|()| rng.next_u64() % FACTOR)));
    all
}

/// Checks that the results are those of the scalar field, and tight.
fn check(results: &Elements, expected: &Elements) {
    for (result, expected) in results.iter().zip(expected) {
        for (i, limb) in result.iter().enumerate() {
            assert!(*limb < (1 << bits(i)) + (1 << 20), "limb {i}: {limb:x}");
        }
        let bytes = [result, expected].map(|x| limbs::to_fe(x).to_bytes());
        assert_eq!(bytes[0], bytes[1]);
    }
}

#[test]
fn conversions() {
    for limbs in elements() {
        let x = limbs::to_fe(&limbs);
        assert_eq!(limbs::to_fe(&limbs::from_fe(x)).to_bytes(), x.to_bytes());
    }
    for n in [1, 2, 4] {
        assert_eq!(limbs::to_fe(&multiple_of_p(n)).to_bytes(), [0; 56]);
    }
}

#[test]
fn products() {
    let all = elements();
    let portable = Lanes::portable();
    for lanes in Lanes::available().filter(|lanes| *lanes != portable) {
        for i in 0..all.len() {
            for j in 0..all.len() {
                // Other elements in the other lanes: none may reach over.
                let other = |k: usize| all[(i + k * j) % all.len()];
                let a = [
                    all[i],
                    other(1),
                    all[j],
                    other(2),
                    all[i],
                    other(3),
                    other(5),
                    all[i],
                ];
                let b = [
                    all[j],
                    other(7),
                    other(11),
                    all[i],
                    other(13),
                    all[j],
                    all[i],
                    all[j],
                ];
                check(&lanes.mul(&a, &b), &portable.mul(&a, &b));
                let sums = (
                    lanes.mul_add_four(&b, &a, &b),
                    portable.mul_add_four(&b, &a, &b),
                );
                check(&sums.0, &sums.1);
                let sums = (lanes.mul_small_add(&b, &a), portable.mul_small_add(&b, &a));
                check(&sums.0, &sums.1);
            }
            let a = core::array::from_fn(|k| all[(i + 3 * k) % all.len()]);
            check(&lanes.square(&a), &portable.square(&a));
        }
    }
}

#[test]
fn the_comb_has_the_limbs_of_its_entries() {
    for (i, entry) in COMB.iter().enumerate() {
        for (coordinate, x) in [entry.x, entry.y, entry.dt].into_iter().enumerate() {
            let limbs = ROWS_OF_LIMBS[i / 8][coordinate].map(|limb| limb[i % 8]);
            assert_eq!(limbs, limbs::from_fe(x), "{i}");
        }
    }
}
