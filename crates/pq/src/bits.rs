//! Numbers of a few bits in a row, the lowest bit first.

/// Writes 256 numbers of `d` ≤ 20 bits (FIPS 203, algorithm 5; FIPS 204, algorithm 16), four bytes
/// at a time: there is a whole number of them.
#[inline(always)]
pub(crate) fn pack(d: usize, to: &mut [u8], numbers: impl Iterator<Item = u32>) {
    let (mut bits, mut count) = (0u64, 0);
    let mut to = to.as_chunks_mut().0.iter_mut();
    for x in numbers {
        bits |= u64::from(x) << count;
        count += d;
        if count >= 32 {
            if let Some(word) = to.next() {
                *word = (bits as u32).to_le_bytes();
            }
            (bits, count) = (bits >> 32, count - 32);
        }
    }
}

/// Reads 256 numbers of `d` ≤ 20 bits (FIPS 203, algorithm 6; FIPS 204, algorithm 18).
#[inline(always)]
pub(crate) fn unpack(d: usize, bytes: &[u8], mut put: impl FnMut(usize, u32)) {
    let (mut bits, mut count) = (0u64, 0);
    let mut words = bytes.as_chunks().0.iter();
    for i in 0..256 {
        if count < d {
            let word = words.next().copied().unwrap_or_default();
            bits |= u64::from(u32::from_le_bytes(word)) << count;
            count += 32;
        }
        put(i, bits as u32 & ((1 << d) - 1));
        (bits, count) = (bits >> d, count - d);
    }
}
