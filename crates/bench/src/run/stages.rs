//! The pipeline as a part of a run.

use std::ops::ControlFlow;
use std::thread;

use adamant_pipeline::rivals::{Rival, Rivals};
use adamant_pipeline::store::{Sqlite, Synchronous};
use adamant_pipeline::{self as pipeline, Algorithm, Options, Row, Side, table};

use super::{Depth, Plan, Watch};
use crate::driver::Progress as _;
use crate::suites::{Suite, choose};
use adamant_tool::text::distinct;

/// The algorithms that a CA has most often.
const USUAL: [&str; 3] = ["ecdsa-p256", "ed25519", "ml-dsa-65"];

fn is_usual(algorithm: &Algorithm) -> bool {
    USUAL.contains(&algorithm.name())
}

/// Of SLH-DSA the smallest sets: a batch of the others takes minutes.
fn is_quick(algorithm: &Algorithm) -> bool {
    let name = algorithm.name();
    !name.starts_with("slh-dsa") || name.contains("-128")
}

/// What to run of the pipeline.
pub(super) struct Stages {
    options: Options,
    /// The libraries beside ours, as far as they are found.
    beside: Vec<Rival>,
    /// Whether the largest batch of the [`USUAL`] algorithms is run on fewer threads too.
    on_fewer_threads: bool,
}

/// What the plan asks of the pipeline, if anything: what its suites ask for, or all of it.
pub(super) fn asked(plan: &Plan, suites: &[&Suite]) -> Option<Stages> {
    if plan.depth == Depth::Cold {
        return None;
    }
    if plan.suites.is_empty() {
        if !plan.patterns.is_empty() {
            return None;
        }
        if plan.quick {
            return Some(Stages {
                options: Options {
                    algorithms: Algorithm::all().filter(is_usual).collect(),
                    sizes: vec![64],
                    min_seconds: 1.0,
                    synchronous: vec![Synchronous::Normal],
                    ..Options::default()
                },
                beside: vec![Rival::OpenSsl(None)],
                on_fewer_threads: false,
            });
        }
        return Some(Stages {
            options: Options {
                algorithms: Algorithm::all().filter(is_quick).collect(),
                sizes: vec![1, 4, 16, 64, 256, 1024],
                min_seconds: 2.0,
                ..Options::default()
            },
            beside: Vec::new(),
            on_fewer_threads: true,
        });
    }
    let (algorithms, sizes) = choose::stages(suites);
    (!algorithms.is_empty()).then(|| Stages {
        options: Options {
            algorithms,
            sizes,
            min_seconds: 2.0,
            ..Options::default()
        },
        beside: every_rival(),
        on_fewer_threads: !plan.quick,
    })
}

/// Every library that has stages.
fn every_rival() -> Vec<Rival> {
    vec![
        Rival::OpenSsl(None),
        #[cfg(unix)]
        Rival::Nss(None),
        Rival::Synta(None),
    ]
}

impl Stages {
    /// The rows of ours and of the libraries that are found, as far as time allows, and what a reader
    /// has to know of them.
    pub(super) fn run(&self, watch: &mut Watch<'_>) -> (Vec<Row>, Vec<String>) {
        let (mut rows, mut notes) = (Vec::new(), Vec::new());
        if !watch.goes_on() {
            return (rows, vec!["the pipeline was not begun".into()]);
        }
        let mut rivals = Vec::new();
        for rival in self.beside.iter().flat_map(Rival::each) {
            match Rivals::load(&[rival]) {
                Ok(loaded) => rivals.push(loaded),
                Err(error) => notes.push(format!("not in the pipeline: {error}")),
            }
        }
        let mut sides = vec![Side::ours()];
        sides.extend(rivals.iter().flat_map(Rivals::sides));
        if let Err(error) = self.compare(&sides, &mut rows, watch) {
            notes.push(format!("the pipeline stopped: {error}"));
        }
        notes.extend(self.missing(&rows));
        notes.extend(few_keys(&rows));
        notes.extend(repeated(&rows));
        notes.iter().for_each(|note| watch.note(note));
        (rows, notes)
    }

    /// The rows of all sides, on a temporary database; of what was measured before an error too.
    fn compare(
        &self,
        sides: &[Side<'_>],
        rows: &mut Vec<Row>,
        watch: &mut Watch<'_>,
    ) -> pipeline::Result<()> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let fewer = match self.on_fewer_threads {
            true => on_fewer_threads(&self.options, cores),
            false => Vec::new(),
        };
        let sizes = |options: &Options| options.algorithms.len() * options.sizes.len();
        let count = sizes(&self.options) + fewer.iter().map(sizes).sum::<usize>();
        watch.progress.pipeline(count);
        let within = |options: &Options| match watch.left() {
            Some(left) => within(options, left.as_secs_f64() / count as f64, sides.len()),
            None => options.clone(),
        };
        let all = within(&self.options);
        let fewer: Vec<_> = fewer.iter().map(within).collect();

        let mut store = Sqlite::temporary()?;
        for (options, sides) in [(&all, sides)]
            .into_iter()
            .chain(fewer.iter().map(|options| (options, &sides[..1])))
        {
            let mut listener = Listener {
                sides: sides.iter().map(Side::name).collect(),
                threads: 0,
                rows,
                watch,
            };
            pipeline::compare(sides, &mut store, options, &mut listener)?;
        }
        Ok(())
    }

    /// The algorithms that no time was left for.
    fn missing(&self, rows: &[Row]) -> Option<String> {
        let names = self
            .options
            .algorithms
            .iter()
            .map(|algorithm| algorithm.name());
        let missing: Vec<_> = names
            .filter(|name| rows.iter().all(|row| row.algo != *name))
            .collect();
        (!missing.is_empty()).then(|| {
            format!(
                "no time was left for the pipeline of {}",
                missing.join(", ")
            )
        })
    }
}

/// The same where an algorithm and size has so many seconds, with the passes that warm up.
fn within(options: &Options, seconds: f64, sides: usize) -> Options {
    Options {
        min_seconds: options.min_seconds.min(seconds / 3.0),
        key_seconds: Some(seconds / (6 * sides) as f64),
        ..options.clone()
    }
}

/// Where keys were made for a part of the batch alone.
fn few_keys(rows: &[Row]) -> Option<String> {
    let few = rows.iter().filter_map(|row| {
        let (provider, algo, batch) = (&row.provider, &row.algo, row.batch);
        let made = row.keys_made?;
        Some(format!("{made} of {batch} {algo} keys by {provider}"))
    });
    let few = distinct(few);
    (!few.is_empty()).then(|| {
        format!(
            "to end in time, the pipeline made fewer keys than certificates, whose time with the keys \
             is in proportion: {}",
            few.join(", ")
        )
    })
}

/// The stages that are short, each with the fewest and the most runs of a row.
fn repeated(rows: &[Row]) -> Option<String> {
    let names = rows.iter().filter(|row| row.runs.is_some());
    let each = distinct(names.map(|row| row.stage.as_str())).into_iter();
    let each = each.map(|name| {
        let rows = rows.iter().filter(|row| row.stage == name);
        let runs = rows.filter_map(|row| row.runs);
        let (least, most) = runs.fold((usize::MAX, 0), |(least, most), runs| {
            (least.min(runs), most.max(runs))
        });
        match least == most {
            true => format!("{name} ({most})"),
            false => format!("{name} ({least} to {most})"),
        }
    });
    let each: Vec<_> = each.collect();
    (!each.is_empty()).then(|| {
        format!(
            "short stages of the pipeline were repeated in each pass, whose first run only warms up; \
             their medians are over as many runs as follow: {}",
            each.join(", ")
        )
    })
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

/// Prints and keeps each size as soon as it is measured.
struct Listener<'a, 'b> {
    sides: Vec<&'a str>,
    /// The threads of the sizes so far.
    threads: usize,
    rows: &'a mut Vec<Row>,
    watch: &'a mut Watch<'b>,
}

impl pipeline::Progress for Listener<'_, '_> {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.watch.progress.begin(algorithm, batch);
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        match self.watch.has_time() {
            true => self.watch.progress.pass(done),
            false => ControlFlow::Break(()),
        }
    }

    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        self.rows.extend_from_slice(rows);
        let threads = rows.first().map_or(0, |row| row.threads);
        if threads != self.threads {
            self.threads = threads;
            let heading = table::heading(rows, &self.sides);
            self.watch.progress.print(&format!("\n{heading}"));
        }
        self.watch
            .progress
            .print(&table::compared(rows, &self.sides));
        let goes_on = self.watch.progress.end(rows);
        match self.watch.has_time() {
            true => goes_on,
            false => ControlFlow::Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use adamant_pipeline::Progress as _;

    use super::*;
    use crate::results::samples::pipeline_row;

    #[test]
    fn sizes_are_kept_and_end_in_time() {
        let (begin, mut rows) = (Instant::now(), Vec::new());
        for (end, goes_on) in [
            (None, true),
            (Some(begin + Duration::from_secs(3600)), true),
            (Some(begin), false),
        ] {
            let mut watch = Watch {
                progress: &mut (),
                begin,
                end,
                part: None,
            };
            let mut listener = Listener {
                sides: vec!["adamant"],
                threads: 0,
                rows: &mut rows,
                watch: &mut watch,
            };
            assert_eq!(listener.pass(0.5).is_continue(), goes_on);
            // What the last size gave is kept all the same.
            assert_eq!(
                listener.end(&[pipeline_row("crl_sign", 64)]).is_continue(),
                goes_on
            );
        }
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn slow_keys_get_a_part_of_the_time() {
        let options = Options {
            min_seconds: 2.0,
            ..Options::default()
        };
        let short = within(&options, 3.0, 2);
        assert_eq!((short.min_seconds, short.key_seconds), (1.0, Some(0.25)));
        assert_eq!(within(&options, 60.0, 1).min_seconds, 2.0);
        let mut few = pipeline_row("cert_gen", 64);
        few.keys_made = Some(4);
        let told = few_keys(&[few.clone(), few, pipeline_row("cert_gen", 64)]).unwrap();
        assert!(
            told.ends_with(": 4 of 64 ecdsa-p256 keys by adamant"),
            "{told}"
        );
        assert_eq!(few_keys(&[pipeline_row("cert_gen", 64)]), None);
    }

    #[test]
    fn what_is_repeated_is_told() {
        let row = |stage: &str, runs| Row {
            runs,
            ..pipeline_row(stage, 64)
        };
        let rows = [
            row("ca_self_sign", Some(40)),
            row("cert_gen", None),
            row("crl_sign", Some(12)),
            row("ca_self_sign", Some(9)),
        ];
        let told = repeated(&rows).unwrap();
        assert!(
            told.ends_with(": ca_self_sign (9 to 40), crl_sign (12)"),
            "{told}"
        );
        assert_eq!(repeated(&rows[1..2]), None);
    }
}
