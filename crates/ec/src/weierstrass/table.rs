//! The multiples of a base point, computed when they are first asked for.
//!
//! Row i holds 1, 3, 5, … 31 times 2^(5 i) G. A table is filled once in a process: computed by the
//! compiler, those of all curves would be a burden on every build.

use super::kernel::Steps;
use super::point::{Affine, Jacobian, normalize_vartime};
use adamant_base::ct::Choice;
use alloc::vec::Vec;

/// Bits of a window of the scalar.
pub(crate) const WINDOW: usize = 5;
/// Odd multiples in a row.
pub(crate) const ENTRIES: usize = 1 << (WINDOW - 1);

/// Digits of a scalar below an order of this many bits, beside the fixed one above them.
pub(crate) const fn digits(bits: usize) -> usize {
    (bits - 1).div_ceil(WINDOW)
}

/// A point in a table.
pub(crate) trait Entry: Copy {
    /// No point: to fill arrays with.
    const NONE: Self;

    /// Becomes `other` where the mask is set, from none.
    fn pick(&mut self, other: &Self, mask: u64);
}

/// The entry at a secret index: reads all. One for all curves of a length.
#[inline(never)]
pub(crate) fn lookup<E: Entry>(entries: &[E; ENTRIES], index: u64) -> E {
    let mut found = E::NONE;
    for (i, entry) in (0..).zip(entries) {
        found.pick(entry, Choice::eq_u64(i, index).mask());
    }
    found
}

/// A row, aligned to cache lines.
#[repr(align(64))]
struct Row<const W: usize>([Affine<W>; ENTRIES]);

/// The multiples of the base point: a row for each digit, then one for the fixed digit, of which only
/// the first entry is used in a multiplication.
pub(crate) struct Table<const W: usize>(Vec<Row<W>>);

impl<const W: usize> Table<W> {
    /// Computes the multiples.
    #[inline(never)]
    pub(crate) fn new(steps: &Steps<W>) -> Self {
        let f = &steps.field;
        let mut base = Jacobian::from_affine(&Affine::from_integers(&f.constants.g, f), f);
        let count = digits(f.constants.order.bits) + 1;
        let mut points = alloc::vec![Jacobian::NONE; count * ENTRIES];
        for row in points.chunks_mut(ENTRIES) {
            steps.odd_multiples(&base, row);
            base = (steps.double_n)(f, &base, WINDOW);
        }
        let mut affine = alloc::vec![Affine::NONE; points.len()];
        normalize_vartime(&points, &mut affine, f);
        let (rows, _) = affine.as_chunks();
        Table(rows.iter().map(|row| Row(*row)).collect())
    }

    /// The entries of row `i`.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> &[Affine<W>; ENTRIES] {
        &self.0[i].0
    }
}

/// The function that says where a curve's table is, in its `Field`.
macro_rules! lazy {
    ($w:literal) => {
        fn table() -> &'static adamant_base::lazy::Lazy<super::table::Table<$w>> {
            static TABLE: adamant_base::lazy::Lazy<super::table::Table<$w>> =
                adamant_base::lazy::Lazy::new();
            &TABLE
        }
    };
}
pub(crate) use lazy;
