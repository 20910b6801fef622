//! OpenSSL allocating where the program does, so that neither side of a comparison has the better
//! allocator.
//!
//! Each block begins with its size, which the program's allocator wants back.

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use libloading::Library;

/// Octets before a block: the size, and what keeps the block aligned.
const HEADER: usize = 16;

type Malloc = unsafe extern "C" fn(usize, *const c_char, c_int) -> *mut c_void;
type Realloc = unsafe extern "C" fn(*mut c_void, usize, *const c_char, c_int) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void, *const c_char, c_int);
type Set = unsafe extern "C" fn(Malloc, Realloc, Free) -> c_int;

/// Gives the library the functions below; it refuses them where it has allocated before, and
/// keeps its own.
pub(super) fn share(library: &Library) {
    // SAFETY: the symbol of this name has the documented type declared here, and the functions do
    // what it asks of them.
    unsafe {
        if let Ok(set) = library.get::<Set>("CRYPTO_set_mem_functions\0") {
            set(malloc, resize, free);
        }
    }
}

/// As [`share`], of the library that the program is linked with.
#[cfg(feature = "openssl-vendored")]
pub(super) fn share_linked() {
    unsafe extern "C" {
        fn CRYPTO_set_mem_functions(_: Malloc, _: Realloc, _: Free) -> c_int;
    }
    // SAFETY: as above.
    unsafe { CRYPTO_set_mem_functions(malloc, resize, free) };
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

/// The block after its header, which gets the size.
///
/// # Safety
/// `start` has to be null, or to begin a block of at least [`HEADER`] octets so aligned.
unsafe fn begin(start: *mut u8, size: usize) -> *mut c_void {
    if start.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the caller has seen to it.
    unsafe {
        start.cast::<usize>().write(size);
        start.add(HEADER).cast()
    }
}

unsafe extern "C" fn malloc(size: usize, _: *const c_char, _: c_int) -> *mut c_void {
    match layout(size) {
        // SAFETY: the layout has a size that is not zero.
        Some(layout) if size > 0 => unsafe { begin(alloc(layout), size) },
        _ => ptr::null_mut(),
    }
}

unsafe extern "C" fn resize(
    block: *mut c_void,
    size: usize,
    file: *const c_char,
    line: c_int,
) -> *mut c_void {
    // SAFETY: a block that is not null was made here, with its header before it.
    unsafe {
        if block.is_null() {
            return malloc(size, file, line);
        }
        if size == 0 {
            free(block, file, line);
            return ptr::null_mut();
        }
        let start = block.cast::<u8>().sub(HEADER);
        let old = layout(start.cast::<usize>().read());
        match (old, layout(size)) {
            (Some(old), Some(new)) => begin(realloc(start, old, new.size()), size),
            _ => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn free(block: *mut c_void, _: *const c_char, _: c_int) {
    if block.is_null() {
        return;
    }
    // SAFETY: a block that is not null was made here, with its header before it.
    unsafe {
        let start = block.cast::<u8>().sub(HEADER);
        if let Some(layout) = layout(start.cast::<usize>().read()) {
            dealloc(start, layout);
        }
    }
}
