//! The measured pipeline: fifteen stages from a CA key to verified OCSP responses, run and timed, by
//! this project and by others.
//!
//! ```
//! use adamant_pipeline::{Adamant, Options, run};
//! use adamant_pipeline::store::Sqlite;
//!
//! let options = Options {
//!     algorithms: vec!["ed25519".parse()?],
//!     sizes: vec![4],
//!     min_seconds: 0.0,
//!     ..Options::default()
//! };
//! let rows = run(&Adamant, &mut Sqlite::in_memory()?, &options, &mut ())?;
//! let row = rows.iter().find(|row| row.stage == "cert_verify").unwrap();
//! assert_eq!(row.batch, 4);
//! # Ok::<(), adamant_pipeline::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`toolkit`] | what does the work: the [`Toolkit`] trait, our encoders over any [`Provider`], and other libraries |
//! | [`rivals`] | those libraries by name, loaded |
//! | [`store`] | the [`Store`] trait and [`Sqlite`] |
//! | [`table`] | rows as text |
//! | `stage`, `pass`, `side` | the table of stages, one pass through it, one library |
//! | `certificates`, `crl`, `ocsp`, `database` | the stages by what they make |
//!
//! A *pass* goes through all stages with a batch of N certificates, serial numbers 1 to N, under
//! a fresh CA key. The first pass of a batch size warms up; passes are then repeated until the
//! time is used, and each stage's median reported. The results of every stage of every pass are
//! checked while the clock is stopped: certificates and lists are read in full and compared
//! with what went in, blobs with those that were stored, and in the first pass all signatures are
//! verified also through `adamant::x509`, whatever the provider.
//!
//! A stage that takes less than a 400th of the time, or of one pass of every side where that is
//! longer, is repeated for so long in each pass, prepared anew each time, and the results of its last
//! run are checked: one call of a few microseconds, after all that other stages and libraries did,
//! would time the caches.
//!
//! A [`Side`] is one library; where there are several ([`compare`]), their passes take turns, so
//! that a clock that drifts does so for all.
//!
//! Stages that are parallel divide the batch among the threads in parts, each of which is one
//! call of the [`Toolkit`]'s. The signing stages encode again what the building
//! stages encoded.

mod certificates;
mod crl;
mod database;
mod error;
mod ocsp;
mod parallel;
mod pass;
mod profile;
pub mod rivals;
mod row;
mod side;
mod stage;
pub mod store;
pub mod table;
pub mod toolkit;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pass::{Pass, Size};
use side::Timed;
use stage::{Items, table};
use store::{Kind, Sqlite, Store, Synchronous};
use toolkit::Toolkit;

pub use adamant_pki::{Adamant, Algorithm, Provider};
pub use error::{Error, Result};
pub use row::{Keys, Row};
pub use side::Side;

/// A stage is repeated in a pass for up to this part of the time: even if all are short, those of four
/// sides take a fifth of it.
const SHARE: f64 = 1.0 / 400.0;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithms of CA and subscriber keys, one run for each.
    pub algorithms: Vec<Algorithm>,
    /// Certificates of a batch, one run for each.
    pub sizes: Vec<usize>,
    /// Seconds for each algorithm and size, after the pass that warms up. One pass is measured
    /// at least; without any time, none of its stages is repeated.
    pub min_seconds: f64,
    /// The settings that the inserting stages are measured with.
    pub synchronous: Vec<Synchronous>,
    /// Threads; one for each core of the machine if it is not said.
    pub threads: Option<usize>,
    /// Seconds that the subscriber keys of a batch may take, on each side, by what one takes: where
    /// that is less than all need, fewer are made and each serves several certificates.
    pub key_seconds: Option<f64>,
}

impl Default for Options {
    /// Every algorithm, in batches of 1, 64 and 1024, two seconds each, both settings of the
    /// store, all cores.
    fn default() -> Self {
        Options {
            algorithms: Algorithm::all().collect(),
            sizes: vec![1, 64, 1024],
            min_seconds: 2.0,
            synchronous: vec![Synchronous::Normal, Synchronous::Full],
            threads: None,
            key_seconds: None,
        }
    }
}

/// What hears how far a run has come, and may end it.
pub trait Progress {
    /// Passes of this size begin.
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        let _ = (algorithm, batch);
    }

    /// A pass is over; `done` of the time is used, 1 at most. To break ends the run, with what the
    /// passes of this size have given.
    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        let _ = done;
        ControlFlow::Continue(())
    }

    /// The passes of this size are over. To break ends the run.
    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        let _ = rows;
        ControlFlow::Continue(())
    }
}

/// Nobody hears.
impl Progress for () {}

/// The names of the stages, in their order, each with what it does.
pub fn stages() -> impl Iterator<Item = (&'static str, &'static str)> {
    table::<Adamant>()
        .into_iter()
        .map(|stage| (stage.name, stage.what))
}

/// Runs the pipeline and returns the rows of all algorithms and sizes. The store is emptied again
/// and again, and is empty at the end, after an error too.
///
/// # Errors
/// [`Error::Check`] when a stage does not do what it must, [`Error::Threads`], and those of
/// provider and store.
pub fn run<T: Toolkit>(
    toolkit: &T,
    store: &mut (dyn Store + Send),
    options: &Options,
    progress: &mut (dyn Progress + Send),
) -> Result<Vec<Row>> {
    compare(&[Side::new(toolkit)], store, options, progress)
}

/// Runs the pipeline on several sides, pass by pass in turns. Of each algorithm and size the rows
/// of the first side come first; a side without an algorithm has none for it.
///
/// # Errors
/// As [`run`], and [`Error::Library`] for two of the same name, whose rows nobody could tell apart.
pub fn compare(
    sides: &[Side<'_>],
    store: &mut (dyn Store + Send),
    options: &Options,
    progress: &mut (dyn Progress + Send),
) -> Result<Vec<Row>> {
    let mut names = HashSet::new();
    if let Some(twice) = sides.iter().find(|side| !names.insert(side.name())) {
        return Err(Error::Library(format!(
            "two libraries call themselves {}",
            twice.name()
        )));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .map_err(Error::Threads)?;
    let mut rows = Vec::new();
    let run = pool.install(|| {
        let sizes = options
            .algorithms
            .iter()
            .flat_map(|&algorithm| options.sizes.iter().map(move |&batch| (algorithm, batch)));
        for (algorithm, batch) in sizes {
            progress.begin(algorithm, batch);
            let (of_size, stop) = run_size(sides, store, options, algorithm, batch, progress)?;
            let end = progress.end(&of_size);
            rows.extend(of_size);
            if stop.is_break() || end.is_break() {
                break;
            }
        }
        Ok(())
    });
    let empty = Kind::ALL.into_iter().try_for_each(|kind| store.clear(kind));
    run.and(empty)?;
    Ok(rows)
}

/// What one pass makes.
#[derive(Clone, Debug)]
pub struct Products {
    /// The CA's certificate.
    pub ca: Vec<u8>,
    /// The subscribers' certificates, serial numbers from 1.
    pub certificates: Vec<Vec<u8>>,
    /// The list that has all of them.
    pub crl: Vec<u8>,
    /// The responses, one for each certificate.
    pub ocsp_responses: Vec<Vec<u8>>,
}

/// Runs one pass, on the threads of the caller's pool, and returns what it made: for other
/// programs to read.
///
/// ```
/// use adamant::x509::Certificate;
/// use adamant_pipeline::{Adamant, make};
/// let made = make(&Adamant, "ed25519".parse()?, 2)?;
/// assert_eq!(made.certificates.len(), 2);
/// let ca = Certificate::from_der(&made.ca)?;
/// Certificate::from_der(&made.certificates[0])?.verify(&ca.public_key()?)?;
/// # Ok::<(), adamant_pipeline::Error>(())
/// ```
///
/// # Errors
/// As [`run`].
pub fn make<T: Toolkit>(toolkit: &T, algorithm: Algorithm, batch: usize) -> Result<Products> {
    let mut store = Sqlite::in_memory()?;
    let mut pass = Pass::new(toolkit, &mut store, algorithm, Size::whole(batch), true)?;
    for stage in table::<T>() {
        for variant in stage.varies.variants(&[Synchronous::Normal]) {
            (stage.prepare)(&mut pass, variant)?;
            (stage.run)(&mut pass)?;
            (stage.check)(&mut pass)?;
        }
    }
    Ok(Products {
        ca: pass.scene.ca.certificate,
        certificates: pass.certificates.der,
        crl: pass.crl.der.swap_remove(0),
        ocsp_responses: pass.ocsp.der,
    })
}

/// The rows of one algorithm and size, and whether the run goes on.
fn run_size(
    sides: &[Side<'_>],
    store: &mut (dyn Store + Send),
    options: &Options,
    algorithm: Algorithm,
    batch: usize,
    progress: &mut (dyn Progress + Send),
) -> Result<(Vec<Row>, ControlFlow<()>)> {
    let able = sides.iter().filter(|side| side.passes.has(algorithm));
    let settings = &options.synchronous;
    let mut samples = Vec::new();
    let start = Instant::now();
    for side in able {
        let keys = side.passes.keys(algorithm, batch, options.key_seconds)?;
        let size = Size { batch, keys };
        // This pass warms up.
        side.passes.pass(store, algorithm, size, None, settings)?;
        samples.push((side, size, Vec::new()));
    }
    let whole = match options.min_seconds {
        seconds if seconds > 0.0 => start.elapsed().as_secs_f64().max(seconds),
        _ => 0.0,
    };
    let long = Duration::try_from_secs_f64(whole * SHARE);
    let long = Some(long.unwrap_or_default());
    let start = Instant::now();
    let stop = loop {
        for (side, size, passes) in &mut samples {
            passes.push(side.passes.pass(store, algorithm, *size, long, settings)?);
        }
        let used = start.elapsed().as_secs_f64();
        let over = used >= options.min_seconds;
        let done = if over {
            1.0
        } else {
            used / options.min_seconds
        };
        let stop = progress.pass(done);
        if over || stop.is_break() {
            break stop;
        }
    };

    let threads = rayon::current_num_threads();
    let row = |side: &Side<'_>, keys: usize, passes: &[Vec<Timed>], last: &Timed, stage: usize| {
        let times = passes.iter().flat_map(|pass| &pass[stage].times);
        let times: Vec<_> = times.copied().collect();
        let runs = times.len();
        let time = median(times);
        let items = match last.items {
            Items::One => 1,
            Items::Batch => batch,
        };
        Row {
            stage: last.stage.to_owned(),
            algo: algorithm.name().to_owned(),
            batch,
            ms: time.as_nanos() as f64 / 1e6,
            items_per_s: items as f64 / time.as_secs_f64(),
            keys: last.variant.keys,
            synchronous: last.variant.synchronous,
            provider: side.name().to_owned(),
            threads,
            der_bytes: last.der_bytes,
            passes: passes.len(),
            runs: (runs > passes.len()).then_some(runs),
            keys_made: (last.has_keys && keys < batch).then_some(keys),
        }
    };
    let mut rows = Vec::new();
    for (side, size, passes) in &samples {
        let last = passes.last().into_iter().flatten().enumerate();
        rows.extend(last.map(|(stage, last)| row(side, size.keys, passes, last, stage)));
    }
    Ok((rows, stop))
}

/// The median, the mean of the middle two if there are two; no clock advances by less than a
/// nanosecond.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let upper = times.len() / 2;
    let lower = (times.len() - 1) / 2;
    ((times[lower] + times[upper]) / 2).max(Duration::from_nanos(1))
}
