//! Common to the hashes of the Merkle–Damgård construction: buffering and padding.

use crate::lanes::backend::Lanes;
use adamant_base::Wipe;
use adamant_base::family::Hash;

/// A hash of the MD4 family with blocks of `N` bytes, as its batch calls need it.
pub(crate) trait MerkleDamgard<const N: usize>: Hash {
    /// The words that the compression function changes.
    type State: Copy + Wipe;
    /// The table of its compression function on many states.
    type Lanes: Lanes<Self::State, N>;
    /// The state before the first block.
    const INITIAL: Self::State;

    /// Lays out the last blocks of an input of `length` bytes that ends with `tail`, less than a
    /// block, and returns their number.
    fn pad(tail: &[u8], length: u64, blocks: &mut [[u8; N]; 2]) -> usize;
    /// The digest that a state is read as.
    fn output(state: &Self::State) -> Self::Output;
    /// The state, and the bytes taken in; `None` while part of a block waits.
    fn state(&self) -> Option<(&Self::State, u64)>;
}

/// The bytes of the message that do not fill a block yet: always fewer than `N`. The space after
/// them has no meaning.
#[derive(Clone)]
pub(crate) struct BlockBuffer<const N: usize> {
    bytes: [u8; N],
    used: usize,
}

impl<const N: usize> BlockBuffer<N> {
    /// The block after a message of whole blocks, but for the length.
    const ONE_BIT: [u8; N] = {
        let mut block = [0; N];
        block[0] = 0x80;
        block
    };

    pub(crate) const fn new() -> Self {
        BlockBuffer {
            bytes: [0; N],
            used: 0,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Passes whole blocks on and keeps the rest.
    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8], mut compress: impl FnMut(&[[u8; N]])) {
        debug_assert!(self.used < N);
        if self.used > 0 {
            let free = &mut self.bytes[self.used..];
            let Some((head, rest)) = data.split_at_checked(free.len()) else {
                free[..data.len()].copy_from_slice(data);
                self.used += data.len();
                return;
            };
            free.copy_from_slice(head);
            compress(core::slice::from_ref(&self.bytes));
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            compress(blocks);
        }
        if !rest.is_empty() {
            self.bytes[..rest.len()].copy_from_slice(rest);
        }
        self.used = rest.len();
    }

    /// Ends the message: a one bit, zeros, and `length`, to whole blocks (FIPS 180-4, 5.1).
    #[inline]
    pub(crate) fn pad<const L: usize>(
        &mut self,
        length: [u8; L],
        mut compress: impl FnMut(&[[u8; N]]),
    ) {
        if self.used == 0 {
            // In one piece: a load that finds its bytes in several stores waits for all of them.
            self.bytes = Self::ONE_BIT;
        } else {
            let free = &mut self.bytes[self.used..];
            free.fill(0);
            free[0] = 0x80;
        }
        if self.used + 1 + L > N {
            compress(core::slice::from_ref(&self.bytes));
            self.bytes = [0; N];
        }
        self.bytes[N - L..].copy_from_slice(&length);
        compress(core::slice::from_ref(&self.bytes));
    }
}

/// Puts a message of at most a block, in `parts`, with its padding into blocks, compresses them in
/// one call, and wipes them.
#[inline(always)]
pub(crate) fn compress_short<const N: usize, const L: usize>(
    parts: &[&[u8]],
    length: [u8; L],
    compress: impl FnOnce(&[[u8; N]]),
) {
    // The compression function loads sixteen bytes and more at once. A load that finds its bytes
    // in several stores waits until they are in the cache, so for all that was computed before.
    // So a message in one part gets only stores of sixteen bytes and more.
    let len: usize = parts.iter().map(|part| part.len()).sum();
    debug_assert!(len <= N);
    let count = if len + 1 + L > N { 2 } else { 1 };
    let mut length_field = [0; 16];
    length_field[16 - L..].copy_from_slice(&length);
    let mut last = u128::from_le_bytes(length_field);
    let last_at = count * N / 16 - 1;

    let mut blocks;
    if let [part] = parts
        && let Ok(block) = <&[u8; N]>::try_from(*part)
    {
        blocks = [*block, BlockBuffer::ONE_BIT];
    } else {
        blocks = [[0; N]; 2];
        if let [part] = parts {
            let (whole, tail) = part.as_chunks();
            let chunks = blocks.as_flattened_mut().as_chunks_mut().0;
            // A loop would become a call.
            macro_rules! copy {
                ($($i:literal)*) => { $(if 16 * $i + 16 < N && $i < whole.len() {
                    chunks[$i] = whole[$i];
                })* };
            }
            copy!(0 1 2 3 4 5 6);
            let end = with_one_bit(tail);
            if whole.len() == last_at {
                last |= end;
            } else {
                store_at_once(&mut chunks[whole.len()], end);
            }
        } else {
            let bytes = blocks.as_flattened_mut();
            let mut at = 0;
            for part in parts {
                bytes[at..][..part.len()].copy_from_slice(part);
                at += part.len();
            }
            if len.is_multiple_of(16) {
                store_at_once(&mut bytes.as_chunks_mut().0[len / 16], 0x80);
            } else {
                bytes[len] = 0x80;
            }
            last |= u128::from_le_bytes(bytes.as_chunks().0[last_at]);
        }
    }
    store_at_once(
        &mut blocks.as_flattened_mut().as_chunks_mut().0[last_at],
        last,
    );
    compress(&blocks[..count]);
    blocks.wipe();
}

/// Fewer than sixteen bytes, a one bit and zeros, as a number with the first byte lowest.
#[inline(always)]
fn with_one_bit(tail: &[u8]) -> u128 {
    let len = tail.len();
    debug_assert!(len < 16);
    // The first and the last bytes meet or overlap.
    let bytes = if let (Some(first), Some(last)) = (tail.first_chunk(), tail.last_chunk()) {
        u128::from(u64::from_le_bytes(*first))
            | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8))
    } else if let (Some(first), Some(last)) = (tail.first_chunk(), tail.last_chunk()) {
        u128::from(u32::from_le_bytes(*first))
            | u128::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
    } else if let [first, ..] = tail
        && let [.., last] = tail
    {
        u128::from(*first)
            | u128::from(tail[len / 2]) << (8 * (len / 2))
            | u128::from(*last) << (8 * (len - 1))
    } else {
        0
    };
    bytes | 0x80 << (8 * len)
}

/// Stores a number in one store, where a compiler would make two.
#[inline(always)]
fn store_at_once(to: &mut [u8; 16], number: u128) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[allow(unsafe_code)]
    // SAFETY: the block writes the sixteen bytes of `to`.
    unsafe {
        core::arch::asm!(
            "movq {x}, {low}",
            "movq {y}, {high}",
            "punpcklqdq {x}, {y}",
            "movdqu xmmword ptr [{to}], {x}",
            x = out(xmm_reg) _,
            y = out(xmm_reg) _,
            low = in(reg) number as u64,
            high = in(reg) (number >> 64) as u64,
            to = in(reg) to,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    {
        *to = number.to_le_bytes();
    }
}

impl<const N: usize> Wipe for BlockBuffer<N> {
    #[inline]
    fn wipe(&mut self) {
        self.bytes.wipe();
        self.used = 0;
    }
}
