//! What of a suite is asked for, what there is to measure, and what stands for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::{fmt, slice};

use adamant_ops::Size;
use adamant_pipeline::Algorithm;
use adamant_tool::select::{Unmatched, matches, select};
use adamant_tool::text::distinct;

use super::{Line, Operation, Suite, Table, Target};
use crate::emulate;
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
/// assert_eq!(suite.tables[1].groups[0].columns[0].0, "OpenSSL GCM");
/// assert_eq!(suite.tables[1].lines[0].labels, ["1KB"]);
/// # Ok::<(), adamant_tool::select::Unmatched>(())
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits nothing, or for all where nothing fits them all.
pub fn chosen(suites: &[&Suite], patterns: &[String]) -> Result<Vec<Suite>, Unmatched> {
    let mut suites: Vec<Suite> = suites.iter().map(|suite| (*suite).clone()).collect();
    let tables = suites.iter().flat_map(|suite| &suite.tables);
    let figures: Vec<Figure> = tables.flat_map(|table| figures(table, false)).collect();
    let words = |kind: usize| figures.iter().flat_map(move |(_, words)| &words[kind]);
    let all = distinct((0..3).flat_map(words).map(String::as_str));
    select(&all, patterns)?;
    let mut kinds: [Vec<&String>; 3] = Default::default();
    for pattern in patterns {
        let fits = |kind: &usize| words(*kind).any(|word| matches(pattern, word));
        kinds[(0..3).find(fits).unwrap_or(0)].push(pattern);
    }
    let is_asked = |(_, words): &Figure| {
        kinds.iter().zip(words).all(|(patterns, words)| {
            let fits = |pattern: &&String| words.iter().any(|word| matches(pattern, word));
            patterns.is_empty() || patterns.iter().any(fits)
        })
    };
    let by_title = !kinds[2].is_empty();
    for table in suites.iter_mut().flat_map(|suite| &mut suite.tables) {
        let asked = self::figures(table, by_title).into_iter().filter(is_asked);
        let asked: Vec<Place> = asked.map(|(place, _)| place).collect();
        let is_line = |line| asked.iter().any(|place| place[0] == line);
        let is_group = |group| asked.iter().any(|place| place[1] == group);
        keep(&mut table.lines, is_line);
        for group in 0..table.groups.len() {
            let is_column = |column| asked.iter().any(|place| place[1..] == [group, column]);
            keep(&mut table.groups[group].columns, is_column);
            for line in &mut table.lines {
                keep(&mut line.cells[group].quotes, is_column);
            }
        }
        keep(&mut table.groups, is_group);
        for line in &mut table.lines {
            keep(&mut line.cells, is_group);
        }
    }
    for suite in &mut suites {
        suite.tables.retain(|table| !table.lines.is_empty());
    }
    match suites.iter().all(|suite| suite.tables.is_empty()) {
        true => Err(Unmatched {
            pattern: patterns.join(" "),
            near: Vec::new(),
        }),
        false => Ok(suites),
    }
}

/// The line, the group and the column of a figure.
type Place = [usize; 3];

/// A figure, and the names, the sizes and the titles that it answers to.
type Figure = (Place, [Vec<String>; 3]);

/// The figures of a table. What is only quoted asks for nothing itself; `borrows` gives it what the
/// others of its row ask for.
fn figures(table: &Table, borrows: bool) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (l, line) in table.lines.iter().enumerate() {
        let mut row: [Vec<String>; 2] = Default::default();
        for cell in line.cells.iter().filter(|_| borrows) {
            for (row, own) in row.iter_mut().zip(asked_of(&cell.target)) {
                row.extend(own);
            }
        }
        for (g, (cell, group)) in line.cells.iter().zip(&table.groups).enumerate() {
            for (c, (title, _)) in group.columns.iter().enumerate() {
                let [names, sizes] = match cell.target {
                    Target::NoMachine(_) => row.clone(),
                    _ => asked_of(&cell.target),
                };
                let mut titles = vec![group.title.clone(), title.clone()];
                titles.retain(|title| !title.is_empty());
                figures.push(([l, g, c], [names, sizes, titles]));
            }
        }
    }
    figures
}

/// The names and the sizes of what a target asks for; what is done one by one is of so many items.
fn asked_of(target: &Target) -> [Vec<String>; 2] {
    let all = operations(target).iter();
    let mut sizes = Vec::new();
    for one in distinct(all.clone()) {
        let batch = all.clone().filter(|other| *other == one).count() * one.batch;
        sizes.extend((one.bytes > 0).then_some(one.bytes));
        sizes.extend((batch > 1).then_some(batch));
    }
    let (name, size) = match target {
        Target::Stage { algo, batch, .. } => (Some(algo.name()), Some(*batch)),
        Target::Footprint(name) => (Some(name.as_str()), None),
        _ => (None, None),
    };
    let names = all.map(|one| one.op.clone()).chain(name.map(str::to_owned));
    [
        names.collect(),
        { sizes.into_iter().chain(size) }
            .map(|size| size.to_string())
            .collect(),
    ]
}

/// Keeps the items in such places.
fn keep<T>(items: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
    let mut places = 0..;
    items.retain(|_| places.next().is_some_and(&is_kept));
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
pub(crate) fn planned<'a>(target: &Target, registry: &'a Registry) -> Vec<Planned<'a>> {
    match target {
        Target::Operations(operations) => {
            let found = operations.iter().map(|operation| find(operation, registry));
            found.filter_map(Result::ok).collect()
        }
        _ => Vec::new(),
    }
}

/// What suites ask of the pipeline: the algorithms of keys, and the sizes of batches.
#[must_use]
pub fn stages(suites: &[&Suite]) -> (Vec<Algorithm>, Vec<usize>) {
    let asked = targets(suites).filter_map(|target| match target {
        Target::Stage { algo, batch, .. } => Some((*algo, *batch)),
        _ => None,
    });
    let (algorithms, sizes): (Vec<_>, BTreeSet<_>) = asked.unzip();
    (
        distinct(algorithms.into_iter()),
        sizes.into_iter().collect(),
    )
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
    let mut rows: BTreeMap<State, Vec<String>> = BTreeMap::new();
    for table in &suite.tables {
        for line in &table.lines {
            let states = line.cells.iter().map(|cell| state(&cell.target, registry));
            let missed = needless(suite, table, line, registry).map(State::Missing);
            for state in BTreeSet::from_iter(states.chain(missed)) {
                rows.entry(state).or_default().push(table.section.clone());
            }
        }
    }
    rows.remove(&State::Measured);
    let absent = |(state, rows)| Absent {
        suite: suite.name,
        state,
        rows,
    };
    rows.into_iter().map(absent).collect()
}

/// Why a row is quoted needlessly: a figure's reason names no machine that is elsewhere, but another
/// figure of the row is measured, or the row names what we or engines can have.
fn needless(suite: &Suite, table: &Table, line: &Line, registry: &Registry) -> Option<String> {
    let row = line.labels.join(" ");
    let known = || {
        let cells = line.cells.iter();
        cells.flat_map(|cell| {
            let [names, _] = asked_of(&cell.target);
            names
        })
    };
    let cells = line.cells.iter().zip(&table.groups);
    let mut names = cells.filter_map(|(cell, group)| match &cell.target {
        Target::NoMachine(why) => {
            let is_elsewhere = suite.elsewhere.iter().any(|name| why.contains(name));
            let is_quoted = cell.quotes.iter().any(Option::is_some) && !is_elsewhere;
            let name = || {
                known()
                    .next()
                    .or_else(|| named(&row, &group.title, registry))
            };
            is_quoted.then(name).flatten()
        }
        _ => None,
    });
    let name = names.next()?;
    Some(format!("{row} is quoted, though {name} can be measured"))
}

/// The operation, or the algorithm, that the labels of a row name: with the title of the columns, by
/// themselves, or as an algorithm.
fn named(row: &str, group: &str, registry: &Registry) -> Option<String> {
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_lowercase).collect() };
    let (row, group) = (words(row), words(group));
    let whole = [&row[..], &group].concat();
    let operation = [&whole, &row].into_iter().find_map(|words| {
        let mut names = (1..words.len()).map(|cut| {
            let (algorithm, operation) = words.split_at(cut);
            format!("{}/{}", algorithm.join("-"), operation.join("-"))
        });
        names.find(|name| Unbuilt::named(name).is_some())
    });
    let algorithm = row.join("-");
    // SHA-256 is sha256.
    let is_it = |name: &str| name.replace('-', "") == algorithm.replace('-', "");
    let ours = || {
        let algorithms = registry.iter().filter_map(|op| op.name().split_once('/'));
        { algorithms }.find_map(|(ours, _)| is_it(ours).then(|| ours.to_owned()))
    };
    let theirs = || Unbuilt::knows(&algorithm).then(|| algorithm.clone());
    operation.or_else(ours).or_else(theirs)
}

/// What stands here for a target.
pub fn state(target: &Target, registry: &Registry) -> State {
    let mut found = operations(target).iter().map(|one| find(one, registry));
    match (found.find_map(Result::err), target) {
        (Some(lack), _) => lack,
        (_, Target::NoMachine(why)) => State::Quoted(why.clone()),
        (_, Target::Emulated { operation, machine }) => {
            match emulate::narrow(operation, registry) {
                Some(_) => State::Emulated,
                None => State::Quoted(machine.clone()),
            }
        }
        (_, Target::Operations(parts)) if parts.len() > 1 => State::Modelled,
        _ => State::Measured,
    }
}

/// The operation, on the best of its implementations that the pattern fits; or what stands for it.
fn find<'a>(asked: &Operation, registry: &'a Registry) -> Result<Planned<'a>, State> {
    let op = registry.iter().find(|op| op.name() == asked.op);
    let op = op.ok_or_else(|| State::Missing(format!("no operation {}", asked.op)))?;
    let mut names = op.implementations().into_iter().map(|found| found.name);
    let forced = asked.implementation.as_ref().map(|pattern| {
        let found = names.find(|name| matches(pattern, name));
        found.ok_or_else(|| match &asked.feature {
            Some(feature) => State::Feature(feature.clone()),
            None => State::Missing(format!("no implementation {pattern} of {}", asked.op)),
        })
    });
    Ok(Planned {
        op: op.as_ref(),
        size: Size {
            bytes: asked.bytes,
            batch: asked.batch,
        },
        forced: forced.transpose()?,
    })
}
