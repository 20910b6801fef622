//! `adamant pki bench`: the stages from a CA key to verified OCSP responses, timed.

use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use adamant_ops::machine;
use adamant_pki::pipeline::{self, Options, Progress, Row};
use adamant_pki::store::{Sqlite, Synchronous};
use adamant_pki::{Adamant, Algorithm, Provider};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::speed::grouped;

/// Measure fifteen stages from a CA key to verified OCSP responses.
#[derive(clap::Args)]
#[command(after_long_help = stages(), after_help = "Examples:
  adamant pki bench --sizes 1,64,1024 --db ca.sqlite
  adamant pki bench --ca-key-algo all --threads 1 --json

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
    let rows = measure(&options, args.db.as_deref(), args.json)?;
    if !args.json {
        let mut out = io::stdout().lock();
        heading(&mut out, &rows)?;
        table(&mut out, &rows)?;
        out.flush()?;
    }
    Ok(())
}

/// Runs the pipeline on the database, a temporary one if none is named, with progress shown.
pub(crate) fn measure(
    options: &Options,
    db: Option<&Path>,
    json: bool,
) -> Result<Vec<Row>, Failure> {
    let failed = |error: adamant_pki::Error| Failure::Run(error.to_string());
    let mut store = match db {
        Some(path) => Sqlite::open(path),
        None => Sqlite::temporary(),
    }
    .map_err(failed)?;
    let mut listener = Listener::new(options.algorithms.len() * options.sizes.len(), json);
    let rows = pipeline::run(&Adamant, &mut store, options, &mut listener);
    listener.bar.finish_and_clear();
    let rows = rows.map_err(failed)?;
    listener.written?;
    Ok(rows)
}

/// Shows how far the run has come where standard error is a terminal, and writes JSON lines as
/// they come.
struct Listener {
    bar: ProgressBar,
    /// Steps of the bar that are over: 1000 for each algorithm and size.
    over: u64,
    json: bool,
    written: io::Result<()>,
}

impl Listener {
    fn new(runs: usize, json: bool) -> Self {
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
            over: 0,
            json,
            written: Ok(()),
        }
    }
}

impl Progress for Listener {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.bar
            .set_message(format!("{algorithm}, batch of {batch}"));
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        self.bar.set_position(self.over + (done * 1000.0) as u64);
        ControlFlow::Continue(())
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

fn heading(out: &mut StdoutLock<'_>, rows: &[Row]) -> io::Result<()> {
    let threads = rows.first().map_or(0, |row| row.threads);
    let s = if threads == 1 { "" } else { "s" };
    let (cpu, provider) = (machine::cpu_model(), Adamant.name());
    writeln!(out, "{cpu}, {threads} thread{s}, {provider}, SQLite")
}

/// Sizes side by side in one table.
const ABREAST: usize = 4;

/// The rows as tables, one for each algorithm and a few sizes: the median of a batch, and items a
/// second.
pub(crate) fn table(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    for algo in distinct(rows.iter().map(|row| row.algo.as_str())) {
        let of_algo: Vec<_> = rows.iter().filter(|row| row.algo == algo).collect();
        let sizes = distinct(of_algo.iter().map(|row| row.batch));
        for sizes in sizes.chunks(ABREAST) {
            let columns: Vec<Vec<_>> = sizes
                .iter()
                .map(|&size| of_algo.iter().filter(|row| row.batch == size).collect())
                .collect();
            writeln!(out)?;
            write!(out, "{algo:<26}")?;
            for size in sizes {
                write!(out, "  {:>24}", format!("batch of {size}"))?;
            }
            write!(out, "\n{:<26}", "stage")?;
            for _ in sizes {
                write!(out, "  {:>10}  {:>12}", "ms", "items/s")?;
            }
            writeln!(out)?;
            for (i, row) in columns[0].iter().enumerate() {
                write!(out, "{:<26}", title(row))?;
                for row in columns.iter().filter_map(|column| column.get(i)) {
                    let rate = grouped(row.items_per_s, 0);
                    write!(out, "  {:>10}  {rate:>12}", grouped(row.ms, 3))?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// The stage, and what tells it from its other row.
fn title(row: &Row) -> String {
    let stage = &row.stage;
    if stage == "cert_gen" {
        format!("{stage}, keys {}", row.keys.name())
    } else if stage.starts_with("db_insert") {
        format!("{stage}, {}", row.synchronous)
    } else {
        stage.clone()
    }
}
