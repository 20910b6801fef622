//! The vector registers of x86.

use super::{Word, Words};
use core::mem::MaybeUninit;
use core::sync::atomic::{Ordering, compiler_fence};

use super::arch::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_storeu_si128,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm512_loadu_si512, _mm512_mask_storeu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
};

/// Asks for the cache lines of `value`, which will be read soon; does nothing in programs for CPUs
/// that may lack the instruction.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(value: &T) {
    if cfg!(not(target_feature = "sse")) {
        return;
    }
    for line in 0..size_of::<T>().div_ceil(64) {
        let address = core::ptr::from_ref(value).cast::<i8>();
        // SAFETY: the program is for CPUs with SSE. The address lies inside `value`; a prefetch
        // reads nothing as far as the program can tell.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.add(64 * line)) };
    }
}

macro_rules! load_store {
    ($load:ident $store:ident $vector:ty, $bytes:literal, $feature:literal, $from:ident $to:ident) => {
        #[doc = concat!("Loads ", $bytes, " bytes; no alignment is needed.")]
        #[inline]
        #[must_use]
        #[target_feature(enable = $feature)]
        #[allow(unsafe_code)]
        pub fn $load<W: Words>(from: &W) -> $vector {
            const { assert!(size_of::<W>() == $bytes) };
            // SAFETY: `from` is valid for reads of exactly the register's size.
            unsafe { $from(core::ptr::from_ref(from).cast()) }
        }

        #[doc = concat!("Stores ", $bytes, " bytes; no alignment is needed.")]
        #[inline]
        #[target_feature(enable = $feature)]
        #[allow(unsafe_code)]
        pub fn $store<W: Words>(to: &mut W, vector: $vector) {
            const { assert!(size_of::<W>() == $bytes) };
            // SAFETY: `to` is valid for writes of exactly the register's size, and every bit
            // pattern is a value of `W` (sealed trait).
            unsafe { $to(core::ptr::from_mut(to).cast(), vector) }
        }
    };
}
load_store!(load128 store128 __m128i, 16, "sse2", _mm_loadu_si128 _mm_storeu_si128);
load_store!(load256 store256 __m256i, 32, "avx", _mm256_loadu_si256 _mm256_storeu_si256);
load_store!(load512 store512 __m512i, 64, "avx512f", _mm512_loadu_si512 _mm512_storeu_si512);

/// The lower word of a register.
#[inline]
#[must_use]
#[target_feature(enable = "sse2")]
pub fn first_word(x: __m128i) -> u64 {
    #[cfg(target_arch = "x86_64")]
    return super::arch::_mm_cvtsi128_si64(x).cast_unsigned();
    #[cfg(target_arch = "x86")]
    {
        let mut words = [0; 2];
        store128(&mut words, x);
        words[0]
    }
}

/// A mask with the lowest `len` bits set, all of them from 64 on.
#[inline]
fn lowest(len: usize) -> u64 {
    u64::MAX.checked_shr(64 - len.min(64) as u32).unwrap_or(0)
}

/// Loads the first 64 bytes of `from`, or as many as there are, followed by zeros.
#[inline]
#[must_use]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(unsafe_code)]
pub fn load512_partial(from: &[u8]) -> __m512i {
    // SAFETY: only bytes that the mask selects are read, and these lie in `from`.
    unsafe { _mm512_maskz_loadu_epi8(lowest(from.len()), from.as_ptr().cast()) }
}

/// Stores the first 64 bytes of `to`, or as many as there are.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(unsafe_code)]
pub fn store512_partial<W: Word>(to: &mut [W], vector: __m512i) {
    // SAFETY: only bytes that the mask selects are written, and these lie in `to`; every bit
    // pattern is a value of `W` (sealed trait).
    unsafe {
        let mask = lowest(size_of_val(to));
        _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), mask, vector);
    }
}

macro_rules! in_order {
    ($name:ident $($word:ident)*) => {
        /// Keeps what was computed before these registers apart from what is computed from
        /// them: compilers like to gather what a kernel has interleaved with care.
        ///
        /// Calls keep their order among each other.
        #[inline]
        #[target_feature(enable = "avx512f")]
        #[allow(unsafe_code)]
        pub fn $name([$($word),*]: &mut [__m512i; [$(stringify!($word)),*].len()]) {
            // SAFETY: the block is empty.
            unsafe {
                core::arch::asm!(
                    concat!("/*" $(, " {", stringify!($word), "}")*, " */"),
                    $($word = inout(zmm_reg) *$word,)*
                    options(nomem, nostack, preserves_flags)
                );
            }
        }
    };
}
/// Vector registers put aside eight at a time, `N` times at most. Making it costs nothing, and
/// what was put there is wiped when it is dropped.
///
/// ```
/// let shelf = adamant_base::simd::Shelf::<8>::new();
/// assert!(shelf.steps().is_empty());
/// ```
pub struct Shelf<const N: usize> {
    steps: [MaybeUninit<[__m512i; 8]>; N],
    /// How many have been written.
    len: usize,
}

impl<const N: usize> Shelf<N> {
    /// With nothing on it.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Shelf {
            steps: [const { MaybeUninit::uninit() }; N],
            len: 0,
        }
    }

    /// Puts eight registers after the others.
    ///
    /// # Panics
    /// When there have been `N` times eight.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn push(&mut self, step: &[__m512i; 8]) {
        self.steps[self.len].write(*step);
        self.len += 1;
    }

    /// The steps put aside, the oldest first.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code)]
    pub fn steps(&self) -> &[[__m512i; 8]] {
        // SAFETY: only `push` changes `len`, after a write to the place before it.
        unsafe { core::slice::from_raw_parts(self.steps.as_ptr().cast(), self.len) }
    }
}

impl<const N: usize> Drop for Shelf<N> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        for step in &mut self.steps[..self.len] {
            for i in 0..8 {
                let word = step.as_mut_ptr().cast::<__m512i>();
                // SAFETY: a place for eight words, borrowed exclusively; zero is a value.
                // Volatile, so that the compiler may not leave it out.
                unsafe { word.add(i).write_volatile(core::mem::zeroed()) };
            }
        }
        compiler_fence(Ordering::SeqCst);
    }
}

in_order!(in_order3 a b c);
in_order!(in_order8 a b c d e f g h);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(unsafe_code)]
    fn partial_round_trips() {
        if !std::is_x86_feature_detected!("avx512bw") {
            return;
        }
        let bytes: [u8; 80] = core::array::from_fn(|i| i as u8 + 1);
        for len in 0..80 {
            let mut to = [0xff; 80];
            let mut whole = [0xff; 64];
            // SAFETY: AVX-512BW, detected, includes AVX-512F.
            unsafe {
                let vector = load512_partial(&bytes[..len]);
                store512(&mut whole, vector);
                store512_partial(&mut to[..len], vector);
            }
            let n = len.min(64);
            assert_eq!(to[..n], bytes[..n]);
            assert!(to[n..].iter().all(|b| *b == 0xff));
            assert_eq!(whole[..n], bytes[..n]);
            assert!(whole[n..].iter().all(|b| *b == 0));
        }
    }

    #[test]
    #[allow(unsafe_code)]
    fn shelf() {
        if !std::is_x86_feature_detected!("avx512f") {
            return;
        }
        let mut shelf = Shelf::<2>::new();
        for first in [1, 9] {
            let words: [[u8; 64]; 8] = core::array::from_fn(|i| [first + i as u8; 64]);
            // SAFETY: AVX-512F, detected.
            unsafe { shelf.push(&words.map(|word| load512(&word))) };
        }
        let mut next = 1;
        for word in shelf.steps().as_flattened() {
            let mut bytes = [0u8; 64];
            // SAFETY: as above.
            unsafe { store512(&mut bytes, *word) };
            assert_eq!(bytes, [next; 64]);
            next += 1;
        }
        assert_eq!(next, 17);
    }

    #[test]
    #[allow(unsafe_code)]
    fn misaligned_round_trips() {
        assert!(std::is_x86_feature_detected!("sse2"));
        let bytes: [u8; 80] = core::array::from_fn(|i| i as u8);
        for offset in 0..16 {
            let from: &[u8; 16] = bytes[offset..][..16].try_into().unwrap();
            let mut to = [0u8; 16];
            // SAFETY: SSE2, detected.
            unsafe { store128(&mut to, load128(from)) };
            assert_eq!(&to, from);
            if std::is_x86_feature_detected!("avx512f") {
                let from: &[u8; 64] = bytes[offset..][..64].try_into().unwrap();
                let (mut half, mut whole) = ([0u8; 32], [0u8; 64]);
                let first: &[u8; 32] = from.first_chunk().unwrap();
                // SAFETY: AVX-512F, detected, includes AVX.
                unsafe {
                    store256(&mut half, load256(first));
                    store512(&mut whole, load512(from));
                }
                assert_eq!((&half, &whole), (first, from));
            }
        }
    }
}
