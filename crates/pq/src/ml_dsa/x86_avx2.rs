//! AVX2: the kernel for vectors of 8 words; the rest as the portable code has it, for the compiler
//! to vectorise.

use super::portable;
use crate::sponge::Keccak;
use adamant_hash::hazmat::keccak;

super::kernel::kernel!("avx2", avx2);

pub(super) fn keccak() -> Keccak {
    Keccak {
        one: keccak::Backend::named("x86_bmi1").unwrap_or(keccak::Backend::portable()),
        eight: keccak::lanes::Backend::named("x86_avx2")
            .unwrap_or(keccak::lanes::Backend::portable()),
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn rej_ntt_poly(to: &mut Poly, count: usize, bytes: &[u8]) -> usize {
    let count = portable::rej_ntt_poly(to, count, bytes);
    if count == 256 {
        reorder(to);
    }
    count
}

portable::elementwise! {
    "avx2":
    rej_bounded_poly(to: &mut Poly, eta: i32, count: usize, bytes: &[u8]) -> usize;
    add(to: &mut [Poly], other: &[Poly]);
    subtract(to: &mut [Poly], other: &[Poly]);
    power2round(polys: &mut [Poly], low: &mut [Poly]);
    decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]);
    norm(polys: &[Poly]) -> i32;
    make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize;
    use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32);
    simple_bit_pack(to: &mut [u8], from: &Poly);
    simple_bit_unpack(to: &mut Poly, from: &[u8]);
    bit_pack(to: &mut [u8], from: &Poly, b: i32);
    bit_unpack(to: &mut Poly, from: &[u8], b: i32);
}
