//! The multiples of a base point, computed when they are first asked for.
//!
//! Row i holds 1, 3, 5, … 31 times 2^(5 i) G. A table is filled once in a process: computed by the
//! compiler, those of all curves would be a burden on every build. Without an allocator there is none.

use adamant_base::ct::Choice;

#[cfg(feature = "alloc")]
mod kept;

#[cfg(feature = "alloc")]
pub(crate) use kept::Table;

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

/// The function that says where a curve's table is, in its `Field`.
macro_rules! lazy {
    ($w:literal) => {
        #[cfg(feature = "alloc")]
        fn table() -> &'static adamant_base::lazy::Lazy<super::table::Table<$w>> {
            static TABLE: adamant_base::lazy::Lazy<super::table::Table<$w>> =
                adamant_base::lazy::Lazy::new();
            &TABLE
        }
    };
}
pub(crate) use lazy;
