//! Eight multiplications side by side, on AVX-512 IFMA, for every curve: a lane is a multiplication,
//! and all have the same doublings and additions.
//!
//! The steps of a multiplication of points are there for each prime, and take what is special of it
//! from it. All else is there once for a number of limbs, and has the curve as data: a [`Row`]. The
//! macro [`row`] makes what the table of a curve names; a single multiplication of a point is that of
//! another implementation.
//!
//! 1. Secret scalars are in odd digits, whose sums meet no exception but in the last addition.
//! 2. The base point has a table without doublings, made at first use; entries are picked from
//!    registers (`vpermi2q`). A lane's own table is read whole, comparing all indices.
//! 3. That table's points are made with additions over a common z, and then affine.
//! 4. Batches of verifications compute both products as secret ones are, and add them.
//! 5. One inversion serves up to 64 items.
//!
//! A single multiplication of the base point spreads its digits over the lanes ([`single`]); one of
//! another point what its formulas multiply ([`four`]).
//!
//! Digits, scalars and what is read of results are wiped; intermediate points live in registers,
//! whose copies in memory are not.

pub(super) mod batch;
mod digits;
mod field;
pub(super) mod four;
mod groups;
mod lanes;
mod point;
pub(super) mod prime;
mod rows;
pub(super) mod single;
mod table;
#[cfg(test)]
pub(super) mod tests;

use super::Check;
use super::curve::{Derived, Numbers};
use super::field::Field;
use adamant_base::lazy::Lazy;
use alloc::vec::Vec;
use field::{Calls, Eight};
use groups::Factors;
use point::{Affine, Extended, Jacobian};
use prime::Prime;
pub(super) use rows::{field, row};

/// Where the table of a base point is.
pub(super) type Table = Lazy<Vec<table::Line>>;

/// A curve of numbers of W words, in L limbs.
pub(super) trait Lanes<const W: usize, const L: usize>: Field<W> + Prime<L> {
    /// From how many items on lanes are faster than one multiplication after the other.
    const FEWEST: Fewest;
    /// Where the table of the base point is.
    fn lines() -> &'static Table;
}

/// A curve as data.
pub(super) struct Row<const W: usize, const L: usize> {
    numbers: &'static Numbers<W>,
    /// The base point.
    g: &'static [[u64; W]; 2],
    lines: &'static Table,
    /// [`Factors`].
    from: &'static [[u64; L]; 2],
    to: &'static [[u64; L]; 2],
    field: Calls<L>,
    /// [`Extended::add_affine`].
    add_affine: fn(&mut Extended<L>, &Affine<L>) -> Eight<L>,
    /// [`Extended::add`].
    add: fn(&mut Extended<L>, &Extended<L>, &Calls<L>) -> Eight<L>,
    /// [`Jacobian::double`].
    double: fn(&mut Jacobian<L>),
    /// [`table::add_twice`].
    add_twice: fn(&mut Affine<L>, &mut Jacobian<L>, &Calls<L>) -> Eight<L>,
}

impl<const W: usize, const L: usize> Row<W, L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn of<C: Lanes<W, L>>() -> Self {
        Row {
            numbers: C::NUMBERS,
            g: const { &C::G },
            lines: C::lines(),
            from: const { &<C as Factors<W, L>>::FROM },
            to: const { &<C as Factors<W, L>>::TO },
            field: Calls::of::<C>(),
            add_affine: Extended::add_affine::<C>,
            add: Extended::add::<C>,
            double: Jacobian::double::<C>,
            add_twice: table::add_twice::<C, L>,
        }
    }
}

/// The items from which on eight lanes, some of them idle, take less time than as many single
/// multiplications: of the base point, of other points, and in verifications. The same holds for what
/// is left of a batch after its groups of eight.
pub(super) struct Fewest {
    pub(super) base: usize,
    pub(super) point: usize,
    pub(super) check: usize,
}

/// How many of a batch's items lanes take: all, or all but a last group of fewer than these.
pub(super) const fn in_lanes(items: usize, fewest: usize) -> usize {
    let rest = items % 8;
    if rest < fewest { items - rest } else { items }
}
