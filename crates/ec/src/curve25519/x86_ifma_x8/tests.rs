//! The eight-lane field against the scalar one, on limbs at their bounds.

use super::super::field::Fe;

/// The limbs of eight elements, radix 2^52.
type Limbs = [[u64; 5]; 8];

adamant_base::backends! {
    /// Combinations of the field's operations.
    struct Lanes {
        /// `a b`
        fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8];
        /// `a^2`
        fn square(a: &Limbs) -> [[u8; 32]; 8];
        /// `a b - (a^2 + b^2)`
        fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8];
        /// `a^2 - 121665 b`
        fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8];
        /// Whether `a b - b a`, `a - a` and `a` are zero.
        fn zeros(a: &Limbs, b: &Limbs) -> [u8; 3];
    }
    vector if ["avx512f", "avx512ifma"];
    _ => scalar;
}

mod vector {
    use super::super::convert::{join, split};
    use super::super::field::{Factor, NONE, P24, P48, Sum, lanes};
    use super::Limbs;
    use adamant_base::simd::arch::*;

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn read(x: &Limbs) -> Factor {
        // What is above 52 bits in the lower limbs does not count.
        let above = _mm512_set1_epi64(0x2b7 << 52);
        let limb = |k: usize| lanes(x.map(|x| x[k]));
        Factor([
            _mm512_or_si512(limb(0), above),
            _mm512_or_si512(limb(1), above),
            limb(2),
            _mm512_or_si512(limb(3), above),
            limb(4),
        ])
    }

    /// There and back.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn write(x: &Sum) -> [[u8; 32]; 8] {
        split(&join(&split(&x.carry())).carry()).map(|x| x.to_bytes())
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        write(&read(a).mul(&read(b), P48))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn square(a: &Limbs) -> [[u8; 32]; 8] {
        write(&read(a).square(NONE))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        let (a, b) = (read(a), read(b));
        let squares = a.square(P24).plus(&b.square(NONE));
        write(&a.mul(&b, P48).minus(&squares))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        let minus_b = Sum::constant(&P24).minus(&read(b).sum()).carry();
        write(&read(a).square(P48).plus_small(121_665, &minus_b))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zeros(a: &Limbs, b: &Limbs) -> [u8; 3] {
        let (a, b) = (read(a), read(b));
        let products = a.mul(&b, P24).minus(&b.mul(&a, NONE));
        let same = a.sum().plus(&Sum::constant(&P24)).minus(&a.sum());
        [products, same, a.sum()].map(|x| x.carry().is_zero())
    }
}

mod scalar {
    use super::{Fe, Limbs};
    use crate::curve25519::fields::Field;

    fn read(x: &[u64; 5]) -> Fe {
        let mut sum = Fe::ZERO;
        for (k, limb) in x.iter().enumerate() {
            let mut power = [0; 32];
            power[52 * k / 8] = 1 << (52 * k % 8);
            let limb = Fe::from_limbs([limb % (1 << 51), limb >> 51, 0, 0, 0]);
            sum = sum.add(limb.mul(Fe::from_bytes(&power))).tighten();
        }
        sum
    }

    fn each(a: &Limbs, b: &Limbs, f: impl Fn(Fe, Fe) -> Fe) -> [[u8; 32]; 8] {
        core::array::from_fn(|lane| f(read(&a[lane]), read(&b[lane])).to_bytes())
    }

    pub(super) fn product(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        each(a, b, Fe::mul)
    }

    pub(super) fn square(a: &Limbs) -> [[u8; 32]; 8] {
        each(a, a, |a, _| a.square())
    }

    pub(super) fn difference(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        each(a, b, |a, b| a.mul(b).sub(a.square().add(b.square())))
    }

    pub(super) fn small(a: &Limbs, b: &Limbs) -> [[u8; 32]; 8] {
        each(a, b, |a, b| a.square().sub(b.mul_small(121_665)))
    }

    pub(super) fn zeros(a: &Limbs, _: &Limbs) -> [u8; 3] {
        let zero = |x: &[u64; 5]| u8::from(read(x).is_zero().declassify());
        let bits = (0..8).map(|lane| zero(&a[lane]) << lane);
        [0xff, 0xff, bits.sum()]
    }
}

/// Elements at the bounds of their limbs.
fn elements() -> Vec<[u64; 5]> {
    const MASK: u64 = (1 << 52) - 1;
    // A carry adds to the top limb after it was cut to 47 bits.
    const TOP: u64 = (1 << 47) + (1 << 7);
    let bounds = [MASK, MASK, MASK, MASK, TOP];
    let mut all = vec![
        [0; 5],
        [1, 0, 0, 0, 0],
        [MASK - 18, MASK, MASK, MASK, MASK >> 5], // p
        [MASK - 19, MASK, MASK, MASK, MASK >> 5], // p - 1
        [MASK - 17, MASK, MASK, MASK, MASK >> 5], // p + 1
        [0, 0, 0, 0, 1 << 47],                    // p + 19
        bounds,
    ];
    for i in 0..5 {
        let mut limbs = [0; 5];
        limbs[i] = bounds[i];
        all.push(limbs);
        limbs[i] = 1;
        all.push(core::array::from_fn(|k| bounds[k] - limbs[k]));
    }
    all
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
                (a[j % 8], b[j % 8]) = (*x, *y);
                assert_eq!(lanes.product(&a, &b), portable.product(&a, &b));
                assert_eq!(lanes.square(&a), portable.square(&a));
                assert_eq!(lanes.difference(&a, &b), portable.difference(&a, &b));
                assert_eq!(lanes.small(&a, &b), portable.small(&a, &b));
                assert_eq!(lanes.zeros(&a, &b), portable.zeros(&a, &b));
            }
        }
    }
}
