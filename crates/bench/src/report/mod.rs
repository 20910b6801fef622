//! The report: a table for the terminal ([`table`]) and one self-contained page ([`html`]).

use std::collections::BTreeSet;

use adamant::catalog;

use crate::results::{PipelineRow, Row, Verdict};
use crate::stats::geometric_mean;

mod format;
mod html;
mod pipeline;
mod ratios;
mod svg;
mod table;

pub use html::html;
pub use table::table;

/// Rows of one family, in their order.
struct Group<'a> {
    title: &'static str,
    rows: Vec<&'a Row>,
}

/// The families by the catalog's names, in the words of a page.
const TITLES: &[(&str, &str)] = &[
    ("hash", "Hashes"),
    ("mac", "Message authentication"),
    ("kdf", "Key derivation"),
    ("signature", "Signatures"),
    ("key-agreement", "Key agreement"),
    ("group", "Group arithmetic"),
    ("generator", "Random bytes"),
    ("format", "Formats"),
];

/// The family of an operation, by the catalog's name.
fn family(op: &str) -> &'static str {
    let algorithm = op.split('/').next().unwrap_or_default();
    catalog::find(algorithm).map_or("other", |found| found.family.name())
}

fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in rows {
        let family = family(&row.op);
        let known = TITLES.iter().find(|(name, _)| *name == family);
        let title = known.map_or("Other operations", |(_, title)| title);
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                title,
                rows: vec![row],
            }),
        }
    }
    groups
}

/// How the comparison went.
#[derive(Debug, Default, PartialEq)]
struct Summary {
    faster: usize,
    even: usize,
    slower: usize,
    /// The geometric mean of the ratios.
    mean: Option<f64>,
}

fn summary<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Summary {
    let mut summary = Summary::default();
    let mut ratios = Vec::new();
    for against in rows.into_iter().filter_map(|row| row.against.as_ref()) {
        match against.verdict() {
            Verdict::Faster => summary.faster += 1,
            Verdict::Even => summary.even += 1,
            Verdict::Slower => summary.slower += 1,
        }
        ratios.push(against.ratio);
    }
    summary.mean = geometric_mean(ratios);
    summary
}

impl Summary {
    fn compared(&self) -> usize {
        self.faster + self.even + self.slower
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn families_group() {
        let report = samples::report();
        let groups = groups(&report.rows);
        let titles: Vec<_> = groups.iter().map(|g| (g.title, g.rows.len())).collect();
        assert_eq!(titles, [("Hashes", 2), ("Signatures", 2)]);
        let summary = summary(&report.rows);
        assert_eq!((summary.faster, summary.even, summary.slower), (1, 1, 1));
        assert!((summary.mean.unwrap() - (1.4f64 * 0.7).cbrt()).abs() < 1e-9);
    }

    #[test]
    fn series_tell_apart_what_differs() {
        let mut rows = samples::report().pipeline;
        for stage in ["cert_gen", "db_insert_certs"] {
            let mut other = samples::pipeline_row(stage, 64);
            other.keys = other.keys.map(|_| "beforehand".into());
            other.synchronous = Some("full".into());
            rows.push(other);
        }
        rows.iter_mut()
            .filter(|row| row.stage == "cert_gen")
            .for_each(|row| row.synchronous = None);
        let pipelines = pipelines(&rows);
        assert_eq!(pipelines.len(), 1);
        let labels: Vec<_> = pipelines[0].series.iter().map(|s| &*s.label).collect();
        assert_eq!(
            labels,
            [
                "cert_gen (keys counted)",
                "db_insert_certs (normal)",
                "crl_sign",
                "ocsp_sign",
                "cert_gen (keys beforehand)",
                "db_insert_certs (full)",
            ]
        );
    }
}
