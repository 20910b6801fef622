//! A caller's own implementation in the table of an operation.

use core::ptr::{from_ref, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

/// The place of a caller's implementation: empty, then for good the first one installed.
///
/// ```
/// use adamant_base::own::Slot;
/// static SLOT: Slot<&'static str> = Slot::new();
/// static OTHER: &str = "other";
/// assert_eq!(SLOT.get(), None);
/// assert!(SLOT.install(&"mine"));
/// assert!(!SLOT.install(&OTHER));
/// assert_eq!(SLOT.get(), Some(&"mine"));
/// ```
#[derive(Debug)]
pub struct Slot<T: 'static>(
    /// Null, or from a `&'static T`.
    AtomicPtr<T>,
);

impl<T: Sync> Slot<T> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Slot(AtomicPtr::new(null_mut()))
    }

    /// What was installed.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Option<&'static T> {
        let installed = self.0.load(Ordering::Acquire);
        // SAFETY: `install` is the only one that writes it, and from a `&'static T`. Only shared
        // references are given out, to threads too: `T` is `Sync`.
        #[allow(unsafe_code)]
        unsafe {
            installed.as_ref()
        }
    }

    /// Puts this here, unless there is another one; whether it is here now. Of two that come at the
    /// same time, one stays.
    pub fn install(&self, own: &'static T) -> bool {
        let own = from_ref(own).cast_mut();
        self.first(own).is_none_or(|first| first == own)
    }

    /// What was here before this, which then did not get in.
    #[cfg(target_has_atomic = "ptr")]
    fn first(&self, own: *mut T) -> Option<*mut T> {
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        (self.0)
            .compare_exchange(null_mut(), own, success, failure)
            .err()
    }

    /// Without compare-and-swap, an interrupt between the two steps may install another, which
    /// then gives way.
    #[cfg(not(target_has_atomic = "ptr"))]
    fn first(&self, own: *mut T) -> Option<*mut T> {
        let first = self.0.load(Ordering::Acquire);
        if first.is_null() {
            self.0.store(own, Ordering::Release);
            return None;
        }
        Some(first)
    }
}

impl<T: Sync> Default for Slot<T> {
    fn default() -> Self {
        Self::new()
    }
}
