//! Values that are wiped when dropped.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{Ordering, compiler_fence};

/// Types that can overwrite themselves with zeros, in a way that the compiler may not remove.
pub trait Wipe {
    /// Overwrites the value with zeros.
    fn wipe(&mut self);

    /// Overwrites many values with zeros; integers do so at the speed of `memset`.
    #[inline]
    fn wipe_all(values: &mut [Self])
    where
        Self: Sized,
    {
        for value in values {
            value.wipe();
        }
    }
}

macro_rules! wipe_integers {
    ($($t:ty)*) => { $(
        impl Wipe for $t {
            #[inline(always)]
            #[allow(unsafe_code)]
            fn wipe(&mut self) {
                // SAFETY: `self` is a valid, aligned, exclusive reference to an integer, for
                // which zero is a value.
                unsafe { core::ptr::write_volatile(self, 0) };
                compiler_fence(Ordering::SeqCst);
            }

            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            #[inline]
            #[allow(unsafe_code)]
            fn wipe_all(values: &mut [Self]) {
                values.fill(0);
                // SAFETY: the block is empty. It counts as reading the memory that the pointer
                // leads to, so the zeros must be there before it.
                unsafe {
                    core::arch::asm!(
                        "/* {0} */",
                        in(reg) values.as_mut_ptr(),
                        options(nostack, preserves_flags)
                    );
                }
            }
        }
    )* };
}
wipe_integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

impl<T: Wipe> Wipe for [T] {
    #[inline]
    fn wipe(&mut self) {
        T::wipe_all(self);
    }
}

impl<T: Wipe, const N: usize> Wipe for [T; N] {
    #[inline]
    fn wipe(&mut self) {
        self.as_mut_slice().wipe();
    }
}

/// A secret: wiped on drop; no `Debug`, no `==`, no `Copy`.
///
/// ```
/// use adamant_base::Secret;
/// let key = Secret::new([7u8; 32]);
/// assert_eq!(key[0], 7); // access is explicit, through `Deref`
/// ```
pub struct Secret<T: Wipe>(T);

impl<T: Wipe> Secret<T> {
    /// Takes charge of `value`. Copies that the caller keeps are the caller's to wipe.
    #[inline]
    pub const fn new(value: T) -> Self {
        Secret(value)
    }
}

impl<T: Wipe> Deref for Secret<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Wipe> DerefMut for Secret<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Wipe + Clone> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Secret(self.0.clone())
    }
}

impl<T: Wipe> Drop for Secret<T> {
    #[inline]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Secret elements whose number is known only at run time: wiped on drop; no `Debug`, no `==`.
///
/// ```
/// use adamant_base::SecretBytes;
/// let secret = SecretBytes::from(vec![1, 2]);
/// assert_eq!(secret[..], [1, 2]);
/// ```
///
/// A vector that grows leaves copies behind: make it large enough at once.
#[cfg(feature = "alloc")]
pub struct SecretVec<T: Wipe>(Vec<T>);

/// Secret bytes whose number is known only at run time.
#[cfg(feature = "alloc")]
pub type SecretBytes = SecretVec<u8>;

#[cfg(feature = "alloc")]
impl<T: Wipe + Clone + Default> SecretVec<T> {
    /// As many zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        SecretVec(alloc::vec![T::default(); len])
    }
}

#[cfg(feature = "alloc")]
impl<T: Wipe> From<Vec<T>> for SecretVec<T> {
    fn from(elements: Vec<T>) -> Self {
        SecretVec(elements)
    }
}

#[cfg(feature = "alloc")]
impl<T: Wipe> Deref for SecretVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

#[cfg(feature = "alloc")]
impl<T: Wipe> DerefMut for SecretVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(feature = "alloc")]
impl<T: Wipe> Drop for SecretVec<T> {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::MaybeUninit;

    /// Drops a value in place and looks at the memory it leaves.
    #[allow(unsafe_code)]
    fn memory_after_drop<T: Wipe>(value: T) -> std::vec::Vec<u8> {
        let mut slot = MaybeUninit::new(Secret::new(value));
        let bytes = size_of::<Secret<T>>();
        // SAFETY: the slot is initialised, is dropped once and not used as a `Secret` again; its
        // memory stays allocated and, after the wipe, initialised, as the types used have no
        // padding.
        unsafe {
            slot.assume_init_drop();
            core::slice::from_raw_parts(slot.as_ptr().cast::<u8>(), bytes).to_vec()
        }
    }

    #[test]
    fn dropped_secrets_leave_zeros() {
        assert_eq!(memory_after_drop([0xa5u8; 32]), [0; 32]);
        assert_eq!(
            memory_after_drop([[0x5a5a_5a5a_5a5a_5a5au64; 4]; 3]),
            [0; 96]
        );
        assert_eq!(memory_after_drop(0x1234u16), [0; 2]);
    }
}
