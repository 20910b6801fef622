//! The four-lane field against the scalar one, on limbs at their bounds.

use super::super::field::Fe;
use crate::curve25519::tests::limbs_at;

/// The limbs of four elements, radix 2^25.5.
type Limbs = [[u64; 10]; 4];

adamant_base::backends! {
    /// Combinations of the field's operations.
    struct Lanes {
        /// `a b`
        fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4];
        /// `a^2`
        fn square(a: &Limbs) -> [[u8; 32]; 4];
        /// `a b - (a^2 + b^2)`
        fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4];
        /// `2 a^2 + b^2`: as large as columns become
        fn large(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4];
        /// `a^2 - 121665 b`
        fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4];
        /// Whether `a b - b a`, `a - a` and `a` are zero.
        fn zeros(a: &Limbs, b: &Limbs) -> [u8; 3];
    }
    vector if ["avx2"];
    _ => scalar;
}

mod vector {
    use super::super::convert::{join, split};
    use super::super::field::{Factor, NONE, P24, P48, Sum};
    use super::Limbs;
    use adamant_base::simd::load256;
    use core::arch::x86_64::{_mm256_castsi256_pd, _mm256_movemask_pd};

    #[target_feature(enable = "avx2")]
    fn read(x: &Limbs) -> Factor {
        Factor(core::array::from_fn(|k| load256(&x.map(|x| x[k]))))
    }

    /// There and back.
    #[target_feature(enable = "avx2")]
    fn write(x: &Sum) -> [[u8; 32]; 4] {
        split(&join(&split(&x.carry())).carry()).map(|x| x.to_bytes())
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        write(&read(a).mul(&read(b), P48))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn square(a: &Limbs) -> [[u8; 32]; 4] {
        write(&read(a).square(NONE))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        let (a, b) = (read(a), read(b));
        let squares = a.square(P24).plus(&b.square(NONE));
        write(&a.mul(&b, P48).minus(&squares))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn large(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        let (a, b) = (read(a), read(b));
        let square = a.square(P24);
        write(&square.plus(&square).plus(&b.square(NONE)))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        let minus_b = Sum::constant(&P24).minus(&read(b).sum()).carry();
        write(&read(a).square(P48).plus_small(121_665, &minus_b))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn zeros(a: &Limbs, b: &Limbs) -> [u8; 3] {
        let (a, b) = (read(a), read(b));
        let products = a.mul(&b, P24).minus(&b.mul(&a, NONE));
        let same = a.sum().plus(&Sum::constant(&P24)).minus(&a.sum());
        [products, same, a.sum()]
            .map(|x| _mm256_movemask_pd(_mm256_castsi256_pd(x.carry().is_zero())) as u8)
    }
}

mod scalar {
    use super::{Fe, Limbs};
    use crate::curve25519::fields::Field;

    fn read(x: &[u64; 10]) -> Fe {
        let halves = core::array::from_fn(|k| x[2 * k] + (x[2 * k + 1] << 26));
        Fe::from_limbs(halves).tighten()
    }

    fn each(a: &Limbs, b: &Limbs, f: impl Fn(Fe, Fe) -> Fe) -> [[u8; 32]; 4] {
        core::array::from_fn(|lane| f(read(&a[lane]), read(&b[lane])).to_bytes())
    }

    pub(super) fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        each(a, b, Fe::mul)
    }

    pub(super) fn square(a: &Limbs) -> [[u8; 32]; 4] {
        each(a, a, |a, _| a.square())
    }

    pub(super) fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        each(a, b, |a, b| a.mul(b).sub(a.square().add(b.square())))
    }

    pub(super) fn large(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        each(a, b, |a, b| a.square().add(a.square()).add(b.square()))
    }

    pub(super) fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 4] {
        each(a, b, |a, b| a.square().sub(b.mul_small(121_665)))
    }

    pub(super) fn zeros(a: &Limbs, _: &Limbs) -> [u8; 3] {
        let zero = |x: &[u64; 10]| u8::from(read(x).is_zero().declassify());
        let bits = (0..4).map(|lane| zero(&a[lane]) << lane);
        [0xf, 0xf, bits.sum()]
    }
}

/// Elements at the bounds of their limbs.
fn elements() -> Vec<[u64; 10]> {
    limbs_at(core::array::from_fn(|i| match i % 2 {
        0 => (1 << 26) + (1 << 14),
        _ => (1 << 25) + (1 << 17),
    }))
}

#[test]
fn arithmetic() {
    let all = elements();
    let portable = Lanes::portable();
    for lanes in Lanes::available().filter(|lanes| *lanes != portable) {
        for (i, x) in all.iter().enumerate() {
            for (j, y) in all.iter().enumerate() {
                // Other elements in the other lanes: none may reach over.
                let mut a: Limbs = core::array::from_fn(|lane| all[(i + lane * j) % all.len()]);
                let mut b: Limbs = core::array::from_fn(|lane| all[(j + lane * i) % all.len()]);
                (a[j % 4], b[j % 4]) = (*x, *y);
                assert_eq!(lanes.product(&a, &b), portable.product(&a, &b));
                assert_eq!(lanes.square(&a), portable.square(&a));
                assert_eq!(lanes.difference(&a, &b), portable.difference(&a, &b));
                assert_eq!(lanes.large(&a, &b), portable.large(&a, &b));
                assert_eq!(lanes.small(&a, &b), portable.small(&a, &b));
                assert_eq!(lanes.zeros(&a, &b), portable.zeros(&a, &b));
            }
        }
    }
}
