//! Values made at first use, without the standard library.

use alloc::boxed::Box;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made when it is first asked for, such as a table too large to be computed by the
/// compiler. Threads that ask at the same time may each make one; all get the same.
///
/// ```
/// use adamant_base::lazy::Lazy;
/// static SQUARES: Lazy<[u32; 100]> = Lazy::new();
/// let squares = SQUARES.get_or_make(|| core::array::from_fn(|i| (i * i) as u32));
/// assert_eq!(squares[12], 144);
/// ```
#[derive(Debug)]
pub struct Lazy<T> {
    /// Null, or from `Box::into_raw` and owned by this; once set, never changed.
    value: AtomicPtr<T>,
}

impl<T: Send + Sync> Lazy<T> {
    /// No value yet.
    #[must_use]
    pub const fn new() -> Self {
        Lazy {
            value: AtomicPtr::new(null_mut()),
        }
    }

    /// The value; the first call makes it.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        let value = self.value.load(Ordering::Acquire);
        let value = if value.is_null() {
            self.make(make)
        } else {
            value
        };
        // SAFETY: a pointer that is not null came from `Box::into_raw`, was published after the
        // value was written, and is freed by `drop` alone, which needs the lazy value exclusively.
        // Only shared references to the value are given out, to threads too: it is `Send + Sync`.
        #[allow(unsafe_code)]
        unsafe {
            &*value
        }
    }

    #[cold]
    fn make(&self, make: impl FnOnce() -> T) -> *mut T {
        let made = Box::into_raw(Box::new(make()));
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        match (self.value).compare_exchange(null_mut(), made, success, failure) {
            Ok(_) => made,
            Err(first) => {
                // SAFETY: `made` is from `Box::into_raw` above and was not published.
                #[allow(unsafe_code)]
                unsafe {
                    drop(Box::from_raw(made));
                }
                first
            }
        }
    }
}

impl<T: Send + Sync> Default for Lazy<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for Lazy<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: the pointer is from `Box::into_raw`, and nobody else has it: `drop` has the
            // only reference.
            #[allow(unsafe_code)]
            unsafe {
                drop(Box::from_raw(value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lazy;
    use std::sync::Arc;
    use std::vec::Vec;

    #[test]
    fn all_threads_get_the_same_value_and_it_is_dropped_once() {
        let shared = Arc::new(());
        let lazy = Lazy::new();
        std::thread::scope(|scope| {
            let lazy = &lazy;
            let ask = || lazy.get_or_make(|| (shared.clone(), 7));
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            for thread in threads {
                let value = thread.join().unwrap();
                assert_eq!(value.1, 7);
                assert!(core::ptr::eq(value, ask()));
            }
        });
        assert_eq!(Arc::strong_count(&shared), 2);
        drop(lazy);
        assert_eq!(Arc::strong_count(&shared), 1);
        drop(Lazy::<u8>::new());
    }
}
