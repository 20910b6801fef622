//! What subcommands read: pieces of files, and how far that is.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Reads until the piece is full or the file ends.
pub(crate) fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < piece.len() {
        match file.read(&mut piece[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(len)
}

/// How far the work is: a bar on standard error, when that is a terminal and the work takes long.
pub(crate) struct Progress {
    bar: ProgressBar,
    terminal: bool,
    start: Instant,
}

impl Progress {
    /// Work shorter than this shows no bar.
    const SHORT: Duration = Duration::from_secs(1);

    /// Of so many bytes, or of an unknown number.
    pub(crate) fn of(total: Option<u64>) -> Self {
        let terminal = io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if terminal {
            // Without a total there is no end to show.
            let template = match total {
                Some(_) => {
                    "{bar:30} {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta}"
                }
                None => "{spinner} {decimal_bytes}  {decimal_bytes_per_sec}",
            };
            if let Some(total) = total {
                bar.set_length(total);
            }
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
        }
        Progress {
            bar,
            terminal,
            start: Instant::now(),
        }
    }

    /// So many bytes more are done.
    pub(crate) fn add(&self, bytes: usize) {
        if !self.terminal {
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed() > Self::SHORT {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(bytes as u64);
    }

    /// Runs `print` while the bar is out of the way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The size of a file that has one: nothing is known of standard input, pipes and devices. What
/// cannot be read adds nothing.
pub(crate) fn size(name: &OsStr) -> Option<u64> {
    if name == "-" {
        return None;
    }
    match std::fs::metadata(name) {
        Ok(data) if data.is_file() => Some(data.len()),
        Ok(data) if !data.is_dir() => None,
        _ => Some(0),
    }
}
