//! Scalars of half the length.

use super::integer::Integer;
use super::{Fixed, edge_scalars};
use crate::curve25519::halved::Halved;
use crate::curve25519::scalar::Scalar;

/// Factors k around the square root of 8l, and some whose shortest pairs are even, so that the odd
/// ones are long.
pub(super) fn edge_factors() -> Vec<Scalar> {
    let mut factors = Vec::new();
    for bit in 125..131 {
        for small in 0..5u32 {
            let near = Integer::power_of_two(bit).add(&small.into());
            factors.push(Scalar::reduce(&near.sub(&2u32.into()).to_bytes()));
        }
    }
    for i in 1..40u64 {
        let inverse = Scalar::from(i).invert();
        factors.extend([inverse, inverse.minus()]);
        factors.push(inverse.mul(&Scalar::from(u64::MAX - i)));
    }
    factors
}

/// Checks what is promised; returns the bits of u.
fn check(k: &Scalar, s: &Scalar) -> u32 {
    let halved = Halved::new(k.words(), s.words());
    let (u, v) = (halved.u, halved.v);
    assert!(v.words()[0] % 2 == 1 && v.words()[2..] == [0; 2]);
    // u = v k or -v k modulo l, and modulo 8.
    let product = v.mul(k);
    let expected = if halved.minus {
        product.minus()
    } else {
        product
    };
    assert_eq!(u.to_bytes(), expected.to_bytes());
    let product = v.words()[0].wrapping_mul(k.words()[0]);
    let expected = if halved.minus {
        product.wrapping_neg()
    } else {
        product
    };
    assert_eq!(u.words()[0] % 8, expected % 8);
    assert_eq!(halved.s.to_bytes(), v.mul(s).to_bytes());
    let [low, high] = halved.parts();
    assert_eq!([low[0], low[1], high[0], high[1]], *halved.s.words());
    let top = u.words().iter().rposition(|word| *word != 0);
    top.map_or(0, |i| 64 * (i as u32 + 1) - u.words()[i].leading_zeros())
}

#[test]
fn edges() {
    let s = Scalar::from(3).invert();
    let mut all: Vec<Scalar> = edge_scalars().iter().map(Scalar::reduce).collect();
    all.extend(edge_factors());
    for k in all {
        check(&k, &s);
    }
}

#[test]
fn most_are_short() {
    let mut rng = Fixed(61);
    let mut long = 0;
    for _ in 0..100_000 {
        let [k, s] = [0; 2].map(|_| Scalar::reduce_wide(&rng.bytes()));
        let bits = check(&k, &s);
        assert!(bits < 160);
        long += u32::from(bits > 132);
    }
    assert!(long < 1000);
}
