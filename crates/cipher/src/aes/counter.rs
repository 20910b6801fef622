//! The counters of CTR mode, cut where a carry leaves the low 64 bits, so that kernels can count
//! in 64-bit words.

/// Whether this many blocks are counted in 64 bits, from a number on, without a wrap: what kernels
/// expect of what [`Counter::take`] gave.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn fits(low: u64, blocks: usize) -> bool {
    blocks == 0 || low.checked_add(blocks as u64 - 1).is_some()
}

/// A block of counter: a big-endian number in the last `width` bytes after a fixed prefix.
pub(crate) struct Counter<'a> {
    block: &'a mut [u8; 16],
    /// The bits that count.
    mask: u128,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(block: &'a mut [u8; 16], width: usize) -> Self {
        let mask = match width {
            0 => 0,
            1..16 => (1 << (8 * width)) - 1,
            _ => u128::MAX,
        };
        Counter { block, mask }
    }

    /// Takes from `blocks` as many as can be counted in the low 64 bits without a wrap of these
    /// or of the counter. With them the first counter: its high and low half.
    pub(crate) fn take<'b>(
        &mut self,
        blocks: &mut &'b mut [[u8; 16]],
    ) -> Option<(u64, u64, &'b mut [[u8; 16]])> {
        if blocks.is_empty() {
            return None;
        }
        let value = u128::from_be_bytes(*self.block);
        let low = self.mask as u64;
        let until_wrap = u128::from(low) - (value & u128::from(low)) + 1;
        let count = usize::try_from(until_wrap).map_or(blocks.len(), |n| n.min(blocks.len()));
        let next = (value & !self.mask) | (value.wrapping_add(count as u128) & self.mask);
        *self.block = next.to_be_bytes();
        let taken = blocks.split_off_mut(..count)?;
        Some(((value >> 64) as u64, value as u64, taken))
    }
}
