//! What subcommands read: files and pieces of them, and how far that is.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use adamant::Wipe;
use adamant::x509::SecretBytes;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::{Failure, about};
use crate::text::{shown_name, shown_path};

/// A file, or standard input.
pub(crate) struct Input {
    pub(crate) data: Box<dyn Read>,
    pub(crate) name: OsString,
    /// Bytes, where that is known.
    pub(crate) total: Option<u64>,
}

impl Input {
    /// Bytes read at once.
    const PIECE: usize = 1 << 18;

    /// The file of this name; standard input where it is `-`, or there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != "-") else {
            return Ok(Input {
                data: Box::new(io::stdin().lock()),
                name: "standard input".into(),
                total: None,
            });
        };
        let file = File::open(path).map_err(|e| Failure::Run(about(path.as_os_str(), &e)))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(Failure::Run(format!(
                "{}: a directory, where a file is needed: tar c packs one into a file",
                shown_path(path)
            )));
        }
        Ok(Input {
            data: Box::new(file),
            name: path.into(),
            total: size(path.as_os_str()),
        })
    }

    /// These bytes.
    pub(crate) fn of(data: &'static [u8]) -> Self {
        Input {
            data: Box::new(data),
            name: OsString::new(),
            total: Some(data.len() as u64),
        }
    }

    pub(crate) fn name(&self) -> String {
        shown_name(&self.name).to_string()
    }

    /// Gives all of it, piece by piece.
    pub(crate) fn feed(mut self, mut each: impl FnMut(&[u8])) -> Result<(), Failure> {
        let progress = Progress::of(self.total);
        let mut piece = SecretBytes::from(vec![0; Self::PIECE]);
        loop {
            let len = fill(&mut self.data, &mut piece)
                .map_err(|e| Failure::Run(about(&self.name, &e)))?;
            each(&piece[..len]);
            progress.add(len);
            if len < piece.len() {
                return Ok(());
            }
        }
    }

    /// All of it, in memory that is wiped.
    ///
    /// # Errors
    /// It cannot be read, or has more than `most` bytes.
    pub(crate) fn whole(self, most: usize) -> Result<SecretBytes, Failure> {
        self.whole_or(most, "")
    }

    /// All of it, as text of UTF-8.
    pub(crate) fn text(self, most: usize) -> Result<String, Failure> {
        let name = self.name();
        let text = String::from_utf8(self.whole(most)?.to_vec());
        text.map_err(|_| Failure::Run(format!("{name}: this is not text in UTF-8")))
    }

    /// The same as [`whole`](Self::whole); where there is more, `way` says what to do instead. Of a file that is too long
    /// nothing is read.
    pub(crate) fn whole_or(mut self, most: usize, way: &str) -> Result<SecretBytes, Failure> {
        let too_long = |name: String| {
            let colon = if way.is_empty() { "" } else { ": " };
            Failure::Run(format!("{name}: more than {most} bytes{colon}{way}"))
        };
        if self.total.is_some_and(|total| total > most as u64) {
            return Err(too_long(self.name()));
        }
        let room = self.total.map_or((most + 1).min(4096), |total| {
            total.min(most as u64) as usize + 1
        });
        let mut all = vec![0; room];
        let mut len = 0;
        loop {
            let read = fill(&mut self.data, &mut all[len..]);
            let read = read.map_err(|e| Failure::Run(about(&self.name, &e)));
            len += read.inspect_err(|_| all.wipe())?;
            if len < all.len() {
                all.truncate(len);
                return Ok(SecretBytes::from(all));
            }
            if len > most {
                all.wipe();
                return Err(too_long(self.name()));
            }
            let mut more = vec![0; (2 * len).min(most + 1)];
            more[..len].copy_from_slice(&all);
            all.wipe();
            all = more;
        }
    }
}

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

    /// Of this many bytes, or of an unknown number.
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

    /// This many bytes more are done.
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
