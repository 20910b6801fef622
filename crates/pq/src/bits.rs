//! Numbers of a few bits in a row, the lowest bit first.

/// Writes numbers of `d` ≤ 20 bits (FIPS 203, algorithm 5; FIPS 204, algorithm 16).
#[inline(always)]
pub(crate) fn pack(d: usize, to: &mut [u8], numbers: impl Iterator<Item = u32>) {
    let (mut bits, mut count) = (0u64, 0);
    let mut to = to.iter_mut();
    for x in numbers {
        bits |= u64::from(x) << count;
        count += d;
        while count >= 8 {
            if let Some(byte) = to.next() {
                *byte = bits as u8;
            }
            (bits, count) = (bits >> 8, count - 8);
        }
    }
}

/// Reads 256 numbers of `d` ≤ 20 bits (FIPS 203, algorithm 6; FIPS 204, algorithm 18).
#[inline(always)]
pub(crate) fn unpack(d: usize, bytes: &[u8], mut put: impl FnMut(usize, u32)) {
    let (mut bits, mut count) = (0u64, 0);
    let mut bytes = bytes.iter();
    for i in 0..256 {
        while count < d {
            bits |= u64::from(bytes.next().copied().unwrap_or(0)) << count;
            count += 8;
        }
        put(i, bits as u32 & ((1 << d) - 1));
        (bits, count) = (bits >> d, count - d);
    }
}
