//! The report as Markdown, for a repository.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::format::{per_second, plain_ratio, ratio, size, time};
use super::grid::suites;
use super::pipeline::beside;
use super::suite::{outcome, suite_introduction};
use super::view::{Entry, Sides, Tally, View};
use super::{Series, heat, pipelines, title};
use crate::results::{Report, Stage, Verdict};

/// The whole report: summary and every operation with its interval, or the suites, which have both; the
/// pipeline, the rivals.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let view = View::new(report);
    let machine = &report.machine;
    let mut text = format!("# {}\n\n", plain(&title(report)));
    let _ = writeln!(
        text,
        "{}, {}, {}. Made by `{}`, adamant {}.\n",
        plain(&machine.cpu),
        plain(&machine.os),
        plain(&machine.date),
        code(&report.command),
        plain(&machine.version)
    );
    for note in &report.notes {
        let _ = writeln!(text, "- {}", plain(note));
    }
    if !report.notes.is_empty() {
        text.push('\n');
    }
    changes(&mut text, report);
    let suites = suites(report);
    if suites.is_empty() {
        summary(&mut text, &view);
        operations(&mut text, &view);
    }
    for (suite, grids) in suites {
        let _ = writeln!(
            text,
            "## Suite {}\n\n{}\n",
            suite.name,
            plain(&suite_introduction(&suite))
        );
        if let Some(outcome) = outcome(&grids) {
            let _ = writeln!(text, "{}\n", plain(&outcome));
        }
        for grid in grids {
            let _ = writeln!(text, "### {}\n", plain(&grid.title));
            let name = |column: &super::grid::Column| match column.group.as_str() {
                "" => column.heading(),
                group => format!("{group}: {}", column.heading()),
            };
            let head: Vec<String> = grid.columns.iter().map(name).collect();
            table(&mut text, &head, grid.texts().into_iter());
            for note in &grid.notes {
                let _ = writeln!(text, "{}\n", plain(note));
            }
        }
    }
    stages(&mut text, report);
    rivals(&mut text, report);
    text
}

fn summary(text: &mut String, view: &View<'_>) {
    if !view.has_contests() {
        return;
    }
    *text += "## Won, tied, lost\n\nGeometric means of how many times as fast ours is; in \
              brackets won, tied, lost.\n\n";
    let mut head = vec!["Family".to_owned(), "best rival".to_owned()];
    head.extend(view.rivals.iter().map(|&name| name.to_owned()));
    let families = view.families();
    let lines = families.iter().map(|family| {
        let entries: Vec<&Entry<'_>> = view
            .contests()
            .filter(|entry| entry.family == *family)
            .collect();
        let best = Tally::of(entries.iter().filter_map(|entry| entry.best()));
        let each = (0..view.rivals.len()).map(|place| {
            let sides = entries.iter().filter_map(|e| e.sides.get(place).copied());
            Tally::of(sides.filter_map(Sides::best))
        });
        let tallies: Vec<Tally> = [best].into_iter().chain(each).collect();
        let name = [(*family).to_owned()].into_iter();
        name.chain(tallies.iter().map(tally)).collect()
    });
    table(text, &head, lines);
}

fn tally(tally: &Tally) -> String {
    match tally.mean {
        Some(mean) => format!(
            "{} ({}, {}, {})",
            ratio(mean),
            tally.won,
            tally.tied,
            tally.lost
        ),
        None => String::new(),
    }
}

fn changes(text: &mut String, report: &Report) {
    let Some(baseline) = &report.baseline else {
        return;
    };
    let _ = writeln!(text, "## Since {}\n", plain(&baseline.date));
    let changed = [Verdict::Slower, Verdict::Faster].map(|verdict| baseline.of(verdict));
    let changed: Vec<_> = changed.into_iter().flatten().collect();
    if changed.is_empty() {
        *text += "Nothing changed beyond the noise.\n\n";
        return;
    }
    let head = ["Operation", "bytes", "then", "now", "speedup", "interval"].map(str::to_owned);
    let lines = changed.iter().map(|change| {
        vec![
            change.name(),
            change.bytes.to_string(),
            time(change.before_ns),
            time(change.now_ns),
            ratio(change.speedup),
            interval(change.speedup_low, change.speedup_high),
        ]
    });
    table(text, &head, lines);
}

fn interval(low: f64, high: f64) -> String {
    format!("{} – {}", plain_ratio(low), plain_ratio(high))
}

/// Every operation, worst first within its family, those without a rival last.
fn operations(text: &mut String, view: &View<'_>) {
    let head = [
        "Operation",
        "size",
        "adamant",
        "best rival",
        "theirs",
        "ratio",
        "95 % interval",
        "implementation",
    ]
    .map(str::to_owned);
    for family in view.families() {
        let _ = writeln!(text, "## {family}\n");
        let mut entries: Vec<&Entry<'_>> = view.of_family(family).collect();
        let compared = heat::worst_first(view);
        let rank = |entry: &&Entry<'_>| {
            let place = compared.iter().position(|(e, _)| std::ptr::eq(*e, *entry));
            place.unwrap_or(usize::MAX)
        };
        entries.sort_by_cached_key(rank);
        let lines = entries.into_iter().flat_map(|entry| {
            let sides: Vec<_> = [entry.best_single(), entry.best_batch()]
                .into_iter()
                .flatten()
                .collect();
            let ours = [
                entry.row.op.clone(),
                size(entry.row),
                time(entry.row.ours_ns),
            ];
            let alone = sides.is_empty().then(|| {
                let note = entry.note.clone().unwrap_or_default();
                [note, String::new(), String::new(), String::new()]
            });
            let against = sides.into_iter().map(|side| {
                let form = if side.theirs_batch > 1 { ", batch" } else { "" };
                [
                    format!("{}{form}", side.engine),
                    time(side.theirs_ns),
                    ratio(side.ratio),
                    interval(side.ratio_low, side.ratio_high),
                ]
            });
            let asked = if entry.row.forced { ", asked for" } else { "" };
            let note = entry.note.as_ref().filter(|_| alone.is_none());
            let note = note.map(|note| format!("; {note}"));
            let backend = format!("{}{asked}{}", entry.row.backend, note.unwrap_or_default());
            let lines = alone.into_iter().chain(against).map(move |theirs| {
                let fields = ours.clone().into_iter().chain(theirs);
                fields.chain([backend.clone()]).collect::<Vec<_>>()
            });
            lines.collect::<Vec<_>>()
        });
        table(text, &head, lines);
    }
}

fn stages(text: &mut String, report: &Report) {
    for pipeline in pipelines(&report.pipeline) {
        let _ = writeln!(text, "## Pipeline, {}\n", plain(pipeline.algo));
        let latency = |row: &Stage| time(row.ms * 1e6);
        let rate = |row: &Stage| per_second(row.items_per_s);
        let (batch, threads) = (|row: &Stage| row.batch, |row: &Stage| row.threads);
        *text += "### Latency by stage\n\n";
        over(text, &pipeline.series, "batch of ", batch, latency);
        *text += "### Throughput\n\n";
        over(text, &pipeline.series, "batch of ", batch, rate);
        if let Some(largest) = pipeline.over_threads.first() {
            let batch = largest.rows[0].batch;
            let _ = writeln!(text, "### Throughput over threads, batch of {batch}\n");
            over(text, &pipeline.over_threads, "threads: ", threads, rate);
        }
        for size in beside(&pipeline, &report.pipeline) {
            let _ = writeln!(text, "### Libraries, batch of {}\n", size.batch);
            let head = ["Stage"].iter().chain(&size.libraries);
            let head: Vec<_> = head.map(|&name| name.to_owned()).collect();
            let lines = size.lines.into_iter().map(|(stage, cells)| {
                let cells = cells.into_iter().map(|cell| match cell {
                    Some([time, other]) => format!("{time}, {other}"),
                    None => String::new(),
                });
                [stage.to_owned()].into_iter().chain(cells).collect()
            });
            table(text, &head, lines);
        }
    }
}

/// A table of stages, with a column for each value that `of` has.
fn over(
    text: &mut String,
    series: &[Series<'_>],
    title: &str,
    of: fn(&Stage) -> usize,
    cell: impl Fn(&Stage) -> String,
) {
    let rows = series.iter().flat_map(|series| &series.rows);
    let values: BTreeSet<usize> = rows.map(|row| of(row)).collect();
    let mut head = vec!["Stage".to_owned()];
    head.extend(values.iter().map(|value| format!("{title}{value}")));
    let lines = series.iter().map(|series| {
        let cells = values.iter().map(|value| {
            let row = series.rows.iter().find(|row| of(row) == *value);
            row.map_or(String::new(), |row| cell(row))
        });
        [series.label.clone()].into_iter().chain(cells).collect()
    });
    table(text, &head, lines);
}

fn rivals(text: &mut String, report: &Report) {
    if report.engines.is_empty() {
        return;
    }
    *text += "## Rivals\n\n";
    for engine in &report.engines {
        let [name, version, build] =
            [&engine.name, &engine.version, &engine.build].map(|t| plain(t));
        let _ = writeln!(text, "- {name}: {version}; {build}");
    }
}

fn table(text: &mut String, head: &[String], rows: impl Iterator<Item = Vec<String>>) {
    columns(text, 1, head, rows);
}

/// A table whose first columns, this many, hold words, and the others figures.
pub(super) fn columns(
    text: &mut String,
    words: usize,
    head: &[String],
    rows: impl Iterator<Item = Vec<String>>,
) {
    let line = |text: &mut String, fields: &[String]| {
        for field in fields {
            let _ = write!(text, "| {} ", plain(field));
        }
        *text += "|\n";
    };
    line(text, head);
    *text += &"|---".repeat(words);
    *text += &"|---:".repeat(head.len().saturating_sub(words));
    *text += "|\n";
    for row in rows {
        line(text, &row);
    }
    text.push('\n');
}

/// Text that neither Markdown nor HTML takes for anything else.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => {
                plain.push('\\');
                plain.push(c);
            }
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

/// Text within backquotes.
fn code(text: &str) -> String {
    text.chars()
        .map(|c| if c == '`' || c.is_control() { '\'' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;

    #[test]
    fn tables_have_their_columns() {
        let mut report = wide(2);
        let (alone, mut theirs) = (report.pipeline[2].clone(), report.pipeline[1].clone());
        (theirs.provider, theirs.ms) = ("openssl 4.0.3".into(), 10.0);
        report.pipeline.extend([
            Stage {
                threads: 1,
                ..alone
            },
            theirs,
        ]);
        report.baseline = Some(crate::baseline::compare(&report, &report));
        let alone = markdown(&report);
        report.suites = vec!["openhitls".into()];
        let text = markdown(&report);
        assert!(!text.contains("## Won, tied, lost"));
        let text = alone + &text;
        for part in [
            "## Won, tied, lost",
            "## Hashes",
            "## Suite openhitls",
            "571.7",
            " with a rival, ours is better in ",
            "## Pipeline, ecdsa-p256",
            "### Latency by stage",
            "### Throughput\n",
            "### Throughput over threads, batch of 1024",
            "### Libraries, batch of 64",
            "| 10.0 ms, 4.00× |",
            "rival-0, batch",
            "it ended (signal: 9)",
            "Nothing changed",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        for block in text.split("\n\n").filter(|block| block.starts_with('|')) {
            let bars = |line: &str| line.matches('|').count() - line.matches("\\|").count();
            let lines: Vec<_> = block.lines().map(bars).collect();
            assert!(lines.iter().all(|n| n == &lines[0]), "{block}");
        }
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut report = wide(1);
        report.notes = vec!["<script>\n# [x](y) | `z`".into()];
        report.command = "a`b".into();
        let text = markdown(&report);
        assert!(!text.contains("<script>") && !text.contains("\n# ["));
        assert!(text.contains("`a'b`"));
    }
}
