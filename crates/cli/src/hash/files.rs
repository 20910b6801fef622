//! Digests of many files: several at once, told in order.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::algorithm::Chosen;
use crate::Failure;

/// Bytes read at once: whole blocks and, for BLAKE3, whole groups of chunks.
const PIECE: usize = 1 << 18;

/// A file to digest; `-` is standard input.
pub(crate) struct Job {
    pub(crate) name: OsString,
    /// Bytes of the digest.
    pub(crate) length: usize,
}

/// Digests every file and tells each result, in the order of the files.
///
/// # Errors
/// The first failure of `tell`; what has not been told by then is given up.
pub(crate) fn digest_all(
    chosen: &Chosen,
    jobs: &[Job],
    mut tell: impl FnMut(&Job, io::Result<Vec<u8>>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let progress = &Progress::of(jobs);
    let mut tell = |job: &Job, digest| progress.bar.suspend(|| tell(job, digest));
    if let [job] = jobs {
        return tell(job, digest(chosen, job, progress, &mut vec![0; PIECE]));
    }
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        scope.spawn(move || {
            // Taken in order, so that the first ones can be told while others are at work.
            let all = jobs.iter().enumerate().par_bridge();
            all.for_each_init(
                || (vec![0; PIECE], sender.clone()),
                |(piece, sender), (i, job)| {
                    // Nobody listens after a failure.
                    let _ = sender.send((i, digest(chosen, job, progress, piece)));
                },
            );
        });
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (i, digest) in receiver {
            early.insert(i, digest);
            while let Some(digest) = early.remove(&next) {
                if let Err(failure) = tell(&jobs[next], digest) {
                    progress.given_up.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
                next += 1;
            }
        }
        Ok(())
    })
}

fn digest(
    chosen: &Chosen,
    job: &Job,
    progress: &Progress,
    piece: &mut [u8],
) -> io::Result<Vec<u8>> {
    if job.name == "-" {
        return read(chosen, job, io::stdin().lock(), progress, piece);
    }
    read(chosen, job, File::open(&job.name)?, progress, piece)
}

fn read(
    chosen: &Chosen,
    job: &Job,
    mut file: impl Read,
    progress: &Progress,
    piece: &mut [u8],
) -> io::Result<Vec<u8>> {
    let mut digester = chosen.begin(job.length);
    loop {
        if progress.given_up.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = fill(&mut file, piece)?;
        digester.update(&piece[..len]);
        progress.add(len);
        if len < piece.len() {
            return Ok(digester.finish());
        }
    }
}

/// Reads until the piece is full or the file ends.
fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
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
struct Progress {
    bar: ProgressBar,
    terminal: bool,
    start: Instant,
    /// Nobody wants what is left of the work.
    given_up: AtomicBool,
}

impl Progress {
    /// Work shorter than this shows no bar.
    const SHORT: Duration = Duration::from_secs(1);

    fn of(jobs: &[Job]) -> Self {
        let terminal = io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if terminal {
            let sizes = jobs.iter().map(|job| size(&job.name));
            // Without every size there is no end to show.
            let (total, template) = match sizes.sum::<Option<u64>>() {
                Some(total) => (
                    Some(total),
                    "{bar:30} {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta}",
                ),
                None => (None, "{spinner} {decimal_bytes}  {decimal_bytes_per_sec}"),
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
            given_up: AtomicBool::new(false),
        }
    }

    fn add(&self, bytes: usize) {
        if !self.terminal {
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed() > Self::SHORT {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(bytes as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The size of a file that has one: nothing is known of standard input, pipes and devices. What
/// cannot be read adds nothing.
fn size(name: &OsStr) -> Option<u64> {
    if name == "-" {
        return None;
    }
    match std::fs::metadata(name) {
        Ok(data) if data.is_file() => Some(data.len()),
        Ok(data) if !data.is_dir() => None,
        _ => Some(0),
    }
}
