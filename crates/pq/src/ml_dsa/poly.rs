//! Polynomials over Z_q, and the constants of their arithmetic.

use crate::list::Element;
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
