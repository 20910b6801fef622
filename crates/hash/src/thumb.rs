//! What compression functions in assembly for the smallest ARM cores share.

/// Hands a block on as words: itself, where it is aligned as they are, or a copy.
#[inline(always)]
#[allow(unsafe_code)] // Bytes as words.
pub(crate) fn aligned(block: &[u8; 64], take: impl FnOnce(&[u32; 16])) {
    let words: *const [u32; 16] = block.as_ptr().cast();
    if words.is_aligned() {
        // SAFETY: it is aligned, as long, and any bytes are words.
        take(unsafe { &*words });
    } else {
        let (parts, _) = block.as_chunks();
        take(&core::array::from_fn(|i| u32::from_ne_bytes(parts[i])));
    }
}
