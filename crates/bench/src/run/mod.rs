//! A whole run, from what is asked for to the report: the comparison, the pipeline, what builds take.

mod stages;
mod tables;

use std::fmt;
use std::time::{Duration, Instant};

use adamant_ops::{Operation, registry};
use adamant_tool::select::Unmatched;
use adamant_tool::text::distinct;

use crate::driver::{self, Comparison, compare_parts};
use crate::engines::{OPENSSL_SYSTEM, Places, SELF};
use crate::machine::Machine;
use crate::plan::{Planned, plan};
use crate::results::{Count, Figures, Footprint, Report};
use crate::rival::Rival;
use crate::rounds::Effort;
use crate::suites::{self, Suite, choose};
use crate::{emulate, footprint, report};

/// What is asked for.
///
/// ```
/// use adamant_bench::run::{Plan, run};
/// let nothing = Plan { patterns: vec!["rot13/*".into()], ..Plan::default() };
/// assert!(run(&nothing, &mut ()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// Operations by name or glob; without any, every one and the pipeline. Of suites, what
    /// [`choose::chosen`] says.
    pub patterns: Vec<String>,
    /// Engines by name or path; without any, the OpenSSL of the system.
    pub engines: Vec<String>,
    /// The documents whose tables are asked for, by name: only their rows.
    pub suites: Vec<String>,
    /// Only the best-known operations, and a minute for all of it.
    pub quick: bool,
    /// How much for each row.
    pub depth: Depth,
    /// How long for all of it: what is left at the end is left out. If it is not said, a minute of a
    /// quick run that is not cold, and five of suites that are not to be thorough.
    pub limit: Option<Duration>,
    /// Bytes of messages; what suits each operation, if it is not said.
    pub bytes: Option<Vec<usize>>,
    /// Items of a batch.
    pub batches: Vec<usize>,
    /// Whether instructions are counted for the tables whose machines are not here.
    pub emulate: bool,
    /// Whether what builds take is measured for the tables that ask for it.
    pub footprint: bool,
    /// The command, as the report shows it.
    pub command: String,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            patterns: Vec::new(),
            engines: Vec::new(),
            suites: Vec::new(),
            quick: false,
            depth: Depth::Usual,
            limit: None,
            bytes: None,
            batches: vec![64],
            emulate: false,
            footprint: false,
            command: String::new(),
        }
    }
}

impl Plan {
    /// How long for all of it, if there is a limit.
    fn whole(&self) -> Option<Duration> {
        let usual = match self.depth {
            Depth::Cold => None,
            _ if self.quick => Some(QUICK),
            Depth::Usual if !self.suites.is_empty() => Some(SUITES),
            _ => None,
        };
        self.limit.or(usual)
    }

    /// The suites that are asked for, all where none is.
    #[must_use]
    pub fn suites(&self) -> Vec<&'static Suite> {
        let asked = |suite: &&Suite| self.suites.iter().any(|name| name == suite.name);
        let all = suites::ALL.iter();
        all.filter(|suite| self.suites.is_empty() || asked(suite))
            .collect()
    }

    /// The engines that are asked for, or else the one by default.
    ///
    /// # Errors
    /// [`Error::Engine`].
    pub fn rivals(&self, default: &str) -> Result<Vec<Rival>, Error> {
        let default = [default.to_owned()];
        let asked = if self.engines.is_empty() {
            &default
        } else {
            &self.engines[..]
        };
        Places::here().rivals(asked).map_err(Error::Engine)
    }
}

/// How much is measured for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Enough to tell a few parts in a hundred from chance, or less where there is a limit.
    Usual,
    /// More.
    Thorough,
    /// Single calls with cold caches.
    Cold,
}

/// The time of a quick run, by default.
const QUICK: Duration = Duration::from_secs(60);

/// What suites take, if nothing else is said.
const SUITES: Duration = Duration::from_secs(300);

/// The most bytes of messages in a row for which lengths are asked: they travel as text, in a line.
const MOST_BYTES: usize = 1 << 26;

/// Why a plan cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A pattern that fits no operation.
    Unmatched(Unmatched),
    /// Messages that are too long together: the operation, items, and bytes of each.
    TooMuch(String, usize, usize),
    /// A sentence about an engine that does not exist.
    Engine(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unmatched(unmatched) => unmatched.fmt(f),
            Error::TooMuch(op, batch, bytes) => write!(
                f,
                "{op}: {batch} messages of {bytes} bytes are more than {MOST_BYTES} bytes"
            ),
            Error::Engine(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for Error {}

/// Sees a run happen. To end it, say so where either part asks.
pub trait Progress: driver::Progress + adamant_pipeline::Progress + Send {
    /// A part of the report as text, as soon as it is known.
    fn print(&mut self, text: &str);

    /// The comparison is over; the pipeline follows, for this many algorithms and sizes.
    fn pipeline(&mut self, sizes: usize) {
        let _ = sizes;
    }

    /// Something takes long: an operation whose instructions are counted, a program that is built.
    fn works_on(&mut self, what: &str) {
        let _ = what;
    }
}

/// Nobody watches.
impl Progress for () {
    fn print(&mut self, _: &str) {}
}

/// Runs what the plan asks for. Failures on the way are in the report's notes.
///
/// # Errors
/// If the plan asks for something that does not exist.
pub fn run(plan: &Plan, progress: &mut dyn Progress) -> Result<Report, Error> {
    let registry = registry();
    let asked = match plan.suites.is_empty() {
        true => Vec::new(),
        false => choose::chosen(&plan.suites(), &plan.patterns).map_err(Error::Unmatched)?,
    };
    let suites: Vec<&Suite> = asked.iter().collect();
    let rows = rows(plan, &suites, &registry)?;
    let rivals = plan.rivals(OPENSSL_SYSTEM)?;
    let stages = stages::asked(plan, &suites);
    let limit = plan.whole();
    // Three quarters are for the rows, where the pipeline has the rest.
    let both = stages.is_some() && !rows.is_empty();
    let for_rows = limit.map(|time| if both { time * 3 / 4 } else { time });
    let effort = match (plan.depth, for_rows) {
        (Depth::Cold, _) => Effort::COLD,
        (Depth::Thorough, _) => Effort::THOROUGH,
        (Depth::Usual, Some(time)) => Effort::within(time, rows.len()),
        (Depth::Usual, None) => Effort::NORMAL,
    };
    let machine = Machine::here();
    progress.print(&format!("{}, {}\n", machine.cpu, machine.os));
    if plan.quick && plan.patterns.is_empty() && plan.suites.is_empty() {
        let chosen = distinct(rows.iter().map(|row| row.op.name()));
        progress.print(&format!(
            "the best-known {} of {} operations; without --quick, all of them\n",
            chosen.len(),
            registry.len()
        ));
    }

    let mut before = Vec::new();
    let (mut counted, mut built) = (Vec::new(), Vec::new());
    if plan.emulate {
        counted = counts(&suites, &registry, progress, &mut before);
    }
    if plan.footprint {
        built = footprints(&suites, progress, &mut before);
    }
    let begin = Instant::now();
    let own = Some(Rival::own(SELF));
    let mut tables = tables::Tables::new(&suites, &registry);
    let ends = tables.parts(rows.len());
    let mut part = |planned: usize, so_far: &Comparison, progress: &mut dyn Progress| {
        if planned == 0 && !suites.is_empty() {
            progress.print(&beginning(so_far));
        }
        let figures = Figures {
            rows: &so_far.rows,
            pipeline: &[],
            counts: &counted,
            footprints: &built,
            engines: &so_far.engines,
        };
        tables.print(planned, figures, progress);
    };
    let mut watch = Watch {
        progress,
        begin,
        end: for_rows.map(|time| begin + time),
        part: Some(&mut part),
    };
    let comparison = compare_parts(&rows, &ends, &registry, own, rivals, effort, &mut watch);
    if !rows.is_empty() && suites.is_empty() {
        progress.print(&(beginning(&comparison) + "\n" + &report::table(&comparison.rows)));
    }
    let mut notes = comparison.notes;
    notes.extend(before);

    let mut pipeline = Vec::new();
    if let Some(stages) = stages {
        let mut watch = Watch {
            progress,
            begin,
            end: limit.map(|time| begin + time),
            part: None,
        };
        let (measured, more) = stages.run(&mut watch);
        pipeline = measured;
        notes.extend(more);
    }
    let report = Report {
        machine,
        command: plan.command.clone(),
        engines: comparison.engines,
        rows: comparison.rows,
        pipeline,
        notes,
        core: comparison.core,
        clock: comparison.clock,
        baseline: None,
        suites: distinct(plan.suites.iter().cloned()),
        patterns: plan.patterns.clone(),
        counts: counted,
        footprints: built,
    };
    let figures = Figures {
        engines: &report.engines,
        ..report.figures()
    };
    tables.print(tables::LATE, figures, progress);
    Ok(report)
}

/// The rows of the comparison.
fn rows<'a>(
    asked: &Plan,
    suites: &[&Suite],
    registry: &'a [Box<dyn Operation>],
) -> Result<Vec<Planned<'a>>, Error> {
    let bytes = asked.bytes.as_deref();
    let rows = if asked.suites.is_empty() {
        plan(
            registry,
            &asked.patterns,
            asked.quick,
            bytes,
            &asked.batches,
        )
    } else {
        Ok(choose::plan(suites, registry))
    };
    let rows = rows.map_err(Error::Unmatched)?;
    let too_much = |row: &&Planned<'_>| row.size.bytes.saturating_mul(row.size.batch) > MOST_BYTES;
    match rows.iter().find(too_much).filter(|_| bytes.is_some()) {
        Some(row) => Err(Error::TooMuch(
            row.op.name().to_owned(),
            row.size.batch,
            row.size.bytes,
        )),
        None => Ok(rows),
    }
}

/// What the report begins with: the rivals, and the core.
fn beginning(comparison: &Comparison) -> String {
    let mut text = String::new();
    for engine in &comparison.engines {
        let year = engine
            .released()
            .map_or(String::new(), |year| format!(", of {year}"));
        text += &format!("beside {}: {}{year}\n", engine.name, engine.version);
    }
    let place = comparison
        .core
        .map_or("not pinned to a core".into(), |core| format!("core {core}"));
    text + &format!("one thread, {place}\n")
}

/// Instructions in place of machines that are not here.
fn counts(
    suites: &[&Suite],
    registry: &[Box<dyn Operation>],
    progress: &mut dyn Progress,
    notes: &mut Vec<String>,
) -> Vec<Count> {
    let mut told = |name: &str| progress.works_on(&format!("counting {name}"));
    emulate::counts(suites, registry, &mut told).unwrap_or_else(|sentence| {
        notes.push(format!("nothing is emulated: {sentence}"));
        Vec::new()
    })
}

/// What builds take.
fn footprints(
    suites: &[&Suite],
    progress: &mut dyn Progress,
    notes: &mut Vec<String>,
) -> Vec<Footprint> {
    match footprint::measure(&choose::footprints(suites), &mut |name| {
        progress.works_on(&format!("building {name}"));
    }) {
        Ok((found, failures)) => {
            notes.extend(failures);
            found
        }
        Err(error) => {
            notes.push(format!("no footprint is measured: {error}"));
            Vec::new()
        }
    }
}

/// Ends a part when its time is over, and prints the tables of documents.
struct Watch<'a> {
    progress: &'a mut dyn Progress,
    begin: Instant,
    end: Option<Instant>,
    /// Prints the rows of documents.
    part: Option<&'a mut Part<'a>>,
}

type Part<'a> = dyn FnMut(usize, &Comparison, &mut dyn Progress) + Send + 'a;

impl Watch<'_> {
    fn has_time(&self) -> bool {
        self.left().is_none_or(|left| !left.is_zero())
    }

    /// How much time is left, where it has an end.
    fn left(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_duration_since(Instant::now()))
    }
}

impl driver::Progress for Watch<'_> {
    fn row(&mut self, index: usize, count: usize, row: &Planned<'_>) {
        self.progress.row(index, count, row);
    }

    fn note(&mut self, sentence: &str) {
        self.progress.note(sentence);
    }

    fn goes_on(&mut self) -> bool {
        self.has_time() && self.progress.goes_on()
    }

    /// While a part has used less of the time than it has of the rows.
    fn has_time_for(&mut self, planned: usize, all: usize) -> bool {
        let Some(end) = self.end.filter(|_| planned < all) else {
            return true;
        };
        let whole = end.saturating_duration_since(self.begin);
        self.begin.elapsed() < whole.mul_f64(planned as f64 / all as f64)
    }

    fn part(&mut self, planned: usize, so_far: &Comparison) {
        if let Some(part) = &mut self.part {
            part(planned, so_far, self.progress);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let second = Some(Duration::from_secs(1));
        let suites = Plan {
            suites: vec!["kctsb".into()],
            ..Plan::default()
        };
        assert_eq!(suites.whole(), Some(SUITES));
        let whole = |quick, depth, limit| {
            let plan = Plan {
                quick,
                depth,
                limit,
                ..Plan::default()
            };
            plan.whole()
        };
        for depth in [Depth::Usual, Depth::Thorough, Depth::Cold] {
            assert_eq!(whole(true, depth, second), second);
            assert_eq!(whole(false, depth, second), second);
            assert_eq!(whole(false, depth, None), None);
        }
        assert_eq!(whole(true, Depth::Usual, None), Some(QUICK));
        assert_eq!(whole(true, Depth::Cold, None), None);
    }
}
