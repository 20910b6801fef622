//! The report: tables for the terminal ([`table`], [`suite_tables`]), one self-contained page
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
//! | `svg` | pieces of drawings |

use std::collections::BTreeSet;

use crate::results::{PipelineRow, Report};

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

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use html::html;
pub use markdown::markdown;
pub use suite::suite_tables;
pub use table::table;

/// The title of a page.
fn title(report: &Report) -> String {
    match report.engines.as_slice() {
        [] => "Measured on this machine".into(),
        [one] => format!("Measured beside {}", format::short_version(&one.version)),
        many => format!("Measured beside {} libraries", many.len()),
    }
}

/// One stage over its batch sizes.
struct Series<'a> {
    /// The stage, and what sets this series apart from others of the same stage.
    label: String,
    rows: Vec<&'a PipelineRow>,
}

/// The stages of one algorithm.
struct Pipeline<'a> {
    algo: &'a str,
    series: Vec<Series<'a>>,
}

impl Pipeline<'_> {
    /// The batch sizes that occur.
    fn batches(&self) -> BTreeSet<usize> {
        let rows = self.series.iter().flat_map(|series| &series.rows);
        rows.map(|row| row.batch).collect()
    }
}

fn pipelines(rows: &[PipelineRow]) -> Vec<Pipeline<'_>> {
    let mut pipelines: Vec<Pipeline<'_>> = Vec::new();
    for row in rows {
        let label = label(row, rows);
        let known = pipelines.iter_mut().position(|p| p.algo == row.algo);
        let at = known.unwrap_or(pipelines.len());
        if known.is_none() {
            pipelines.push(Pipeline {
                algo: &row.algo,
                series: Vec::new(),
            });
        }
        let series = &mut pipelines[at].series;
        match series.iter_mut().find(|series| series.label == label) {
            Some(series) => series.rows.push(row),
            None => series.push(Series {
                label,
                rows: vec![row],
            }),
        }
    }
    for series in pipelines.iter_mut().flat_map(|p| &mut p.series) {
        series.rows.sort_by_key(|row| row.batch);
    }
    pipelines
}

/// The stage; with keys or `synchronous` where that stage occurs with several.
fn label(row: &PipelineRow, all: &[PipelineRow]) -> String {
    let same = || all.iter().filter(|other| other.stage == row.stage);
    let mut marks = Vec::new();
    if let Some(keys) = &row.keys
        && same().any(|other| other.keys != row.keys)
    {
        marks.push(format!("keys {keys}"));
    }
    if let Some(synchronous) = &row.synchronous
        && same().any(|other| other.synchronous != row.synchronous)
    {
        marks.push(synchronous.clone());
    }
    if marks.is_empty() {
        row.stage.clone()
    } else {
        format!("{} ({})", row.stage, marks.join(", "))
    }
}
