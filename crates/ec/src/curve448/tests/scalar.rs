//! Numbers modulo l against plain integers.

use super::{bytes, edge_scalars, encode, order};
use crate::curve448::scalar::{DIGITS, Scalar, magnitude, naf_vartime, radix16};
use crate::curve25519::tests::integer::Integer;
use adamant_testkit::TestRng;

/// 114-byte numbers at the edges.
fn wide() -> Vec<[u8; 114]> {
    let order = order();
    let top = Integer::from_bytes(&[0xff; 114]);
    let mut all = vec![[0; 114], [0xff; 114], [0x80; 114], [0x7f; 114]];
    let largest_multiple = top.sub(&top.rem(&order));
    for base in [
        order.clone(),
        order.mul(&order),
        largest_multiple,
        Integer::power_of_two(446),
        Integer::power_of_two(448),
        Integer::power_of_two(896),
        order.mul(&Integer::power_of_two(448)),
    ] {
        for small in 0..3u32 {
            all.push(encode(&base.sub(&small.into())));
            let above = base.add(&small.into());
            if above.compare(&top).is_le() {
                all.push(encode(&above));
            }
        }
    }
    let mut rng = TestRng::new(3);
    all.extend((0..20).map(|_| bytes::<114>(&mut rng)));
    all
}

#[test]
fn reduction() {
    let order = order();
    for bytes in wide() {
        let expected = Integer::from_bytes(&bytes).rem(&order);
        let scalar = Scalar::reduce_wide(&bytes);
        assert_eq!(scalar.to_bytes(), encode::<57>(&expected));
        let low: &[u8; 56] = bytes.first_chunk().unwrap();
        let expected = Integer::from_bytes(low).rem(&order);
        assert_eq!(Scalar::reduce(low).to_bytes(), encode::<57>(&expected));
    }
}

#[test]
fn canonical_encodings() {
    let order = order();
    let mut all: Vec<[u8; 57]> = Vec::new();
    for words in edge_scalars() {
        let bytes = encode::<57>(&Integer::from_words(&words));
        let mut longer = bytes;
        longer[56] = 1;
        all.extend([bytes, longer]);
    }
    for bytes in all.iter().chain(&[[0xff; 57], [0x80; 57]]) {
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
    let order = order();
    let all: Vec<Scalar> = wide().iter().map(Scalar::reduce_wide).collect();
    let value = |x: &Scalar| Integer::from_bytes(&x.to_bytes());
    for (i, a) in all.iter().enumerate().step_by(3) {
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
    for words in edge_scalars() {
        let expected = Integer::from_words(&words);
        let digits = radix16(&words);
        assert!(digits[..DIGITS - 1].iter().all(|d| (-8..8).contains(d)));
        assert!((0..=8).contains(&digits[DIGITS - 1]));
        assert_eq!(value(&digits, 4), expected);
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
