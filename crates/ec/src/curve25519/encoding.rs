//! The encoding of points of edwards25519 (RFC 8032, sections 5.1.2 and 5.1.3): y, and the sign of x.

use super::edwards::Affine;
use super::fields::Field;

impl<F: Field> Affine<F> {
    /// The encoding of RFC 8032, section 5.1.2: y, and the sign of x in the top bit.
    #[inline(always)]
    pub(super) fn compress(&self) -> [u8; 32] {
        let mut bytes = self.y.to_bytes();
        bytes[31] |= self.x.sign() << 7;
        bytes
    }

    /// The point of an encoding (RFC 8032, section 5.1.3); `None` where it is not canonical, or no
    /// point has this y. Variable time: for public points.
    #[cfg(test)]
    pub(super) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine<F>> {
        if Affine::is_canonical_vartime(bytes) {
            Self::decompress_zip215_vartime(bytes, |a, b| a.mul(*b), F::pow_p58)
        } else {
            None
        }
    }

    /// The point of an encoding as ZIP 215 reads it: a y from p on is taken modulo p, and the sign
    /// of x = 0 does not matter. `None` where no point has this y. Variable time.
    ///
    /// The product, and the power (p - 5) / 8, are functions of the implementation: what is not in
    /// a loop is not worth the code.
    #[inline(always)]
    pub(super) fn decompress_zip215_vartime(
        bytes: &[u8; 32],
        mul: impl Fn(&F, &F) -> F,
        pow_p58: impl Fn(F) -> F,
    ) -> Option<Affine<F>> {
        let y = F::from_bytes(bytes);
        let sign = bytes[31] >> 7;
        // x^2 = u / v; the candidate root is u v^3 (u v^7)^((p - 5) / 8).
        let yy = mul(&y, &y);
        let u = yy.sub(F::ONE).tighten();
        let v = mul(&yy, &F::D).add(F::ONE);
        let v3 = mul(&mul(&v, &v), &v);
        let v7 = mul(&mul(&v3, &v3), &v);
        let mut x = mul(&pow_p58(mul(&u, &v7)), &mul(&u, &v3));
        let vxx = mul(&v, &mul(&x, &x));
        if !vxx.equals(u).declassify() {
            if !vxx.add(u).is_zero().declassify() {
                return None;
            }
            x = mul(&x, &F::SQRT_M1);
        }
        if x.sign() != sign {
            x = x.neg();
        }
        Some(Affine { x, y })
    }
}

impl Affine {
    /// Whether an encoding of a point is the one that [`Affine::compress`] gives (RFC 8032,
    /// section 5.1.3): y is below p, and where x is zero, for y = 1 and y = -1, its sign bit is
    /// not set. Variable time.
    pub(super) fn is_canonical_vartime(bytes: &[u8; 32]) -> bool {
        let negative = bytes[31] >> 7 == 1;
        let above = bytes[31] | 0x80 == 0xff && bytes[1..31].iter().all(|byte| *byte == 0xff);
        if above {
            bytes[0] < if negative { 0xec } else { 0xed }
        } else {
            let one = bytes[0] == 1 && bytes[1..31].iter().all(|byte| *byte == 0);
            !(negative && one && bytes[31] == 0x80)
        }
    }
}
