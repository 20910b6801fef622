//! 64-bit words for any CPU: `u64`, and two halves for CPUs with registers of 32 bits, or where these
//! have vectors, one half of such a register.
//!
//! SHA-512 and BLAKE2b are written once over them. A compiler for a narrow CPU splits `u64` too,
//! but keeps rotations by more than half a word, and the carries, less well in hand.
//!
//! Which of them a target gets first goes by its integers, not by its pointers: WebAssembly has
//! pointers of 32 bits and integers of 64, and so the rows named `portable64`.

#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
mod halves;

use core::ops::{BitAnd, BitXor, Not};
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
pub(crate) use halves::Halves;

/// A word of 64 bits; sums are modulo 2^64.
pub(crate) trait Word64:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + Not<Output = Self>
{
    fn new(word: u64) -> Self;
    fn get(self) -> u64;
    fn plus(self, other: Self) -> Self;
    /// Rotates by `n` bits, from 1 to 63, to the right.
    fn rotate_right(self, n: u32) -> Self;
    /// Shifts by `n` bits, from 1 to 31, to the right.
    fn shift_right(self, n: u32) -> Self;
    /// The same, as [`scalar`] has it.
    fn scalar(self) -> Self {
        self
    }
}

/// The same. On x86-64 compilers look for vectors in the rounds of SHA-2, for seconds and in vain;
/// behind a barrier they do not.
#[inline(always)]
pub(crate) fn scalar(word: u64) -> u64 {
    if cfg!(target_arch = "x86_64") {
        adamant_base::ct::barrier(word)
    } else {
        word
    }
}

impl Word64 for u64 {
    #[inline(always)]
    fn new(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn get(self) -> u64 {
        self
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        u64::rotate_right(self, n)
    }
    #[inline(always)]
    fn shift_right(self, n: u32) -> Self {
        self >> n
    }
    #[inline(always)]
    fn scalar(self) -> Self {
        scalar(self)
    }
}

/// A word in a vector register of 32-bit x86.
#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
impl Word64 for adamant_base::simd::Low {
    #[inline(always)]
    fn new(word: u64) -> Self {
        Self::new(word)
    }
    #[inline(always)]
    fn get(self) -> u64 {
        self.get()
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        self.rotate_right(n)
    }
    #[inline(always)]
    fn shift_right(self, n: u32) -> Self {
        self.shift_right(n)
    }
}
