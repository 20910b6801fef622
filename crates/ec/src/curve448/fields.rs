//! What the formulas ask of a field, so that they are written once for words of every size.

use super::edwards::{Completed, Extended, Niels, Projective};
use super::field::{BYTES, CHAIN, Fe};
use super::table::{ODDS, ROWS};
use adamant_base::Wipe;
use adamant_base::ct::Choice;

/// Integers modulo p = 2^448 - 2^224 - 1; the functions are those of [`Fe`].
pub trait Field: Copy + Wipe + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// [`COMB`](super::table::COMB) and [`ODD`](super::table::ODD) in this form.
    const COMB: &'static [Niels<Self>; 8 * ROWS];
    const ODD: &'static [Niels<Self>; ODDS];

    fn from_bytes(bytes: &[u8; BYTES]) -> Self;
    fn to_bytes(self) -> [u8; BYTES];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn sub_loose(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn tighten(self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn square(self) -> Self;
    /// The same in place, for powers.
    fn mul_here(self, other: Self) -> Self;
    fn square_here(self) -> Self;
    /// `self * factor`, for a factor below 2^16; maybe as loose as the sum of two tight elements.
    fn mul_small(self, factor: u64) -> Self;
    /// Exchanges `a` and `b` where `bit` is 1.
    fn swap(bit: u64, a: &mut Self, b: &mut Self);
    /// Sets `self` to `from` where `mask` is all ones; leaves it where `mask` is zero.
    fn assign(&mut self, mask: u64, from: Self);
    /// Ors in the limbs of `from` where `mask` is all ones: a table scan starts at zero and has one
    /// entry that counts.
    fn or_masked(&mut self, mask: u64, from: &Self);
    /// An element in the form that keys and signatures have, radix 2^56.
    fn from_outside(x: Fe) -> Self;
    fn to_outside(self) -> Fe;

    /// The sum, given the product of both Z, twice the point, and the result of either: see
    /// [`edwards`](super::edwards).
    fn add_with(p: &Extended<Self>, other: &Niels<Self>, zz: Self) -> Completed<Self>;
    fn double(p: &Projective<Self>) -> Completed<Self>;
    fn set(p: &mut Extended<Self>, to: &Completed<Self>, t: bool);

    crate::chain::power!(
        CHAIN,
        square_here mul_here
        #[inline(never)]
    );

    /// The power (p - 3) / 4 = 2^446 - 2^222 - 1, from which inverses and square roots are made.
    #[inline(always)]
    fn pow_p34(self) -> Self {
        self.power(CHAIN.len() - 1)
    }

    /// `1 / self`, and 0 for 0: the power p - 2.
    #[inline(always)]
    fn invert(self) -> Self {
        self.power(CHAIN.len())
    }

    /// Whether the value is zero.
    #[inline(always)]
    fn is_zero(self) -> Choice {
        adamant_base::ct::eq(&self.to_bytes(), &[0; BYTES])
    }

    /// Whether the values are equal; both tight.
    #[inline(always)]
    fn equals(self, other: Self) -> Choice {
        self.sub(other).is_zero()
    }

    /// The sign of RFC 8032: the lowest bit of the canonical value.
    #[inline(always)]
    fn sign(self) -> u8 {
        self.to_bytes()[0] & 1
    }
}

/// What depends on the form of a field `Fe` for smaller words: converted, the tables by the compiler.
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
macro_rules! converted {
    () => {
        edwards::formulas!();

        const COMB: &'static [Niels<Fe>; 8 * table::ROWS] = &COMB;
        const ODD: &'static [Niels<Fe>; table::ODDS] = &ODD;

        fn mul_here(self, other: Fe) -> Fe {
            self.mul(other)
        }
        fn square_here(self) -> Fe {
            self.square()
        }
        fn from_outside(x: Outside) -> Fe {
            Fe::from_bytes(&x.to_bytes())
        }
        fn to_outside(self) -> Outside {
            Outside::from_bytes(&self.to_bytes())
        }
    };
    (tables) => {
        use crate::curve448::edwards::{self, Completed, Extended, Niels, Projective};
        use crate::curve448::field::Fe as Outside;
        use crate::curve448::fields::Field;
        use crate::curve448::table;

        table::reading!();
        static COMB: [Niels<Fe>; 8 * table::ROWS] = read(table::AT[0]);
        static ODD: [Niels<Fe>; table::ODDS] = read(table::AT[1]);
    };
}
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
pub(super) use converted;
