//! Curves y^2 = x^3 + b with an endomorphism (x, y) -> (beta x, y) that multiplies by lambda:
//! Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient
//! endomorphisms" (2001). A scalar becomes two of half the length.

use super::modulus::{Modulus, mul_wide};
use super::words::{By64, add, sub};
use adamant_base::Secret;
use adamant_base::ct::Choice;

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
    /// [`Endomorphism::halves`], for code that does not know whether a curve has an endomorphism.
    pub(crate) split: fn(&Self, &[u64; W], &Modulus<W>) -> [Half<W>; 2],
    /// [`Endomorphism::odd_halves`], likewise.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub(crate) split_odd: fn(&Self, &[u64; W], &Modulus<W>) -> [Half<W>; 2],
}

impl<const W: usize> Endomorphism<W> {
    /// k1 and k2 with k1 + k2 lambda = `k` mod n, half as long as n: each by its absolute value, and
    /// whether it is negative.
    pub(crate) fn halves(&self, k: &[u64; W], order: &Modulus<W>) -> [Half<W>; 2] {
        let k2 = self.second(k, order);
        [
            center(&self.first(k, &k2, order), order),
            center(&k2, order),
        ]
    }

    /// The same with both odd, below 2^([`HALF_BITS`] + 1): by adding the first vector where k1 is
    /// even, both of whose numbers are odd, then the second where k2 is, whose first number is even.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", test))]
    pub(crate) fn odd_halves(&self, k: &[u64; W], order: &Modulus<W>) -> [Half<W>; 2] {
        let mut k2 = self.second(k, order);
        let [minus_b1, minus_b2] = &self.minus_b;
        let (k1, _) = center(&self.first(k, &k2, order), order);
        let even = Choice::from_bit(!k1[0] & 1);
        let other = Secret::new(order.sub(&k2, minus_b1));
        even.assign(&mut k2, &other);
        let (centered, _) = center(&k2, order);
        let even = Choice::from_bit(!centered[0] & 1);
        let other = Secret::new(order.sub(&k2, minus_b2));
        even.assign(&mut k2, &other);
        [
            center(&self.first(k, &k2, order), order),
            center(&k2, order),
        ]
    }

    /// k2, modulo n.
    fn second(&self, k: &[u64; W], order: &Modulus<W>) -> Secret<[u64; W]> {
        // The multiples of both vectors that are closest to (k, 0), and what they leave of it.
        let mut sum = Secret::new([0; W]);
        for (g, minus_b) in self.g.iter().zip(&self.minus_b) {
            let (_, high) = mul_wide::<By64, W>(k, g);
            let (mut c, mut rounding) = ([0; W], [0; W]);
            c[..W / 2].copy_from_slice(&high[W / 2..]);
            rounding[0] = high[W / 2 - 1] >> 63;
            let c = Secret::new(add(&c, &rounding).0);
            *sum = order.add(&sum, &product(&c, minus_b, order));
        }
        sum
    }

    /// k1 for this k2, modulo n.
    fn first(&self, k: &[u64; W], k2: &[u64; W], order: &Modulus<W>) -> Secret<[u64; W]> {
        Secret::new(order.sub(k, &product(k2, &self.lambda, order)))
    }
}

/// A number by its absolute value, and whether it is negative.
pub(crate) type Half<const W: usize> = (Secret<[u64; W]>, Choice);

/// What the halves of a scalar need at most, less one bit: with n of 256 bits they are below 2^129,
/// the vectors that make them odd included.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", test))]
pub(crate) const HALF_BITS: usize = 128;

/// `a b` modulo n.
fn product<const W: usize>(a: &[u64; W], b: &[u64; W], order: &Modulus<W>) -> Secret<[u64; W]> {
    Secret::new(order.mul(&order.to_residue(a), b))
}

/// The number closest to 0 of those that are `x` modulo n.
fn center<const W: usize>(x: &[u64; W], order: &Modulus<W>) -> Half<W> {
    let (opposite, _) = sub(&order.words, x);
    let is_negative = Choice::from_bit(u64::from(sub(&opposite, x).1));
    let mut absolute = Secret::new(*x);
    is_negative.assign(&mut absolute, &opposite);
    (absolute, is_negative)
}

#[cfg(test)]
mod tests {
    use super::HALF_BITS;
    use crate::limbs::bits;
    use crate::weierstrass::curve::{Curve, Derived};
    use crate::weierstrass::field::Field;
    use crate::weierstrass::secp256k1::Secp256k1;
    use crate::weierstrass::words::sub;
    use adamant_testkit::TestRng;

    #[test]
    fn halves() {
        let endomorphism = Secp256k1::ENDOMORPHISM.unwrap();
        let order = Secp256k1::ORDER;
        let small = |x| [x, 0, 0, 0];
        let mut rng = TestRng::new(11);
        let mut scalars: Vec<_> = (0..40).map(small).collect();
        scalars.extend((0..400).map(|_| order.reduce(&rng.words())));
        for x in 0..20 {
            let multiple = order.mul(&order.to_residue(&endomorphism.lambda), &small(x));
            scalars.extend([multiple, order.add(&multiple, &small(1))]);
        }
        scalars.extend(scalars.clone().iter().map(|k| order.sub(&[0; 4], k)));
        for k in scalars {
            let even = endomorphism.halves(&k, order);
            let odd = endomorphism.odd_halves(&k, order);
            assert!(odd.iter().all(|(half, _)| half[0] & 1 == 1), "{k:x?}");
            for halves in [even, odd] {
                let [k1, k2] = halves.map(|(half, negative)| {
                    assert!(bits(&half) <= HALF_BITS + 1, "{k:x?}: {:x?}", *half);
                    let negated = sub(&Secp256k1::N, &half).0;
                    order.reduce(if negative.declassify() {
                        &negated
                    } else {
                        &half
                    })
                });
                let product = order.mul(&order.to_residue(&k2), &endomorphism.lambda);
                assert_eq!(order.add(&k1, &product), k);
            }
        }
    }
}
