//! The arithmetic of polynomials: the table of its implementations.

#[cfg(target_arch = "aarch64")]
use super::arm_neon;
use super::poly::Poly;
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{x86_avx2, x86_avx512};
use crate::sponge::Keccak;

adamant_base::backends! {
    /// An implementation of the arithmetic of polynomials, and the Keccak that goes with it.
    pub(crate) struct Backend {
        /// The permutations.
        fn keccak() -> Keccak;
        /// Algorithm 30 (RejNTTPoly) on public bytes, of which more may follow: how many
        /// coefficients there are, of which `count` were there before. With all 256 of them the
        /// polynomial is in the NTT domain.
        fn rej_ntt_poly(to: &mut Poly, count: usize, bytes: &[u8]) -> usize;
        /// Algorithm 31 (RejBoundedPoly) with η being 2 or 4, in the same way. How many were
        /// rejected shows.
        fn rej_bounded_poly(to: &mut Poly, eta: i32, count: usize, bytes: &[u8]) -> usize;
        /// Algorithm 41 (NTT) of each, in place, of coefficients below q in absolute value.
        fn ntt(polys: &mut [Poly]);
        /// Algorithm 42 (NTT⁻¹) of each, in place, of products or sums of them: these carry a
        /// factor that is the implementation's own, and that this takes away.
        fn inverse_ntt(polys: &mut [Poly]);
        /// `to[i]` = Σ a\[i, j\] ∘ b\[j\] in the NTT domain (algorithm 48), of a matrix by rows.
        fn multiply(to: &mut [Poly], a: &[Poly], b: &[Poly]);
        /// `to[i]` = a ∘ b\[i\] in the NTT domain.
        fn scale(to: &mut [Poly], a: &Poly, b: &[Poly]);
        /// Adds to each, and reduces to below q in absolute value.
        fn add(to: &mut [Poly], other: &[Poly]);
        /// Takes away from each, and reduces to below q in absolute value.
        fn subtract(to: &mut [Poly], other: &[Poly]);
        /// Algorithm 35 (Power2Round) of each: the high part stays, the low part goes to `low`.
        fn power2round(polys: &mut [Poly], low: &mut [Poly]);
        /// Algorithms 36 to 38 with γ₂: the high bits to `high`, the low bits stay.
        fn decompose(polys: &mut [Poly], gamma2: i32, high: &mut [Poly]);
        /// The largest absolute value, of coefficients between −q and q modulo q.
        fn norm(polys: &[Poly]) -> i32;
        /// Algorithm 39 (MakeHint) from the low bits of w − c·s₂ with c·t₀ added, and its high
        /// bits: 1 where they change. Returns the number of ones.
        fn make_hint(to: &mut [Poly], low: &[Poly], high: &[Poly], gamma2: i32) -> usize;
        /// Algorithm 40 (UseHint) of each, in place.
        fn use_hint(polys: &mut [Poly], hints: &[Poly], gamma2: i32);
        /// Algorithm 16 (SimpleBitPack), in as many bits as `to` has for each coefficient.
        fn simple_bit_pack(to: &mut [u8], from: &Poly);
        /// Algorithm 18 (SimpleBitUnpack).
        fn simple_bit_unpack(to: &mut Poly, from: &[u8]);
        /// Algorithm 17 (BitPack) of b − coefficient.
        fn bit_pack(to: &mut [u8], from: &Poly, b: i32);
        /// Algorithm 19 (BitUnpack): b − number.
        fn bit_unpack(to: &mut Poly, from: &[u8], b: i32);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "popcnt"];
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    _ => portable;
}
