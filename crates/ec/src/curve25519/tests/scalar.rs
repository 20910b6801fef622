//! Numbers modulo l against plain integers.

use super::integer::Integer;
use super::{Fixed, edge_scalars};
use crate::curve25519::scalar::{Scalar, magnitude, naf_vartime, radix16};

/// 64-byte numbers at the edges.
fn wide() -> Vec<[u8; 64]> {
    let order = Integer::order();
    let top = Integer::from_bytes(&[0xff; 64]);
    let mut all = vec![[0; 64], [0xff; 64], [0x80; 64], [0x7f; 64]];
    let largest_multiple = top.sub(&top.rem(&order));
    for base in [
        order.clone(),
        order.mul(&order),
        largest_multiple,
        Integer::power_of_two(252),
        Integer::power_of_two(256),
        Integer::power_of_two(508),
        order.mul(&Integer::power_of_two(256)),
    ] {
        for small in 0..3u32 {
            all.push(base.sub(&small.into()).to_bytes());
            let above = base.add(&small.into());
            if above.compare(&top).is_le() {
                all.push(above.to_bytes());
            }
        }
    }
    let mut rng = Fixed(3);
    all.extend((0..20).map(|_| rng.bytes::<64>()));
    all
}

#[test]
fn reduction() {
    let order = Integer::order();
    for bytes in wide() {
        let expected = Integer::from_bytes(&bytes).rem(&order);
        assert_eq!(
            Scalar::reduce_wide(&bytes).to_bytes(),
            expected.to_bytes::<32>()
        );
        let low: &[u8; 32] = bytes.first_chunk().unwrap();
        let expected = Integer::from_bytes(low).rem(&order);
        assert_eq!(Scalar::reduce(low).to_bytes(), expected.to_bytes::<32>());
    }
}

#[test]
fn canonical_encodings() {
    let order = Integer::order();
    for bytes in edge_scalars().iter().chain(&[[0xff; 32], [0x80; 32]]) {
        let value = Integer::from_bytes(bytes);
        let read = Scalar::from_canonical_vartime(bytes);
        assert_eq!(read.is_some(), value.compare(&order).is_lt());
        if let Some(scalar) = read {
            assert_eq!(scalar.to_bytes(), *bytes);
            assert_eq!(Integer::from_words(scalar.words()), value);
        }
    }
}

#[test]
fn multiply_and_add() {
    let order = Integer::order();
    let all: Vec<Scalar> = wide().iter().map(Scalar::reduce_wide).collect();
    let value = |x: &Scalar| Integer::from_bytes(&x.to_bytes());
    for (i, a) in all.iter().enumerate() {
        for b in &all {
            let c = &all[(i * 7 + 3) % all.len()];
            let expected = value(a).mul(&value(b)).add(&value(c)).rem(&order);
            assert_eq!(value(&a.mul_add(b, c)), expected);
        }
    }
}

/// The value of signed digits in a radix of 2^`w`.
fn value(digits: &[i8], w: usize) -> Integer {
    let side = |sign: i8| {
        let terms = digits.iter().enumerate().map(|(i, digit)| {
            let digit = (i16::from(*digit) * i16::from(sign)).max(0) as u32;
            Integer::from(digit).mul(&Integer::power_of_two(w * i))
        });
        terms.fold(Integer::from(0), |sum, x| sum.add(&x))
    };
    side(1).sub(&side(-1))
}

#[test]
fn recodings() {
    for bytes in edge_scalars() {
        let expected = Integer::from_bytes(&bytes);
        let digits = radix16(&bytes);
        assert!(digits[..63].iter().all(|d| (-8..8).contains(d)));
        assert!((0..=8).contains(&digits[63]));
        assert_eq!(value(&digits, 4), expected);

        let words = core::array::from_fn(|i| {
            u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap())
        });
        for w in [5, 8] {
            let digits = naf_vartime(&words, w);
            assert_eq!(value(&digits, 1), expected);
            for (i, digit) in digits.iter().enumerate().filter(|(_, d)| **d != 0) {
                assert!(digit % 2 != 0 && i32::from(*digit).abs() < 1 << (w - 1));
                let next = digits.iter().skip(i + 1).take(w as usize - 1);
                assert!(next.into_iter().all(|d| *d == 0));
            }
        }
    }
    for digit in -8..=8i8 {
        let mask = if digit < 0 { u64::MAX } else { 0 };
        assert_eq!(magnitude(digit), (u64::from(digit.unsigned_abs()), mask));
    }
}
