//! Curves y^2 = x^3 + b with an endomorphism (x, y) -> (beta x, y) that multiplies by lambda:
//! Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient
//! endomorphisms" (2001). A scalar becomes two of half the length.

use super::curve::Derived;
use super::modulus::mul_wide;
use super::words::{add, sub};

/// The endomorphism of a curve with W words, and the short vectors (a1, b1), (a2, b2) of the lattice
/// of pairs with a + b lambda = 0 mod n.
pub(crate) struct Endomorphism<const W: usize> {
    /// A cube root of 1 modulo p.
    pub(crate) beta: [u64; W],
    /// The cube root of 1 modulo n that belongs to it.
    pub(crate) lambda: [u64; W],
    /// -b1 and -b2 modulo n.
    pub(crate) minus_b: [[u64; W]; 2],
    /// b2 and -b1, times 2^(96 W) / n.
    pub(crate) g: [[u64; W]; 2],
}

impl<const W: usize> Endomorphism<W> {
    /// k1 and k2 with k1 + k2 lambda = `k` mod n, half as long as n: each by its absolute value, and
    /// whether it is negative. `k` is public.
    pub(crate) fn split_vartime<C: Derived<W>>(&self, k: &[u64; W]) -> [([u64; W], bool); 2] {
        let order = C::ORDER;
        let product = |a: &[u64; W], b: &[u64; W]| order.mul(&order.to_residue(a), b);
        // The multiples of both vectors that are closest to (k, 0), and what they leave of it.
        let [c1, c2] = self.g.map(|g| {
            let (_, high) = mul_wide(k, &g);
            let (mut c, mut rounding) = ([0; W], [0; W]);
            c[..W / 2].copy_from_slice(&high[W / 2..]);
            rounding[0] = high[W / 2 - 1] >> 63;
            add(&c, &rounding).0
        });
        let [minus_b1, minus_b2] = &self.minus_b;
        let k2 = order.add(&product(&c1, minus_b1), &product(&c2, minus_b2));
        let k1 = order.sub(k, &product(&k2, &self.lambda));
        [k1, k2].map(|k| {
            let (negated, _) = sub(&C::N, &k);
            let is_negative = sub(&negated, &k).1;
            (if is_negative { negated } else { k }, is_negative)
        })
    }
}
