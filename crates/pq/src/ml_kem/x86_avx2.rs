//! AVX2: the kernel for vectors of 16 words; what is not arithmetic in the NTT domain as the
//! portable code has it, for the compiler to vectorise.

use super::portable;
use crate::sponge::Keccak;
use adamant_base::Secret;
use adamant_base::ct::Choice;
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
pub(super) fn sample_ntt(to: &mut Poly, count: usize, bytes: &[u8]) -> usize {
    let count = portable::sample_ntt(to, count, bytes);
    if count == 256 {
        reorder(to);
    }
    count
}

#[target_feature(enable = "avx2")]
pub(super) fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]) {
    portable::sample_poly_cbd(to, bytes);
}

#[target_feature(enable = "avx2")]
pub(super) fn encode_ntt(to: &mut [u8; 384], from: &Poly) {
    portable::encode_ntt(to, &in_order(from));
}

#[target_feature(enable = "avx2")]
pub(super) fn decode_ntt(to: &mut Poly, from: &[u8; 384]) -> Choice {
    let good = portable::decode_ntt(to, from);
    reorder(to);
    good
}

#[target_feature(enable = "avx2")]
pub(super) fn compress(to: &mut [u8], from: &Poly) {
    portable::compress(to, from);
}

#[target_feature(enable = "avx2")]
pub(super) fn decompress(to: &mut Poly, from: &[u8]) {
    portable::decompress(to, from);
}

#[target_feature(enable = "avx2")]
pub(super) fn to_message(to: &mut [u8; 32], from: &Poly) {
    portable::to_message(to, from);
}

#[target_feature(enable = "avx2")]
pub(super) fn add_message(to: &mut Poly, from: &[u8; 32]) {
    portable::add_message(to, from);
}
