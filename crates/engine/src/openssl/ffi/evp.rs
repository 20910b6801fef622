//! What the wrappers of OpenSSL's EVP interface share: ownership and failure.
//!
//! Invariant of every wrapper: its pointers are not null, belong only to it, and are freed when
//! it is dropped by the function that OpenSSL names for them. Slices give OpenSSL their own
//! lengths. Contexts are made once and used again.

use std::ffi::c_int;
use std::ptr::{self, NonNull};

use super::functions::MdCtx;
use super::load::Libcrypto;

/// A pointer and the function that frees it.
pub(super) struct Owned<T> {
    pointer: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    /// Takes over what a function made; `None` of null.
    pub(super) fn new(pointer: *mut T, free: unsafe extern "C" fn(*mut T)) -> Option<Self> {
        NonNull::new(pointer).map(|pointer| Owned { pointer, free })
    }

    pub(super) fn get(&self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// The pointer, for a function that takes it over.
    pub(super) fn release(self) -> *mut T {
        std::mem::ManuallyDrop::new(self).get()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from OpenSSL, is only ours, and this is what frees it.
        unsafe { (self.free)(self.pointer.as_ptr()) }
    }
}

/// 1 is success, everything else a failure.
pub(super) fn ok(lib: Libcrypto, call: &str, result: c_int) -> Result<(), String> {
    if result == 1 {
        Ok(())
    } else {
        Err(lib.failure(call))
    }
}

/// A function that OpenSSL has only from 3.0 on.
pub(super) fn newer<F>(function: Option<F>) -> Result<F, String> {
    function.ok_or_else(|| "this OpenSSL is older than 3.0".into())
}

/// What an `i2d` function writes of `value`.
///
/// # Safety
/// `value` has to be what the function takes.
pub(super) unsafe fn to_der<T>(
    lib: Libcrypto,
    call: &str,
    value: *const T,
    encode: unsafe extern "C" fn(*const T, *mut *mut u8) -> c_int,
) -> Result<Vec<u8>, String> {
    // SAFETY: the caller has seen to the value; without a place to write to it gives the length.
    let len = unsafe { encode(value, ptr::null_mut()) };
    let len = usize::try_from(len).map_err(|_| lib.failure(call))?;
    let mut der = vec![0; len];
    let mut start = der.as_mut_ptr();
    // SAFETY: there is room for the length that it gave.
    let written = unsafe { encode(value, &mut start) };
    let done = usize::try_from(written) == Ok(len);
    ok(lib, call, c_int::from(done))?;
    Ok(der)
}

pub(super) fn new_md_ctx(lib: Libcrypto) -> Result<Owned<MdCtx>, String> {
    let f = lib.functions;
    // SAFETY: it takes nothing.
    Owned::new(unsafe { (f.EVP_MD_CTX_new)() }, f.EVP_MD_CTX_free)
        .ok_or_else(|| lib.failure("EVP_MD_CTX_new"))
}
