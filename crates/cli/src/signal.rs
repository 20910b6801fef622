//! When the program is asked to end: by Ctrl-C, by SIGTERM, or because its terminal went.
//!
//! Files that are half written go, and then the program ends as if it had never listened: by the
//! signal, so that whoever waits for it sees which one. Work with a better end says so with
//! [`on_request`]; a second request ends that too.
//!
//! On Unix the signals are blocked in every thread but one, which waits for them. Programs that
//! this one starts have them unblocked (the standard library sees to that).

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct State {
    /// Files that go.
    temporary: Vec<PathBuf>,
    /// What happens at the first request instead.
    instead: Option<Box<dyn FnOnce() + Send>>,
}

static STATE: Mutex<State> = Mutex::new(State {
    temporary: Vec::new(),
    instead: None,
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that goes when the program is asked to end.
pub(crate) fn remove_at_end(path: &Path) {
    state().temporary.push(path.to_owned());
}

/// What happens at the next request to end, instead of the end.
pub(crate) fn on_request(instead: impl FnOnce() + Send + 'static) {
    state().instead = Some(Box::new(instead));
}

/// A request: true if the program is to end at once.
fn asked() -> bool {
    let instead = state().instead.take();
    if let Some(instead) = instead {
        instead();
        return false;
    }
    for path in state().temporary.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    true
}

pub(crate) use system::{end, listen};

#[cfg(unix)]
mod system {
    use std::process::ExitCode;
    use std::sync::atomic::{AtomicI32, Ordering};

    use nix::sys::signal::{SigSet, Signal, raise};

    const SIGNALS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

    /// The last request.
    static LAST: AtomicI32 = AtomicI32::new(Signal::SIGINT as i32);

    /// From now on. It is called before there is another thread.
    pub(crate) fn listen() {
        let ignored = ignored();
        let mut set = SigSet::empty();
        let heard = SIGNALS
            .iter()
            .filter(|s| ignored >> (**s as i32 - 1) & 1 == 0);
        heard.for_each(|signal| set.add(*signal));
        // Without any of this the program ends as well, and leaves its files: no reason to fail.
        if set.thread_block().is_err() {
            return;
        }
        let waiter = std::thread::Builder::new().spawn(move || {
            while let Ok(signal) = set.wait() {
                LAST.store(signal as i32, Ordering::Relaxed);
                if super::asked() {
                    let _ = end();
                }
            }
        });
        if waiter.is_err() {
            let _ = set.thread_unblock();
        }
    }

    /// Ends the program by the last signal. It returns where the system will not have that.
    pub(crate) fn end() -> ExitCode {
        let number = LAST.load(Ordering::Relaxed);
        if let Ok(signal) = Signal::try_from(number) {
            let mut set = SigSet::empty();
            set.add(signal);
            // Nobody has changed what it does: it ends the process.
            let _ = set.thread_unblock().and_then(|()| raise(signal));
        }
        ExitCode::from(128_u8.saturating_add(u8::try_from(number).unwrap_or(0)))
    }

    /// The signals that whoever started the program has it ignore, as `nohup` does: a bit for each,
    /// from 1. Where the system does not tell, none.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok())
            .unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::ExitCode;

    /// What a shell calls a program that an interruption ended.
    const INTERRUPTED: u8 = 128 + 2;

    pub(crate) fn listen() {
        // Without the handler an interruption leaves the files: no reason to refuse the work.
        let _ = ctrlc::set_handler(|| {
            if super::asked() {
                std::process::exit(i32::from(INTERRUPTED));
            }
        });
    }

    pub(crate) fn end() -> ExitCode {
        ExitCode::from(INTERRUPTED)
    }
}
