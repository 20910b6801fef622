//! Polynomials over Z_q, and the table of implementations of their arithmetic.

use crate::sponge::Keccak;
use adamant_base::Wipe;

/// The modulus.
pub(crate) const Q: i32 = 8_380_417;

/// FIPS 204, 4: ζ, a 512th root of unity.
pub(crate) const ZETA: u64 = 1753;

/// FIPS 204, 4: the bits dropped from t.
pub(crate) const D: u32 = 13;

/// A polynomial of 256 coefficients.
///
/// Outside of the NTT domain coefficients lie in their order and below q in absolute value; in it
/// they are values at the roots, in the order of the implementation's choice.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Poly(pub(crate) [i32; 256]);

impl Poly {
    pub(crate) const ZERO: Poly = Poly([0; 256]);
}

impl Wipe for Poly {
    fn wipe(&mut self) {
        self.0.wipe();
    }

    // Once for arrays of any length.
    #[inline(never)]
    fn wipe_all(polys: &mut [Poly]) {
        for poly in polys {
            poly.wipe();
        }
    }
}

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
    _ => portable;
}

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{x86_avx2, x86_avx512};

/// b^e mod q.
pub(crate) const fn pow(b: u64, mut e: u64) -> u64 {
    let q = Q as u64;
    let (mut square, mut r) = (b % q, 1);
    while e > 0 {
        if e & 1 == 1 {
            r = r * square % q;
        }
        square = square * square % q;
        e >>= 1;
    }
    r
}

/// FIPS 204, appendix B: ζ^BitRev8(i).
pub(crate) static ZETAS: [i32; 256] = {
    let mut zetas = [0; 256];
    let mut i = 0;
    while i < 256 {
        zetas[i] = pow(ZETA, (i as u8).reverse_bits() as u64) as i32;
        i += 1;
    }
    zetas
};
const _: () = assert!(ZETAS[1] == 4_808_194 && ZETAS[128] == 1753);

/// 256^-1 mod q.
pub(crate) const OVER_256: u64 = 8_347_681;
const _: () = assert!(256 * OVER_256 % Q as u64 == 1);

/// 1/q mod R for R = 2^32.
pub(crate) const Q_INVERSE: i32 = 58_728_449;
const _: () = assert!(Q.wrapping_mul(Q_INVERSE) == 1);

/// R mod q.
pub(crate) const R: u64 = (1 << 32) % Q as u64;

/// x·R mod q between -q/2 and q/2.
pub(crate) const fn montgomery(x: u64) -> i32 {
    let r = (x * R % Q as u64) as i32;
    if r > Q / 2 { r - Q } else { r }
}

/// R^2/256: what the inverse NTT of products over R multiplies by.
pub(crate) const OVER_256_R: i32 = montgomery(OVER_256 * R % Q as u64);
