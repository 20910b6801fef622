//! Caches that hold nothing of what comes next.
//!
//! A loop over one operation finds all of its code and tables in the caches; a server that does
//! many things in turn does not. Between single calls, 64 MiB of memory are written and, on x86-64
//! Unix systems, as much code is executed: a jump in each line of 64 bytes, so that the caches of
//! instructions and the predictors of branches hold others too. The caches of a core and those that
//! it shares are then filled anew, whichever process comes next on it.

use std::hint::black_box;

/// More than the caches of a core, and most that cores share.
const BYTES: usize = 64 << 20;
/// What a cache reads at once.
const LINE: usize = 64;

/// Memory and code that drive all else out of the caches.
///
/// ```
/// let mut evictor = adamant_ops::Evictor::new();
/// evictor.evict();
/// ```
pub struct Evictor {
    data: Vec<u8>,
    #[cfg(all(unix, target_arch = "x86_64"))]
    code: Option<code::Code>,
}

impl Evictor {
    /// Takes the memory, 128 MiB at most.
    #[must_use]
    pub fn new() -> Self {
        Evictor {
            data: vec![1; BYTES],
            #[cfg(all(unix, target_arch = "x86_64"))]
            code: code::Code::new(),
        }
    }

    /// Whether caches of code are filled anew, too: where the system allows it.
    #[must_use]
    pub fn has_code(&self) -> bool {
        #[cfg(all(unix, target_arch = "x86_64"))]
        return self.code.is_some();
        #[cfg(not(all(unix, target_arch = "x86_64")))]
        false
    }

    /// Goes through the memory and the code: some 10 to 50 milliseconds.
    pub fn evict(&mut self) {
        for line in black_box(&mut self.data).chunks_exact_mut(LINE) {
            line[0] = line[0].wrapping_add(1);
        }
        #[cfg(all(unix, target_arch = "x86_64"))]
        if let Some(code) = &self.code {
            code.run();
        }
    }
}

impl Default for Evictor {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(unix, target_arch = "x86_64"))]
mod code {
    use super::{BYTES, LINE};
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
    use std::ffi::c_void;
    use std::ptr;

    /// A jump to the next line in each line, and a return in the last.
    pub(super) struct Code(*mut c_void);

    impl Code {
        /// None where the system does not give memory for code.
        #[allow(unsafe_code)]
        pub(super) fn new() -> Option<Code> {
            let (read_write, private) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
            // SAFETY: the system chooses a place that nothing has yet.
            let start = unsafe { mmap_anonymous(ptr::null_mut(), BYTES, read_write, private) };
            let code = Code(start.ok()?);
            // SAFETY: so many bytes are mapped there, zero, writable, and nobody else's.
            let lines = unsafe { std::slice::from_raw_parts_mut(code.0.cast::<u8>(), BYTES) };
            for line in lines.chunks_exact_mut(LINE) {
                // jmp +62: the instruction has two bytes.
                line[..2].copy_from_slice(&[0xeb, (LINE - 2) as u8]);
            }
            lines[BYTES - LINE] = 0xc3; // ret
            let executable = MprotectFlags::READ | MprotectFlags::EXEC;
            // SAFETY: these pages are ours, and nothing refers to them any more.
            unsafe { mprotect(code.0, BYTES, executable) }.ok()?;
            Some(code)
        }

        /// Goes through it.
        #[allow(unsafe_code)]
        pub(super) fn run(&self) {
            // SAFETY: the mapping begins with a function of this type: it jumps from line to line
            // within the mapping, touches neither registers nor memory, and returns.
            unsafe {
                let function: extern "C" fn() = std::mem::transmute(self.0);
                function();
            }
        }
    }

    impl Drop for Code {
        #[allow(unsafe_code)]
        fn drop(&mut self) {
            // SAFETY: the mapping is ours, and nothing refers to it. An error would leave it mapped.
            let _ = unsafe { munmap(self.0, BYTES) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_written_and_code_returns() {
        let mut evictor = Evictor::new();
        evictor.evict();
        evictor.evict();
        assert!(evictor.data.iter().step_by(LINE).all(|&byte| byte == 3));
        assert_eq!(evictor.data.len(), BYTES);
        assert_eq!(
            evictor.has_code(),
            cfg!(all(unix, target_arch = "x86_64")),
            "where a system forbids such memory, this says so"
        );
    }
}
