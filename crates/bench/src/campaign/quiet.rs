//! Panics that are answers: nothing is printed of them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What a call gives; `None` if it panics.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                usual(info);
            }
        }));
    });
    IS_QUIET.set(true);
    let made = panic::catch_unwind(AssertUnwindSafe(call));
    IS_QUIET.set(false);
    made.ok()
}
