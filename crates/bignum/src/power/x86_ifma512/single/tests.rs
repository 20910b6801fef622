//! Numbers in registers: carries from digit to digit and from lane to lane, and that they are wiped.

use super::*;
use adamant_testkit::TestRng;

#[test]
fn registers_are_wiped() {
    let mut registers = Registers([[[7; 8]; 2]; 3]);
    registers.wipe();
    assert_eq!(registers.0.as_flattened().as_flattened(), [0; 48]);
}

/// Carries run through digits of all ones, and from one lane to the next too.
#[test]
#[allow(unsafe_code)]
fn carries() {
    if std::arch::is_x86_feature_detected!("avx512ifma") {
        // SAFETY: the CPU has these instructions.
        unsafe {
            carries_of::<1>();
            carries_of::<2>();
        }
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn carries_of<const N: usize>() {
    const V: usize = 3;
    let mut rng = TestRng::new(1);
    for round in 0..5000 {
        let mut digits: [_; N] = core::array::from_fn(|_| vec![0; 8 / N * V]);
        let mut expected = digits.clone();
        for (digits, expected) in digits.iter_mut().zip(&mut expected) {
            let mut carry = 0;
            for (left, (digit, expected)) in
                (0..8 / N * V).rev().zip(digits.iter_mut().zip(expected))
            {
                // Long runs of full digits in every other round; nothing is carried out.
                *digit = match rng.below(if round % 2 == 0 { 5 } else { 50 }) {
                    _ if left == 0 => rng.next_u64() >> 20,
                    0 => rng.next_u64() >> 2,
                    1 => digits::MASK + 1,
                    2 => rng.next_u64() & digits::MASK,
                    _ => digits::MASK,
                };
                let sum = *digit + carry;
                (*expected, carry) = (sum & digits::MASK, sum >> digits::BITS);
            }
        }
        let mut from = [[0; 8]; V];
        for (n, digits) in digits.iter().enumerate() {
            put(&mut from, N, n, digits);
        }
        let found = carried::<V, N>(core::array::from_fn(|r| load512(&from[r])));
        for (n, expected) in expected.iter().enumerate() {
            let mut found_digits = vec![0; expected.len()];
            get(&found, N, n, &mut found_digits);
            assert_eq!(found_digits, *expected, "{digits:x?}");
        }
    }
}

/// Every pattern of lanes that give a carry, hand one on, or neither.
#[test]
fn every_pattern_of_lanes() {
    for gives in 0..=u8::MAX {
        for hands_on in (0..=u8::MAX).filter(|hands_on| gives & hands_on == 0) {
            let (mut expected, mut carry) = (0, false);
            for lane in 0..8 {
                expected |= u8::from(carry) << lane;
                carry = gives >> lane & 1 == 1 || carry && hands_on >> lane & 1 == 1;
            }
            assert_eq!(lanes_carried(gives, hands_on), expected);
        }
    }
}
