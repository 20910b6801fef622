//! The four-lane field against the scalar one, on limbs at their bounds.

use super::super::field::Fe;

/// The limbs of four elements.
type Limbs = [[u64; 5]; 4];

adamant_base::backends! {
    /// The operations of the four-lane field.
    struct Lanes {
        /// `a * b` in each lane.
        fn multiply(a: &Limbs, b: &Limbs) -> Limbs;
        /// `a * a` in each lane.
        fn square(a: &Limbs) -> Limbs;
        /// `a - b c` in each lane.
        fn subtract_product(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs;
        /// `a + b`, `a - b`, `a + b`, `a - b`.
        fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs;
    }
    vector if ["avx512ifma", "avx512vl"];
    _ => scalar;
}

mod vector {
    use super::super::super::field::Fe;
    use super::super::four::{self, *};
    use super::super::vector::*;
    use super::Limbs;
    use adamant_base::simd::arch::*;

    #[target_feature(enable = "avx512ifma,avx512vl")]
    fn read(x: &Limbs) -> Four {
        join(x.map(Fe::from_limbs))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    fn write(x: Four) -> Limbs {
        split(x).map(|x| *x.limbs())
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        write(carry(multiply!(read(a), read(b))))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn square(a: &Limbs) -> Limbs {
        write(carry(square!(read(a))))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn subtract_product(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs {
        let product = multiply!(read(b), read(c));
        let minus = _mm256_set1_epi64x(-1);
        write(carry(four::add_or_subtract(read(a), product, minus)))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs {
        let minus = _mm256_set_epi64x(-1, 0, -1, 0);
        write(carry(four::add_or_subtract(read(a), read(b), minus)))
    }
}

mod scalar {
    use super::{Fe, Limbs};

    fn each(f: impl Fn(usize) -> Fe) -> Limbs {
        core::array::from_fn(|lane| *f(lane).limbs())
    }

    pub(super) fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        each(|lane| Fe::from_limbs(a[lane]).mul(Fe::from_limbs(b[lane])))
    }

    pub(super) fn square(a: &Limbs) -> Limbs {
        multiply(a, a)
    }

    pub(super) fn subtract_product(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs {
        let product = multiply(b, c);
        each(|lane| Fe::from_limbs(a[lane]).add(Fe::from_limbs(product[lane]).neg()))
    }

    pub(super) fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs {
        each(|lane| {
            let b = Fe::from_limbs(b[lane]);
            Fe::from_limbs(a[lane]).add(if lane % 2 == 1 { b.neg() } else { b })
        })
    }
}

/// Elements whose limbs are at most `bound`.
fn elements(bound: u64) -> Vec<[u64; 5]> {
    let mask = (1 << 51) - 1;
    let mut all = vec![
        [0; 5],
        [1, 0, 0, 0, 0],
        [mask; 5],
        [mask - 18, mask, mask, mask, mask], // p
        [mask - 19, mask, mask, mask, mask], // p - 1
        [bound; 5],
        [bound, 0, bound, 0, bound],
        [0, bound, 0, bound, 0],
    ];
    for i in 0..5 {
        let mut limbs = [0; 5];
        limbs[i] = bound;
        all.push(limbs);
        limbs[i] = mask + 1;
        all.push(limbs);
        limbs[i] = 1;
        all.push(limbs.map(|x| bound - x));
    }
    all
}

/// Checks that the results are those of the scalar field, and below 2^51 + 2^15.
fn check(results: Limbs, expected: Limbs) {
    for (result, expected) in results.into_iter().zip(expected) {
        assert!(result.iter().all(|limb| *limb < (1 << 51) + (1 << 15)));
        let bytes = [result, expected].map(|limbs| Fe::from_limbs(limbs).to_bytes());
        assert_eq!(bytes[0], bytes[1]);
    }
}

#[test]
fn products() {
    // All 52 bits that the multiplier reads.
    let all = elements((1 << 52) - 1);
    let portable = Lanes::portable();
    for lanes in Lanes::available().filter(|lanes| *lanes != portable) {
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                // Other elements in the other lanes: none may reach over.
                let other = |k: usize| all[(i + k * j) % all.len()];
                let a = [*a, other(1), *b, other(2)];
                let b = [*b, other(3), other(5), *b];
                check(lanes.multiply(&a, &b), portable.multiply(&a, &b));
                check(lanes.square(&a), portable.square(&a));
            }
        }
    }
}

/// The largest columns that are subtracted: one factor is what is left of 2p.
#[test]
fn differences_from_products() {
    let (carried, twice) = (elements((1 << 51) + (1 << 16) - 1), elements((1 << 52) - 2));
    let portable = Lanes::portable();
    for lanes in Lanes::available().filter(|lanes| *lanes != portable) {
        for (i, b) in carried.iter().enumerate() {
            for (j, c) in twice.iter().enumerate() {
                let a = [[0; 5], carried[j], [1, 0, 0, 0, 0], carried[i]];
                let (b, c) = ([*b, *b, carried[j], *b], [*c, *c, *c, twice[i]]);
                check(
                    lanes.subtract_product(&a, &b, &c),
                    portable.subtract_product(&a, &b, &c),
                );
            }
        }
    }
}

#[test]
fn sums_and_differences() {
    // Results of products, twice over where they are not subtracted.
    let (all, twice) = (elements((1 << 51) + (1 << 15)), elements((1 << 52) - 1));
    let portable = Lanes::portable();
    for lanes in Lanes::available().filter(|lanes| *lanes != portable) {
        for (i, a) in twice.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                let other = |k: usize| all[(i + k * j) % all.len()];
                let a = [*a, other(1), *a, *a];
                let b = [*b, *b, other(2), *b];
                check(
                    lanes.add_or_subtract(&a, &b),
                    portable.add_or_subtract(&a, &b),
                );
            }
        }
    }
}
