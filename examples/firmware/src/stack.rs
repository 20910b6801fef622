//! How much of the stack is used: it is painted before, and what keeps its colour was not.

use core::ptr::{read_volatile, write_volatile};

unsafe extern "C" {
    /// Of cortex-m-rt: the end of what lies at fixed places in RAM.
    static mut __sheap: u32;
    static mut _stack_start: u32;
}

const COLOUR: u32 = 0x5afe_c0de;

/// Paints what is free below the caller.
#[inline(never)]
pub(crate) fn paint() {
    let here = 0;
    let mut at = &raw mut __sheap;
    // Its own frame, and what this calls, lie within these words.
    let end = (&raw const here).wrapping_sub(64);
    while at.cast_const() < end {
        // SAFETY: between the statics and the frames that are alive.
        unsafe { write_volatile(at, COLOUR) };
        at = at.wrapping_add(1);
    }
}

/// Bytes from the lowest that was written to the start of the stack.
pub(crate) fn used() -> usize {
    let top = &raw const _stack_start;
    let mut at = &raw const __sheap;
    // SAFETY: this memory is there.
    while at < top && unsafe { read_volatile(at) } == COLOUR {
        at = at.wrapping_add(1);
    }
    top as usize - at as usize
}
