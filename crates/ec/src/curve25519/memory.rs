//! Memory for sums of many multiples, which the caller gives: it is bytes there.

/// A multiple of a point as the right side of a sum, in the limbs of the implementation, 160 bytes;
/// and 32 bytes of digits of the point's scalar.
pub(super) type Entry = [[u8; 64]; 3];
/// The bytes of a multiple.
pub(super) const MULTIPLE: usize = 160;
/// The digits in the last block of an entry.
pub(super) const DIGITS: usize = MULTIPLE - 128;
/// 1, 3, 5, … 15 times a point.
pub(super) type Row = [Entry; 8];
/// The rows of eight points.
pub(super) type Table = [Row; 8];

/// A table in whole cache lines.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
#[repr(align(64))]
pub(super) struct Aligned(pub(super) Table);

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
impl Aligned {
    pub(super) const ZERO: Aligned = Aligned([[[[0; 64]; 3]; 8]; 8]);
}

/// The bytes in which [`tables`] finds this many.
pub(super) const fn bytes_for(tables: usize) -> usize {
    if tables == 0 {
        0
    } else {
        tables * size_of::<Table>() + 63
    }
}

/// As many tables as there is memory for, in whole cache lines.
pub(super) fn tables(memory: &mut [u8]) -> &mut [Table] {
    let before = memory.as_ptr().align_offset(64).min(memory.len());
    let (lines, _) = memory[before..].as_chunks_mut::<64>();
    let (rows, _) = lines.as_chunks_mut::<3>().0.as_chunks_mut::<8>();
    rows.as_chunks_mut().0
}
