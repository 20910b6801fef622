//! Digests of many files: several at once, told in order.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::algorithm::Chosen;
use crate::Failure;
use crate::input::{Progress, fill, size};

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
    let sizes = jobs.iter().map(|job| size(&job.name));
    let work = &Work {
        progress: Progress::of(sizes.sum()),
        given_up: AtomicBool::new(false),
    };
    let mut tell = |job: &Job, digest| work.progress.suspend(|| tell(job, digest));
    if let [job] = jobs {
        return tell(job, digest(chosen, job, work, &mut vec![0; PIECE]));
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
                    let _ = sender.send((i, digest(chosen, job, work, piece)));
                },
            );
        });
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (i, digest) in receiver {
            early.insert(i, digest);
            while let Some(digest) = early.remove(&next) {
                if let Err(failure) = tell(&jobs[next], digest) {
                    work.given_up.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
                next += 1;
            }
        }
        Ok(())
    })
}

/// All jobs together.
struct Work {
    progress: Progress,
    /// Nobody wants what is left.
    given_up: AtomicBool,
}

fn digest(chosen: &Chosen, job: &Job, work: &Work, piece: &mut [u8]) -> io::Result<Vec<u8>> {
    if job.name == "-" {
        return read(chosen, job, io::stdin().lock(), work, piece);
    }
    read(chosen, job, File::open(&job.name)?, work, piece)
}

fn read(
    chosen: &Chosen,
    job: &Job,
    mut file: impl Read,
    work: &Work,
    piece: &mut [u8],
) -> io::Result<Vec<u8>> {
    let mut digester = chosen.begin(job.length);
    loop {
        if work.given_up.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = fill(&mut file, piece)?;
        digester.update(&piece[..len]);
        work.progress.add(len);
        if len < piece.len() {
            return Ok(digester.finish());
        }
    }
}
