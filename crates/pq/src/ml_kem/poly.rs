//! Polynomials over Z_q, and the table of implementations of their arithmetic.

use crate::sponge::Keccak;
use adamant_base::Wipe;
use adamant_base::ct::Choice;

/// The modulus.
pub(crate) const Q: i16 = 3329;

/// FIPS 203, 4.3: ζ, a 256th root of unity.
pub(crate) const ZETA: u32 = 17;

/// A polynomial of 256 coefficients.
///
/// Outside of the NTT domain coefficients lie in their order and below 2q in absolute value; in
/// it they are the residues modulo the quadratic factors, in the order of the implementation's
/// choice, and below q.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Poly(pub(crate) [i16; 256]);

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
    _ => portable;
}

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{x86_avx2, x86_avx512};

/// b^e mod q.
pub(crate) const fn pow(b: u32, mut e: u32) -> u32 {
    let q = Q as u32;
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

/// BitRev_7.
pub(crate) const fn bit_rev7(i: usize) -> u32 {
    ((i as u8).reverse_bits() >> 1) as u32
}

/// FIPS 203, appendix A: ζ^BitRev7(i).
pub(crate) static ZETAS: [i16; 128] = {
    let mut zetas = [0; 128];
    let mut i = 0;
    while i < 128 {
        zetas[i] = pow(ZETA, bit_rev7(i)) as i16;
        i += 1;
    }
    zetas
};
const _: () = assert!(ZETAS[1] == 1729 && ZETAS[64] == 17);

/// FIPS 203, appendix A: ζ^(2·BitRev7(i) + 1).
pub(crate) static GAMMAS: [i16; 128] = {
    let mut gammas = [0; 128];
    let mut i = 0;
    while i < 128 {
        gammas[i] = pow(ZETA, 2 * bit_rev7(i) + 1) as i16;
        i += 1;
    }
    gammas
};
const _: () = assert!(GAMMAS[0] == 17 && GAMMAS[1] == Q - 17);

/// 1/q mod R for R = 2^16.
pub(crate) const Q_INVERSE: i16 = -3327;
const _: () = assert!(Q.wrapping_mul(Q_INVERSE) == 1);

/// R mod q.
pub(crate) const R: u32 = (1 << 16) % Q as u32;

/// x·R mod q between -q/2 and q/2.
pub(crate) const fn montgomery(x: u32) -> i16 {
    let r = (x * R % Q as u32) as i16;
    if r > Q / 2 { r - Q } else { r }
}

/// R^2.
pub(crate) const R_SQUARED: i16 = montgomery(R);
