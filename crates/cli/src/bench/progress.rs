//! How far a run has come, and whether it was asked to end.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use adamant_bench::driver::Progress;
use adamant_bench::plan::Planned;
use adamant_bench::run;
use adamant_pipeline::{Algorithm, Row};
use indicatif::{ProgressBar, ProgressStyle};

use super::pki::Bar;
use crate::signal;

/// Shows how far the run has come: a bar where standard error is a terminal, elsewhere a line now
/// and then. Notes appear anywhere, and the report on standard output.
pub(super) struct Listener {
    bar: ProgressBar,
    /// Of the pipeline, once it has begun.
    stages: Option<Bar>,
    asked: Arc<AtomicBool>,
    /// When there was a line.
    line: Instant,
    /// Whether the report could be printed: the files are written all the same.
    pub(super) printed: io::Result<()>,
}

/// Between two lines.
const PAUSE: Duration = Duration::from_secs(5);

impl Listener {
    pub(super) fn new() -> Self {
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
            stages: None,
            asked: signal::noted(),
            line: Instant::now(),
            printed: Ok(()),
        }
    }

    /// Whether the program was asked to end.
    pub(super) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Progress for Listener {
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
        !self.asked()
    }
}

impl adamant_pipeline::Progress for Listener {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        if let Some(bar) = &self.stages {
            bar.begin(algorithm, batch);
        }
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        if let Some(bar) = &self.stages {
            bar.pass(done);
        }
        match self.asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn end(&mut self, _: &[Row]) -> ControlFlow<()> {
        if let Some(bar) = &mut self.stages {
            bar.end();
        }
        ControlFlow::Continue(())
    }
}

impl run::Progress for Listener {
    fn print(&mut self, text: &str) {
        let print = || {
            if self.printed.is_ok() {
                let mut out = io::stdout();
                self.printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            }
        };
        match &self.stages {
            Some(bar) => bar.suspend(print),
            None => self.bar.suspend(print),
        }
    }

    fn pipeline(&mut self, sizes: usize) {
        self.bar.finish_and_clear();
        self.stages = Some(Bar::new(sizes));
    }

    fn works_on(&mut self, what: &str) {
        eprintln!("{what}");
    }
}
