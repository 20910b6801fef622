//! The [`field`](super::super::field) in radix 2^56, with products and squares in assembly.
#![allow(unsafe_code)] // NEON, and a table in another type

use super::{columns, pairs};
use crate::curve448::edwards::{self, Completed, Extended, Niels, Projective};
use crate::curve448::field::{BYTES, Fe as Portable};
use crate::curve448::fields::Field;
use crate::curve448::table::{self, ODDS, ROWS};
use adamant_base::Wipe;
use adamant_base::ct::barrier;

/// A field element, in the form and with the bounds of the other type.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::curve448) struct Fe(Portable);

const _: () = assert!(size_of::<Niels<Fe>>() == size_of::<Niels>());

/// The same points, as those of this field.
const fn inside<const N: usize>(points: &'static [Niels; N]) -> &'static [Niels<Fe>; N] {
    // SAFETY: the layout of a point is that of C, and that of its coordinates is the same.
    unsafe { &*core::ptr::from_ref(points).cast() }
}

/// The element whose limbs a function in another module gives.
macro_rules! element {
    (columns::$f:ident($($x:expr),*)) => {
        Fe(Portable::from_limbs(columns::$f($($x),*)))
    };
    (pairs::$f:ident($($x:expr),*)) => {
        // SAFETY: only the row `arm_mul` is of this field, and it needs NEON.
        Fe(Portable::from_limbs(unsafe { pairs::$f($($x),*) }))
    };
}

/// Functions that take elements and are in another module.
macro_rules! functions {
    ($($module:ident::$f:ident as $name:ident($($x:ident),*);)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Fe)*) -> Fe {
            element!($module::$f(self.0.limbs() $(, $x.0.limbs())*))
        }
    )*};
}

impl Field for Fe {
    const ZERO: Fe = Fe(Portable::ZERO);
    const ONE: Fe = Fe(Portable::ONE);
    const COMB: &'static [Niels<Fe>; 8 * ROWS] = inside(&table::COMB);
    const ODD: &'static [Niels<Fe>; ODDS] = inside(&table::ODD);

    edwards::formulas!();

    functions! {
        pairs::add as add(other);
        pairs::sub as sub(other);
        pairs::sub_loose as sub_loose(other);
        pairs::tighten as tighten();
        columns::multiply as mul(other);
        columns::multiply as mul_here(other);
        columns::square as square();
        columns::square as square_here();
    }

    #[inline(always)]
    fn neg(self) -> Fe {
        Fe::ZERO.sub_loose(self)
    }
    #[inline(always)]
    fn mul_small(self, factor: u64) -> Fe {
        element!(pairs::scale(self.0.limbs(), factor as u32))
    }

    #[inline(always)]
    fn swap(bit: u64, a: &mut Fe, b: &mut Fe) {
        let mask = barrier(bit.wrapping_neg());
        let old = *a;
        a.assign(mask, *b);
        b.assign(mask, old);
    }
    #[inline(always)]
    fn assign(&mut self, mask: u64, from: Fe) {
        *self = element!(pairs::choose(mask, self.0.limbs(), from.0.limbs()));
    }
    /// One instruction less than an or takes: in a scan that is the same.
    #[inline(always)]
    fn or_masked(&mut self, mask: u64, from: &Fe) {
        self.assign(mask, *from);
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; BYTES]) -> Fe {
        Fe(Portable::from_bytes(bytes))
    }
    #[inline(always)]
    fn to_bytes(self) -> [u8; BYTES] {
        self.0.to_bytes()
    }
    #[inline(always)]
    fn sign(self) -> u8 {
        Field::sign(self.0)
    }
    #[inline(always)]
    fn from_outside(x: Portable) -> Fe {
        Fe(x)
    }
    #[inline(always)]
    fn to_outside(self) -> Portable {
        self.0
    }
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
