//! `adamant pki bench`: the stages from a CA key to verified OCSP responses, timed.

mod baseline;
mod rivals;
mod table;

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use adamant_pki::pipeline::{self, Options, Progress, Row, Side};
use adamant_pki::store::{Sqlite, Synchronous};
use adamant_pki::{Adamant, Algorithm};
use indicatif::{ProgressBar, ProgressStyle};

use self::rivals::{Rival, Rivals};
use crate::Failure;

pub(crate) use self::table::table;

/// Measure fifteen stages from a CA key to verified OCSP responses.
#[derive(clap::Args)]
#[command(after_long_help = stages(), after_help = "Examples:
  adamant pki bench --sizes 1,64,1024 --db ca.sqlite
  adamant pki bench --ca-key-algo all --threads 1 --json
  adamant pki bench --provider openssl --sizes 1024
  adamant pki bench --sizes 1024 --baseline before.jsonl

--help also lists the stages.")]
pub(super) struct Args {
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

    /// The database, a file of its own that is emptied; without it, a temporary one
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// When inserts are over: the system has them (normal), the disk has them (full)
    #[arg(long, value_name = "WHEN", default_value = "both")]
    synchronous: Setting,

    /// Threads of the parallel stages; without it, all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Libraries to run the same stages on, in turns with ours: openssl or openssl=FILE (a
    /// libcrypto; without it, what ADAMANT_LIBCRYPTO names, the program was built with or the
    /// system finds), with its own encoders; nss or nss=FOLDER (without it, ADAMANT_NSS), with ours;
    /// synta=FILE (without it, ADAMANT_SYNTA: what engines/synta-pki builds), with its own
    #[arg(long, value_name = "NAME[=PATH],…", value_delimiter = ',', value_parser = rivals::parse)]
    provider: Vec<Rival>,

    /// Print the differences from an earlier run: a file of what --json printed
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// One JSON object a line
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

/// The values in the order in which they were first given.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let options = Options {
        algorithms: distinct(args.ca_key_algo.iter().flat_map(|a| a.0.iter().copied())),
        sizes: distinct(args.sizes.iter().map(|&n| n as usize)),
        min_seconds: args.min_seconds,
        synchronous: args.synchronous.settings(),
        threads: args.threads.map(|n| n as usize),
    };
    let before = args.baseline.as_deref().map(baseline::read).transpose()?;
    let rivals = Rivals::load(&args.provider)?;
    let mut sides = vec![Side::new(&Adamant)];
    sides.extend(rivals.sides());
    let rows = compare(&sides, &options, args.db.as_deref(), args.json, &|| true)?;
    if args.json {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let names: Vec<_> = sides.iter().map(Side::name).collect();
    table::heading(&mut out, &rows, &names)?;
    match (&before, names.len()) {
        (Some(before), _) => baseline::differences(&mut out, before, &rows)?,
        (None, 1) => table(&mut out, &rows)?,
        (None, _) => table::compared(&mut out, &rows, &names)?,
    }
    out.flush()?;
    Ok(())
}

/// Runs our pipeline, with progress shown, for as long as it may go on.
pub(crate) fn measure(
    options: &Options,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Row>, Failure> {
    compare(&[Side::new(&Adamant)], options, None, false, goes_on)
}

/// Runs our pipeline beside OpenSSL's, with progress shown, for as long as it may go on, and writes
/// the table of both. The rows are ours; with them comes why OpenSSL has none, or that time was short.
pub(crate) fn beside_openssl(
    options: &Options,
    table: &mut Vec<u8>,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<Row>, Option<String>), Failure> {
    let (rivals, mut note) = match Rivals::load(&[Rival::OpenSsl(None)]) {
        Ok(rivals) => (Some(rivals), None),
        Err(failure) => {
            let sentence = failure.sentence();
            (
                None,
                Some(format!("the pipeline has ours alone: {sentence}")),
            )
        }
    };
    let mut sides = vec![Side::new(&Adamant)];
    sides.extend(rivals.iter().flat_map(Rivals::sides));
    let names: Vec<_> = sides.iter().map(Side::name).collect();
    let mut rows = compare(&sides, options, None, false, goes_on)?;
    let done = |algorithm: &Algorithm| rows.iter().any(|row| row.algo == algorithm.name());
    let missing = options
        .algorithms
        .iter()
        .filter(|algorithm| !done(algorithm));
    let missing: Vec<_> = missing.map(|algorithm| algorithm.name()).collect();
    if !missing.is_empty() {
        note = Some(format!(
            "no time was left for the pipeline of {}",
            missing.join(", ")
        ));
    }
    if let Some(note) = &note {
        eprintln!("{note}");
    }
    if !rows.is_empty() {
        table::heading(table, &rows, &names)?;
        table::compared(table, &rows, &names)?;
    }
    rows.retain(|row| row.provider == names[0]);
    Ok((rows, note))
}

/// Runs the pipeline of all sides on the database, a temporary one if none is named, with
/// progress shown.
fn compare(
    sides: &[Side<'_>],
    options: &Options,
    db: Option<&Path>,
    json: bool,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Row>, Failure> {
    let failed = |error: adamant_pki::Error| Failure::Run(error.to_string());
    let mut store = match db {
        Some(path) => Sqlite::open(path),
        None => Sqlite::temporary(),
    }
    .map_err(failed)?;
    let runs = options.algorithms.len() * options.sizes.len();
    let mut listener = Listener::new(runs, json, goes_on);
    let rows = pipeline::compare(sides, &mut store, options, &mut listener);
    listener.bar.finish_and_clear();
    let rows = rows.map_err(failed)?;
    listener.written?;
    Ok(rows)
}

/// Shows how far the run has come where standard error is a terminal, and writes JSON lines as
/// they come.
struct Listener<'a> {
    bar: ProgressBar,
    goes_on: &'a (dyn Fn() -> bool + Sync),
    /// Steps of the bar that are over: 1000 for each algorithm and size.
    over: u64,
    json: bool,
    written: io::Result<()>,
}

impl<'a> Listener<'a> {
    fn new(runs: usize, json: bool, goes_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(1000 * runs as u64)
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{msg:32} [{bar:40}] {percent:>3} %") {
            bar.set_style(style.progress_chars("=> "));
        }
        Listener {
            bar,
            goes_on,
            over: 0,
            json,
            written: Ok(()),
        }
    }
}

impl Progress for Listener<'_> {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.bar
            .set_message(format!("{algorithm}, batch of {batch}"));
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        self.bar.set_position(self.over + (done * 1000.0) as u64);
        match (self.goes_on)() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        self.over += 1000;
        if self.json {
            self.written = self.bar.suspend(|| json_lines(rows));
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
