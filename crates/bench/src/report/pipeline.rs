//! The charts of the pipeline: items a second over the batch size, both logarithmic, a line for
//! each stage, a panel for each kind of thing that the stages make; and the parallel stages over
//! the number of threads. And the libraries beside each other.

use std::collections::BTreeSet;

use super::format::{per_second, ratio, time};
use super::svg::{LogScale, Svg};
use super::{Pipeline, Series};
use crate::results::Stage;
use crate::stats::order;
use adamant_tool::text::distinct;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 330.0;
/// Where the lines lie; the scale is to the left, the names of the lines to the right.
const LEFT: f64 = 50.0;
const RIGHT: f64 = WIDTH - 210.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = HEIGHT - 40.0;
/// The least distance between two names.
const NAME: f64 = 15.0;
/// Lines that have colours of their own.
const COLOURS: usize = 7;

/// The panels.
const KINDS: [&str; 4] = [
    "Certificates, made and verified",
    "Certificates, stored",
    "Revocation lists",
    "OCSP responses",
];
/// The last panel.
const THREADS: &str = "Over threads";

/// A title and the drawing below it, for each panel of one algorithm.
pub(super) fn panels(pipeline: &Pipeline<'_>) -> Vec<(&'static str, String)> {
    let kind = |series: &Series<'_>| {
        let stage = series.rows.first().map_or("", |row| row.stage.as_str());
        if stage.contains("crl") {
            KINDS[2]
        } else if stage.contains("ocsp") {
            KINDS[3]
        } else {
            KINDS[usize::from(stage.starts_with("db_"))]
        }
    };
    let panels = KINDS.into_iter().filter_map(|title| {
        let series = pipeline.series.iter().filter(|s| kind(s) == title);
        let series: Vec<_> = series.collect();
        Some((title, panel(pipeline, title, &series, Axis::BATCH)?))
    });
    // What is made and checked on all threads.
    let parallel = pipeline.over_threads.iter().filter(|series| {
        let stage = series.rows.first().map_or("", |row| row.stage.as_str());
        stage.starts_with("cert_") || stage.starts_with("ocsp_")
    });
    let parallel: Vec<_> = parallel.collect();
    let over_threads = panel(pipeline, THREADS, &parallel, Axis::THREADS);
    panels
        .chain(over_threads.map(|svg| (THREADS, svg)))
        .collect()
}

/// What the horizontal scale is.
#[derive(Clone, Copy)]
struct Axis {
    name: &'static str,
    of: fn(&Stage) -> usize,
    /// A value in a sentence: before and after the number.
    told: [&'static str; 2],
    /// Where the numbers are.
    numbers: &'static str,
}

impl Axis {
    const BATCH: Axis = Axis {
        name: "batch size",
        of: |row| row.batch,
        told: ["in batches of ", ""],
        numbers: "; the table below has the numbers",
    };
    const THREADS: Axis = Axis {
        name: "number of threads",
        of: |row| row.threads,
        told: ["on ", " threads"],
        numbers: "",
    };
}

fn panel(
    pipeline: &Pipeline<'_>,
    title: &str,
    series: &[&Series<'_>],
    axis: Axis,
) -> Option<String> {
    let rates = || series.iter().flat_map(|s| &s.rows).map(|r| r.items_per_s);
    let low = rates().filter(|&r| r > 0.0).reduce(f64::min)?;
    let high = rates().reduce(f64::max)?;
    let rows = || series.iter().flat_map(|s| &s.rows);
    let values: BTreeSet<usize> = rows().map(|row| (axis.of)(row)).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = LogScale::new([first as f64, last as f64], [LEFT + 12.0, RIGHT - 6.0]);
    let y = LogScale::new([low * 0.7, high * 1.4], [BOTTOM, TOP]);

    let mut svg = Svg::new();
    for tick in y.decades(7) {
        let y = y.at(tick);
        svg.line("grid", [LEFT, y], [RIGHT, y]);
        let label = per_second(tick).replace(".00", "").replace(".0", "");
        svg.text("tick end", [LEFT - 6.0, y + 4.0], &label);
    }
    svg.line("axis", [LEFT, BOTTOM], [RIGHT, BOTTOM]);
    // Numbers need about 34 pixels.
    let mut free = f64::MIN;
    for &value in &values {
        let x = x.at(value as f64);
        if x >= free {
            svg.line("axis", [x, BOTTOM], [x, BOTTOM + 4.0]);
            svg.text("tick middle", [x, BOTTOM + 17.0], &value.to_string());
            free = x + 34.0;
        }
    }
    svg.text(
        "tick middle",
        [(LEFT + RIGHT) / 2.0, BOTTOM + 34.0],
        axis.name,
    );
    let places: Vec<Vec<[f64; 2]>> = series
        .iter()
        .map(|s| {
            let rows = s.rows.iter();
            rows.map(|r| [x.at((axis.of)(r) as f64), y.at(r.items_per_s)])
                .collect()
        })
        .collect();
    let ends: Vec<f64> = places
        .iter()
        .map(|points| points.last().map_or(BOTTOM, |point| point[1]))
        .collect();
    let names = spaced(&ends);
    for (i, (series, points)) in series.iter().zip(&places).enumerate() {
        let class = format!("s{}", i % COLOURS);
        let Some((end, last)) = points.last().zip(series.rows.last()) else {
            continue;
        };
        let [before, after] = axis.told;
        let told = format!(
            "{}: {} {before}{}{after}",
            series.label,
            per_second(last.items_per_s),
            (axis.of)(last)
        );
        svg.group(&told, |svg| {
            svg.line(
                &format!("leader {class}"),
                [end[0] + 5.0, end[1]],
                [RIGHT + 10.0, names[i]],
            );
            svg.polyline(&format!("series {class}"), points);
            for point in points {
                svg.circle(&format!("dot {class}"), *point, 3.0);
            }
            let place = [RIGHT + 14.0, names[i] + 4.0];
            svg.text(&format!("name {class}"), place, &series.label);
        });
    }
    let label = format!(
        "{title}, {}: items a second over the {}{}",
        pipeline.algo, axis.name, axis.numbers
    );
    Some(svg.finish(&label, [WIDTH, HEIGHT]))
}

/// Places near the wanted ones, in the same order, at least [`NAME`] apart and within the panel.
fn spaced(wanted: &[f64]) -> Vec<f64> {
    let order = order(wanted);
    let mut places = wanted.to_vec();
    let mut free = TOP;
    for &i in &order {
        places[i] = places[i].max(free);
        free = places[i] + NAME;
    }
    let mut free = BOTTOM;
    for &i in order.iter().rev() {
        places[i] = places[i].min(free);
        free = places[i] - NAME;
    }
    places
}

/// The libraries beside each other, in one size of the batch.
pub(super) struct Beside<'a> {
    pub(super) batch: usize,
    /// Ours first.
    pub(super) libraries: Vec<&'a str>,
    /// Of each stage its name and, of each library, the time with the throughput of ours, or with how
    /// many times as long it took; nothing of a library that lacks the stage.
    pub(super) lines: Vec<(&'a str, Vec<Option<[String; 2]>>)>,
}

/// All sizes in which there are others than ours.
pub(super) fn beside<'a>(pipeline: &'a Pipeline<'_>, all: &'a [Stage]) -> Vec<Beside<'a>> {
    let in_size = |batch| {
        let ours = pipeline.series.iter().filter_map(|series| {
            let row = series.rows.iter().find(|row| row.batch == batch)?;
            Some((series.label.as_str(), *row))
        });
        let ours: Vec<(&str, &Stage)> = ours.collect();
        let (_, first) = *ours.first()?;
        let of_size = all.iter().filter(|row| {
            (row.algo.as_str(), row.batch, row.threads) == (pipeline.algo, batch, first.threads)
        });
        let names = of_size.clone().map(|row| row.provider.as_str());
        let others = distinct(names.filter(|name| *name != first.provider));
        if others.is_empty() {
            return None;
        }
        let lines = ours.iter().map(|&(label, ours)| {
            let key = |row: &Stage| (row.stage.clone(), row.keys, row.synchronous);
            let others = others.iter().map(|name| {
                let theirs = of_size
                    .clone()
                    .find(|row| row.provider == *name && key(row) == key(ours))?;
                Some([time(theirs.ms * 1e6), ratio(theirs.ms / ours.ms)])
            });
            let ours = [time(ours.ms * 1e6), per_second(ours.items_per_s)];
            (label, [Some(ours)].into_iter().chain(others).collect())
        });
        Some(Beside {
            batch,
            lines: lines.collect(),
            libraries: [first.provider.as_str()]
                .into_iter()
                .chain(others)
                .collect(),
        })
    };
    pipeline.batches().into_iter().filter_map(in_size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::pipelines;
    use crate::results::samples;

    #[test]
    fn panels_for_what_there_is() {
        let rows = samples::report().pipeline;
        let pipelines = pipelines(&rows);
        let panels = panels(&pipelines[0]);
        let titles: Vec<_> = panels.iter().map(|(title, _)| *title).collect();
        assert_eq!(titles, KINDS);
        assert_eq!(panels[0].1.matches("<polyline").count(), 1);
        assert!(!panels[0].1.contains("NaN"));
    }

    #[test]
    fn a_panel_over_threads() {
        let mut rows: Vec<_> = [64, 1024]
            .map(|batch| samples::pipeline_row("cert_verify", batch))
            .into();
        let alone = Stage {
            threads: 1,
            ..rows[1].clone()
        };
        rows.push(alone);
        let pipelines = pipelines(&rows);
        // The table and the other panels are only of two threads.
        assert_eq!(pipelines[0].series[0].rows.len(), 2);
        let panels = panels(&pipelines[0]);
        assert_eq!(panels.len(), 2);
        assert_eq!(panels[1].0, THREADS);
        assert_eq!(panels[1].1.matches("<circle").count(), 2);
    }

    #[test]
    fn libraries_beside_each_other() {
        let mut rows: Vec<_> = ["cert_gen", "crl_sign"]
            .map(|stage| samples::pipeline_row(stage, 64))
            .into();
        assert!(beside(&pipelines(&rows)[0], &rows).is_empty());
        rows.push(Stage {
            provider: "openssl 4.0.3".into(),
            ms: 10.0,
            ..rows[1].clone()
        });
        rows.push(samples::pipeline_row("crl_sign", 1024));
        let pipelines = pipelines(&rows);
        let all = beside(&pipelines[0], &rows);
        // Nobody else has the larger batch.
        let [size] = all.as_slice() else {
            panic!("{} sizes", all.len());
        };
        assert_eq!(size.batch, 64);
        assert_eq!(size.libraries, ["adamant", "openssl 4.0.3"]);
        let cell = |time: &str, other: &str| Some([time.to_owned(), other.to_owned()]);
        let ours = cell("2.50 ms", "25.6 k/s");
        assert_eq!(size.lines[0], ("cert_gen", vec![ours.clone(), None]));
        let theirs = cell("10.0 ms", "4.00×");
        assert_eq!(size.lines[1], ("crl_sign", vec![ours, theirs]));
    }

    #[test]
    fn one_batch_size_is_enough() {
        let rows = [samples::pipeline_row("cert_gen", 8)];
        let pipelines = pipelines(&rows);
        let panels = panels(&pipelines[0]);
        assert_eq!(panels.len(), 1);
        assert!(!panels[0].1.contains("NaN"));
    }

    #[test]
    fn names_keep_their_distance() {
        let places = spaced(&[100.0, 101.0, 99.0, 289.0, 290.0, 290.0]);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= NAME));
        assert!(places[2] < places[0] && places[0] < places[1]);
        assert!(sorted[5] <= BOTTOM);
    }
}
