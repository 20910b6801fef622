//! What of a suite is asked for, what there is to measure, and what stands for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use adamant_pipeline::Algorithm;
use adamant_tool::select::{Unmatched, matches, select};
use adamant_tool::text::distinct;

use super::{Cell, Column, Line, Operation, Suite, Table, Target};
use crate::emulate::is_narrow;
use crate::plan::Planned;

/// Our operations.
type Registry = [Box<dyn adamant_ops::Operation>];

/// Patterns over implementations that are only built with a feature of cargo.
const FEATURES: [(&str, &str); 3] = [
    ("tab*", "table-ciphers"),
    ("generic*", "generic"),
    ("bignum*", "generic"),
];

/// What stands here for a figure of a document in place of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
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
        let Absent { suite, state, rows } = self;
        let sections = distinct(rows.iter().map(String::as_str)).join(", ");
        let (count, s) = (rows.len(), if rows.len() == 1 { "" } else { "s" });
        write!(f, "{suite}: {state}: {count} row{s} of {sections}")
    }
}

/// What a figure answers to: a name (of an operation, an algorithm of the pipeline, a build), a size,
/// or a title of its column.
type Word = (usize, String);
const NAME: usize = 0;
const SIZE: usize = 1;
const TITLE: usize = 2;

/// What the patterns choose of suites: each by the first that it fits of the names of operations,
/// algorithms of the pipeline and builds, of sizes, and of the titles of columns. Patterns of one
/// kind add up, those of different kinds narrow down; columns that nothing chosen is in are left
/// out, and of those that are only quoted the ones whose titles are asked for are in the rows whose
/// other figures are chosen.
///
/// ```
/// use adamant_bench::suites::{choose::chosen, find};
/// let patterns = ["aes-128-gcm/*", "1024", "openssl*"].map(str::to_owned);
/// let suite = &chosen(&[find("kctsb").unwrap()], &patterns)?[0];
/// let tables: Vec<&str> = suite.tables.iter().map(|t| t.section.as_str()).collect();
/// assert_eq!(tables, ["3.1", "3.3"]);
/// assert_eq!(suite.tables[1].columns[0].name, "OpenSSL GCM");
/// assert_eq!(suite.tables[1].lines[0].labels, ["1KB"]);
/// # Ok::<(), adamant_tool::select::Unmatched>(())
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits nothing, or for all where nothing fits them all.
pub fn chosen(suites: &[&Suite], patterns: &[String]) -> Result<Vec<Suite>, Unmatched> {
    let mut known = BTreeSet::new();
    for table in suites.iter().flat_map(|suite| &suite.tables) {
        for at in table.columns.iter().enumerate() {
            known.extend(table.lines.iter().flat_map(|line| words(line, at)));
        }
    }
    let all = distinct(known.iter().map(|(_, word)| word.as_str()));
    select(&all, patterns)?;
    let asked = Vec::from_iter(patterns.iter().map(|pattern| {
        let word = known.iter().find(|(_, word)| matches(pattern, word));
        (word.map_or(0, |(kind, _)| *kind), pattern)
    }));
    let by_title = asked.is_empty() || asked.iter().any(|(kind, _)| *kind == TITLE);
    let is_asked = |line: &Line, (place, column): (usize, &Column)| {
        let words = words(line, (place, column));
        let is_quoted = matches!(line.cells[place].target, Target::NoMachine(_));
        let fits = |kind| {
            let words = words.iter().filter(|(other, _)| *other == kind);
            let mut asked = asked.iter().filter(|(other, _)| *other == kind);
            asked.any(|(_, one)| words.clone().any(|(_, word)| matches(one, word)))
        };
        (by_title || !is_quoted) && asked.iter().all(|(kind, _)| fits(*kind))
    };
    let mut chosen = Vec::from_iter(suites.iter().map(|&suite| suite.clone()));
    for suite in &mut chosen {
        for Table { columns, lines, .. } in &mut suite.tables {
            lines.retain(|line| columns.iter().enumerate().any(|at| is_asked(line, at)));
            let is_kept = |at| lines.iter().any(|line| is_asked(line, at));
            let kept = Vec::from_iter(columns.iter().enumerate().map(is_kept));
            keep(columns, &kept);
            lines
                .iter_mut()
                .for_each(|line| keep(&mut line.cells, &kept));
        }
        suite.tables.retain(|table| !table.lines.is_empty());
    }
    let (pattern, near) = (patterns.join(" "), Vec::new());
    match chosen.iter().all(|suite| suite.tables.is_empty()) {
        true => Err(Unmatched { pattern, near }),
        false => Ok(chosen),
    }
}

fn keep<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next() == Some(&true));
}

/// What the figure in a column of a row answers to; one that is only quoted to what the others of its
/// row ask for.
fn words(line: &Line, (place, column): (usize, &Column)) -> Vec<Word> {
    let all = match line.cells[place].target {
        Target::NoMachine(_) => &line.cells[..],
        _ => &line.cells[place..=place],
    };
    let mut words: Vec<Word> = all.iter().flat_map(asked_of).collect();
    words.extend([&column.group, &column.name].map(|title| (TITLE, title.clone())));
    words.retain(|(_, word)| !word.is_empty());
    words
}

/// The names and the sizes of what a cell asks for; what is done one by one is of so many items.
fn asked_of(cell: &Cell) -> Vec<Word> {
    let of = |name: &str, sizes: [usize; 2]| {
        let sizes = sizes.into_iter().filter(|size| *size > 1);
        let sizes = sizes.map(|size| (SIZE, size.to_string()));
        Vec::from_iter([(NAME, name.to_owned())].into_iter().chain(sizes))
    };
    match &cell.target {
        Target::Stage(_, algo, batch) => of(algo.name(), [0, *batch]),
        Target::Footprint(name) => of(name, [0, 0]),
        target => {
            let all = target.operations().iter();
            let times = |one: &Operation| all.clone().filter(|other| *other == one).count();
            let of = |one: &Operation| of(&one.op, [one.size.bytes, one.size.batch * times(one)]);
            all.clone().flat_map(of).collect()
        }
    }
}

pub(crate) fn targets<'a>(suites: &[&'a Suite]) -> impl Iterator<Item = &'a Target> {
    let tables = suites.iter().flat_map(|suite| &suite.tables);
    let lines = tables.flat_map(|table| &table.lines);
    lines.flat_map(|line| &line.cells).map(|cell| &cell.target)
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
    distinct(targets(suites).flat_map(|target| planned(target, registry)))
}

/// The rows of the comparison that a target needs.
pub(crate) fn planned<'a>(target: &Target, registry: &'a Registry) -> Vec<Planned<'a>> {
    let operations = match target {
        Target::Operations(operations) => &operations[..],
        _ => &[],
    };
    let found = operations.iter().map(|one| find(one, registry, false));
    found.filter_map(Result::ok).collect()
}

/// What suites ask of the pipeline: the algorithms of keys, and the sizes of batches.
pub(crate) fn stages(suites: &[&Suite]) -> (Vec<Algorithm>, Vec<usize>) {
    let asked = targets(suites).filter_map(|target| match target {
        Target::Stage(_, algo, batch) => Some((*algo, *batch)),
        _ => None,
    });
    let (algorithms, sizes): (Vec<_>, BTreeSet<_>) = asked.unzip();
    (distinct(algorithms.into_iter()), Vec::from_iter(sizes))
}

/// What suites ask of builds: names of [`crate::footprint::names`].
pub(crate) fn footprints<'a>(suites: &[&'a Suite]) -> Vec<&'a String> {
    let asked = targets(suites).filter_map(|target| match target {
        Target::Footprint(name) => Some(name),
        _ => None,
    });
    asked.collect()
}

/// What stands for the rows of a suite that are not measured, each kind by itself. A row is missing if
/// a figure of it is quoted for a reason that names no machine that is elsewhere.
///
/// ```
/// use adamant_bench::suites::{choose::absent, find};
/// let absent = absent(find("curve25519").unwrap(), &adamant_ops::registry());
/// let lines: Vec<String> = absent.iter().map(ToString::to_string).collect();
/// assert!(lines.contains(&"curve25519: quoted: Apple M1: 3 rows of Platforms/1".to_owned()));
/// ```
#[must_use]
pub fn absent(suite: &Suite, registry: &Registry) -> Vec<Absent> {
    let mut all: BTreeMap<State, Vec<String>> = BTreeMap::new();
    let is_elsewhere = |why: &str| suite.elsewhere.iter().any(|name| why.contains(name));
    for table in &suite.tables {
        for line in &table.lines {
            let row = line.labels.join(" ");
            let states =
                line.cells
                    .iter()
                    .filter_map(|cell| match state(&cell.target, registry)? {
                        State::Quoted(why) if cell.quote.is_some() && !is_elsewhere(&why) => Some(
                            State::Missing(format!("{row} is quoted, not for a machine elsewhere")),
                        ),
                        state => Some(state),
                    });
            for state in BTreeSet::from_iter(states) {
                all.entry(state).or_default().push(table.section.clone());
            }
        }
    }
    let (suite, all) = (suite.name, all.into_iter());
    all.map(|(state, rows)| Absent { suite, state, rows })
        .collect()
}

/// What stands here for a target; `None` where it is measured.
pub(crate) fn state(target: &Target, registry: &Registry) -> Option<State> {
    let mut parts = target.operations().iter();
    let lack = parts.find_map(|one| find(one, registry, false).err());
    let quoted = |why: &String| Some(State::Quoted(why.clone()));
    lack.or_else(|| match target {
        Target::NoMachine(why) => quoted(why),
        Target::Emulated(one, machine) if find(one, registry, true).is_err() => quoted(machine),
        Target::Emulated(..) => Some(State::Emulated),
        Target::Operations(parts) if parts.len() > 1 => Some(State::Modelled),
        _ => None,
    })
}

/// The operation, on the best of its implementations that the pattern fits (and that are narrow, where
/// that is asked for); or what stands for it.
pub(crate) fn find<'a>(
    asked: &Operation,
    registry: &'a Registry,
    narrow: bool,
) -> Result<Planned<'a>, State> {
    let op = registry.iter().find(|op| op.name() == asked.op);
    let op = op.ok_or_else(|| State::Missing(format!("no operation {}", asked.op)))?;
    let pattern = asked.implementation.as_deref().or(narrow.then_some("*"));
    let mut names = op.implementations().into_iter().map(|found| found.name);
    let forced = pattern.map(|pattern| {
        let found = names.find(|name| matches(pattern, name) && (!narrow || is_narrow(name)));
        let feature = || FEATURES.iter().find(|(built, _)| matches(built, pattern));
        found.ok_or_else(|| match feature() {
            Some((_, feature)) => State::Feature((*feature).into()),
            None => State::Missing(format!("no implementation {pattern} of {}", asked.op)),
        })
    });
    let (op, size, forced) = (op.as_ref(), asked.size, forced.transpose()?);
    Ok(Planned { op, size, forced })
}
