//! Safe loads and stores of vector registers.
//!
//! The intrinsics of the standard library that work on registers are safe inside a function with
//! the right `#[target_feature]`; those that touch memory take raw pointers. These wrappers take
//! arrays, so the type carries the precondition (the length), and no kernel needs `unsafe`.
//!
//! A closure made in a function with `#[target_feature]` has its features, and cannot become part of
//! a function without them. `core::array::from_fn` and `map` are such functions: whether the
//! compiler makes them part of the kernel first, and the closure of them then, depends on what else
//! it compiles; where it does not, registers travel through memory, a call for each. [`from_fn`] and
//! [`map`] are always part of their caller.

/// The array of `f(0)`, `f(1)`, …: as [`core::array::from_fn`], for kernels.
///
/// ```
/// use adamant_base::simd::{from_fn, map};
/// let squares: [u32; 4] = from_fn(|i| (i * i) as u32);
/// assert_eq!(squares, [0, 1, 4, 9]);
/// assert_eq!(map(squares, |x| x + 1), [1, 2, 5, 10]);
/// ```
#[inline(always)]
pub fn from_fn<T: Copy, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    const { assert!(N > 0) };
    let mut array = [f(0); N];
    // Simpler for a compiler than an iterator.
    let mut i = 1;
    while i < N {
        array[i] = f(i);
        i += 1;
    }
    array
}

/// Applies `f` to each: as `map` of arrays, for kernels.
#[inline(always)]
pub fn map<T: Copy, U: Copy, const N: usize>(array: [T; N], f: impl Fn(T) -> U) -> [U; N] {
    const { assert!(N > 0) };
    let mut mapped = [f(array[0]); N];
    let mut i = 1;
    while i < N {
        mapped[i] = f(array[i]);
        i += 1;
    }
    mapped
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
/// A table whose vectors are read where they lie, each time: in a loop, call this in its body.
/// Where a compiler sees what it reads, each vector becomes a constant of the program, somewhere
/// among those of other functions; and with cold caches each is then a line of its own.
#[inline(always)]
#[must_use]
#[allow(unsafe_code, clippy::pointers_in_nomem_asm_block)] // The block reads nothing.
pub fn in_place<T>(table: &'static T) -> &'static T {
    let mut place = core::ptr::from_ref(table);
    // SAFETY: the block is empty, so the place stays that of the table.
    unsafe {
        core::arch::asm!(
            "/* {0} */",
            inout(reg) place,
            options(nomem, nostack, preserves_flags),
        );
        &*place
    }
}

/// Integer arrays that fill whole vector registers.
///
/// The trait is sealed: a type in it has no padding, and every bit pattern is a value.
pub trait Words: Copy + sealed::Plain {}

mod sealed {
    pub trait Plain {}
}

/// Integers that vectors have for elements.
///
/// The trait is sealed, like [`Words`].
pub trait Word: Copy + sealed::Plain {}
macro_rules! word {
    ($($t:ty)*) => { $(
        impl sealed::Plain for $t {}
        impl Word for $t {}
    )* };
}
word! { u8 u16 u32 u64 i8 i16 i32 i64 }
macro_rules! words {
    ($($t:ty)*) => { $(
        impl sealed::Plain for $t {}
        impl Words for $t {}
    )* };
}
words! {
    [u8; 16] [u16; 8] [u32; 4] [u64; 2]
    [u8; 32] [u16; 16] [u32; 8] [u64; 4]
    [u8; 64] [u16; 32] [u32; 16] [u64; 8]
    [i16; 8] [i16; 16] [i16; 32]
    [i32; 4] [i32; 8] [i32; 16]
}

// Their functions are safe; the lint takes `#[target_feature]` for `unsafe`.
#[cfg(target_arch = "aarch64")]
#[allow(clippy::missing_safety_doc)]
mod aarch64;
#[cfg(target_arch = "aarch64")]
pub use aarch64::*;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod bits;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub use bits::Bits;
#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
mod low;
#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
pub use low::Low;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[allow(clippy::missing_safety_doc)]
mod x86;
/// The intrinsics of x86, of 32 bits or of 64.
#[cfg(target_arch = "x86")]
pub use core::arch::x86 as arch;
/// The intrinsics of x86, of 32 bits or of 64.
#[cfg(target_arch = "x86_64")]
pub use core::arch::x86_64 as arch;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use x86::*;
