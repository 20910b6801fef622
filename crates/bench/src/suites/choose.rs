//! What of a suite is asked for, what there is to measure, and what stands for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use adamant_pipeline::Algorithm;
use adamant_tool::select::{Unmatched, matches, select};
use adamant_tool::text::distinct;

use super::{Cell, Column, Line, Operation, Suite, Table, Target};
use crate::emulate::is_narrow;
use crate::plan::Planned;
use crate::unbuilt::Unbuilt;

/// Our operations.
type Registry = [Box<dyn adamant_ops::Operation>];

/// Patterns over implementations that are only built with a feature of cargo.
const FEATURES: [(&str, &str); 3] = [
    ("tab*", "table-ciphers"),
    ("generic*", "generic"),
    ("bignum*", "generic"),
];

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
    let mut known = Vec::new();
    for table in suites.iter().flat_map(|suite| &suite.tables) {
        known.extend(words(table, false).into_iter().flatten().flatten());
    }
    known.sort_by_key(|(kind, _)| *kind);
    let all = distinct(known.iter().map(|(_, word)| word.as_str()));
    select(&all, patterns)?;
    let mut asked: [Vec<&String>; 3] = Default::default();
    for pattern in patterns {
        let first = known.iter().find(|(_, word)| matches(pattern, word));
        asked[first.map_or(NAME, |(kind, _)| *kind)].push(pattern);
    }
    let is_asked = |words: &Vec<Word>| {
        (NAME..=TITLE).zip(&asked).all(|(kind, asked)| {
            let mut words = words.iter().filter(|(of, _)| *of == kind);
            asked.is_empty() || words.any(|(_, word)| asked.iter().any(|one| matches(one, word)))
        })
    };
    let by_title = !asked[TITLE].is_empty();
    let mut chosen: Vec<Suite> = suites.iter().map(|&suite| suite.clone()).collect();
    for suite in &mut chosen {
        for table in &mut suite.tables {
            let lines = words(table, by_title).into_iter();
            let line = |words: Vec<_>| words.iter().map(is_asked).collect::<Vec<bool>>();
            let asked: Vec<Vec<bool>> = lines.map(line).collect();
            let is_column = |column: usize| asked.iter().any(|line| line[column]);
            keep(&mut table.lines, |line| asked[line].contains(&true));
            keep(&mut table.columns, is_column);
            for line in &mut table.lines {
                keep(&mut line.cells, is_column);
            }
        }
        suite.tables.retain(|table| !table.lines.is_empty());
    }
    let (pattern, near) = (patterns.join(" "), Vec::new());
    match chosen.iter().all(|suite| suite.tables.is_empty()) {
        true => Err(Unmatched { pattern, near }),
        false => Ok(chosen),
    }
}

fn keep<T>(items: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
    let mut places = 0..;
    items.retain(|_| places.next().is_some_and(&is_kept));
}

/// What the figures of a table answer to, row by row. What is only quoted asks for nothing itself;
/// `borrows` gives it what the others of its row ask for.
fn words(table: &Table, borrows: bool) -> Vec<Vec<Vec<Word>>> {
    let words = |line: &Line, cell: &Cell, column: &Column| {
        let mut words = match cell.target {
            Target::NoMachine(_) if borrows => line.cells.iter().flat_map(asked_of).collect(),
            _ => asked_of(cell),
        };
        words.extend([&column.group, &column.name].map(|title| (TITLE, title.clone())));
        words.retain(|(_, word)| !word.is_empty());
        words
    };
    let lines = table.lines.iter().map(|line| {
        let cells = line.cells.iter().zip(&table.columns);
        Vec::from_iter(cells.map(|(cell, column)| words(line, cell, column)))
    });
    lines.collect()
}

/// The names and the sizes of what a cell asks for; what is done one by one is of so many items.
fn asked_of(cell: &Cell) -> Vec<Word> {
    let mut words = Vec::new();
    let mut add = |name: &str, sizes: [usize; 2]| {
        let sizes = sizes.into_iter().filter(|size| *size > 1);
        words.push((NAME, name.to_owned()));
        words.extend(sizes.map(|size| (SIZE, size.to_string())));
    };
    let all = || cell.target.operations().iter();
    for one in distinct(all()) {
        let times = all().filter(|other| *other == one).count();
        add(&one.op, [one.size.bytes, one.size.batch * times]);
    }
    match &cell.target {
        Target::Stage(_, algo, batch) => add(algo.name(), [0, *batch]),
        Target::Footprint(name) => add(name, [0, 0]),
        _ => {}
    }
    words
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
    let Target::Operations(operations) = target else {
        return Vec::new();
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
    let mut all: BTreeMap<State, Vec<String>> = BTreeMap::new();
    for table in &suite.tables {
        for line in &table.lines {
            let states = line.cells.iter().map(|cell| state(&cell.target, registry));
            let missed = needless(suite, table, line, registry).map(State::Missing);
            for state in BTreeSet::from_iter(states.chain(missed)) {
                all.entry(state).or_default().push(table.section.clone());
            }
        }
    }
    all.remove(&State::Measured);
    let (suite, all) = (suite.name, all.into_iter());
    all.map(|(state, rows)| Absent { suite, state, rows })
        .collect()
}

/// Why a row is quoted needlessly: a figure's reason names no machine that is elsewhere, but another
/// figure of the row is measured, or the row names what we or engines can have.
fn needless(suite: &Suite, table: &Table, line: &Line, registry: &Registry) -> Option<String> {
    let row = line.labels.join(" ");
    let mut known = line.cells.iter().flat_map(asked_of);
    let known = known.next().map(|(_, name)| name);
    let is_elsewhere = |why: &str| suite.elsewhere.iter().any(|name| why.contains(name));
    let mut cells = line.cells.iter().zip(&table.columns);
    let name = cells.find_map(|(cell, column)| match &cell.target {
        Target::NoMachine(why) if cell.quote.is_some() && !is_elsewhere(why) => known
            .clone()
            .or_else(|| named(&row, &column.group, registry)),
        _ => None,
    })?;
    Some(format!("{row} is quoted, though {name} can be measured"))
}

/// The operation, or the algorithm, that the labels of a row name: with the title of the columns, by
/// themselves, or as an algorithm.
fn named(row: &str, group: &str, registry: &Registry) -> Option<String> {
    let joined = |text: &str| text.trim().to_lowercase().replace(' ', "-");
    let (row, whole) = (joined(row), joined(&format!("{row} {group}")));
    for text in [&whole, &row] {
        for (cut, _) in text.match_indices('-') {
            let name = format!("{}/{}", &text[..cut], &text[cut + 1..]);
            if Unbuilt::named(&name).is_some() {
                return Some(name);
            }
        }
    }
    // SHA-256 is sha256.
    let plain = |name: &str| name.replace('-', "");
    let mut ours = registry.iter().filter_map(|op| op.name().split_once('/'));
    match ours.find(|(ours, _)| plain(ours) == plain(&row)) {
        Some((ours, _)) => Some(ours.to_owned()),
        None => Unbuilt::knows(&row).then_some(row),
    }
}

/// What stands here for a target.
pub(crate) fn state(target: &Target, registry: &Registry) -> State {
    let mut parts = target.operations().iter();
    if let Some(lack) = parts.find_map(|one| find(one, registry, false).err()) {
        return lack;
    }
    match target {
        Target::NoMachine(why) => State::Quoted(why.clone()),
        Target::Emulated(operation, machine) => match find(operation, registry, true) {
            Ok(_) => State::Emulated,
            Err(_) => State::Quoted(machine.clone()),
        },
        Target::Operations(parts) if parts.len() > 1 => State::Modelled,
        _ => State::Measured,
    }
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
    let is_it = |pattern, name: &str| matches(pattern, name) && (!narrow || is_narrow(name));
    let forced = pattern.and_then(|pattern| names.find(|name| is_it(pattern, name)));
    if let (Some(pattern), None) = (pattern, forced) {
        let feature = FEATURES.iter().find(|(built, _)| matches(built, pattern));
        return Err(match feature {
            Some((_, feature)) => State::Feature((*feature).into()),
            None => State::Missing(format!("no implementation {pattern} of {}", asked.op)),
        });
    }
    let (op, size) = (op.as_ref(), asked.size);
    Ok(Planned { op, size, forced })
}
