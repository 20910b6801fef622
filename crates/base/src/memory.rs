//! Memory that does not come from the allocator, where the system has something better.
//!
//! *Much of it at once*, for functions that are hard on purpose: scrypt and Argon2. Such memory is
//! read in random order, so the translation of addresses costs as much as the reading: on Linux
//! it comes straight from the system, aligned to huge pages and with the advice to use them.
//! Elsewhere, and for what is smaller than a huge page, the allocator gives it.
//!
//! *For secrets that live long* ([`Memory::confined`]): pages that no core dump has, and that are
//! zeros in the child of a fork.

use crate::{Error, Wipe};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// Integers of which memory can be made: all zeros is a value, and there is no padding.
pub trait Integer: Wipe + Copy + sealed::Integer {}
mod sealed {
    pub trait Integer {}
}
macro_rules! integers {
    ($($t:ty)*) => { $(
        impl sealed::Integer for $t {}
        impl Integer for $t {}
    )* };
}
integers! { u8 u32 u64 }

/// Zeroed memory, aligned to 64 bytes at least and wiped when dropped.
///
/// ```
/// use adamant_base::memory::Memory;
/// let mut memory = Memory::<u64>::zeroed(1 << 20).unwrap();
/// memory[7] = 1;
/// assert_eq!(memory.iter().sum::<u64>(), 1);
/// assert_eq!(memory.as_ptr() as usize % 64, 0);
/// ```
pub struct Memory<T: Integer> {
    start: NonNull<T>,
    len: usize,
    source: Source,
}

/// Where memory came from, and all that it takes to give it back.
#[derive(Clone, Copy)]
enum Source {
    /// The allocator, in this layout.
    Allocator(core::alloc::Layout),
    /// The system, as this mapping.
    #[cfg(all(feature = "std", target_os = "linux"))]
    Mapping {
        base: NonNull<u8>,
        bytes: usize,
        /// Whether the child of a fork has zeros there.
        wiped_on_fork: bool,
    },
}

// SAFETY: the memory is owned, and integers may be used and dropped in any thread.
#[allow(unsafe_code)]
unsafe impl<T: Integer> Send for Memory<T> {}
// SAFETY: a shared `Memory` gives only shared slices of integers.
#[allow(unsafe_code)]
unsafe impl<T: Integer> Sync for Memory<T> {}

impl<T: Integer> Memory<T> {
    /// The alignment of all memory given out: a cache line.
    const ALIGN: usize = 64;

    /// `len` zeros.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] when there is not as much.
    pub fn zeroed(len: usize) -> Result<Self, Error> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Error::OutOfMemory)?;
        #[cfg(all(feature = "std", target_os = "linux"))]
        if bytes >= linux::HUGE {
            return linux::map(bytes).map(|(start, source)| Memory {
                start: start.cast(),
                len,
                source,
            });
        }
        Self::allocated(len, bytes)
    }

    /// `len` zeros for a secret that lives long: on Linux, on pages of their own that core dumps
    /// leave out (`MADV_DONTDUMP`) and that are zeros again in the child of a fork, however it was
    /// made (`MADV_WIPEONFORK`, since Linux 4.14). Elsewhere it is like [`zeroed`](Self::zeroed).
    ///
    /// ```
    /// use adamant_base::memory::Memory;
    /// let mut key = Memory::<u8>::confined(32).unwrap();
    /// key.fill(7);
    /// # #[cfg(all(feature = "std", target_os = "linux"))]
    /// assert!(key.is_wiped_on_fork());
    /// ```
    ///
    /// It takes a page of memory at least, and some microseconds.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] when there is not as much.
    pub fn confined(len: usize) -> Result<Self, Error> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Error::OutOfMemory)?;
        #[cfg(all(feature = "std", target_os = "linux"))]
        {
            let (start, source) = linux::confined(bytes.max(1))?;
            Ok(Memory {
                start: start.cast(),
                len,
                source,
            })
        }
        #[cfg(not(all(feature = "std", target_os = "linux")))]
        Self::allocated(len, bytes)
    }

    /// Whether all of it is zeros in the child of a fork.
    #[must_use]
    pub fn is_wiped_on_fork(&self) -> bool {
        match self.source {
            Source::Allocator(_) => false,
            #[cfg(all(feature = "std", target_os = "linux"))]
            Source::Mapping { wiped_on_fork, .. } => wiped_on_fork,
        }
    }

    /// From the allocator.
    fn allocated(len: usize, bytes: usize) -> Result<Self, Error> {
        let layout = core::alloc::Layout::from_size_align(bytes.max(1), Self::ALIGN)
            .map_err(|_| Error::OutOfMemory)?;
        // SAFETY: the size is not zero.
        #[allow(unsafe_code)]
        let start = unsafe { alloc::alloc::alloc_zeroed(layout) };
        Ok(Memory {
            start: NonNull::new(start.cast()).ok_or(Error::OutOfMemory)?,
            len,
            source: Source::Allocator(layout),
        })
    }
}

impl<T: Integer> Deref for Memory<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned for any integer and leads to `len` of them, all zero at
        // first, that live as long as `self` and are shared with nobody.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts(self.start.as_ptr(), self.len)
        }
    }
}

impl<T: Integer> DerefMut for Memory<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the borrow of `self` is exclusive.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len)
        }
    }
}

impl<T: Integer> Drop for Memory<T> {
    fn drop(&mut self) {
        T::wipe_all(self);
        match self.source {
            // SAFETY: the allocator gave this memory in this layout, and nobody uses it any more.
            #[allow(unsafe_code)]
            Source::Allocator(layout) => unsafe {
                alloc::alloc::dealloc(self.start.as_ptr().cast(), layout);
            },
            #[cfg(all(feature = "std", target_os = "linux"))]
            Source::Mapping { base, bytes, .. } => linux::unmap(base, bytes),
        }
    }
}

#[cfg(all(feature = "std", target_os = "linux"))]
mod linux {
    use super::Source;
    use crate::Error;
    use core::ffi::{c_int, c_long, c_void};
    use core::ptr::NonNull;

    /// Bytes of a huge page, on the architectures that have them by default.
    pub(super) const HUGE: usize = 2 << 20;

    const PROT_READ: c_int = 1;
    const PROT_WRITE: c_int = 2;
    const MAP_PRIVATE: c_int = 2;
    #[cfg(not(any(target_arch = "mips", target_arch = "mips64")))]
    const MAP_ANONYMOUS: c_int = 0x20;
    #[cfg(any(target_arch = "mips", target_arch = "mips64"))]
    const MAP_ANONYMOUS: c_int = 0x800;
    const MADV_HUGEPAGE: c_int = 14;
    const MADV_DONTDUMP: c_int = 16;
    const MADV_WIPEONFORK: c_int = 18;

    #[allow(unsafe_code)]
    // SAFETY: the signatures are those of the C library.
    unsafe extern "C" {
        fn mmap(
            address: *mut c_void,
            bytes: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: c_long,
        ) -> *mut c_void;
        fn munmap(address: *mut c_void, bytes: usize) -> c_int;
        fn madvise(address: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// Fresh zeroed memory that starts at a huge page. The mapping's pages before and after
    /// it are never touched and so take no room.
    pub(super) fn map(bytes: usize) -> Result<(NonNull<u8>, Source), Error> {
        let whole = bytes
            .checked_next_multiple_of(HUGE)
            .and_then(|b| b.checked_add(HUGE))
            .ok_or(Error::OutOfMemory)?;
        let base = pages(whole)?;
        let skip = base.as_ptr().addr().wrapping_neg() % HUGE;
        // SAFETY: `skip` is below a huge page, by which the mapping is longer than what is asked
        // for; the advice concerns pages of the mapping and changes no contents. Where the system
        // knows no huge pages it is refused, which does not matter.
        #[allow(unsafe_code)]
        let start = unsafe {
            let start = base.add(skip);
            madvise(start.as_ptr().cast(), whole - HUGE, MADV_HUGEPAGE);
            start
        };
        let source = Source::Mapping {
            base,
            bytes: whole,
            wiped_on_fork: false,
        };
        Ok((start, source))
    }

    /// Fresh zeroed pages that no core dump has, and no child of a fork.
    pub(super) fn confined(bytes: usize) -> Result<(NonNull<u8>, Source), Error> {
        let base = pages(bytes)?;
        // SAFETY: the advice concerns only the pages of this mapping, to whose end the system
        // rounds up, and changes nothing in this process. Where it is not known it is refused.
        #[allow(unsafe_code)]
        let wiped_on_fork = unsafe {
            madvise(base.as_ptr().cast(), bytes, MADV_DONTDUMP);
            madvise(base.as_ptr().cast(), bytes, MADV_WIPEONFORK) == 0
        };
        let source = Source::Mapping {
            base,
            bytes,
            wiped_on_fork,
        };
        Ok((base, source))
    }

    /// Fresh zeroed pages, for this many bytes at least.
    fn pages(bytes: usize) -> Result<NonNull<u8>, Error> {
        // Pointers go no further.
        isize::try_from(bytes).map_err(|_| Error::OutOfMemory)?;
        // SAFETY: a private mapping of no file, at an address of the system's choice, touches
        // nothing that exists.
        #[allow(unsafe_code)]
        let base = unsafe {
            mmap(
                core::ptr::null_mut(),
                bytes,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        // The failure is -1, no page's address.
        NonNull::new(base.cast::<u8>())
            .filter(|b| b.as_ptr().addr() != usize::MAX)
            .ok_or(Error::OutOfMemory)
    }

    pub(super) fn unmap(base: NonNull<u8>, bytes: usize) {
        // SAFETY: the mapping is `map`'s, whole, and nobody uses it any more.
        #[allow(unsafe_code)]
        let result = unsafe { munmap(base.as_ptr().cast(), bytes) };
        debug_assert_eq!(result, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large() {
        for len in [0, 1, 1000, (1 << 18) - 1, 1 << 18, (3 << 18) + 5] {
            let mut memory = Memory::<u64>::zeroed(len).unwrap();
            assert_eq!(memory.len(), len);
            assert_eq!(memory.as_ptr() as usize % 64, 0);
            assert!(memory.iter().all(|x| *x == 0));
            memory.fill(u64::MAX);
            assert!(memory.iter().all(|x| *x == u64::MAX));
        }
    }

    #[test]
    fn too_much_is_an_error() {
        // With 32 bits, 2 GiB may be had.
        let most = isize::MAX as usize / if usize::BITS < 64 { 4 } else { 8 };
        for len in [usize::MAX, usize::MAX / 8, most] {
            for of in [Memory::<u64>::zeroed, Memory::<u64>::confined] {
                let refused = of(len).err();
                assert_eq!(refused, Some(Error::OutOfMemory), "{len}");
            }
        }
    }

    /// What the system says of the pages: no core dump has them (`dd`), and a fork wipes them
    /// (`wf`).
    #[test]
    #[cfg(target_os = "linux")]
    fn confined_pages() {
        for len in [0, 1, 5000] {
            let mut memory = Memory::<u8>::confined(len).unwrap();
            assert_eq!(memory.len(), len);
            assert!(memory.iter().all(|x| *x == 0));
            memory.fill(1);
            let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
            // A mapping's first line has its bounds, a later one its flags.
            let address = memory.as_ptr() as usize;
            let mut inside = false;
            let flags = maps.lines().find(|line| {
                let bounds = line
                    .split_whitespace()
                    .next()
                    .and_then(|b| b.split_once('-'));
                let bounds =
                    bounds.map(|(from, to)| [from, to].map(|b| usize::from_str_radix(b, 16)));
                if let Some([Ok(from), Ok(to)]) = bounds {
                    inside = (from..to).contains(&address);
                }
                inside && line.starts_with("VmFlags:")
            });
            let flags: std::vec::Vec<_> = flags.unwrap().split_whitespace().collect();
            assert!(flags.contains(&"dd"), "{flags:?}");
            assert!(
                flags.contains(&"wf") && memory.is_wiped_on_fork(),
                "{flags:?}"
            );
        }
    }
}
