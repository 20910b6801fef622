//! The table of a curve.

use super::super::kernel::Steps;
use super::super::point::{Affine, Jacobian, normalize_vartime};
use super::{ENTRIES, Entry, WINDOW, digits};
use alloc::vec::Vec;

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
