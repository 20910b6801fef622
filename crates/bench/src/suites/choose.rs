//! What a suite measures, and which of its rows are absent: those whose operation, implementation
//! or stage does not exist, or is not in this build.

use std::fmt;

use adamant_ops::{Implementation, Size};
use adamant_pipeline::{self as pipeline, Algorithm};
use adamant_tool::select::{Unmatched, matches, select};

use super::{Operation, Suite, Table, Target};
use crate::footprint;
use crate::plan::Planned;

/// What a row needs to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Something that does not exist: `no operation p384/mul`.
    Missing(String),
    /// A build with this feature of cargo.
    Feature(String),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Missing(what) => f.write_str(what),
            Lack::Feature(name) => write!(f, "needs a build with --features {name}"),
        }
    }
}

/// A row of a document that cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The suite's name.
    pub suite: &'static str,
    /// Where the row is: the table's section, and its title.
    pub table: String,
    /// The row's labels.
    pub row: String,
    /// What is missing.
    pub lacks: Lack,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Absent {
            suite,
            table,
            row,
            lacks,
        } = self;
        write!(f, "{suite}, {table}: {row}: {lacks}")
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

/// The rows of the comparison that suites need, each once, in the order of their tables; of these
/// the ones that the patterns choose. Patterns may be for [`stages`] instead.
///
/// ```
/// use adamant_bench::suites::{choose::plan, find};
/// let registry = adamant_ops::registry();
/// let rows = plan(&[find("kctsb").unwrap()], &registry, &["sha256/*".into()])?;
/// assert_eq!((rows.len(), rows[0].size.bytes), (1, 1024));
/// # Ok::<(), adamant_tool::select::Unmatched>(())
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits no operation and no algorithm of theirs.
pub fn plan<'a>(
    suites: &[&Suite],
    registry: &'a [Box<dyn adamant_ops::Operation>],
    patterns: &[String],
) -> Result<Vec<Planned<'a>>, Unmatched> {
    let rows = planned_rows(suites, registry);
    let algorithms = stages(suites, &[]).algorithms;
    let operations = rows.iter().map(|row| row.op.name());
    let names: Vec<&str> = operations
        .chain(algorithms.iter().map(|algorithm| algorithm.name()))
        .collect();
    let chosen = select(&names, patterns)?;
    Ok(chosen
        .into_iter()
        .filter_map(|place| rows.get(place).copied())
        .collect())
}

/// How many of the rows are over when the table has all of its own; `None` of a table that has none
/// of them, or waits for something else than operations.
pub(crate) fn end(
    table: &Table,
    rows: &[Planned<'_>],
    registry: &[Box<dyn adamant_ops::Operation>],
) -> Option<usize> {
    let cells = table.lines.iter().flat_map(|line| &line.cells);
    let mut end = None;
    for cell in cells {
        let operations = match &cell.target {
            Target::Operations(operations) => operations,
            Target::NoMachine(_) => continue,
            Target::Emulated { .. } | Target::Footprint(_) | Target::Stage { .. } => return None,
        };
        let own = operations
            .iter()
            .filter_map(|operation| planned(operation, registry));
        let places = own.filter_map(|own| rows.iter().position(|row| is_same(row, &own)));
        end = end.max(places.map(|place| place + 1).max());
    }
    end
}

fn is_same(a: &Planned<'_>, b: &Planned<'_>) -> bool {
    (a.op.name(), a.size, a.forced) == (b.op.name(), b.size, b.forced)
}

fn planned_rows<'a>(
    suites: &[&Suite],
    registry: &'a [Box<dyn adamant_ops::Operation>],
) -> Vec<Planned<'a>> {
    let mut rows: Vec<Planned<'a>> = Vec::new();
    for target in suites.iter().flat_map(|suite| targets(suite)) {
        let Target::Operations(operations) = target else {
            continue;
        };
        for operation in operations {
            let Some(row) = planned(operation, registry) else {
                continue;
            };
            if !rows.iter().any(|known| is_same(known, &row)) {
                rows.push(row);
            }
        }
    }
    rows
}

/// What suites ask of the pipeline, of the algorithms that the patterns fit; without algorithms if
/// they ask nothing.
#[must_use]
pub fn stages(suites: &[&Suite], patterns: &[String]) -> Stages {
    let mut stages = Stages::default();
    for target in suites.iter().flat_map(|suite| targets(suite)) {
        let Target::Stage { algo, batch, .. } = target else {
            continue;
        };
        let Ok(algorithm) = algo.parse::<Algorithm>() else {
            continue;
        };
        let fits = |pattern: &String| matches(pattern, algorithm.name());
        if !patterns.is_empty() && !patterns.iter().any(fits) {
            continue;
        }
        if !stages.algorithms.contains(&algorithm) {
            stages.algorithms.push(algorithm);
        }
        if !stages.sizes.contains(batch) {
            stages.sizes.push(*batch);
        }
    }
    stages.sizes.sort_unstable();
    stages
}

pub(crate) fn targets(suite: &Suite) -> impl Iterator<Item = &Target> {
    let lines = suite.tables.iter().flat_map(|table| &table.lines);
    lines.flat_map(|line| line.cells.iter().map(|cell| &cell.target))
}

/// What suites ask of builds: names of [`footprint::names`].
pub(crate) fn footprints<'a>(suites: &[&'a Suite]) -> Vec<&'a String> {
    let targets = suites.iter().flat_map(|suite| targets(suite));
    let asked = targets.filter_map(|target| match target {
        Target::Footprint(name) => Some(name),
        _ => None,
    });
    asked.collect()
}

/// The rows of a suite that cannot be measured, in their order, each missing thing of a row once.
///
/// ```
/// use adamant_bench::suites::{choose::absent, find};
/// let registry = adamant_ops::registry();
/// let absent = absent(find("kctsb").unwrap(), &registry);
/// assert!(absent.iter().all(|row| !row.lacks.to_string().contains("sha256/digest")));
/// ```
#[must_use]
pub fn absent(suite: &Suite, registry: &[Box<dyn adamant_ops::Operation>]) -> Vec<Absent> {
    let mut absent = Vec::new();
    for table in &suite.tables {
        for line in &table.lines {
            for cell in &line.cells {
                let Err(lacks) = present(&cell.target, registry) else {
                    continue;
                };
                let row = Absent {
                    suite: suite.name,
                    table: format!("{} {}", table.section, table.title),
                    row: line.labels.join(", "),
                    lacks,
                };
                if absent.last() != Some(&row) {
                    absent.push(row);
                }
            }
        }
    }
    absent
}

/// Whether everything that a target needs is built.
///
/// # Errors
/// What is missing.
pub fn present(target: &Target, registry: &[Box<dyn adamant_ops::Operation>]) -> Result<(), Lack> {
    match target {
        Target::NoMachine(_) => Ok(()),
        Target::Footprint(name) if footprint::names().any(|known| known == *name) => Ok(()),
        Target::Footprint(name) => Err(Lack::Missing(format!("no footprint {name}"))),
        Target::Operations(operations) => operations.iter().try_for_each(|o| built(o, registry)),
        Target::Emulated { operation, .. } => built(operation, registry),
        Target::Stage { stage, algo, .. } => {
            if !pipeline::stages().any(|(name, _)| name == stage) {
                return Err(Lack::Missing(format!("no stage {stage}")));
            }
            match algo.parse::<Algorithm>() {
                Ok(_) => Ok(()),
                Err(_) => Err(Lack::Missing(format!("no pipeline of {algo}"))),
            }
        }
    }
}

fn built(operation: &Operation, registry: &[Box<dyn adamant_ops::Operation>]) -> Result<(), Lack> {
    let (_, found) = implementation(operation, registry)?;
    match (&operation.implementation, found) {
        (Some(pattern), None) => Err(match &operation.feature {
            Some(feature) => Lack::Feature(feature.clone()),
            None => Lack::Missing(format!("no implementation {pattern} of {}", operation.op)),
        }),
        _ => Ok(()),
    }
}

type Found<'a> = (
    &'a dyn adamant_ops::Operation,
    Option<&'static Implementation>,
);

/// The operation, and the best of its implementations that the pattern fits.
fn implementation<'a>(
    operation: &Operation,
    registry: &'a [Box<dyn adamant_ops::Operation>],
) -> Result<Found<'a>, Lack> {
    let mut known = registry.iter();
    let op = known
        .find(|op| op.name() == operation.op)
        .ok_or_else(|| Lack::Missing(format!("no operation {}", operation.op)))?;
    let found = operation.implementation.as_ref().and_then(|pattern| {
        let mut all = op.implementations().into_iter();
        all.find(|implementation| matches(pattern, implementation.name))
    });
    Ok((op.as_ref(), found))
}

fn planned<'a>(
    operation: &Operation,
    registry: &'a [Box<dyn adamant_ops::Operation>],
) -> Option<Planned<'a>> {
    built(operation, registry).ok()?;
    let (op, found) = implementation(operation, registry).ok()?;
    Some(Planned {
        op,
        size: Size {
            bytes: operation.bytes,
            batch: operation.batch,
        },
        forced: found.map(|implementation| implementation.name),
    })
}
