//! Which process this is, for generators that must not repeat themselves after a fork or in a
//! second copy of a virtual machine; which core it runs on; and whether it leaves core dumps.

/// A number that is another one in every child of a fork than in its parent.
///
/// ```
/// use adamant_base::process::instance;
/// assert_eq!(instance(), instance());
/// ```
///
/// On Unix the C library counts forks for us: asking for the process id would be a system call
/// each time. A child made without the C library's `fork` (by the bare system call) is not
/// noticed. Elsewhere there are no forks, and the number is constant.
#[cfg(unix)]
#[must_use]
#[inline]
pub fn instance() -> u64 {
    use core::sync::atomic::Ordering::Relaxed;
    if *counting::STARTED {
        counting::FORKS.load(Relaxed)
    } else {
        std::process::id().into()
    }
}

/// A number that is another one in every child of a fork than in its parent; there are no forks.
#[cfg(not(unix))]
#[must_use]
#[inline]
pub fn instance() -> u64 {
    0
}

#[cfg(unix)]
mod counting {
    use core::ffi::c_int;
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::sync::LazyLock;

    /// The forks that lie between the first use and this process.
    pub(super) static FORKS: AtomicU64 = AtomicU64::new(0);

    extern "C" fn count() {
        FORKS.fetch_add(1, Relaxed);
    }

    type Handler = extern "C" fn();
    #[allow(unsafe_code)]
    // SAFETY: the signature is that of POSIX, with null for a handler that is not wanted.
    unsafe extern "C" {
        fn pthread_atfork(
            prepare: Option<Handler>,
            parent: Option<Handler>,
            child: Option<Handler>,
        ) -> c_int;
    }

    /// Whether the C library took the handler.
    pub(super) static STARTED: LazyLock<bool> = LazyLock::new(|| {
        // SAFETY: `count` may run at any time in any process: it adds to an atomic integer.
        #[allow(unsafe_code)]
        let result = unsafe { pthread_atfork(None, None, Some(count)) };
        result == 0
    });
}

/// A number that is another one in every virtual machine that was started from the same snapshot,
/// where the machine says so: on Linux, the generation counter of the page that the hypervisor
/// keeps (`/dev/vmclock0`). Zero if there is none.
///
/// ```
/// use adamant_base::process::vm_generation;
/// assert_eq!(vm_generation(), vm_generation());
/// ```
///
/// The page is mapped at the first use; from then on asking is one load.
#[must_use]
#[inline]
pub fn vm_generation() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(clock) = &*vmclock::CLOCK {
        return clock.generation();
    }
    0
}

#[cfg(target_os = "linux")]
mod vmclock {
    use core::ffi::{c_int, c_long, c_void};
    use core::ptr::NonNull;
    use std::fs::File;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::FileTypeExt;
    use std::sync::LazyLock;

    /// The page of this machine, where there is one that counts generations.
    pub(super) static CLOCK: LazyLock<Option<Page>> = LazyLock::new(|| {
        let file = File::open("/dev/vmclock0").ok()?;
        let is_device = file.metadata().ok()?.file_type().is_char_device();
        is_device.then(|| Page::of(&file)).flatten()
    });

    // include/uapi/linux/vmclock-abi.h; numbers are little-endian.
    /// `VCLK`.
    const MAGIC: u32 = 0x4b4c_4356;
    const SIZE_AT: usize = 4;
    const FLAGS_AT: usize = 24;
    const VM_GEN_COUNTER_PRESENT: u64 = 1 << 8;
    const VM_GENERATION_COUNTER_AT: usize = 104;
    const PAGE: usize = 4096;

    /// A page that others write to.
    pub(super) struct Page(NonNull<u8>);

    // SAFETY: the page is mapped for good, and loads from it are volatile ones of whole numbers.
    #[allow(unsafe_code)]
    unsafe impl Send for Page {}
    // SAFETY: as for `Send`.
    #[allow(unsafe_code)]
    unsafe impl Sync for Page {}

    impl Page {
        /// The page that a file is, which has to have one: nothing if it has no such counter.
        pub(super) fn of(file: &File) -> Option<Self> {
            const PROT_READ: c_int = 1;
            const MAP_SHARED: c_int = 1;
            #[allow(unsafe_code)]
            // SAFETY: the signature is that of the C library.
            unsafe extern "C" {
                fn mmap(
                    address: *mut c_void,
                    bytes: usize,
                    protection: c_int,
                    flags: c_int,
                    file: c_int,
                    offset: c_long,
                ) -> *mut c_void;
            }
            // SAFETY: a mapping at an address of the system's choice touches nothing that exists.
            #[allow(unsafe_code)]
            let page = unsafe {
                let file = file.as_raw_fd();
                mmap(core::ptr::null_mut(), PAGE, PROT_READ, MAP_SHARED, file, 0)
            };
            // The failure is -1, no page's address.
            let page = NonNull::new(page.cast::<u8>());
            let page = Page(page.filter(|page| page.as_ptr().addr() != usize::MAX)?);
            let head = page.load(0);
            let (magic, size) = (head as u32, (head >> (8 * SIZE_AT)) as usize);
            let counts = page.load(FLAGS_AT) & VM_GEN_COUNTER_PRESENT != 0;
            let has = magic == MAGIC && size >= VM_GENERATION_COUNTER_AT + 8 && counts;
            has.then_some(page)
        }

        pub(super) fn generation(&self) -> u64 {
            self.load(VM_GENERATION_COUNTER_AT)
        }

        fn load(&self, at: usize) -> u64 {
            const { assert!(FLAGS_AT < PAGE && VM_GENERATION_COUNTER_AT < PAGE) };
            assert!(at.is_multiple_of(8) && at < PAGE);
            // SAFETY: aligned and within the page, which stays mapped.
            #[allow(unsafe_code)]
            let value = unsafe { self.0.as_ptr().add(at).cast::<u64>().read_volatile() };
            u64::from_le(value)
        }
    }
}

/// From now on this process leaves no core dump, and other processes of the same user cannot look
/// into its memory: for programs that hold keys. Whether the system agreed; it never does where
/// there is no such thing (it is Linux's `PR_SET_DUMPABLE`).
///
/// ```
/// # #[cfg(target_os = "linux")]
/// assert!(adamant_base::process::forbid_core_dumps());
/// ```
pub fn forbid_core_dumps() -> bool {
    #[cfg(target_os = "linux")]
    {
        use core::ffi::{c_int, c_ulong};
        const PR_SET_DUMPABLE: c_int = 4;
        #[allow(unsafe_code)]
        // SAFETY: the signature is that of Linux.
        unsafe extern "C" {
            fn prctl(option: c_int, ...) -> c_int;
        }
        let unused: c_ulong = 0;
        // SAFETY: this option takes a number and changes no memory.
        #[allow(unsafe_code)]
        let result = unsafe { prctl(PR_SET_DUMPABLE, unused, unused, unused, unused) };
        result == 0
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// The number of the core that this thread runs on: a hint, because it may have moved on already.
/// Threads with the same number take turns. Where the system does not say, each thread has a number
/// of its own.
///
/// ```
/// use adamant_base::process::core_hint;
/// let shards = ["one", "two", "three"];
/// assert!(shards.contains(&shards[core_hint() % 3]));
/// ```
#[must_use]
#[inline]
pub fn core_hint() -> usize {
    #[cfg(target_os = "linux")]
    {
        #[allow(unsafe_code)]
        // SAFETY: the signature is that of Linux; it only tells where this thread runs.
        unsafe extern "C" {
            safe fn sched_getcpu() -> core::ffi::c_int;
        }
        if let Ok(core) = usize::try_from(sched_getcpu()) {
            return core;
        }
    }
    thread_hint()
}

/// The number of this thread: those of a process are counted as they ask.
fn thread_hint() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static OWN: usize = ASKED.fetch_add(1, Relaxed);
    }
    OWN.try_with(|own| *own).unwrap_or(0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use core::ffi::c_int;

    #[test]
    fn hints() {
        assert!(core_hint() < 1 << 20);
        let own = thread_hint();
        assert_eq!(thread_hint(), own);
        let other = std::thread::spawn(thread_hint).join().unwrap();
        assert_ne!(other, own);
    }

    /// A page as a hypervisor keeps one, and what is none.
    #[test]
    fn generations() {
        use std::io::{Seek, SeekFrom, Write};
        let path = std::env::temp_dir().join(std::format!("vmclock-{}", std::process::id()));
        let mut options = std::fs::File::options();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .open(&path)
            .unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut put = |at: u64, bytes: &[u8]| {
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(bytes).unwrap();
            file.try_clone().unwrap()
        };
        let file = put(0, &[0; 4096]);
        assert!(vmclock::Page::of(&file).is_none(), "no magic");
        put(0, b"VCLK");
        put(4, &4096u32.to_le_bytes());
        assert!(vmclock::Page::of(&file).is_none(), "no flag");
        put(24, &(1u64 << 8).to_le_bytes());
        put(4, &111u32.to_le_bytes());
        assert!(vmclock::Page::of(&file).is_none(), "too short");
        put(4, &112u32.to_le_bytes());
        put(104, &5u64.to_le_bytes());
        let page = vmclock::Page::of(&file).unwrap();
        assert_eq!(page.generation(), 5);
        put(104, &6u64.to_le_bytes());
        assert_eq!(page.generation(), 6, "as it changes");
    }

    #[allow(unsafe_code)]
    // SAFETY: the signatures are those of POSIX.
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    #[test]
    #[allow(unsafe_code)]
    fn a_child_is_another_instance() {
        let parent = instance();
        let mut status = -1;
        // SAFETY: the child touches nothing but atomic integers and leaves at once; `status` is
        // valid for the write.
        unsafe {
            let pid = fork();
            if pid == 0 {
                _exit(c_int::from(instance() == parent));
            }
            assert_eq!(waitpid(pid, &mut status, 0), pid);
        }
        assert_eq!(status, 0);
        assert_eq!(instance(), parent);
    }
}
