//! The pipeline as a part of a run.

use std::ops::ControlFlow;
use std::thread;

use adamant_pipeline::rivals::{Rival, Rivals};
use adamant_pipeline::store::{Sqlite, Synchronous};
use adamant_pipeline::{self as pipeline, Algorithm, Options, Row, Side, table};

use super::{Depth, Plan, Watch};
use crate::driver::Progress as _;
use crate::suites::{Suite, choose};

/// The algorithms that a CA has most often.
const USUAL: [&str; 3] = ["ecdsa-p256", "ed25519", "ml-dsa-65"];

fn is_usual(algorithm: &Algorithm) -> bool {
    USUAL.contains(&algorithm.name())
}

/// What to run of the pipeline.
pub(super) enum Stages {
    /// This, beside OpenSSL's in the same table.
    BesideOpenSsl(Options),
    /// This by itself, and the largest batch of the [`USUAL`] algorithms on fewer threads.
    Alone(Options),
}

/// What the plan asks of the pipeline, if anything: what its suites ask for, or all of it.
pub(super) fn asked(plan: &Plan, suites: &[&Suite]) -> Option<Stages> {
    if !plan.patterns.is_empty() || plan.depth == Depth::Cold {
        return None;
    }
    if plan.suites.is_empty() {
        if plan.quick {
            return Some(Stages::BesideOpenSsl(Options {
                algorithms: Algorithm::all().filter(is_usual).collect(),
                sizes: vec![64],
                min_seconds: 1.0,
                synchronous: vec![Synchronous::Normal],
                ..Options::default()
            }));
        }
        return Some(Stages::Alone(Options {
            algorithms: Algorithm::all().collect(),
            sizes: vec![1, 4, 16, 64, 256, 1024],
            min_seconds: 2.0,
            ..Options::default()
        }));
    }
    let stages = choose::stages(suites);
    (!stages.sizes.is_empty()).then(|| {
        Stages::Alone(Options {
            algorithms: stages.algorithms,
            sizes: stages.sizes,
            min_seconds: if plan.quick { 0.5 } else { 2.0 },
            ..Options::default()
        })
    })
}

impl Stages {
    /// The rows that are ours, as far as time allows, and what a reader has to know of them.
    pub(super) fn run(&self, watch: &mut Watch<'_>) -> (Vec<Row>, Option<String>) {
        if !watch.goes_on() {
            return (Vec::new(), Some("the pipeline was not begun".into()));
        }
        let run = match self {
            Stages::BesideOpenSsl(options) => beside_openssl(options, watch),
            Stages::Alone(options) => alone(options, watch).map(|rows| (rows, None)),
        };
        run.unwrap_or_else(|error| {
            let sentence = format!("the pipeline stopped: {error}");
            watch.note(&sentence);
            (Vec::new(), Some(sentence))
        })
    }
}

/// The rows of all sides on a temporary database.
fn compare(
    sides: &[Side<'_>],
    options: &Options,
    watch: &mut Watch<'_>,
) -> pipeline::Result<Vec<Row>> {
    let sizes = options.algorithms.len() * options.sizes.len();
    watch.progress.pipeline(sizes);
    pipeline::compare(sides, &mut Sqlite::temporary()?, options, watch)
}

fn alone(options: &Options, watch: &mut Watch<'_>) -> pipeline::Result<Vec<Row>> {
    let ours = [Side::ours()];
    let mut rows = compare(&ours, options, watch)?;
    watch.progress.print(&table::table(&rows));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for fewer in on_fewer_threads(options, cores) {
        rows.extend(compare(&ours, &fewer, watch)?);
    }
    Ok(rows)
}

/// Of OpenSSL there may be none, and of either side no time for an algorithm: a note says so.
fn beside_openssl(
    options: &Options,
    watch: &mut Watch<'_>,
) -> pipeline::Result<(Vec<Row>, Option<String>)> {
    let (rivals, mut note) = match Rivals::load(&[Rival::OpenSsl(None)]) {
        Ok(rivals) => (Some(rivals), None),
        Err(error) => (None, Some(format!("the pipeline has only ours: {error}"))),
    };
    let mut sides = vec![Side::ours()];
    sides.extend(rivals.iter().flat_map(Rivals::sides));
    let names: Vec<_> = sides.iter().map(Side::name).collect();
    let mut rows = compare(&sides, options, watch)?;
    let missing: Vec<_> = options
        .algorithms
        .iter()
        .map(|algorithm| algorithm.name())
        .filter(|name| rows.iter().all(|row| row.algo != *name))
        .collect();
    if !missing.is_empty() {
        note = Some(format!(
            "no time was left for the pipeline of {}",
            missing.join(", ")
        ));
    }
    if let Some(note) = &note {
        watch.note(note);
    }
    if !rows.is_empty() {
        let text = table::heading(&rows, &names) + &table::compared(&rows, &names);
        watch.progress.print(&text);
    }
    rows.retain(|row| row.provider == names[0]);
    Ok((rows, note))
}

/// The pipeline in its largest batch on one thread, two, four and so on below all cores, for the
/// [`USUAL`] algorithms.
fn on_fewer_threads(options: &Options, cores: usize) -> Vec<Options> {
    let algorithms = options.algorithms.iter().copied();
    let algorithms: Vec<_> = algorithms.filter(is_usual).collect();
    let sizes: Vec<_> = options.sizes.iter().copied().max().into_iter().collect();
    let counts = (0..).map(|i| 1 << i).take_while(|&threads| threads < cores);
    let fewer = counts.map(|threads| Options {
        algorithms: algorithms.clone(),
        sizes: sizes.clone(),
        min_seconds: options.min_seconds / 2.0,
        threads: Some(threads),
        ..options.clone()
    });
    fewer.collect()
}

impl pipeline::Progress for Watch<'_> {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.progress.begin(algorithm, batch);
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        match self.has_time() {
            true => self.progress.pass(done),
            false => ControlFlow::Break(()),
        }
    }

    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        self.progress.end(rows)
    }
}
