//! Tests of curve448: the arithmetic against plain integers, the algorithms against the standards'
//! vectors and Wycheproof, on every implementation that this CPU can run.

mod ed448;
mod field;
mod group;
mod rfc8032;
mod rules;
mod scalar;
mod words;
mod x448;

use crate::curve25519::tests::integer::Integer;
use adamant_base::Rng;
use adamant_testkit::TestRng;

/// p = 2^448 - 2^224 - 1.
fn prime() -> Integer {
    Integer::power_of_two(448)
        .sub(&Integer::power_of_two(224))
        .sub(&1u32.into())
}

/// l = 2^446 - 13818066809895115352007386748515426880336692474882178609894547503885.
fn order() -> Integer {
    let low = hex_literal::hex!("8335dc163bb124b65129c96fde933d8d723a70aadc873d6d54a7bb0d");
    let low: Vec<u8> = low.into_iter().rev().collect();
    Integer::power_of_two(446).sub(&Integer::from_bytes(&low))
}

/// The bytes of a number, of lengths that are not a multiple of four too.
fn encode<const N: usize>(x: &Integer) -> [u8; N] {
    let (all, mut out) = (x.to_bytes::<116>(), [0; N]);
    out.copy_from_slice(&all[..N]);
    assert!(all[N..].iter().all(|byte| *byte == 0));
    out
}

fn bytes<const N: usize>(rng: &mut TestRng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill(&mut bytes).unwrap();
    bytes
}

/// Scalars below 2^447 at the edges: small, around multiples of l, of extreme digits, random.
fn edge_scalars() -> Vec<[u64; 7]> {
    let mut scalars: Vec<[u8; 56]> = Vec::new();
    for small in 0..20u32 {
        scalars.push(Integer::from(small).to_bytes());
        let near = order().add(&small.into());
        scalars.push(near.sub(&10u32.into()).to_bytes());
    }
    for fill in [0x77, 0x78, 0x88, 0x7f, 0x80, 0xff, 0x0f, 0xf0] {
        let mut scalar = [fill; 56];
        scalar[55] &= 0x7f;
        scalars.push(scalar);
    }
    for bit in (0..447).step_by(9) {
        scalars.push(Integer::power_of_two(bit).to_bytes());
    }
    let mut rng = TestRng::new(1);
    for _ in 0..10 {
        let mut scalar: [u8; 56] = bytes(&mut rng);
        scalar[55] &= 0x7f;
        scalars.push(scalar);
    }
    scalars.iter().map(super::scalar::words).collect()
}

#[test]
fn choice_of_implementation() {
    let zen4 = if cfg!(feature = "simd") {
        "x86_ifma"
    } else {
        "portable64"
    };
    let choices = [
        ("westmere", "portable64"),
        ("haswell", "portable64"),
        ("skylake-x", "portable64"),
        ("zen4", zen4),
        ("armv8", "arm_mul"),
        ("apple-m1", "arm_mul"),
    ];
    adamant_testkit::check_choices(super::Backend::best_for, &choices);
}
