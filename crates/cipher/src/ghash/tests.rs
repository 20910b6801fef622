//! The field against its definition, and every implementation against the portable one.

use adamant_testkit::{TestRng, table};

use super::*;

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("haswell", "x86_pclmul"),
        ("zen4", "x86_vpclmul512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_aes"),
        ("neoverse-n1", "arm_aes"),
        ("apple-m1", "arm_aes"),
        ("neoverse-v1", "arm_aes"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

/// SP 800-38D, algorithm 1, bit by bit.
fn multiply(x: [u8; 16], y: [u8; 16]) -> [u8; 16] {
    let (x, mut v) = (u128::from_be_bytes(x), u128::from_be_bytes(y));
    let mut z = 0;
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    z.to_be_bytes()
}

fn xor(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Every single bit times every single bit, and random factors.
#[test]
fn products() {
    let mut rng = TestRng::new(1);
    let bit = |i: u32| (1u128 << i).to_be_bytes();
    let all = u128::MAX.to_be_bytes();
    let mut factors: Vec<[u8; 16]> = (0..128).map(bit).collect();
    factors.extend([[0; 16], all]);
    factors.extend((0..20).map(|_| rng.array()));
    for backend in Backend::available() {
        for h in &factors {
            let key = Key::new_on(h, backend);
            for x in &factors {
                let mut sum = [0; 16];
                key.update(&mut sum, &[*x]);
                assert_eq!(sum, multiply(*x, *h), "{backend:?} {x:02x?} {h:02x?}");
            }
        }
    }
}

/// Any number of blocks, from any sum.
#[test]
fn messages() {
    let mut rng = TestRng::new(2);
    for count in (0..140).chain([160, 191, 195, 196, 300]) {
        let (h, start) = (rng.array(), rng.array());
        let blocks: Vec<[u8; 16]> = (0..count).map(|_| rng.array()).collect();
        let expected = blocks
            .iter()
            .fold(start, |sum, block| multiply(xor(sum, *block), h));
        for backend in Backend::available() {
            let mut sum = start;
            Key::new_on(&h, backend).update(&mut sum, &blocks);
            assert_eq!(sum, expected, "{backend:?}, {count} blocks");
        }
    }
}
