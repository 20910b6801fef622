//! The fields on other words against that of five limbs.

use crate::curve25519::field::Fe as Five;
use crate::curve25519::fields::Field;
use crate::curve25519::{portable16, portable32};

/// Around 0, p and 2^255, of long runs of equal bits, and some that look random.
fn values() -> Vec<[u8; 32]> {
    let mut all = Vec::new();
    for low in [0, 1, 2, 18, 19, 20, 0x7f, 0x80, 0xec, 0xed, 0xee, 0xff] {
        for fill in [0, 0xff, 0x55, 0xaa] {
            for high in [0, 1, 0x40, 0x7f] {
                let mut bytes = [fill; 32];
                (bytes[0], bytes[31]) = (low, high);
                all.push(bytes);
            }
        }
    }
    for bit in 0..255 {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        all.push(bytes);
        let mut bytes = bytes.map(|byte| !byte);
        bytes[31] &= 0x7f;
        all.push(bytes);
    }
    let mut x = 1u64;
    for _ in 0..40 {
        all.push(core::array::from_fn(|_| {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (x >> 33) as u8
        }));
    }
    all
}

fn agrees_with_five_limbs<F: Field>() {
    let all = values();
    for (i, a) in all.iter().enumerate() {
        let b = &all[(i * 31 + 7) % all.len()];
        let (x, y) = (F::from_bytes(a), F::from_bytes(b));
        let (v, w) = (Five::from_bytes(a), Five::from_bytes(b));
        assert_eq!(x.to_bytes(), v.to_bytes());
        assert_eq!(x.neg().to_bytes(), v.neg().to_bytes());
        assert_eq!(x.square().to_bytes(), v.square().to_bytes());
        assert_eq!(
            x.mul_small(121_665).to_bytes(),
            v.mul_small(121_665).to_bytes()
        );
        assert_eq!(x.sign(), v.sign());
        assert_eq!(x.is_zero().declassify(), v.is_zero().declassify());
        if i % 8 == 0 {
            assert_eq!(x.invert().to_bytes(), v.invert().to_bytes());
            assert_eq!(x.pow_p58().to_bytes(), v.pow_p58().to_bytes());
        }
        for (j, b) in all.iter().enumerate().skip(i % 5).step_by(5) {
            let (y, w) = (F::from_bytes(b), Five::from_bytes(b));
            assert_eq!(x.mul(y).to_bytes(), v.mul(w).to_bytes(), "{i} {j}");
            assert_eq!(x.sub(y).to_bytes(), v.sub(w).tighten().to_bytes());
            // Factors as loose as they may be.
            let (sum, other) = (x.add(y).add(x), y.add(x).add(y));
            let (expected, factor) = (v.add(w).add(v), w.add(v).add(w));
            assert_eq!(sum.mul(other).to_bytes(), expected.mul(factor).to_bytes());
            assert_eq!(sum.square().to_bytes(), expected.square().to_bytes());
            assert_eq!(sum.tighten().to_bytes(), expected.tighten().to_bytes());
        }
        let mut swapped = (x, y);
        F::swap(1, &mut swapped.0, &mut swapped.1);
        assert_eq!(swapped.0.to_bytes(), w.to_bytes());
        swapped.0.assign(u64::MAX, x);
        assert_eq!(swapped.0.to_bytes(), v.to_bytes());
    }
}

/// Chains of operations, whose limbs end up anywhere within their bounds.
fn chains<F: Field>() {
    let (mut x, mut v) = (F::ONE.mul_small(3), Five::small(3));
    let (y, w) = (
        F::ONE.mul_small(121_666).invert(),
        Five::small(121_666).invert(),
    );
    assert_eq!(x.power_of_ones(255, 20).to_bytes(), v.invert().to_bytes());
    assert_eq!(x.power_of_ones(252, 2).to_bytes(), v.pow_p58().to_bytes());
    for i in 0..3000 {
        (x, v) = (x.add(y).mul(x.sub(y)), v.add(w).mul(v.sub(w)));
        if i % 3 == 0 {
            (x, v) = (x.neg(), v.neg());
        }
        assert_eq!(x.to_bytes(), v.to_bytes(), "{i}");
    }
}

#[test]
fn of_32_bits() {
    agrees_with_five_limbs::<portable32::field::Fe>();
    chains::<portable32::field::Fe>();
}

#[cfg(target_arch = "aarch64")]
#[test]
fn of_64_bits_on_arm64() {
    agrees_with_five_limbs::<crate::curve25519::arm_mul::field::Fe>();
    chains::<crate::curve25519::arm_mul::field::Fe>();
}

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
#[test]
fn of_32_bits_on_small_arm() {
    agrees_with_five_limbs::<crate::curve25519::arm_thumb::field::Fe>();
    chains::<crate::curve25519::arm_thumb::field::Fe>();
}

#[test]
fn of_16_bits() {
    agrees_with_five_limbs::<portable16::field::Fe>();
    chains::<portable16::field::Fe>();
}
