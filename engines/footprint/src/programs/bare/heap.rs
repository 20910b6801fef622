//! The heap of a program whose library asks for an allocator: others link none.
#![cfg(not(feature = "std"))]

use core::alloc::{GlobalAlloc, Layout};

#[cfg(target_os = "none")]
use cortex_m::{free, malloc};

#[cfg(not(target_os = "none"))]
#[link(name = "c")]
unsafe extern "C" {
    fn malloc(length: usize) -> *mut u8;
    fn free(at: *mut u8);
}

/// The heap of C.
struct Heap;

// SAFETY: `malloc` aligns for whatever has no alignment of its own, and nothing here has one.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: it may always be called.
        unsafe { malloc(layout.size()) }
    }
    unsafe fn dealloc(&self, at: *mut u8, _: Layout) {
        // SAFETY: it came from `malloc`.
        unsafe { free(at) }
    }
}

#[global_allocator]
static HEAP: Heap = Heap;

/// In the place of C's on a Cortex-M: a heap to which nothing is given back.
#[cfg(target_os = "none")]
mod cortex_m {
    use core::ptr::{addr_of_mut, null_mut};

    const HEAP: usize = 1 << 20;
    static mut HEAP_PLACES: [u64; HEAP / 8] = [0; HEAP / 8];
    static mut HEAP_USED: usize = 0;

    /// Not under C's name: of that, compilers know what it does.
    pub(super) unsafe fn malloc(length: usize) -> *mut u8 {
        // SAFETY: there are one thread and no interrupts; the addition stays within the heap.
        unsafe {
            let used = HEAP_USED;
            let length = length.next_multiple_of(8);
            if length > HEAP - used {
                return null_mut();
            }
            HEAP_USED = used + length;
            addr_of_mut!(HEAP_PLACES).cast::<u8>().add(used)
        }
    }

    pub(super) unsafe fn free(_: *mut u8) {}
}
