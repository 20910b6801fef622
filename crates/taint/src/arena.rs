//! Memory of the tool's own: what it allocates while the program that it follows is in the middle
//! of something, in `malloc` perhaps.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::alloc::System;

/// Whether the tool runs, and not the program.
pub(crate) static IN_TOOL: AtomicBool = AtomicBool::new(false);

/// Bytes that can be allocated; pages cost nothing before they are written.
const SIZE: usize = 16 << 30;
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static USED: AtomicUsize = AtomicUsize::new(0);

/// The allocator of a program that can be followed: the system's, but for the tool, which never
/// gives back what it took.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: the program's calls go to the system's allocator. The tool, one thread, has ever new
// places of one reserved area, aligned as asked; they are told apart by their addresses.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !IN_TOOL.load(Relaxed) {
            // SAFETY: the caller's promise.
            return unsafe { System.alloc(layout) };
        }
        let begin = match BEGIN.load(Relaxed) {
            0 => {
                BEGIN.store(reserve(0, SIZE) as usize, Relaxed);
                BEGIN.load(Relaxed)
            }
            begin => begin,
        };
        let at = (begin + USED.load(Relaxed)).next_multiple_of(layout.align());
        USED.store(at + layout.size() - begin, Relaxed);
        if USED.load(Relaxed) > SIZE {
            return core::ptr::null_mut();
        }
        at as *mut u8
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let begin = BEGIN.load(Relaxed);
        if begin == 0 || !(begin..begin + SIZE).contains(&(place as usize)) {
            // The contents, on which the system's allocator branches, are of no use to anybody.
            // SAFETY: the caller's promise, and the place is none of the area.
            adamant_base::ct::mark_public(unsafe {
                core::slice::from_raw_parts(place, layout.size())
            });
            // SAFETY: as above.
            unsafe { System.dealloc(place, layout) }
        }
    }
}

/// Memory of zeros at `hint`, or anywhere with 0; null if there is none.
pub(crate) fn reserve(hint: usize, size: usize) -> *mut u8 {
    map(hint, size, libc::PROT_READ | libc::PROT_WRITE)
}

/// The same, with this protection.
#[allow(unsafe_code)]
pub(crate) fn map(hint: usize, size: usize, protection: i32) -> *mut u8 {
    let fixed = match hint {
        0 => 0,
        _ => libc::MAP_FIXED_NOREPLACE,
    };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    // SAFETY: a new mapping, which replaces none.
    let place = unsafe { libc::mmap(hint as *mut _, size, protection, flags, -1, 0) };
    match place {
        libc::MAP_FAILED => core::ptr::null_mut(),
        place => place.cast(),
    }
}
