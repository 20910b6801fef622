//! Numbers of a length that is known when the program is compiled.

use crate::{Backend, limbs};
use adamant_base::Wipe;
use adamant_base::ct::Choice;

/// A number of `LIMBS` 64-bit limbs, the lowest first: [`limbs`] with a length that the compiler
/// knows, so that short numbers take no loops. Where it is a secret, it belongs into a
/// [`Secret`](adamant_base::Secret), which wipes it.
///
/// No time depends on the limbs.
///
/// ```
/// use adamant_bignum::Uint;
/// let a = Uint::<4>::from_be_bytes(&[0xff; 32]).unwrap(); // 2^256 - 1
/// let (sum, carry) = a.carrying_add(&Uint([1, 0, 0, 0]), 0);
/// assert_eq!((sum.0, carry), ([0; 4], 1));
/// let mut place = Uint::ZERO;
/// assert_eq!(place.set_sum(&a, &a, 1), 1);
/// assert_eq!(place.0, a.0);
/// let (low, high) = a.widening_mul(&a); // 2^512 - 2^257 + 1
/// assert_eq!(low.0, [1, 0, 0, 0]);
/// assert_eq!(high.0, a.borrowing_sub(&low, 0).0.0);
/// assert!(high.less(&a).declassify());
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Uint<const LIMBS: usize>(pub [u64; LIMBS]);

/// From this many limbs on, a product is left to the best implementation.
const LONG: usize = 8;

impl<const LIMBS: usize> Uint<LIMBS> {
    /// Zero.
    pub const ZERO: Self = Uint([0; LIMBS]);

    /// The number of these big-endian bytes, of which there may be more or fewer; `None` where it
    /// does not fit, which is public.
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8]) -> Option<Self> {
        let mut number = Self::ZERO;
        // A number that does not fit is refused.
        limbs::from_be_bytes(bytes, &mut number.0)
            .declassify()
            .then_some(number)
    }

    /// Writes the number in big-endian bytes, as many as `out` has: with zeros before it, or
    /// without what does not fit.
    pub fn to_be_bytes(&self, out: &mut [u8]) {
        limbs::to_be_bytes(&self.0, out);
    }

    /// `self + other + carry` for a carry of 0 or 1, and the carry out of it.
    #[inline]
    #[must_use]
    pub fn carrying_add(&self, other: &Self, carry: u64) -> (Self, u64) {
        let mut sum = Self::ZERO;
        let carry = limbs::combine(&mut sum.0, &self.0, &other.0, carry, limbs::add_bit);
        (sum, carry)
    }

    /// Becomes `a + b + carry` for a carry of 0 or 1: the carry out of it. Of long numbers this
    /// saves the copies of [`carrying_add`](Self::carrying_add).
    #[inline]
    pub fn set_sum(&mut self, a: &Self, b: &Self, carry: u64) -> u64 {
        limbs::combine(&mut self.0, &a.0, &b.0, carry, limbs::add_bit)
    }

    /// `self - other - borrow` for a borrow of 0 or 1, and the borrow out of it.
    #[inline]
    #[must_use]
    pub fn borrowing_sub(&self, other: &Self, borrow: u64) -> (Self, u64) {
        let mut difference = Self::ZERO;
        let borrow = limbs::combine(&mut difference.0, &self.0, &other.0, borrow, limbs::sub_bit);
        (difference, borrow)
    }

    /// `self · other`: its lower and its upper half.
    #[inline]
    #[must_use]
    pub fn widening_mul(&self, other: &Self) -> (Self, Self) {
        let mut halves = [[0; LIMBS]; 2];
        let product = halves.as_flattened_mut();
        if LIMBS < LONG {
            for i in 0..LIMBS {
                let mut carry = 0;
                for j in 0..LIMBS {
                    let sum = &mut product[i + j];
                    (*sum, carry) = limbs::mul_add_carry(*sum, self.0[j], other.0[i], carry);
                }
                product[i + LIMBS] = carry;
            }
        } else {
            Backend::best().mul(product, &self.0, &other.0);
        }
        let [low, high] = halves;
        (Uint(low), Uint(high))
    }

    /// Whether `self < other`.
    #[inline]
    pub fn less(&self, other: &Self) -> Choice {
        let mut borrow = 0;
        for (a, b) in self.0.iter().zip(&other.0) {
            (_, borrow) = limbs::sub_bit(*a, *b, borrow);
        }
        Choice::from_bit(borrow)
    }

    /// Whether `self == other`.
    #[inline]
    pub fn equal(&self, other: &Self) -> Choice {
        limbs::equal(&self.0, &other.0)
    }

    /// Becomes `other` where `choice` says so.
    #[inline]
    pub fn assign_if(&mut self, choice: Choice, other: &Self) {
        limbs::assign_if(choice, &mut self.0, &other.0);
    }
}

impl<const LIMBS: usize> Wipe for Uint<LIMBS> {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
