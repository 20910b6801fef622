//! What a program without the standard library needs, and how it reads and writes.

#[cfg(target_os = "none")]
mod cortex_m;

unsafe extern "C" {
    fn read(file: i32, to: *mut u8, length: usize) -> isize;
    fn write(file: i32, from: *const u8, length: usize) -> isize;
}

/// Bytes of standard input: as many as there are places, or what came.
pub(crate) fn input(to: &mut [u8]) {
    // SAFETY: the call writes within the places.
    let length = unsafe { read(0, to.as_mut_ptr(), to.len()) };
    // The text of panics is most of a small program that has it: so every program has it.
    #[cfg(feature = "hosted")]
    assert!(length > 0, "the input is short");
    let _ = length;
}

/// Bytes for standard output.
pub(crate) fn output(from: &[u8]) {
    // SAFETY: the call reads within the bytes.
    unsafe { write(1, from.as_ptr(), from.len()) };
}

/// The system's generator, or known numbers where there is no system.
#[cfg(all(feature = "facade", feature = "std"))]
#[allow(unused_imports)] // Few programs draw.
pub(crate) use facade::SystemRng as Generator;
#[cfg(all(feature = "facade", not(feature = "std")))]
#[allow(dead_code)]
pub(crate) struct Generator;

#[cfg(all(feature = "facade", not(feature = "std")))]
impl facade::Rng for Generator {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), facade::Error> {
        for (i, byte) in out.iter_mut().enumerate() {
            *byte = (i * 89 + 5) as u8;
        }
        Ok(())
    }
}

#[cfg(not(feature = "std"))]
mod without_std {
    #[cfg(target_os = "none")]
    use super::cortex_m::abort;

    #[cfg(not(target_os = "none"))]
    #[link(name = "c")]
    unsafe extern "C" {
        fn abort() -> !;
    }

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        // SAFETY: it may always be called.
        #[allow(unused_unsafe)] // Of C alone it is not known.
        unsafe {
            abort()
        }
    }

    /// The precompiled parts of the language ask for it; nothing unwinds.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() {}
}
