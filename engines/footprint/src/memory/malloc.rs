//! The bytes that the allocator of C gives out, to a library in C and to Rust: functions of these
//! names in a program stand before glibc's, which do the work.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn __libc_malloc(length: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, length: usize) -> *mut c_void;
    fn __libc_realloc(at: *mut c_void, length: usize) -> *mut c_void;
}

#[unsafe(no_mangle)]
extern "C" fn malloc(length: usize) -> *mut c_void {
    ALLOCATED.fetch_add(length, Relaxed);
    // SAFETY: it may always be called.
    unsafe { __libc_malloc(length) }
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, length: usize) -> *mut c_void {
    ALLOCATED.fetch_add(count.saturating_mul(length), Relaxed);
    // SAFETY: it may always be called.
    unsafe { __libc_calloc(count, length) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(at: *mut c_void, length: usize) -> *mut c_void {
    ALLOCATED.fetch_add(length, Relaxed);
    // SAFETY: the caller's promises are those that it asks for.
    unsafe { __libc_realloc(at, length) }
}

/// All so far.
pub(crate) fn allocated() -> usize {
    ALLOCATED.load(Relaxed)
}
