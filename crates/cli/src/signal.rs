//! When the program is asked to end: by Ctrl-C, by SIGTERM, or because its terminal went.
//!
//! Files that are half written go, and then the program ends as if it had never listened: by the
//! signal, so that whoever waits for it sees which one. Work with a better end says so with
//! [`on_request`]; a second request ends that too.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// From now on a request is noted here, and the work goes on until it looks.
pub(crate) fn noted() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    let note = Arc::clone(&asked);
    on_request(move || note.store(true, Ordering::Relaxed));
    asked
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
    use std::ffi::c_int;
    use std::process::ExitCode;
    use std::sync::atomic::{AtomicI32, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// The last request.
    static LAST: AtomicI32 = AtomicI32::new(SIGINT);

    /// From now on.
    pub(crate) fn listen() {
        let ignored = ignored();
        let heard = |signal: &c_int| ignored >> (signal - 1) & 1 == 0;
        // Without any of this the program ends as well, and leaves its files: no reason to fail.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP].iter().filter(|s| heard(s)))
        else {
            return;
        };
        let end_of_waiting = signals.handle();
        let waiter = std::thread::Builder::new().spawn(move || {
            for signal in &mut signals {
                LAST.store(signal, Ordering::Relaxed);
                if super::asked() {
                    let _ = end();
                }
            }
        });
        if waiter.is_err() {
            end_of_waiting.close();
        }
    }

    /// Ends the program by the last signal. It returns where the system will not have that.
    pub(crate) fn end() -> ExitCode {
        let signal = LAST.load(Ordering::Relaxed);
        let _ = emulate_default_handler(signal);
        ExitCode::from(128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)))
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
