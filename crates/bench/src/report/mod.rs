//! The report: tables for the terminal ([`table`], [`lines`]), one self-contained page
//! ([`html`]) and the same as [`markdown`].
//!
//! | file | holds |
//! |---|---|
//! | `view` | a run ordered for reading: each operation once, its rivals beside it |
//! | `family` | the titles of families |
//! | `format` | numbers as people read them |
//! | `html` | the page; its parts are the files below |
//! | `overview` | who won how often: cards, families against rivals |
//! | `changes` | what changed since a baseline |
//! | `heat` | the heat map, worst first |
//! | `bars`, `throughput`, `marks` | charts of a family, and how a rival is drawn in them |
//! | `pipeline` | charts of the certificate pipeline |
//! | `grid`, `suite` | the documents' tables |
//! | `operations` | every number |
//! | `data` | the results for programs |
//! | `weights` | what builds take |
//! | `svg` | pieces of drawings |

use std::collections::BTreeSet;

use crate::results::{Report, Stage};

mod bars;
mod changes;
mod data;
mod family;
mod format;
mod grid;
mod heat;
mod html;
mod markdown;
mod marks;
mod operations;
mod overview;
mod pipeline;
mod suite;
mod svg;
mod table;
mod throughput;
mod view;
mod weights;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use html::html;
pub use markdown::markdown;
pub use suite::{lines, suite_introduction};
pub use table::table;
pub use weights::weights;

/// The title of a page.
fn title(report: &Report) -> String {
    match report.engines.as_slice() {
        [] => "Measured on this machine".into(),
        [one] => format!("Measured beside {}", format::short_version(&one.version)),
        many => format!("Measured beside {} libraries", many.len()),
    }
}

/// One stage over its batch sizes, or over threads.
struct Series<'a> {
    /// The stage, and what sets this series apart from others of the same stage.
    label: String,
    rows: Vec<&'a Stage>,
}

/// The stages of one algorithm.
struct Pipeline<'a> {
    algo: &'a str,
    /// Over batch sizes, on the most threads that occur.
    series: Vec<Series<'a>>,
    /// Over threads, in the largest batch; none where there is only one number of threads.
    over_threads: Vec<Series<'a>>,
}

impl Pipeline<'_> {
    /// The batch sizes that occur.
    fn batches(&self) -> BTreeSet<usize> {
        let rows = self.series.iter().flat_map(|series| &series.rows);
        rows.map(|row| row.batch).collect()
    }
}

/// Of the first side, which is ours.
fn pipelines(rows: &[Stage]) -> Vec<Pipeline<'_>> {
    let ours = |row: &&Stage| row.provider == rows[0].provider;
    let mut algorithms: Vec<&str> = Vec::new();
    for row in rows.iter().filter(ours) {
        if !algorithms.contains(&row.algo.as_str()) {
            algorithms.push(&row.algo);
        }
    }
    let of = |algo| {
        let rows = rows.iter().filter(ours);
        let rows: Vec<_> = rows.filter(|row| row.algo == algo).collect();
        let threads = rows.iter().map(|row| row.threads).max();
        let batch = rows.iter().map(|row| row.batch).max();
        let widest = rows.iter().filter(|row| Some(row.threads) == threads);
        let largest = rows.iter().filter(|row| Some(row.batch) == batch);
        let mut over_threads = grouped(largest, |row| row.threads);
        over_threads.retain(|series| series.rows.len() > 1);
        Pipeline {
            algo,
            series: grouped(widest, |row| row.batch),
            over_threads,
        }
    };
    algorithms.into_iter().map(of).collect()
}

/// Rows in series of the same label, each in the order of `over`.
fn grouped<'a, 'b>(
    rows: impl Iterator<Item = &'b &'a Stage>,
    over: impl Fn(&Stage) -> usize,
) -> Vec<Series<'a>>
where
    'a: 'b,
{
    let rows: Vec<&Stage> = rows.copied().collect();
    let mut all: Vec<Series<'a>> = Vec::new();
    for &row in &rows {
        let label = label(row, &rows);
        match all.iter_mut().find(|series| series.label == label) {
            Some(series) => series.rows.push(row),
            None => all.push(Series {
                label,
                rows: vec![row],
            }),
        }
    }
    for series in &mut all {
        series.rows.sort_by_key(|row| over(row));
    }
    all
}

/// The stage; with provider, keys or `synchronous` where that stage occurs with several.
fn label(row: &Stage, all: &[&Stage]) -> String {
    let same = || all.iter().filter(|other| other.stage == row.stage);
    let mut marks = Vec::new();
    if same().any(|other| other.keys != row.keys) {
        marks.push(format!("keys {}", row.keys.name()));
    }
    if same().any(|other| other.synchronous != row.synchronous) {
        marks.push(row.synchronous.name().to_owned());
    }
    if same().any(|other| other.provider != row.provider) {
        marks.push(row.provider.clone());
    }
    if marks.is_empty() {
        row.stage.clone()
    } else {
        format!("{} ({})", row.stage, marks.join(", "))
    }
}
