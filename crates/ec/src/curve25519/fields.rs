//! What the formulas ask of a field, so that they are written once for words of every size.

use super::edwards::{Completed, Extended, Niels, Projective, Signed};
use super::field::{CHAIN, Fe};
use super::kernel::{self, equal};
use super::ladder::{self, Ladder};
use super::table::{ODDS, ROWS};
use adamant_base::ct::Choice;
use adamant_base::{Secret, Wipe};

/// What the ladder computes with: integers modulo p = 2^255 - 19. The functions are those of [`Fe`].
pub trait Ring: Copy + Wipe {
    const ZERO: Self;
    const ONE: Self;
    fn from_bytes(bytes: &[u8; 32]) -> Self;
    fn to_bytes(self) -> [u8; 32];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn square(self) -> Self;
    /// `self * factor`, for a factor below 2^17.
    fn mul_small(self, factor: u64) -> Self;
    /// Exchanges `a` and `b` where `bit` is 1.
    fn swap(bit: u64, a: &mut Self, b: &mut Self);
    /// A step of the [`ladder`](super::ladder).
    #[inline(always)]
    fn step(ladder: &mut Ladder<Self>, swap: u64, x1: Self) {
        ladder::step(ladder, swap, x1);
    }
}

/// A field that points are made of, with what depends on its form: the constants of the curve and
/// the multiples of the base point.
pub trait Field: Ring + 'static {
    const TWO: Self;
    /// [`D`](super::edwards::D) in this form, and so on.
    const D: Self;
    const D2: Self;
    const SQRT_M1: Self;
    /// [`COMB`](super::table::COMB), and so on.
    const COMB: &'static [Niels<Self>; 8 * ROWS];
    const ODD: &'static [Niels<Self>; ODDS];
    const ODD_HIGH: &'static [Niels<Self>; ODDS];

    fn neg(self) -> Self;
    fn tighten(self) -> Self;
    /// Sets `self` to `from` where `mask` is all ones; leaves it where `mask` is zero.
    fn assign(&mut self, mask: u64, from: Self);
    /// Becomes `-self` where `mask` is all ones; loose, from a tight element.
    #[inline(always)]
    fn negate_masked(&mut self, mask: u64) {
        self.assign(mask, Self::ZERO.sub(*self));
    }
    /// Ors in the limbs of `from` where `mask` is all ones: a table scan starts at zero and has one
    /// entry that counts.
    fn or_masked(&mut self, mask: u64, from: &Self);
    /// The entry of this number, from 1 on, or the neutral point for 0: every entry is read.
    #[inline(always)]
    fn pick(row: &[Niels<Self>; 8], number: u64) -> Niels<Self> {
        let mut found = Niels::ZERO;
        found.or_masked(equal(number, 0), &Niels::NEUTRAL);
        for (j, entry) in row.iter().enumerate() {
            found.or_masked(equal(number, j as u64 + 1), entry);
        }
        found
    }
    /// The multiple of the base point, for a scalar below 2^255, by a function for `2^n sum`.
    #[inline(always)]
    fn mul_base(
        scalar: &[u8; 32],
        double: impl Fn(&mut Extended<Self>, u32),
    ) -> Secret<Extended<Self>> {
        kernel::mul_base_extended(scalar, |sum| double(sum, 4))
    }
    /// The limbs, in bytes, for memory that callers give.
    fn to_stored(self) -> [u8; 40];
    /// The element of what [`Field::to_stored`] gave.
    fn from_stored(bytes: &[u8; 40]) -> Self;
    /// An element in the form that keys and signatures have, radix 2^51.
    fn from_outside(x: Fe) -> Self;
    fn to_outside(self) -> Fe;

    /// The sum, and twice the point: see [`edwards`](super::edwards).
    fn add_signed_vartime(p: &Extended<Self>, other: &Signed<'_, Self>) -> Completed<Self>;
    fn double(p: &Projective<Self>) -> Completed<Self>;

    crate::chain::power!(
        CHAIN,
        square mul
        #[cfg_attr(feature = "small", inline(never))]
        #[cfg_attr(not(feature = "small"), inline(always))]
    );

    /// `1 / self`, and 0 for 0: the power p - 2 = 2^255 - 21.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    fn invert(self) -> Self {
        if cfg!(all(feature = "small", not(feature = "lab"))) {
            return self.power_of_ones(255, 20);
        }
        self.power(CHAIN.len())
    }

    /// The power (p - 5) / 8 = 2^252 - 3, from which square roots are made.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    fn pow_p58(self) -> Self {
        if cfg!(all(feature = "small", not(feature = "lab"))) {
            return self.power_of_ones(252, 2);
        }
        self.power(CHAIN.len() - 1)
    }

    /// The power `2^bits - 1 - less`: a product for each bit, which takes less code and memory than the chain.
    fn power_of_ones(self, bits: u32, less: u32) -> Self {
        let mut power = self;
        for i in (0..bits - 1).rev() {
            power = power.square();
            if i >= u32::BITS || less >> i & 1 == 0 {
                power = power.mul(self);
            }
        }
        power
    }

    /// Whether the value is zero.
    #[inline(always)]
    fn is_zero(self) -> Choice {
        adamant_base::ct::eq(&self.to_bytes(), &[0; 32])
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

/// The limbs as bytes, as integers of this type.
macro_rules! stored {
    ($limb:ty) => {
        #[inline(always)]
        fn to_stored(self) -> [u8; 40] {
            let mut bytes = [0; 40];
            for (to, limb) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
                *to = (limb as $limb).to_le_bytes();
            }
            bytes
        }
        #[inline(always)]
        fn from_stored(bytes: &[u8; 40]) -> Fe {
            let (limbs, _) = bytes.as_chunks();
            Fe(core::array::from_fn(|i| {
                <$limb>::from_le_bytes(limbs[i]).into()
            }))
        }
    };
}
pub(super) use stored;

/// What depends on the form of a field `Fe` other than that of radix 2^51: converted, the constants by
/// the compiler; and the formulas, with its function for differences with a tight element.
#[cfg(any(
    feature = "lab",
    not(target_pointer_width = "64"),
    target_arch = "aarch64"
))]
macro_rules! converted {
    (tables) => {
        use crate::curve25519::edwards::{self, Completed, Extended, Niels, Projective, Signed};
        use crate::curve25519::field::{Fe as Outside, Words};
        use crate::curve25519::fields::{Field, Ring};
        use crate::curve25519::table;

        table::reading!();
        static COMB: [Niels<Fe>; 8 * table::ROWS] = read(table::AT[0]);
        static ODD: [Niels<Fe>; table::ODDS] = read(table::AT[1]);
        static ODD_HIGH: [Niels<Fe>; table::ODDS] = read(table::AT[2]);

        const fn inside(x: &Outside) -> Fe {
            Fe::from_words(&words(&x.to_bytes()))
        }
    };
    ($less:ident) => {
        edwards::formulas!($less);

        const TWO: Fe = Fe::small(2);
        const D: Fe = inside(&edwards::D);
        const D2: Fe = inside(&edwards::D2);
        const SQRT_M1: Fe = inside(&edwards::SQRT_M1);
        const COMB: &'static [Niels<Fe>; 8 * table::ROWS] = &COMB;
        const ODD: &'static [Niels<Fe>; table::ODDS] = &ODD;
        const ODD_HIGH: &'static [Niels<Fe>; table::ODDS] = &ODD_HIGH;

        fn from_outside(x: Outside) -> Fe {
            inside(&x)
        }
        fn to_outside(self) -> Outside {
            Outside::from_bytes(&self.to_bytes())
        }
    };
}
#[cfg(any(
    feature = "lab",
    not(target_pointer_width = "64"),
    target_arch = "aarch64"
))]
pub(super) use converted;
