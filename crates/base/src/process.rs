//! Which process this is, for generators that must not repeat themselves after a fork, and which
//! core it runs on.

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
