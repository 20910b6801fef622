//! The multiples of a base point, computed when they are first asked for.
//!
//! Row i holds 1, 3, 5, … 31 times 2^(5 i) G. A table is filled once in a process: computed by the
//! compiler, those of all curves would be a burden on every build.

use super::field::Fe;
use super::kernel::Steps;
use super::point::{Affine, Jacobian, normalize_vartime};
use alloc::vec::Vec;

/// Bits of a window of the scalar.
pub(crate) const WINDOW: usize = 5;
/// Odd multiples in a row.
pub(crate) const ENTRIES: usize = 1 << (WINDOW - 1);

/// Digits of a scalar below an order of so many bits, beside the fixed one above them.
pub(crate) const fn digits(bits: usize) -> usize {
    (bits - 1).div_ceil(WINDOW)
}

/// A row: x and y of each multiple, aligned to cache lines.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Row<const W: usize>(pub(crate) [[[u64; W]; 2]; ENTRIES]);

/// The multiples of the base point: a row for each digit, then one for the fixed digit, of which only
/// the first entry is used in a multiplication.
pub(crate) struct Table<const W: usize>(Vec<Row<W>>);

impl<const W: usize> Table<W> {
    /// Computes the multiples.
    #[inline(never)]
    pub(crate) fn new(steps: &Steps<W>) -> Self {
        let f = &steps.field;
        let g = Affine::from_integers(&f.constants.g, f);
        let mut base = Jacobian::from_affine(&g, f);
        let count = digits(f.constants.order.bits) + 1;
        let mut points = Vec::with_capacity(count * ENTRIES);
        for _ in 0..count {
            let twice = (steps.double_n)(f, &base, 1);
            let mut multiple = base;
            for i in 0..ENTRIES {
                if i > 0 {
                    // No multiple up to 31 is ±2 times the base.
                    multiple = (steps.add)(f, &multiple, &twice).0;
                }
                points.push(multiple);
            }
            base = (steps.double_n)(f, &twice, WINDOW - 1);
        }
        let mut affine = alloc::vec![Affine::ZERO; points.len()];
        normalize_vartime(&points, &mut affine, f);
        let mut rows = Vec::with_capacity(count);
        for points in affine.as_chunks::<ENTRIES>().0 {
            let mut row = Row([[[0; W]; 2]; ENTRIES]);
            for (entry, p) in row.0.iter_mut().zip(points) {
                *entry = [p.x.0, p.y.0];
            }
            rows.push(row);
        }
        Table(rows)
    }

    /// The entries of row `i`.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> &[[[u64; W]; 2]; ENTRIES] {
        &self.0[i].0
    }

    /// An entry at a public place.
    #[inline(always)]
    pub(crate) fn entry(&self, row: usize, index: usize) -> Affine<W> {
        affine(&self.row(row)[index])
    }
}

/// The point of an entry.
#[inline(always)]
pub(crate) fn affine<const W: usize>([x, y]: &[[u64; W]; 2]) -> Affine<W> {
    Affine {
        x: Fe(*x),
        y: Fe(*y),
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
