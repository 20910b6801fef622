//! The other fields against the portable one of eight limbs.

use crate::curve448::field::Fe as Eight;
use crate::curve448::fields::Field;
use crate::curve448::{portable16, portable32};
use adamant_base::Rng;
use adamant_testkit::TestRng;

/// Around 0, p and 2^448, of long runs of equal bits, and some that look random.
fn values() -> Vec<[u8; 56]> {
    let mut all = Vec::new();
    for low in [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff] {
        for fill in [0, 0xff, 0x55, 0xaa] {
            for high in [0, 1, 0x40, 0x7f, 0xff] {
                let mut bytes = [fill; 56];
                (bytes[0], bytes[28], bytes[55]) = (low, high, fill);
                all.push(bytes);
                (bytes[28], bytes[55]) = (fill, high);
                all.push(bytes);
            }
        }
    }
    for bit in (0..448).step_by(3) {
        let mut bytes = [0; 56];
        bytes[bit / 8] = 1 << (bit % 8);
        all.push(bytes);
        all.push(bytes.map(|byte| !byte));
    }
    let mut rng = TestRng::new(7);
    for _ in 0..40 {
        let mut bytes = [0; 56];
        rng.fill(&mut bytes).unwrap();
        all.push(bytes);
    }
    all
}

fn agrees_with_eight_limbs<F: Field>() {
    let all = values();
    for (i, a) in all.iter().enumerate() {
        let (x, v) = (F::from_bytes(a), Eight::from_bytes(a));
        assert_eq!(x.to_bytes(), v.to_bytes());
        assert_eq!(x.neg().to_bytes(), v.neg().to_bytes());
        assert_eq!(x.square().to_bytes(), v.square().to_bytes());
        assert_eq!(
            x.mul_small(39_081).to_bytes(),
            v.mul_small(39_081).to_bytes()
        );
        assert_eq!(x.sign(), v.sign());
        assert_eq!(x.is_zero().declassify(), v.is_zero().declassify());
        if i % 16 == 0 {
            assert_eq!(x.invert().to_bytes(), v.invert().to_bytes());
        }
        for (j, b) in all.iter().enumerate().skip(i % 7).step_by(7) {
            let (y, w) = (F::from_bytes(b), Eight::from_bytes(b));
            assert_eq!(x.mul(y).to_bytes(), v.mul(w).to_bytes(), "{i} {j}");
            assert_eq!(x.sub(y).to_bytes(), v.sub(w).to_bytes());
            // Factors as loose as they may be.
            let (sum, expected) = (x.add(y).add(x), v.add(w).add(v));
            assert_eq!(sum.mul(sum).to_bytes(), expected.mul(expected).to_bytes());
            assert_eq!(sum.square().to_bytes(), expected.square().to_bytes());
            assert_eq!(sum.tighten().to_bytes(), expected.tighten().to_bytes());
            let (sum, expected) = (x.add(y), v.add(w));
            let difference = sum.sub_loose(y.add(y));
            let expected = expected.sub_loose(w.add(w));
            assert_eq!(difference.to_bytes(), expected.to_bytes());
            let mut swapped = (x, y);
            F::swap(1, &mut swapped.0, &mut swapped.1);
            assert_eq!(swapped.0.to_bytes(), w.to_bytes());
            swapped.0.assign(u64::MAX, x);
            assert_eq!(swapped.0.to_bytes(), v.to_bytes());
        }
    }
}

/// Chains of operations, whose limbs end up anywhere within their bounds.
fn chains<F: Field>() {
    let (mut x, mut v) = (F::ONE.mul_small(3), Eight::small(3));
    let (y, w) = (
        F::ONE.mul_small(39_082).invert(),
        Eight::small(39_082).invert(),
    );
    for i in 0..2000 {
        (x, v) = (x.add(y).mul(x.sub(y)), v.add(w).mul(v.sub(w)));
        if i % 3 == 0 {
            (x, v) = (x.neg(), v.neg());
        }
        assert_eq!(x.to_bytes(), v.to_bytes(), "{i}");
    }
}

#[test]
fn of_32_bits() {
    agrees_with_eight_limbs::<portable32::field::Fe>();
    chains::<portable32::field::Fe>();
}

#[cfg(target_arch = "aarch64")]
#[test]
fn of_64_bits_on_arm64() {
    agrees_with_eight_limbs::<crate::curve448::arm_mul::field::Fe>();
    chains::<crate::curve448::arm_mul::field::Fe>();
}

#[test]
fn of_16_bits() {
    agrees_with_eight_limbs::<portable16::field::Fe>();
    chains::<portable16::field::Fe>();
}
