//! X25519 over integers modulo a prime like any other, in Montgomery's form, on words of 64, 32 or 16
//! bits: what the special form of 2^255 - 19 is worth.
//!
//! Residues are four words below p; everything takes the same time for every value.

use super::fields::Ring;
use crate::weierstrass::modulus::Modulus;
use crate::weierstrass::words::{By16, By32, By64, Product, add, from_hex, one, sub};
use adamant_base::Wipe;
use adamant_base::ct::Choice;
use core::marker::PhantomData;

/// The prime.
static P: Modulus<4> = Modulus::new(&PRIME);
const PRIME: [u64; 4] =
    from_hex("7fffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffed");

/// The residue of a small number: doublings and additions of that of 1.
const fn residue(n: u64) -> [u64; 4] {
    let one = Modulus::new(&PRIME).one;
    let (mut sum, mut bit) = ([0; 4], 64);
    while bit > 0 {
        bit -= 1;
        sum = plus(&sum, &sum);
        if n >> bit & 1 == 1 {
            sum = plus(&sum, &one);
        }
    }
    sum
}

/// `a + b` mod p, computed by the compiler.
const fn plus(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (sum, _) = add(a, b); // below 2^256
    let (less, borrow) = sub(&sum, &PRIME);
    if borrow { sum } else { less }
}

/// An integer modulo p, for products of words by M: the functions that the ladder asks for.
pub(super) struct Element<M>([u64; 4], PhantomData<M>);

impl<M> Clone for Element<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Element<M> {}

impl<M: Product> Element<M> {
    /// (486662 - 2) / 4, the one small factor of the ladder.
    const A24: Self = Self::new(residue(121_665));

    const fn new(words: [u64; 4]) -> Self {
        Element(words, PhantomData)
    }

    fn invert(self) -> Self {
        Self::new(P.divide(&P.r2, &self.0))
    }
}

impl<M: Product> Ring for Element<M> {
    const ZERO: Self = Self::new([0; 4]);
    const ONE: Self = Self::new(residue(1));

    fn from_bytes(bytes: &[u8; 32]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let mut integer = [0; 4];
        for (word, bytes) in integer.iter_mut().zip(words) {
            *word = u64::from_le_bytes(*bytes);
        }
        integer[3] &= u64::MAX >> 1;
        Self::new(P.mul_generic::<M>(&P.reduce(&integer), &P.r2))
    }

    fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let integer = P.mul_generic::<M>(&self.0, &one());
        let (chunks, _) = bytes.as_chunks_mut::<8>();
        for (bytes, word) in chunks.iter_mut().zip(integer) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }

    fn add(self, other: Self) -> Self {
        Self::new(P.add(&self.0, &other.0))
    }

    fn sub(self, other: Self) -> Self {
        Self::new(P.sub(&self.0, &other.0))
    }

    fn mul(self, other: Self) -> Self {
        Self::new(P.mul_generic::<M>(&self.0, &other.0))
    }

    fn square(self) -> Self {
        Self::new(P.square_generic::<M>(&self.0))
    }

    fn mul_small(self, factor: u64) -> Self {
        debug_assert_eq!(factor, 121_665);
        self.mul(Self::A24)
    }

    fn swap(bit: u64, a: &mut Self, b: &mut Self) {
        Choice::from_bit(bit).swap(&mut a.0, &mut b.0);
    }
}

impl<M> Wipe for Element<M> {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// A row of the table, over products of words of some size. Without tables, multiples of the base
/// point are multiples of u = 9.
macro_rules! row {
    ($row:ident, $product:ident) => {
        pub(super) mod $row {
            use crate::curve25519::ladder::ladder_with;

            const BASE: [u8; 32] = crate::curve25519::group::MontgomeryPoint::BASE.0;

            pub(in crate::curve25519) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
                ladder_with(scalar, u, super::Element::<super::$product>::invert)
            }

            pub(in crate::curve25519) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
                ladder(scalar, &BASE)
            }

            crate::curve25519::kernel::batches_of_x25519!();
        }
    };
}
row!(bignum64, By64);
row!(bignum32, By32);
row!(bignum16, By16);
