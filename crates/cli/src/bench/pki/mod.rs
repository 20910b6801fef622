//! `adamant pki bench`: the stages from a CA key to verified OCSP responses, timed.

mod baseline;

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use adamant_pipeline::rivals::{Rival, Rivals};
use adamant_pipeline::store::{Sqlite, Synchronous};
use adamant_pipeline::table;
use adamant_pipeline::{self as pipeline, Algorithm, Error, Options, Progress, Row, Side};
use adamant_tool::text;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;

/// Measure fifteen stages from a CA key to verified OCSP responses.
#[derive(clap::Args)]
#[command(after_long_help = stages(), after_help = "Examples:
  adamant pki bench --sizes 1,64,1024 --db ca.sqlite
  adamant pki bench --ca-key-algo all --threads 1 --json
  adamant pki bench --provider openssl --sizes 1024
  adamant pki bench --sizes 1024 --baseline before.jsonl

--help also lists the stages.")]
pub(crate) struct Args {
    /// Certificates of a batch
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,64,1024",
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    sizes: Vec<u32>,

    /// Algorithms of CA and subscriber keys, or 'all'
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "ecdsa-p256",
          value_parser = algorithms)]
    ca_key_algo: Vec<Algorithms>,

    /// Seconds for each algorithm and size, all stages together; 0 is one pass
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    min_seconds: f64,

    /// The database, a separate file that is emptied; by default a temporary one
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// When an insert counts as done: the system has it (normal), the disk has it (full)
    #[arg(long, value_name = "WHEN", default_value = "both")]
    synchronous: Setting,

    /// Threads of the parallel stages; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Libraries to run the same stages on, in turns with ours: openssl or openssl=FILE (a
    /// libcrypto; without it, each that ADAMANT_LIBCRYPTO names, or what the program was built with
    /// or the system finds), with its own encoders; nss or nss=FOLDER (without it, ADAMANT_NSS), with ours;
    /// synta=FILE (without it, ADAMANT_SYNTA: what engines/synta-pki builds), with its own
    #[arg(long, value_name = "NAME[=PATH],…", value_delimiter = ',', value_parser = str::parse::<Rival>)]
    provider: Vec<Rival>,

    /// Print the differences from an earlier run: a file of what --json printed
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Setting {
    Normal,
    Full,
    Both,
}

impl Setting {
    fn settings(self) -> Vec<Synchronous> {
        match self {
            Setting::Normal => vec![Synchronous::Normal],
            Setting::Full => vec![Synchronous::Full],
            Setting::Both => vec![Synchronous::Normal, Synchronous::Full],
        }
    }
}

/// What one name stands for.
#[derive(Clone)]
struct Algorithms(Vec<Algorithm>);

fn algorithms(name: &str) -> Result<Algorithms, String> {
    if name == "all" {
        return Ok(Algorithms(Algorithm::all().collect()));
    }
    let one = name.parse::<Algorithm>().map_err(|e| e.to_string())?;
    Ok(Algorithms(vec![one]))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds, 3600 at most".into()),
    }
}

fn stages() -> String {
    let lines = pipeline::stages().map(|(name, what)| format!("\n  {name:<16} {what}"));
    format!("Stages:{}", lines.collect::<String>())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let options = Options {
        algorithms: text::distinct(args.ca_key_algo.iter().flat_map(|a| a.0.iter().copied())),
        sizes: text::distinct(args.sizes.iter().map(|&n| n as usize)),
        min_seconds: args.min_seconds,
        synchronous: args.synchronous.settings(),
        threads: args.threads.map(|n| n as usize),
        key_seconds: None,
    };
    let before = args.baseline.as_deref().map(baseline::read).transpose()?;
    let failed = |error: Error| Failure::Run(error.to_string());
    let rivals = Rivals::load(&args.provider).map_err(failed)?;
    let mut sides = vec![Side::ours()];
    sides.extend(rivals.sides());
    let store = match &args.db {
        Some(path) => Sqlite::open(path),
        None => Sqlite::temporary(),
    };
    let mut listener = Listener {
        bar: Bar::new(options.algorithms.len() * options.sizes.len()),
        json: args.json,
        written: Ok(()),
    };
    let rows = pipeline::compare(&sides, &mut store.map_err(failed)?, &options, &mut listener);
    let Listener { bar, written, .. } = listener;
    drop(bar);
    let rows = rows.map_err(failed)?;
    written?;
    if args.json {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let names: Vec<_> = sides.iter().map(Side::name).collect();
    out.write_all(table::heading(&rows, &names).as_bytes())?;
    match (&before, names.len()) {
        (Some(before), _) => baseline::differences(&mut out, before, &rows)?,
        (None, 1) => out.write_all(table::table(&rows).as_bytes())?,
        (None, _) => out.write_all(table::compared(&rows, &names).as_bytes())?,
    }
    out.flush()?;
    Ok(())
}

/// How far the pipeline has come, shown where standard error is a terminal until it is dropped.
pub(super) struct Bar {
    bar: ProgressBar,
    /// Steps of the bar that are over: 1000 for each algorithm and size.
    over: u64,
}

impl Bar {
    /// Of this many algorithms and sizes.
    pub(super) fn new(sizes: usize) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(1000 * sizes as u64)
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{msg:32} [{bar:40}] {percent:>3} %") {
            bar.set_style(style.progress_chars("=> "));
        }
        Bar { bar, over: 0 }
    }

    pub(super) fn begin(&self, algorithm: Algorithm, batch: usize) {
        self.bar
            .set_message(format!("{algorithm}, batch of {batch}"));
    }

    pub(super) fn pass(&self, done: f64) {
        self.bar.set_position(self.over + (done * 1000.0) as u64);
    }

    pub(super) fn end(&mut self) {
        self.over += 1000;
    }

    /// Prints while the bar is away.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how far the run has come, and writes JSON lines as they come.
struct Listener {
    bar: Bar,
    json: bool,
    written: io::Result<()>,
}

impl Progress for Listener {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.bar.begin(algorithm, batch);
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        self.bar.pass(done);
        ControlFlow::Continue(())
    }

    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        self.bar.end();
        if self.json {
            self.written = self.bar.bar.suspend(|| json_lines(rows));
        }
        match self.written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

fn json_lines(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for row in rows {
        serde_json::to_writer(&mut out, row)?;
        writeln!(out)?;
    }
    out.flush()
}
