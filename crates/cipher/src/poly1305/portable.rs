//! Numbers modulo p = 2^130 - 5 in 64-bit words, and their limbs.

/// Takes what is above 2^130 back in at the bottom: 2^130 = 5. The result is below
/// 2^130 + 5 · 2^62, and its last word below 5.
#[inline]
pub(super) fn fold([h0, h1, h2]: [u64; 3]) -> [u64; 3] {
    let over = h2 >> 2;
    let low = u128::from(h0) + 5 * u128::from(over);
    let mid = u128::from(h1) + (low >> 64);
    [low as u64, mid as u64, (h2 & 3) + (mid >> 64) as u64]
}

/// Words cut into limbs of `BITS` bits, the last with all that remains.
#[cfg(any(
    feature = "lab",
    target_arch = "aarch64",
    not(target_pointer_width = "64")
))]
#[inline(always)]
pub(super) fn limbs<const N: usize, const BITS: usize>([a, b, c]: [u64; 3]) -> [u32; N] {
    core::array::from_fn(|i| {
        let (word, shift) = (BITS * i / 64, BITS * i % 64);
        let [low, high] = [[a, b], [b, c], [c, 0]][word];
        let bits = (u128::from(high) << 64 | u128::from(low)) >> shift;
        if i == N - 1 {
            bits as u32
        } else {
            bits as u32 & ((1 << BITS) - 1)
        }
    })
}

/// Limbs of `BITS` bits as words, folded; limbs may be longer than that, below 2^63.
#[cfg(any(
    feature = "lab",
    target_arch = "aarch64",
    target_arch = "x86_64",
    not(target_pointer_width = "64")
))]
#[inline(always)]
pub(super) fn join<const N: usize, const BITS: usize>(limbs: [u64; N]) -> [u64; 3] {
    let mut words = [0u64; 3];
    for (i, limb) in limbs.into_iter().enumerate() {
        let (word, shift) = (BITS * i / 64, BITS * i % 64);
        let mut carry = u128::from(limb) << shift;
        for word in &mut words[word..] {
            carry += u128::from(*word);
            *word = carry as u64;
            carry >>= 64;
        }
    }
    fold(words)
}

/// The words of a block.
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
#[inline(always)]
pub(super) fn block_words(block: &[u8; 16], high: u32) -> [u64; 3] {
    let number = u128::from_le_bytes(*block);
    [number as u64, (number >> 64) as u64, u64::from(high)]
}
