//! How far a comparison has come, and when it ends.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use adamant_bench::driver::Progress;
use adamant_bench::plan::Planned;
use indicatif::{ProgressBar, ProgressStyle};

use crate::signal;

/// When to end: after some time, or when the program is asked to.
pub(super) struct End {
    begin: Instant,
    /// What there is for all of it.
    pub(super) time: Option<Duration>,
    asked: Arc<AtomicBool>,
}

impl End {
    /// From now on.
    pub(super) fn after(seconds: Option<u32>) -> Self {
        End {
            begin: Instant::now(),
            time: seconds.map(|seconds| Duration::from_secs(seconds.into())),
            asked: signal::noted(),
        }
    }

    /// Whether the program was asked to end.
    pub(super) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether this share of the time, in quarters, is left.
    pub(super) fn is_before(&self, quarters: u32) -> bool {
        let over = |time: Duration| self.begin.elapsed() >= time * quarters / 4;
        !self.asked() && !self.time.is_some_and(over)
    }
}

/// Shows how far the comparison has come: a bar where standard error is a terminal, elsewhere a line
/// now and then. Notes appear anywhere.
pub(super) struct Listener<'a> {
    pub(super) bar: ProgressBar,
    end: &'a End,
    /// The quarters of the time that the rows have.
    quarters: u32,
    /// When there was a line.
    line: Instant,
}

/// Between two lines.
const PAUSE: Duration = Duration::from_secs(5);

impl<'a> Listener<'a> {
    /// Of rows that share the time with a pipeline, or do not.
    pub(super) fn new(end: &'a End, pipeline: bool) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(0)
        } else {
            ProgressBar::hidden()
        };
        // Nothing ticks between rows: that would disturb them.
        let template = "{msg:32} [{bar:40}] {percent}%, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Listener {
            bar,
            end,
            quarters: if pipeline { 3 } else { 4 },
            line: Instant::now(),
        }
    }
}

impl Progress for Listener<'_> {
    fn row(&mut self, index: usize, count: usize, row: &Planned<'_>) {
        self.bar.set_length(count as u64);
        self.bar.set_position(index as u64);
        let bytes = match row.size.bytes {
            0 => String::new(),
            n => format!(" {n} B"),
        };
        let message = format!("{}{bytes}", row.op.name());
        if !io::stderr().is_terminal() && self.line.elapsed() >= PAUSE {
            eprintln!("{:3} %  {message}", 100 * index / count.max(1));
            self.line = Instant::now();
        }
        self.bar.set_message(message);
    }

    fn note(&mut self, sentence: &str) {
        self.bar.suspend(|| eprintln!("{sentence}"));
    }

    fn goes_on(&mut self) -> bool {
        self.end.is_before(self.quarters)
    }
}
