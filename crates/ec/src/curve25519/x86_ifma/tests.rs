//! The four-lane field against the scalar one, on limbs at their bounds.

use super::super::field::Fe;

/// The limbs of four elements.
type Limbs = [[u64; 5]; 4];

adamant_base::backends! {
    /// The operations of the four-lane field.
    struct Lanes {
        /// `addend + a * b` in each lane.
        fn multiply_add(addend: &Limbs, a: &Limbs, b: &Limbs) -> Limbs;
        /// `a + b`, `a - b`, `a + b`, `a - b`.
        fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs;
        /// `a + b + c`, `a - b + c`, `a + b - c`, `a - b - c`.
        fn add_or_subtract_two(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs;
    }
    vector if ["avx512ifma", "avx512vl"];
    _ => scalar;
}

mod vector {
    use super::super::super::field::Fe;
    use super::super::four::{self, *};
    use super::super::vector::*;
    use super::Limbs;
    use core::arch::x86_64::*;

    #[target_feature(enable = "avx512ifma,avx512vl")]
    fn read(x: &Limbs) -> Four {
        join(x.map(Fe::from_limbs))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    fn write(x: Four) -> Limbs {
        split(x).map(|x| *x.limbs())
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn multiply_add(addend: &Limbs, a: &Limbs, b: &Limbs) -> Limbs {
        write(multiply!(read(addend), read(a), read(b)))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs {
        let minus = _mm256_set_epi64x(-1, 0, -1, 0);
        write(four::add_or_subtract(read(a), read(b), minus))
    }

    #[target_feature(enable = "avx512ifma,avx512vl")]
    pub(super) fn add_or_subtract_two(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs {
        let minus_b = _mm256_set_epi64x(-1, 0, -1, 0);
        let minus_c = _mm256_set_epi64x(-1, -1, 0, 0);
        write(four::add_or_subtract_two(
            read(a),
            read(b),
            minus_b,
            read(c),
            minus_c,
        ))
    }
}

mod scalar {
    use super::{Fe, Limbs};

    fn each(f: impl Fn(usize) -> Fe) -> Limbs {
        core::array::from_fn(|lane| *f(lane).limbs())
    }

    fn signed(x: &Limbs, lane: usize, minus: bool) -> Fe {
        let x = Fe::from_limbs(x[lane]);
        if minus { x.neg() } else { x }
    }

    pub(super) fn multiply_add(addend: &Limbs, a: &Limbs, b: &Limbs) -> Limbs {
        each(|lane| {
            let product = Fe::from_limbs(a[lane]).mul(Fe::from_limbs(b[lane]));
            product.add(Fe::from_limbs(addend[lane]))
        })
    }

    pub(super) fn add_or_subtract(a: &Limbs, b: &Limbs) -> Limbs {
        each(|lane| Fe::from_limbs(a[lane]).add(signed(b, lane, lane % 2 == 1)))
    }

    pub(super) fn add_or_subtract_two(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs {
        each(|lane| {
            let sum = Fe::from_limbs(a[lane]).add(signed(b, lane, lane % 2 == 1));
            sum.add(signed(c, lane, lane >= 2))
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
                let addend = [other(7), [0; 5], other(11), other(13)];
                check(
                    lanes.multiply_add(&addend, &a, &b),
                    portable.multiply_add(&addend, &a, &b),
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
                let c = [other(3), other(5), all[j], other(7)];
                check(
                    lanes.add_or_subtract(&a, &b),
                    portable.add_or_subtract(&a, &b),
                );
                check(
                    lanes.add_or_subtract_two(&a, &b, &c),
                    portable.add_or_subtract_two(&a, &b, &c),
                );
            }
        }
    }
}
