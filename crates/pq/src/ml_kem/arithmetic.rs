//! The arithmetic of polynomials: the table of its implementations.

#[cfg(target_arch = "aarch64")]
use super::arm_neon;
use super::poly::Poly;
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{x86_avx2, x86_avx512};
use crate::sponge::Keccak;
use adamant_base::ct::Choice;

adamant_base::backends! {
    /// An implementation of the arithmetic of polynomials, and the Keccak that goes with it.
    pub(crate) struct Backend {
        /// The permutations.
        fn keccak() -> Keccak;
        /// Algorithm 7 (SampleNTT) on public bytes, of which more may follow: how many coefficients
        /// there are, of which `count` were there before. With all 256 of them the polynomial is
        /// in the NTT domain.
        fn sample_ntt(to: &mut Poly, count: usize, bytes: &[u8]) -> usize;
        /// Algorithm 8 (SamplePolyCBD) from 64·η bytes, η being 2 or 3.
        fn sample_poly_cbd(to: &mut Poly, bytes: &[u8]);
        /// Algorithm 9 (NTT) of each, in place, of coefficients below q in absolute value.
        fn ntt(polys: &mut [Poly]);
        /// Algorithm 10 (NTT⁻¹) of each, in place.
        fn inverse_ntt(polys: &mut [Poly]);
        /// `to[i]` = Σ a\[i, j\] ∘ b\[j\] in the NTT domain (algorithm 11), of a matrix by rows, or
        /// of its transpose.
        fn multiply(to: &mut [Poly], a: &[Poly], transposed: bool, b: &[Poly]);
        /// Adds to each.
        fn add(to: &mut [Poly], other: &[Poly]);
        /// From the first, takes away the second.
        fn subtract(to: &mut Poly, other: &Poly);
        /// Algorithm 5 (ByteEncode_12) of a polynomial of the NTT domain.
        fn encode_ntt(to: &mut [u8; 384], from: &Poly);
        /// Algorithm 6 (ByteDecode_12) to the NTT domain, and whether all numbers were below q; they
        /// are reduced where not.
        fn decode_ntt(to: &mut Poly, from: &[u8; 384]) -> Choice;
        /// ByteEncode_d(Compress_d(from)) with d = 4, 5, 10 or 11, by the length of `to`.
        fn compress(to: &mut [u8], from: &Poly);
        /// Decompress_d(ByteDecode_d(from)) with d = 4, 5, 10 or 11, by the length of `from`.
        fn decompress(to: &mut Poly, from: &[u8]);
        /// ByteEncode_1(Compress_1(from)).
        fn to_message(to: &mut [u8; 32], from: &Poly);
        /// Adds Decompress_1(ByteDecode_1(from)).
        fn add_message(to: &mut Poly, from: &[u8; 32]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "popcnt"];
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    _ => portable;
}
