//! What of a suite is asked for, what there is to measure, and what stands for the rest.

use std::{fmt, slice};

use adamant_ops::Size;
use adamant_pipeline::{self as pipeline, Algorithm};
use adamant_tool::select::{Unmatched, matches, select};
use adamant_tool::text::distinct;

use super::{Cell, Line, Operation, Suite, Table, Target};
use crate::emulate;
use crate::footprint;
use crate::plan::Planned;
use crate::unbuilt::Unbuilt;

/// Our operations.
type Registry = [Box<dyn adamant_ops::Operation>];

/// What stands here for a figure of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is measured, by the options that it takes.
    Measured,
    /// Instructions, in place of the time on a machine that is not here.
    Emulated,
    /// A sum of what is measured.
    Modelled,
    /// Nothing: it is quoted, for this reason.
    Quoted(String),
    /// It is measured in a build with this feature of cargo.
    Feature(String),
    /// Nothing, though something could: `no operation p384/mul`.
    Missing(String),
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Measured => f.write_str("measured here"),
            State::Emulated => f.write_str("emulated, by --emulate"),
            State::Modelled => f.write_str("modelled, as the sum of measured operations"),
            State::Quoted(why) => write!(f, "quoted: {why}"),
            State::Feature(name) => write!(f, "needs a build with --features {name}"),
            State::Missing(what) => f.write_str(what),
        }
    }
}

/// Rows of a suite for which something else stands than a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The suite's name.
    pub suite: &'static str,
    /// What stands for them.
    pub state: State,
    /// The sections of their tables, one for each row.
    pub rows: Vec<String>,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = distinct(self.rows.iter().map(String::as_str)).join(", ");
        let (count, s) = (self.rows.len(), if self.rows.len() == 1 { "" } else { "s" });
        let Absent { suite, state, .. } = self;
        write!(f, "{suite}: {state}: {count} row{s} of {sections}")
    }
}

/// What suites ask of the pipeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stages {
    /// The algorithms of keys.
    pub algorithms: Vec<Algorithm>,
    /// The sizes of batches.
    pub sizes: Vec<usize>,
}

/// What the patterns choose of suites: each by the first that it fits of the names of operations,
/// algorithms of the pipeline and builds, of sizes, and of the titles of columns. Patterns of one
/// kind add up, those of different kinds narrow down; columns that nothing chosen is in are left
/// out.
///
/// ```
/// use adamant_bench::suites::{choose::chosen, find};
/// let patterns = ["aes-128-gcm/*", "1024", "openssl*"].map(str::to_owned);
/// let suite = &chosen(&[find("kctsb").unwrap()], &patterns)?[0];
/// let tables: Vec<&str> = suite.tables.iter().map(|t| t.section.as_str()).collect();
/// assert_eq!(tables, ["3.1", "3.3"]);
/// assert_eq!(suite.tables[1].groups[0].columns[0].0, "OpenSSL GCM");
/// assert_eq!(suite.tables[1].lines[0].labels, ["1KB"]);
/// # Ok::<(), adamant_tool::select::Unmatched>(())
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits nothing, or for all where nothing fits them all.
pub fn chosen(suites: &[&Suite], patterns: &[String]) -> Result<Vec<Suite>, Unmatched> {
    let mut suites: Vec<Suite> = suites.iter().map(|suite| (*suite).clone()).collect();
    let mut all = [const { Vec::new() }; 3];
    for table in suites.iter().flat_map(|suite| &suite.tables) {
        for cell in table.lines.iter().flat_map(|line| &line.cells) {
            let words = words(&cell.target);
            all.iter_mut()
                .zip(words)
                .for_each(|(all, words)| all.extend(words));
        }
        for group in &table.groups {
            let columns = group.columns.iter().map(|(title, _)| title);
            all[2].extend(columns.chain([&group.title]).cloned());
        }
    }
    let flat: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
    select(&flat, patterns)?;
    let mut kinds = [const { Vec::new() }; 3];
    for pattern in patterns {
        let fits = |words: &Vec<String>| words.iter().any(|word| matches(pattern, word));
        kinds[all.iter().position(fits).unwrap_or(0)].push(pattern);
    }
    let fits = |patterns: &[&String], words: &[String]| {
        let fit = |pattern: &&String| words.iter().any(|word| matches(pattern, word));
        patterns.is_empty() || patterns.iter().any(fit)
    };
    let is_asked = |cell: &Cell| {
        let words = words(&cell.target);
        fits(&kinds[0], &words[0]) && fits(&kinds[1], &words[1])
    };
    let is_titled = |title: &String| fits(&kinds[2], slice::from_ref(title));

    for suite in &mut suites {
        for table in &mut suite.tables {
            table.lines.retain(|line| line.cells.iter().any(is_asked));
            let groups = table.groups.iter().enumerate().map(|(place, group)| {
                // Quotations stand beside what is asked for.
                let is_shown =
                    |cell: &Cell| is_asked(cell) || matches!(cell.target, Target::NoMachine(_));
                let is_shown = table.lines.iter().any(|line| is_shown(&line.cells[place]));
                let columns = group.columns.iter();
                let is_kept = |title| is_shown && (is_titled(&group.title) || is_titled(title));
                columns.map(|(title, _)| is_kept(title)).collect()
            });
            let kept: Vec<Vec<bool>> = groups.collect();
            keep(table, &kept);
            // Some were asked for in other columns.
            table.lines.retain(|line| line.cells.iter().any(is_asked));
        }
        suite.tables.retain(|table| !table.lines.is_empty());
    }
    suites.retain(|suite| !suite.tables.is_empty());
    let together = || Unmatched {
        pattern: patterns.join(" "),
        near: Vec::new(),
    };
    (!suites.is_empty()).then_some(suites).ok_or_else(together)
}

/// The names and the sizes that a target answers to.
fn words(target: &Target) -> [Vec<String>; 2] {
    match target {
        Target::Operations(_) | Target::Emulated { .. } => {
            let operations = operations(target).iter();
            let (names, sizes): (Vec<_>, Vec<_>) = operations
                .map(|o| (o.op.clone(), [o.bytes, o.batch].map(|n| n.to_string())))
                .unzip();
            [names, sizes.into_iter().flatten().collect()]
        }
        Target::Stage { algo, batch, .. } => [vec![algo.clone()], vec![batch.to_string()]],
        Target::Footprint(name) => [vec![name.clone()], Vec::new()],
        Target::NoMachine(_) => Default::default(),
    }
}

/// Keeps these columns, and the groups that have any.
fn keep(table: &mut Table, kept: &[Vec<bool>]) {
    fn those<T>(of: &mut Vec<T>, kept: &[bool]) {
        let mut kept = kept.iter();
        of.retain(|_| kept.next() == Some(&true));
    }
    let groups: Vec<bool> = kept.iter().map(|kept| kept.contains(&true)).collect();
    for (group, kept) in table.groups.iter_mut().zip(kept) {
        those(&mut group.columns, kept);
    }
    those(&mut table.groups, &groups);
    for line in &mut table.lines {
        for (cell, kept) in line.cells.iter_mut().zip(kept) {
            those(&mut cell.quotes, kept);
        }
        those(&mut line.cells, &groups);
    }
}

/// The operations that a target counts or measures.
fn operations(target: &Target) -> &[Operation] {
    match target {
        Target::Operations(operations) => operations,
        Target::Emulated { operation, .. } => slice::from_ref(operation),
        Target::Stage { .. } | Target::Footprint(_) | Target::NoMachine(_) => &[],
    }
}

pub(crate) fn targets<'a>(suites: &[&'a Suite]) -> impl Iterator<Item = &'a Target> {
    let lines = suites
        .iter()
        .flat_map(|suite| suite.tables.iter())
        .flat_map(|table| &table.lines);
    lines.flat_map(|line| line.cells.iter().map(|cell| &cell.target))
}

/// The rows of the comparison that suites need, each once, in the order of their tables.
///
/// ```
/// use adamant_bench::suites::{choose::plan, find};
/// let registry = adamant_ops::registry();
/// let rows = plan(&[find("kctsb").unwrap()], &registry);
/// assert_eq!((rows[0].op.name(), rows[0].size.bytes), ("aes-128-ecb/encrypt", 1024));
/// ```
#[must_use]
pub fn plan<'a>(suites: &[&Suite], registry: &'a Registry) -> Vec<Planned<'a>> {
    let rows = targets(suites).flat_map(|target| planned(target, registry));
    distinct(rows)
}

/// The rows of the comparison that a target needs.
fn planned<'a>(target: &Target, registry: &'a Registry) -> Vec<Planned<'a>> {
    match target {
        Target::Operations(operations) => {
            let found = operations.iter().map(|operation| find(operation, registry));
            found.filter_map(Result::ok).collect()
        }
        _ => Vec::new(),
    }
}

/// How many of the planned rows are over when this line can be printed; `None` of a line that waits
/// for the pipeline.
pub(crate) fn end(line: &Line, rows: &[Planned<'_>], registry: &Registry) -> Option<usize> {
    let targets = || line.cells.iter().map(|cell| &cell.target);
    if targets().any(|target| matches!(target, Target::Stage { .. })) {
        return None;
    }
    let own = targets().flat_map(|target| planned(target, registry));
    let ends = own.filter_map(|own| rows.iter().position(|row| *row == own));
    Some(ends.map(|place| place + 1).max().unwrap_or(0))
}

/// What suites ask of the pipeline; without algorithms if they ask nothing.
#[must_use]
pub fn stages(suites: &[&Suite]) -> Stages {
    let asked = targets(suites).filter_map(|target| match target {
        Target::Stage { algo, batch, .. } => Some((algo.parse::<Algorithm>().ok()?, *batch)),
        _ => None,
    });
    let (algorithms, sizes): (Vec<Algorithm>, Vec<usize>) = asked.unzip();
    let mut sizes = distinct(sizes.into_iter());
    sizes.sort_unstable();
    Stages {
        algorithms: distinct(algorithms.into_iter()),
        sizes,
    }
}

/// What suites ask of builds: names of [`footprint::names`].
pub(crate) fn footprints<'a>(suites: &[&'a Suite]) -> Vec<&'a String> {
    let asked = targets(suites).filter_map(|target| match target {
        Target::Footprint(name) => Some(name),
        _ => None,
    });
    asked.collect()
}

/// What stands for the rows of a suite that are not measured, each kind by itself. A row for which
/// nothing does is missing if it could be measured.
///
/// ```
/// use adamant_bench::suites::{choose::absent, find};
/// let absent = absent(find("curve25519").unwrap(), &adamant_ops::registry());
/// let lines: Vec<String> = absent.iter().map(ToString::to_string).collect();
/// assert!(lines.contains(&"curve25519: quoted: Apple M1: 3 rows of Platforms/1".to_owned()));
/// ```
#[must_use]
pub fn absent(suite: &Suite, registry: &Registry) -> Vec<Absent> {
    let mut rows = Vec::new();
    for table in &suite.tables {
        for line in &table.lines {
            let states = line.cells.iter().map(|cell| state(&cell.target, registry));
            let missed = needless(suite, line, registry).map(State::Missing);
            let mut states = distinct(states.chain(missed));
            states.sort();
            let other = states.into_iter().filter(|state| *state != State::Measured);
            rows.extend(other.map(|state| (state, table.section.clone())));
        }
    }
    rows.sort_by(|(a, _), (b, _)| a.cmp(b));
    let same = rows.chunk_by(|(a, _), (b, _)| a == b);
    same.map(|rows| Absent {
        suite: suite.name,
        state: rows[0].0.clone(),
        rows: rows.iter().map(|(_, section)| section.clone()).collect(),
    })
    .collect()
}

/// Why a row is quoted needlessly: it names no machine that is elsewhere, but an operation of ours,
/// or one that engines can have.
fn needless(suite: &Suite, line: &Line, registry: &Registry) -> Option<String> {
    let mut targets = line.cells.iter().map(|cell| &cell.target);
    let is_needless = targets.all(|target| match target {
        Target::NoMachine(why) => !suite.elsewhere.iter().any(|name| why.contains(name)),
        _ => false,
    });
    if !is_needless {
        return None;
    }
    let row = line.labels.join(" ");
    let plain = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let ours = registry.iter().map(|op| op.name().to_owned());
    let ours = ours.filter(|name| plain(&row).contains(&plain(name)));
    let words: Vec<String> = row.split_whitespace().map(str::to_lowercase).collect();
    let theirs = (1..words.len()).map(|cut| {
        let (algorithm, operation) = words.split_at(cut);
        format!("{}/{}", algorithm.join("-"), operation.join("-"))
    });
    let theirs = theirs.filter(|name| Unbuilt::named(name).is_some());
    let name = ours.chain(theirs).next()?;
    Some(format!("{row} is quoted, though {name} can be measured"))
}

/// What stands here for a target.
pub fn state(target: &Target, registry: &Registry) -> State {
    let missing = State::Missing;
    match target {
        Target::NoMachine(why) => State::Quoted(why.clone()),
        Target::Footprint(name) if footprint::names().any(|known| known == *name) => {
            State::Measured
        }
        Target::Footprint(name) => missing(format!("no footprint {name}")),
        Target::Stage { stage, .. } if !pipeline::stages().any(|(name, _)| name == stage) => {
            missing(format!("no stage {stage}"))
        }
        Target::Stage { algo, .. } if algo.parse::<Algorithm>().is_err() => {
            missing(format!("no pipeline of {algo}"))
        }
        Target::Stage { .. } => State::Measured,
        Target::Operations(_) | Target::Emulated { .. } => {
            let mut found = operations(target).iter().map(|one| find(one, registry));
            match (found.find_map(Result::err), target) {
                (Some(state), _) => state,
                (None, Target::Emulated { operation, .. })
                    if emulate::narrow(operation, registry).is_some() =>
                {
                    State::Emulated
                }
                (None, Target::Emulated { machine, .. }) => State::Quoted(machine.clone()),
                (None, _) if operations(target).len() > 1 => State::Modelled,
                (None, _) => State::Measured,
            }
        }
    }
}

/// Whether a row can be shown: something of it exists, or nothing of it could ever be.
pub(crate) fn is_shown(line: &Line, registry: &Registry) -> bool {
    let targets = || line.cells.iter().map(|cell| &cell.target);
    let quoted = |target: &Target| matches!(target, Target::NoMachine(_) | Target::Emulated { .. });
    let missing = |target| matches!(state(target, registry), State::Missing(_));
    targets().all(quoted) || targets().any(|target| !quoted(target) && !missing(target))
}

/// The operation, on the best of its implementations that the pattern fits; or what stands for it.
fn find<'a>(operation: &Operation, registry: &'a Registry) -> Result<Planned<'a>, State> {
    let Operation {
        op,
        bytes,
        batch,
        implementation,
        feature,
    } = operation;
    let missing = || State::Missing(format!("no operation {op}"));
    let known = registry
        .iter()
        .find(|known| known.name() == *op)
        .ok_or_else(missing)?;
    let forced = implementation.as_ref().map(|pattern| {
        let mut names = known.implementations().into_iter().map(|found| found.name);
        let lack = || match feature {
            Some(feature) => State::Feature(feature.clone()),
            None => State::Missing(format!("no implementation {pattern} of {op}")),
        };
        names.find(|name| matches(pattern, name)).ok_or_else(lack)
    });
    Ok(Planned {
        op: known.as_ref(),
        size: Size {
            bytes: *bytes,
            batch: *batch,
        },
        forced: forced.transpose()?,
    })
}
