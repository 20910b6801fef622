//! The side of the program that is followed from outside.

/// Runs a function, after a hint that an operation begins.
pub fn follow(function: fn()) {
    // SAFETY: a hint, which no CPU knows and all pass over.
    #[allow(unsafe_code)]
    unsafe {
        core::arch::asm!("hint #114");
    }
    function();
}
