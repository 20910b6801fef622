//! Tests of curve25519: the arithmetic against plain integers, the algorithms against the
//! standards' vectors and Wycheproof, on every implementation that this CPU can run.

mod batch;
mod dalek;
mod ed25519;
mod field;
mod group;
mod halved;
mod hash_to_curve;
pub(crate) mod integer;
mod points;
mod ristretto;
mod rules;
mod scalar;
mod words;
mod x25519;

use adamant_base::{Error, Rng};

/// Limbs of 26 and 25 bits in turn: of the numbers around p, full ones, and, up to these bounds, all of
/// them, one alone, and all but one, which is zero or one less.
pub(super) fn limbs_at(bounds: [u64; 10]) -> Vec<[u64; 10]> {
    let full: [u64; 10] = core::array::from_fn(|i| (1 << (26 - i % 2)) - 1);
    let first = |x: u64| core::array::from_fn(|i| if i == 0 { x } else { full[i] });
    let mut all = vec![
        [0; 10],
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        first((1 << 26) - 19), // p
        first((1 << 26) - 20), // p - 1
        first((1 << 26) - 18), // p + 1
        full,
        bounds,
    ];
    for i in 0..10 {
        let but = |x: u64| core::array::from_fn(|k| if k == i { x } else { bounds[k] });
        let alone = core::array::from_fn(|k| if k == i { bounds[k] } else { 0 });
        all.extend([alone, but(0), but(bounds[i] - 1)]);
    }
    all
}

/// Bytes that look random and are the same in every run (Marsaglia's xorshift).
struct Fixed(u64);

impl Fixed {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 32) as u8
        })
    }
}

impl Rng for Fixed {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        for byte in out {
            [*byte] = self.bytes();
        }
        Ok(())
    }
}

/// Scalars below 2^255 at the edges: small, around multiples of l, of extreme digits, random.
fn edge_scalars() -> Vec<[u8; 32]> {
    let order = integer::Integer::order();
    let mut scalars: Vec<[u8; 32]> = Vec::new();
    for small in 0..20u32 {
        scalars.push(integer::Integer::from(small).to_bytes());
        for multiple in [1, 2, 7] {
            let near = order.mul(&multiple.into()).add(&small.into());
            scalars.push(near.sub(&10u32.into()).to_bytes());
        }
    }
    for fill in [0x77, 0x78, 0x88, 0x7f, 0x80, 0xff, 0x0f, 0xf0] {
        let mut scalar = [fill; 32];
        scalar[31] &= 0x7f;
        scalars.push(scalar);
    }
    for bit in (0..255).step_by(5) {
        scalars.push(integer::Integer::power_of_two(bit).to_bytes());
    }
    let mut rng = Fixed(1);
    for _ in 0..20 {
        let mut scalar = rng.bytes::<32>();
        scalar[31] &= 0x7f;
        scalars.push(scalar);
    }
    scalars
}

#[test]
fn choice_of_implementation() {
    let choices = |avx2, narrow| {
        [
            ("westmere", "portable64"),
            ("haswell", avx2),
            ("skylake-x", avx2),
            (
                "zen4",
                if cfg!(feature = "simd") {
                    "x86_ifma"
                } else {
                    "x86_bmi2"
                },
            ),
            ("armv8", narrow),
            ("cortex-a72", narrow),
            ("neoverse-n1", narrow),
            ("apple-m1", "arm_mul"),
            ("neoverse-v1", "arm_mul"),
        ]
    };
    let batches = if cfg!(feature = "simd") {
        choices("x86_avx2", "arm_umull")
    } else {
        choices("x86_bmi2", "arm_mul")
    };
    adamant_testkit::check_choices(super::ed25519::Backend::best_for, &batches);
    adamant_testkit::check_choices(super::x25519::Backend::best_for, &batches);
    adamant_testkit::check_choices(
        super::group::Backend::best_for,
        &choices("x86_bmi2", "arm_mul"),
    );
}
