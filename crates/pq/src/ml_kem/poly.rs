//! Polynomials over Z_q, and the constants of their arithmetic.

use crate::list::Element;
use adamant_base::Wipe;

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

impl Element for Poly {
    const ZERO: Self = Self::ZERO;
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
