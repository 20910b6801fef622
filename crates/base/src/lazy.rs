//! Values made at first use, without the standard library.

use alloc::boxed::Box;
use core::ptr::null_mut;
#[cfg(not(all(test, loom)))]
use core::sync::atomic::{AtomicPtr, Ordering};
#[cfg(all(test, loom))]
use loom::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made when it is first asked for, such as a table too large to be computed by the
/// compiler. Threads that ask at the same time may each make one; all get the same. Without
/// compare-and-swap (`thumbv6m`) they may each get their own, all but one of which are never freed.
///
/// ```
/// use adamant_base::lazy::Lazy;
/// static SQUARES: Lazy<[u32; 100]> = Lazy::new();
/// let squares = SQUARES.get_or_make(|| core::array::from_fn(|i| (i * i) as u32));
/// assert_eq!(squares[12], 144);
/// ```
#[derive(Debug)]
pub struct Lazy<T> {
    /// Null, or from `Box::into_raw` and owned by this; once set, never changed where there is
    /// compare-and-swap.
    value: AtomicPtr<T>,
}

crate::own::put_first!();

impl<T: Send + Sync> Lazy<T> {
    /// No value yet.
    #[cfg(not(all(test, loom)))]
    #[must_use]
    pub const fn new() -> Self {
        Lazy {
            value: AtomicPtr::new(null_mut()),
        }
    }

    /// Loom makes its atomics at run time.
    #[cfg(all(test, loom))]
    fn new() -> Self {
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
        // value was written, and is freed only by `drop`, which needs the lazy value exclusively, or
        // never, where another came into its place.
        // Only shared references to the value are given out, to threads too: it is `Send + Sync`.
        #[allow(unsafe_code)]
        unsafe {
            &*value
        }
    }

    #[cold]
    fn make(&self, make: impl FnOnce() -> T) -> *mut T {
        let made = Box::into_raw(Box::new(make()));
        match first(&self.value, made) {
            None => made,
            Some(first) => {
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
        let value = self.value.load(Ordering::Relaxed);
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

/// All executions that the memory model allows, those among them in which a thread sees the pointer
/// before what it points to:
///
/// ```text
/// RUSTFLAGS="--cfg loom" cargo test -p adamant-base --lib --target-dir target/loom schedules
/// ```
#[cfg(all(test, loom))]
mod schedules {
    use super::Lazy;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// A value whose reads and writes Loom follows.
    struct Followed {
        value: UnsafeCell<u32>,
        _alive: Arc<()>,
    }

    // SAFETY: only `new` writes, before anybody else can have the value; Loom checks that.
    #[allow(unsafe_code)]
    unsafe impl Sync for Followed {}

    impl Followed {
        fn new(value: u32, alive: &Arc<()>) -> Self {
            let cell = UnsafeCell::new(0);
            // SAFETY: Loom makes sure that nobody reads meanwhile.
            #[allow(unsafe_code)]
            cell.with_mut(|place| unsafe { *place = value });
            Followed {
                value: cell,
                _alive: alive.clone(),
            }
        }

        fn get(&self) -> u32 {
            // SAFETY: Loom makes sure that nobody writes meanwhile.
            #[allow(unsafe_code)]
            self.value.with(|place| unsafe { *place })
        }
    }

    #[test]
    fn all_threads_get_the_same_whole_value_and_it_is_dropped_once() {
        loom::model(|| {
            let alive = Arc::new(());
            let lazy = Arc::new(Lazy::new());
            let threads = [1, 2].map(|value| {
                let (lazy, alive) = (lazy.clone(), alive.clone());
                thread::spawn(move || lazy.get_or_make(|| Followed::new(value, &alive)).get())
            });
            let own = lazy.get_or_make(|| Followed::new(3, &alive)).get();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), own);
            }
            assert_eq!(Arc::strong_count(&alive), 2);
            drop(lazy);
            assert_eq!(Arc::strong_count(&alive), 1);
        });
    }
}

#[cfg(all(test, not(loom)))]
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
