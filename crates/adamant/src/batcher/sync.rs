//! What threads share: the standard library's, or Shuttle's for the tests of schedules.

#[cfg(not(all(test, shuttle)))]
pub(super) use {
    core::sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    std::sync::{Mutex, MutexGuard, OnceLock},
    std::thread,
};

#[cfg(all(test, shuttle))]
pub(super) use {
    once::OnceLock,
    shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    shuttle::sync::{Mutex, MutexGuard},
    shuttle::thread,
};

/// Shuttle has none: that of the standard library, with its steps among those that others may come
/// between.
#[cfg(all(test, shuttle))]
mod once {
    use shuttle::thread::yield_now;

    pub(crate) struct OnceLock<T>(std::sync::OnceLock<T>);

    impl<T> OnceLock<T> {
        pub(crate) fn new() -> Self {
            Self(std::sync::OnceLock::new())
        }

        pub(crate) fn get(&self) -> Option<&T> {
            yield_now();
            self.0.get()
        }

        pub(crate) fn set(&self, value: T) -> Result<(), T> {
            yield_now();
            self.0.set(value)
        }
    }
}
